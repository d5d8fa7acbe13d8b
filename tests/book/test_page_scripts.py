"""A page gets the scripts that it has a use for; all wait unless the page may need one at once."""

from types import SimpleNamespace

import pytest
from sphinx.builders.html._assets import _JavaScript

from bookwork.sphinx.page_scripts import TOGGLED, leave_out

ALWAYS = ["_static/book/book.js", "_static/doctools.js"]
NEVER = ["_static/sphinx_highlight.js"]
TABS = ["_static/design-tabs.js"]
TOGGLES = ["_static/togglebutton.js", "let toggleHintShow = 'Click'", "var togglebuttonSelector"]


def left(body, own=(), theme="sphinx_book_theme", selector=TOGGLED, house_style=True):
    """Return the scripts that a page is left with, its styles, and whether scripts wait."""
    config = SimpleNamespace(html_theme=theme, bookwork_house_style=house_style)
    config.togglebutton_selector = selector
    app = SimpleNamespace(config=config)
    files = [script(text) for text in [*ALWAYS, *NEVER, *TABS, *TOGGLES, *own]]
    context = {"script_files": files, "css_files": ["_static/togglebutton.css"], "body": body}
    leave_out(app, "chapter", "page.html", context, None)
    names = [file.filename or file.attributes["body"] for file in context["script_files"]]
    waiting = {"defer" in file.attributes for file in context["script_files"] if file.filename}
    assert not any("defer" in file.attributes for file in files)  # other pages have them, too
    return names, context["css_files"], waiting == {True}


def script(text):
    return _JavaScript(text) if text.startswith("_static") else _JavaScript(None, body=text)


def test_a_plain_page_has_no_scripts_for_what_it_does_not_have():
    body = '<p class="sd-dropdown togglebutton">text</p><script type="application/json">{}</script>'
    assert left(body) == (ALWAYS, [], True)


@pytest.mark.parametrize(
    ("body", "scripts"),
    [
        ('<div class="sd-tab-set docutils">', TABS),
        ('<div class="admonition dropdown">', TOGGLES),
        ("<div class='toggle'>", TOGGLES),
    ],
)
def test_a_page_with_tabs_or_toggles_has_their_scripts(body, scripts):
    assert left(body)[0] == ALWAYS + scripts


def test_a_book_may_say_itself_what_is_toggled():
    assert left("<p>", selector=".mine")[0] == ALWAYS + TOGGLES


@pytest.mark.parametrize("other", [{"theme": "furo"}, {"house_style": False}])
def test_another_theme_or_style_keeps_all_its_scripts(other):
    assert left("<p>", **other) == (
        ALWAYS + NEVER + TABS + TOGGLES,
        ["_static/togglebutton.css"],
        False,
    )


@pytest.mark.parametrize(
    ("body", "own"),
    [
        ("<script>plot(place)</script>", []),
        ('<script src="x.js"></script>', []),
        ("<p>", ["_static/mine.js"]),
    ],
)
def test_scripts_do_not_wait_where_a_page_may_need_one_at_once(body, own):
    assert not left(body, own)[2]


def test_the_settings_of_thebe_which_nothing_reads_are_left_out():
    thebe = '<script type="text/x-thebe-config">\n  {\n    requestKernel: true\n  }\n</script>'
    assert left(f"<p>{thebe}<script>kernelName = 'python3'</script>")[2]
