"""What no page can use is left out of the theme's style sheets, and of nothing else."""

import pytest

from bookwork.build.purge_styles import purge, purged

THEME = """@charset "UTF-8";@font-face{font-family:Icons;src:url(icons.woff2)}
/*! a licence */:root{--line:#ddd}body,.nowhere{margin:0}
.fa-sun:before{content:"\\f185"}.fa-moon:before{content:"}.fa-sun{"}
.menu.show,.menu:not(.gone, :is(.lost)){background:url("data:,%3csvg a='translate(1)'/%3e")}
@media print{.fa-moon,.card{color:red}}@media screen{.nowhere{color:red}}
a[href$=".pdf"],.alert-danger,.w-50\\%,table.dataframe{color:blue}"""
PAGE = """<p class="menu card" id=top>A word: nowhere</p>
<script>document.body.classList.add("show")</script>
<script type="application/json">{"html": "<b class=\\"fa-sun\\">"}</script>"""


@pytest.fixture
def site(tmp_path):
    for name, text in {
        "chapters/one.html": PAGE,
        "_static/own.js": 'node.className = "alert-" + kind; node.id = "w-50%"',
        "_static/own.css": ".nowhere{margin:0}",
        "_static/styles/pydata-sphinx-theme.css": THEME,
        "_static/sphinx-design.min.css": ".sd-card{margin:0}.card{margin:0}",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_rule_stays_if_pages_have_its_names_or_scripts_may_add_them(site):
    purge(site)
    css = (site / "_static/styles/pydata-sphinx-theme.css").read_text()
    assert css.startswith('@charset "UTF-8";@font-face{font-family:Icons;src:url(icons.woff2)}')
    for kept in ("--line", "body{", "fa-sun:before", ".menu.show", ":not(.gone, :is(.lost))"):
        assert kept in css
    for kept in (
        "translate(1)",
        ".card{color:red}",
        '[href$=".pdf"]',
        ".alert-danger",
        ".dataframe",
    ):
        assert kept in css
    for dropped in ("nowhere", "fa-moon", "screen"):
        assert dropped not in css


def test_what_a_book_brings_is_left_as_it_is(site):
    purge(site)
    assert (site / "_static/sphinx-design.min.css").read_text() == ".card{margin:0}"
    assert (site / "_static/own.css").read_text() == ".nowhere{margin:0}"


def test_a_style_sheet_of_which_all_is_used_stays_whole():
    css = (
        ".a>.b,.c{color:red;margin:0}@supports (gap:0){.a{gap:0}}@keyframes turn{to{rotate:1turn}}"
    )
    assert purged(css, {"a", "b", "c"}) == css
