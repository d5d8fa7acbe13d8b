"""The version of a page changes with the page and with Python, and with nothing else."""

import json

import pytest

from bookwork.build.stamp_pages import stamp_pages

PAGE = '<head>\n    <meta charset="utf-8" /></head>{}'


@pytest.fixture
def site(tmp_path):
    for folder in ("chapters", "lite", "_static", "_pyodide"):
        (tmp_path / folder).mkdir()
    for name in ("index", "chapters/one", "lite/index", "_static/part"):
        (tmp_path / f"{name}.html").write_text(PAGE.format(name))
    return tmp_path


def versions(site):
    stamp_pages(site)
    return json.loads((site / "build.json").read_text())


def test_a_page_holds_the_version_that_the_list_has_for_it(site):
    listed = versions(site)
    assert sorted(listed) == ["chapters/one.html", "index.html"]
    for name, version in listed.items():
        text = (site / name).read_text()
        assert text.count(f'<meta name="book-version" content="{version}" />') == 1


def test_a_second_build_of_the_same_changes_nothing(site):
    first, page = versions(site), (site / "index.html").stat().st_mtime_ns
    assert versions(site) == first
    assert (site / "index.html").stat().st_mtime_ns == page


def test_only_the_page_that_changed_has_a_new_version(site):
    first = versions(site)
    (site / "index.html").write_text(PAGE.format("new"))
    second = versions(site)
    assert second["index.html"] != first["index.html"]
    assert second["chapters/one.html"] == first["chapters/one.html"]


def test_another_python_is_another_version_of_every_page(site):
    first = versions(site)
    (site / "_pyodide" / "index.json").write_text("{}")
    second = versions(site)
    assert all(second[name] != first[name] for name in first)
