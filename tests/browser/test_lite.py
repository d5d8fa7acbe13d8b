"""A chapter as a notebook in the browser: opened from its page, run, moved.

Its first cells were added by a stranger: they do no harm, neither by themselves nor when they run.

The fixture `page` sees to it that nothing is asked of another host.
"""

from urllib.parse import urljoin

import pytest
from book.chapters import run_chapter
from browser.jupyter import DRAWN, run_all_cells
from browser.shown import FITS, Shown, open_page
from playwright.sync_api import expect

from bookwork.book.book import Book
from bookwork.book.references import notebook_names
from tools import ROOT

CHAPTER = "summary"  # which is short, and has a figure with a slider and every kind of exercise
FIGURE = "fig-path"
PATIENCE = 600_000  # milliseconds: a busy machine may need minutes for the first cell
IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"
HOSTILE = "window.hacked = true"
OUTPUTS = [
    {"text/html": f"<script>{HOSTILE}</script>"},
    {"text/html": f"<img src='data:,' onerror='{HOSTILE}'>"},
    {"text/html": f"<script src='data:text/javascript,{HOSTILE}'></script>"},
    {"application/javascript": HOSTILE},
    {"application/vnd.jupyter.widget-view+json": {"model_id": "m", "version_major": 2}},
]
ANYWIDGET = {
    "_esm": f"export default {{ initialize() {{ {HOSTILE} }}, render() {{ {HOSTILE} }} }}",
    **{f"_{kind}_module": "anywidget" for kind in ("model", "view")},
    **{f"_{kind}_module_version": "~0.11.0" for kind in ("model", "view")},
    **{"_model_name": "AnyModel", "_view_name": "AnyView"},
}
ELSEWHERE = "http://192.0.2.1/"
ASK = f"""
import js
from pyodide.http import open_url
refused = []
for ask in (lambda: open_url("{ELSEWHERE}"), lambda: js.Worker.new("kernel.js")):
    try: ask()
    except Exception as error: refused.append(type(error).__name__)
from attention_lib.datasets import load_minilm_attention  # whose file comes when it is opened
print(refused, len(open_url(js.location.origin).read()) > 0, len(load_minilm_attention()))
"""


def code_cell(number, source, data=None):
    shown = {"output_type": "display_data", "data": data, "metadata": {}}
    return {
        "cell_type": "code",
        "id": f"cell-{number}",
        "source": source,
        "metadata": {"trusted": True},
        "execution_count": None,
        "outputs": [shown] if data else [],
    }


STRANGE = [*(code_cell(k, "1", data) for k, data in enumerate(OUTPUTS)), code_cell("ask", ASK)]


@pytest.fixture
def notebook(page, server, site):
    """Open the chapter's notebook as a reader does, with the button of its page."""
    if not (site / "lite").is_dir():
        pytest.fail("the book was built without JupyterLite: run make book without PAGE_PYTHON=0")
    outside = []
    page.context.on("request", lambda request: outside.extend(elsewhere(request.url, server)))
    file = f"**/{notebook_names(Book(ROOT))[CHAPTER]}.ipynb*"
    page.context.route(file, add_strange_cells)
    page.goto(f"{server}/chapters/{CHAPTER}.html")
    with page.context.expect_page() as opened:
        page.locator("a.btn-open-notebook").click()
    tab = opened.value
    tab.set_default_timeout(PATIENCE)
    tab.outside = outside
    tab.locator(".jp-Notebook").wait_for()
    yield tab
    page.context.unroute(file)


def add_strange_cells(route):
    """Answer with the notebook as someone else could have sent it, who says that it is trusted."""
    book = route.fetch().json()
    widget = {"model_name": "AnyModel", "model_module": "anywidget", "state": ANYWIDGET}
    widget["model_module_version"] = "~0.11.0"
    states = {"version_major": 2, "version_minor": 0, "state": {"m": widget}}
    book["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": states}
    book["cells"] = [*STRANGE, *book["cells"]]
    route.fulfill(json=book)


def elsewhere(address, server):
    """Tell of other hosts; JupyterLite asks its own for a heartbeat, at the root."""
    own = urljoin(server, "/")
    return [] if address.startswith((own, "data:", "blob:")) else [address]


