"""Code cells of a page with the real Python: figures, safety, pages that are left, and the disk."""

import re

import pytest
from bookwork.testing.cells import button, cell, ended, run, text_of, write
from bookwork.testing.pages import check_faults
from bookwork.testing.shown import open_page, wait_until
from browser.cells import CHAPTER
from playwright.sync_api import expect

pytestmark = pytest.mark.python

EVIL = "window.hacked = true"
MARKUP = [
    f"<img src=x onerror='{EVIL}'>",
    f"<script>{EVIL}; top.hacked = true; parent.hacked = true</script>",
    f"</pre></iframe><svg onload='{EVIL}'></svg>",
    f'"><details open ontoggle="{EVIL}">x</details>',
    f"<a href='javascript:{EVIL}' autofocus onfocus='{EVIL}'>x</a>",
]


def test_nothing_is_loaded_before_the_first_edit_and_a_press_into_code_is_one(page, server):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, f"{server}/{CHAPTER}")  # figures have their height: the code moves no more
    page.wait_for_load_state("networkidle")
    x, y = place_of_a_letter(page)
    # a drag selects
    page.mouse.move(x - 20, y)
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=4)
    page.mouse.up()
    page.wait_for_function("() => getSelection().toString().length > 1")
    expect(page.locator("script[src*='editor.js']")).to_have_count(0)
    assert not [url for url in asked if re.search("editor|pyodide|python", url)]
    # a press into code edits it
    page.mouse.click(x, y)  # which also ends the selection
    page.mouse.click(x, y)
    cell(page, 2).get_by_role("textbox").wait_for()
    page.wait_for_function("() => document.activeElement.className.startsWith('cm-content')")
    assert [url for url in asked if "/editor.js?v=" in url]


def place_of_a_letter(page):
    """Return where the fifth letter of the function's name in the second cell is."""
    code = cell(page, 2).locator(".cell_input pre")
    code.scroll_into_view_if_needed()
    place = "([text]) => { const range = document.createRange(); range.setStart(text, 4);"
    place += "range.setEnd(text, 5); const { x, y, height } = range.getBoundingClientRect();"
    place += "return [x, y + height / 2]; }"
    return code.locator(".nf").first.evaluate(f"(word) => ({place})(word.childNodes)")


def test_the_readers_function_draws_the_figure_and_who_leaves_comes_back_to_their_text(
    page, server
):
    page.goto(f"{server}/{CHAPTER}")
    # the readers function draws the live figure
    page.evaluate("() => bookWidgets.ready")
    write(page, 2, "def match(query, keys):\n    return np.ones(len(keys))")
    assert run(page, 2).startswith("Done")
    drawn = page.locator("#fig-match .book-own .live-figure")
    drawn.wait_for()
    said = drawn.locator(".live-readout")
    expect(said).to_have_text("“pitta” equals 6 of the six breads")
    drawn.get_by_role("combobox", name="order").select_option("Bagel")
    expect(said).to_have_text("“Bagel” equals 6 of the six breads")
    drawn.evaluate("(figure) => { figure.id = 'old-figure'; }")
    button(page, "Run", 2).click()  # again: the old figure makes room for a new one
    expect(page.locator("#fig-match .book-own .live-figure:not(#old-figure)")).to_have_count(1)
    expect(page.locator("#old-figure")).to_have_count(0)
    ended(page, 2)
    check_faults(page)
    button(page, "Start over", 2).click()
    # who leaves while a cell runs comes back to their text and runs it
    page.forgiven.append("blob:")  # what Python looks at is gone with the page
    write(page, 1, "print('on')\nwhile True: pass")
    button(page, "Run", 1).click()
    cell(page, 1).locator(".book-stdout").wait_for()
    page.goto(f"{server}/chapters/summary.html")
    wait_until(page, lambda: not page.workers)
    page.go_back()
    cell(page, 1).get_by_role("textbox").wait_for()
    assert text_of(page, 1) == "print('on')\nwhile True: pass"
    expect(button(page, "Stop", 1)).to_be_hidden()
    write(page, 1, "print('back')")
    assert run(page, 1).startswith("Done")
    assert cell(page, 1).locator(".book-stdout").inner_text().strip() == "back"


def test_without_the_script_of_python_the_page_says_why_and_runs_once_it_comes(page, server):
    page.forgiven.append("python-worker")
    page.route("**/python-worker.js*", lambda route: route.abort())
    page.goto(f"{server}/{CHAPTER}")
    for _ in range(2):
        assert "its script did not arrive. Check your connection" in run(page, 1)
    page.unroute("**/python-worker.js*")
    assert run(page, 1).startswith("Done")


MARKDOWN = r"""
# Title

Some *words*, `$code$`, $a_1*b_1*c$ and [a link](https://example.org).

$$
- x
$$

<b onclick="x">raw</b>
"""
RICH = f"""
from IPython.display import *
display(Markdown({MARKDOWN!r}), Math(r"\\frac12"), Latex("so $x$"))
display(Markdown("words\\n\\n<style>p {{}}</style>\\n\\n" + "\\n\\n".join({MARKUP!r})))
display(Latex({MARKUP[0]!r}), Math(r"\\href{{javascript:{EVIL}}}{{\\text{{to}}}}"))
display(Image(data=b"GIF89a", width=30, height=20))
"""


def test_markdown_and_tex_are_shown_as_in_a_notebook_and_stay_harmless(page, server):
    """What becomes HTML of a reader's own is tested in test_safety.py."""
    page.goto(f"{server}/{CHAPTER}")
    page.forgiven += ["/chapters/x", "console: "]  # what the markup asks for, and its refusal
    write(page, 1, RICH)
    assert run(page, 1).startswith("Done")
    texts = cell(page, 1).locator(".book-text")
    first = texts.first
    expect(first.locator(".katex")).to_have_count(2)
    expect(first.locator("h3")).to_have_text("Title")
    assert first.locator("em").all_inner_texts() == ["words"]
    expect(first.locator("code")).to_have_text("$code$")
    assert first.locator(".katex-display mo").text_content() == "\u2212"  # no list
    assert first.locator("a").get_attribute("target") == "_blank"
    expect(first.locator("b")).to_have_count(0)
    expect(texts.nth(1).locator("mfrac")).to_have_count(1)
    expect(texts.nth(2).locator(".katex")).to_have_count(1)
    expect(texts.nth(3).locator("script, style, img, svg, details, a")).to_have_count(0)
    expect(texts.nth(4)).to_have_text(MARKUP[0])
    expect(texts.nth(5).locator(".katex")).to_have_count(1)
    expect(texts.nth(5).locator("a[href]")).to_have_count(0)
    picture = cell(page, 1).locator("img[src^='data:image/gif']")
    assert picture.evaluate("({ style }) => style.width") == "30px"
    assert page.evaluate("window.hacked") is None
