"""Time from a key on a slider to the repainted heatmap: static page against JupyterLab.

The same 13 × 13 weights, the same slider and the same browser, in turns:

- our live figure, in a page of the built book, with no kernel;
- `ipywidgets.interact` with `plt.imshow`, in JupyterLab with a live kernel.

The clock starts at the key's own time stamp. It stops in the first task after the frame that shows
the change; Matplotlib's picture counts as shown once it is decoded.
"""

import inspect
import tempfile
from pathlib import Path

import nbformat
import numpy as np
from ipywidgets.embed import embed_data

from attention_lib import softmax
from benchmarks.report import PATIENCE, WINDOW, print_table, save, serve
from bookwork.live import heatmap, live, slider
from tools import require_book
from tools.open_chromium import open_chromium
from tools.start_lab import start_lab

PAGE = "chapters/queries_keys_values.html"
STATIC, LAB = "live figure, static page", "interact + imshow, JupyterLab"
LABELS = [f"direction {k}" for k in range(1, 14)]
LOW, HIGH, STEP = 0.0, 4.0, 0.1
WARM_UP, ROUNDS, MOVES = 5, 4, 30

NOTEBOOK = """\
import matplotlib.pyplot as plt
import numpy as np
from attention_lib import softmax
from ipywidgets import FloatSlider, interact

{function}

def draw(angle):
    plt.imshow(weights(angle), cmap="Blues", vmin=0, vmax=1)
    plt.show()

interact(draw, angle=FloatSlider(min={low}, max={high}, step={step}, value={low}));
"""
SHOW = """async ([state, id]) => {
  const place = document.createElement("div");
  document.querySelector("article").prepend(place);
  await bookWidgets.ready;
  await bookWidgets.addState(state);
  await bookWidgets.show(id, place);
  place.id = "timed";
}"""
# A figure may change at any time, a picture once it is decoded; the frame that shows it is the next
# one, and a task that is posted in an animation frame runs after that.
WATCH = """(selector) => {
  const { port1, port2 } = new MessageChannel();
  const place = document.querySelector(selector);
  let start, source = place.querySelector("img")?.src;
  const live = !source;
  port1.onmessage = () => window.tell(performance.now() - start);
  const painted = () => requestAnimationFrame(() => port2.postMessage(null));
  const changed = async () => {
    if (live) return painted();
    const image = place.querySelector("img");
    if (!image || image.src === source) return;
    source = image.src;
    await image.decode();
    painted();
  };
  const what = live ? { attributeFilter: ["data-places"] } : { childList: true, attributes: true };
  new MutationObserver(changed).observe(place, { subtree: true, ...what });
  addEventListener("keydown", (event) => { start = event.timeStamp; }, true);
}"""
ARM = """(patience) => {
  window.time = new Promise((tell, fail) => {
    window.tell = tell;
    setTimeout(() => fail(new Error("no repaint followed the key")), patience);
  });
}"""


def weights(angle):
    """Return what both figures draw: 13 directions look at 13 others, turned by an angle."""
    directions = 2 * np.pi * np.arange(13) / 13  # (n,)
    return softmax(3 * np.cos(angle + directions[:, None] - directions))  # (n, n)


def main():
    """Measure, print the table and save every time."""
    require_book()
    with tempfile.TemporaryDirectory() as folder, open_chromium() as browser:
        times = compare(browser, Path(folder))
    report(times)


def compare(browser, folder):
    """Move both sliders in turns, so that both have the machine at equal times."""
    write_notebook(folder / "notebooks")
    with serve() as book, start_lab(folder / "notebooks", folder / "home") as address_of:
        pages = {STATIC: open_static(browser, book), LAB: open_lab(browser, address_of)}
        for page in pages.values():
            move(page, "ArrowRight", WARM_UP)
        times = {name: [] for name in pages}
        for turn in range(ROUNDS):
            for name, page in pages.items():
                times[name] += move(page, ("ArrowRight", "ArrowLeft")[turn % 2], MOVES)
    return times


def write_notebook(folder):
    """Write the one-cell notebook that draws the same weights with Matplotlib."""
    function = inspect.getsource(weights)
    code = NOTEBOOK.format(function=function, low=LOW, high=HIGH, step=STEP)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    folder.mkdir()
    nbformat.write(notebook, folder / "interact.ipynb")


def open_static(browser, book):
    """Open a chapter and add the live figure to it, as the page adds its own."""
    control = slider(LOW, HIGH, STEP, name="angle")
    figure = live(weights, heatmap(LABELS, LABELS), name="Weights of 13 directions", angle=control)
    page = new_page(browser)
    page.goto(f"{book}/{PAGE}")
    state = embed_data(views=[figure], drop_defaults=False)["manager_state"]
    page.evaluate(SHOW, [state, figure.model_id])
    page.locator("#timed [data-places]").wait_for()
    return get_ready(page, "#timed")


def open_lab(browser, address_of):
    """Open the notebook in JupyterLab and run it."""
    page = new_page(browser)
    page.goto(address_of("interact.ipynb"))
    page.locator("#jp-main-statusbar").get_by_text("Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.locator(".widget-interact img").wait_for()
    return get_ready(page, ".widget-interact")


def new_page(browser):
    """Open a page in its own window, so that no page is in the background."""
    page = browser.new_context(viewport=WINDOW).new_page()
    page.set_default_timeout(PATIENCE)
    return page


def get_ready(page, selector):
    """Watch the figure and put the focus on its slider."""
    page.evaluate(WATCH, selector)
    page.locator(selector).get_by_role("slider").focus()
    return page


def move(page, key, count):
    """Press a key `count` times; return the milliseconds from each press to its repaint."""
    times = []
    for _ in range(count):
        page.evaluate(ARM, PATIENCE)
        page.keyboard.press(key)
        times.append(page.evaluate("window.time"))
    return times


def report(times):
    """Print medians, 95th percentiles and their ratio."""
    summary = {name: np.percentile(all_times, [50, 95]) for name, all_times in times.items()}
    rows = [
        (name, len(times[name]), f"{median:.1f} ms", f"{p95:.1f} ms")
        for name, (median, p95) in summary.items()
    ]
    ratio = summary[LAB] / summary[STATIC]
    rows.append(("JupyterLab / static page", "", *(f"{number:.1f} ×" for number in ratio)))
    print_table(["key on a slider → painted 13 × 13 heatmap", "moves", "median", "p95"], rows)
    save("slider", {"milliseconds": times, "ratio": ratio.tolist()})


if __name__ == "__main__":
    main()