def test_a_chapter_opens_as_a_notebook_runs_and_leads_back(notebook):
    check_strange_cells(notebook)
    chapter = run_whole(notebook)
    check_figures(notebook, chapter.figures)
    follow_a_reference(notebook)
    notebook.get_by_role("link", name="Back to this chapter in the book").click()
    notebook.wait_for_url(f"**/chapters/{CHAPTER}.html")
    expect(notebook.locator("article h1")).to_be_visible()
    assert set(notebook.outside) <= {ELSEWHERE}  # which the stranger asked for, and was refused


def check_strange_cells(tab):
    """A notebook of a stranger runs nothing by itself, and its code reaches no other host."""
    tab.locator(IDLE).wait_for()
    cell = tab.locator(".jp-CodeCell", has_text="open_url")
    cell.locator(".cm-content").click()
    expect(cell.locator(".cm-content")).to_be_focused(timeout=PATIENCE)
    tab.get_by_role("button", name="Run this cell").click()  # its keys may come later than it
    told = cell.locator(".jp-OutputArea-output")
    expect(told).to_have_text("['JsException', 'AttributeError'] True 8\n", timeout=PATIENCE)
    assert tab.evaluate("window.hacked") is None


def run_whole(notebook):
    """Run all cells of the notebook; return the chapter, run here."""
    chapter = run_chapter(CHAPTER)
    notebook.locator(IDLE).wait_for()  # the kernel listens
    run_all_cells(notebook, len(STRANGE) + sum(cell.visible for cell in chapter.cells))
    return chapter


def follow_a_reference(tab):
    """A number in the text leads to the figure that has it, below the bar above the program."""
    link = tab.locator(f".jp-MarkdownOutput a[href$='#{FIGURE}']").first
    link.scroll_into_view_if_needed()
    link.click()
    (chapter,) = [page for page in Book(ROOT).pages if page.name == CHAPTER]
    figures = [cell.figure_name for cell in chapter.cells if cell.figure_name]
    drawing = tab.locator(".live-drawing").nth(figures.index(FIGURE))
    expect(drawing).to_be_in_viewport(timeout=PATIENCE)
    bar, program = (tab.locator(place).bounding_box() for place in ("#book-way-back", "#main"))
    assert program["y"] >= bar["height"]


def check_figures(tab, figures):
    """Every figure is drawn; the first with a slider shows what the library returns as it moves."""
    expect(tab.locator(".live-drawing")).to_have_count(len(figures), timeout=PATIENCE)
    moved = 0
    for number, figure in enumerate(figures):
        drawing = tab.locator(".live-drawing").nth(number)
        drawing.scroll_into_view_if_needed()
        expect(drawing).to_have_attribute("data-places", DRAWN, timeout=PATIENCE)
        handles = tab.locator(".live-figure").nth(number).locator(".live-controls .noUi-handle")
        if handles.count() and not moved:
            move(tab, figure, number, handles.first)
            moved += 1
    assert moved


def move(tab, figure, number, handle):
    shown = Shown(tab, figure, number)
    shown.check()
    before = shown.drawing.get_attribute("data-places")
    handle.press("End")
    expect(shown.drawing).not_to_have_attribute("data-places", before, timeout=PATIENCE)
    shown.check()


def test_the_page_offers_its_notebook_as_files_and_from_disk_nothing_else(page, server, site):
    open_page(page, f"{server}/chapters/{CHAPTER}.html")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FITS)
        box = page.get_by_role("link", name="Open").bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    menu = page.locator(".dropdown-download-buttons > button")
    menu.click()
    with page.expect_download() as download:
        page.locator(".dropdown-download-buttons a", has_text=".ipynb").click()
    assert download.value.suggested_filename == f"{notebook_names(Book(ROOT))[CHAPTER]}.ipynb"
    assert download.value.path().read_bytes().startswith(b"{")
    page.goto(f"{site.as_uri()}/chapters/{CHAPTER}.html")
    expect(page.locator("a.btn-open-notebook")).to_be_hidden()
    menu.click()
    links = page.locator(".dropdown-download-buttons a")
    offered = links.evaluate_all("all => all.map((link) => link.href)")
    assert sum(link.endswith((".ipynb", ".py", ".whl")) for link in offered) == 4
