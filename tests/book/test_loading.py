"""How a page loads its files: nothing that it does not need, and an address names its content."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from bookwork.sphinx import loading

ROOT = Path(__file__).parents[2]
PAGE = """<head><script defer src="_static/a.js?v=old"></script>
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


def finished(site, policy="strict"):
    config = SimpleNamespace(html_theme="sphinx_book_theme", bookwork_policy=policy)
    config.bookwork_house_style = True
    loading.finish_pages(SimpleNamespace(outdir=site, config=config))
    return (site / "page.html").read_text()


THEIRS = [  # of the theme, as it was and as it is
    '<script defer src="../_static/scripts/fontawesome.js?digest=1"></script>\n',
    '  <script src="_static/vendor/fontawesome/6.5.2/js/all.min.js?digest=1"></script>\n',
    '<link rel="preload" as="script" href="_static/scripts/bootstrap.js" />\n',
    '<script src="_static/searchtools.js"></script>\n<script src="searchindex.js"></script>\n',
]


def test_what_the_theme_loads_for_nothing_is_left_out(site):
    bootstrap = '<script defer src="_static/scripts/bootstrap.js"></script>'
    (site / "page.html").write_text(f"{''.join(THEIRS)}{bootstrap}")
    assert finished(site) == bootstrap


def test_a_frame_or_a_player_from_another_host_is_a_link_under_a_strict_policy(site):
    frames = (
        '<iframe width="9" src="https://www.youtube-nocookie.com/embed/Ab-1?rel=0"></iframe>'
        '<video controls>\n<source src="//films.example/a.mp4"></video>'
        '<iframe src="_static/own.html"></iframe><video src="own.mp4"></video>'
    )
    (site / "page.html").write_text(frames)
    assert finished(site, policy="named") == frames
    page = finished(site)
    assert re.findall(r'<a href="([^"]*)">(.*?)</a>', page) == [
        ("https://www.youtube.com/watch?v=Ab-1", "see this at www.youtube-nocookie.com"),
        ("//films.example/a.mp4", "see this at films.example"),
    ]
    assert "This book loads nothing from other hosts: " in page
    assert page.endswith('<iframe src="_static/own.html"></iframe><video src="own.mp4"></video>')


def test_an_address_names_the_content_of_its_file_also_when_only_that_changes(site):
    assert 'href="_static/a.css?v=6b86b273"' in finished(site)
    assert (site / "_static/styles/b.css").read_text() == '@import "../a.css?v=6b86b273";'
    (site / "_static" / "a.css").write_text("2")
    page = finished(site)
    assert 'href="_static/a.css?v=d4735e3a"' in page
    assert '<script defer src="_static/a.js?v=6b86b273"></script>' in page
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
