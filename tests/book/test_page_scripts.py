"""A page gets the scripts that it has a use for; Bootstrap waits unless the page needs it."""

from types import SimpleNamespace

import pytest

from bookwork.sphinx.page_scripts import TOGGLED, leave_out

ALWAYS = ["_static/book/book.js", "_static/doctools.js"]
TABS = ["_static/design-tabs.js"]
TOGGLES = ["_static/togglebutton.js", "let toggleHintShow = 'Click'", "var togglebuttonSelector"]


def left(body, own=(), theme="sphinx_book_theme", selector=TOGGLED):
    """Return the scripts that a page is left with, and whether Bootstrap waits."""
    app = SimpleNamespace(config=SimpleNamespace(html_theme=theme, togglebutton_selector=selector))
    files = [script(text) for text in [*ALWAYS, *TABS, *TOGGLES, *own]]
    context = {"script_files": files, "css_files": ["_static/togglebutton.css"], "body": body}
    leave_out(app, "chapter", "page.html", context, None)
    names = [file.filename or file.attributes["body"] for file in context["script_files"]]
    return names, context["css_files"], context.get("bootstrap_waits", False)


def script(text):
    name, body = (text, None) if text.startswith("_static") else (None, text)
    return SimpleNamespace(filename=name, attributes={"body": body})


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


def test_another_theme_keeps_all_its_scripts():
    assert left("<p>", theme="furo") == (
        ALWAYS + TABS + TOGGLES,
        ["_static/togglebutton.css"],
        False,
    )


@pytest.mark.parametrize(
    ("body", "own"),
    [
        ('<div data-bs-ride="carousel">', []),
        ("<script>new bootstrap.Tooltip(place)</script>", []),
        ('<script src="x.js"></script>', []),
        ("<p>", ["_static/mine.js"]),
    ],
)
def test_bootstrap_does_not_wait_where_a_page_may_need_it(body, own):
    assert not left(body, own)[2]


def test_the_settings_of_thebe_which_nothing_reads_are_left_out():
    thebe = '<script type="text/x-thebe-config">\n  {\n    requestKernel: true\n  }\n</script>'
    assert left(f"<p>{thebe}<script>kernelName = 'python3'</script>")[2]
