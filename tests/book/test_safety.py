"""The Content-Security-Policy: in every page, before any script, and as strict as it can be."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
PAGES = sorted(SITE.rglob("*.html"))
POLICY = '<meta http-equiv="Content-Security-Policy"'
LITE = [path for path in PAGES if SITE / "lite" in path.parents]


@pytest.fixture(scope="module")
def safety():
    spec = importlib.util.spec_from_file_location("safety", ROOT / "_ext" / "safety.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_has_one_policy_before_its_first_script():
    whole = [path for path in PAGES if "<head>" in path.read_text()]
    assert whole
    for path in whole:
        page = path.read_text()
        assert page.count(POLICY) == 1, path
        assert page.index(POLICY) < page.index("<script"), path


def test_no_page_may_run_what_the_build_did_not_write():
    for path in set(PAGES) - set(LITE):
        policy = re.search(r"script-src ([^;]*);", path.read_text())
        if policy:
            assert "'unsafe-inline'" not in policy[1]
            assert "'unsafe-eval'" not in policy[1]
            assert "http" not in policy[1]


def test_notebooks_in_the_browser_may_ask_no_other_host():
    assert LITE
    for path in LITE:
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', path.read_text())[1]
        assert policy.startswith("default-src 'self' blob: data:;")
        assert "http" not in policy
        assert "*" not in policy


def test_the_policy_of_the_book_knows_nothing_of_the_scripts_of_jupyterlite(safety, tmp_path):
    for name in ("index.html", "lite/notebooks/index.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert safety.own_pages(tmp_path) == [tmp_path / "index.html"]


def test_inline_scripts_and_handlers_are_found_and_data_is_not(safety):
    page = (
        '<script>one()</script><script type="application/json">{"a": 1}</script>'
        '<script src="x.js"></script><b onclick="two(&quot;x&quot;)">b</b>'
    )
    assert list(safety.inline_scripts(page)) == ["one()"]
    assert safety.inline_handlers(page) == ['two("x")']


def test_the_hash_is_that_of_the_standard(safety):
    # the example of the specification, for the script: alert('Hello, world.');
    expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert safety.digest("alert('Hello, world.');") == expected
