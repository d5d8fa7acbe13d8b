"""How a page loads its files: no script holds the text up, and an address names its content."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from bookwork.sphinx import loading

ROOT = Path(__file__).parents[2]
PAGE = """<head><script src="_static/a.js"></script><script>let b = 1;</script>
<script defer src="_static/a.js?v=old"></script>
<link rel="stylesheet" href="_static/a.css?digest=1" /></head>
<body><a href="other.html">other</a><img alt="" src="_images/gone.svg" /></body>"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "_static/styles").mkdir(parents=True)
    for name in ("a.js", "a.css"):
        (tmp_path / "_static" / name).write_text("1")
    (tmp_path / "_static/styles/b.css").write_text('@import "../a.css";')
    (tmp_path / "page.html").write_text(PAGE)
    return tmp_path


def finished(site):
    config = SimpleNamespace(html_theme="sphinx_book_theme")
    loading.finish_pages(SimpleNamespace(outdir=site, config=config))
    return (site / "page.html").read_text()


def test_scripts_wait_for_the_text(site):
    page = finished(site)
    assert '<script src="' not in page
    assert page.count('<script defer src="_static/a.js?v=6b86b273"></script>') == 2
    assert "<script>let b = 1;</script>" in page


def test_an_address_names_the_content_of_its_file_also_when_only_that_changes(site):
    assert 'href="_static/a.css?v=6b86b273"' in finished(site)
    assert (site / "_static/styles/b.css").read_text() == '@import "../a.css?v=6b86b273";'
    (site / "_static" / "a.css").write_text("2")
    page = finished(site)
    assert 'href="_static/a.css?v=d4735e3a"' in page
    assert 'href="other.html"' in page
    assert 'src="_images/gone.svg"' in page


def test_pictures_wait_where_their_size_is_known(site):
    (site / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n    IHDR\0\0\2\xd0\0\0\1\x79")
    given = '<img alt="" src="a.png" /><img width="9" src="a.png" /><img src="gone.png" />'
    (site / "page.html").write_text(given)
    assert finished(site) == (
        '<img loading="lazy" width="720" height="377" alt="" src="a.png?v=e0e6699f" />'
        '<img width="9" src="a.png?v=e0e6699f" /><img src="gone.png" />'
    )
    assert finished(site) == (site / "page.html").read_text()
