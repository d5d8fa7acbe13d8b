"""Time from a key to the repainted figure, for each kind of view, in pages of the built book.

The clock is that of benchmarks/slider.py. In each figure the first slider, or the words that ask,
are moved back and forth by the arrow keys; of buttons two are pressed in turns.
"""

import os

import numpy as np

from benchmarks.report import print_table, require_book, save
from benchmarks.slider import WARM_UP, WATCH, move, new_page, serve_book
from tools.open_chromium import open_chromium

FIGURES = {  # what it shows: its page and label
    "heatmap": ("summary", "fig-path"),
    "sentence": ("queries_keys_values", "fig-shelf"),
    "arcs": ("welcome", "fig-welcome"),
    "field, six maps": ("scoring_functions", "fig-six-scores"),
    "plane with arrows": ("how_attention_learns", "fig-arrows"),
    "curve": ("making_it_fast", "fig-cost"),
    "flow": ("whole_transformer", "fig-follow"),
}
MOVES = 60
CONTROL = ".noUi-handle, [role=radio][tabindex='0']"


def main():
    """Measure, print the table and save every time."""
    require_book()
    load = os.getloadavg()[0]
    with open_chromium() as browser, serve_book() as book:
        times = {name: measure(browser, book, *place) for name, place in FIGURES.items()}
    rows = [
        (name, len(each), *(f"{ms:.1f} ms" for ms in np.percentile(each, [50, 95])))
        for name, each in times.items()
    ]
    print_table(["key → painted figure", "moves", "median", "p95"], rows)
    print(f"\n{os.cpu_count()} cores; load before {load:.1f}, after {os.getloadavg()[0]:.1f}")
    save("views", {"milliseconds": times})


def measure(browser, book, chapter, label):
    """Return the milliseconds of many moves of one figure."""
    page = new_page(browser)
    page.goto(f"{book}/chapters/{chapter}.html")
    page.evaluate("() => window.bookWidgets.ready")
    page.evaluate(WATCH, f"#{label}")
    control = page.locator(f"#{label}").locator(CONTROL)
    buttons = page.locator(f"#{label} .widget-toggle-button")
    times = []
    for k in range(WARM_UP + MOVES):
        (control.first if control.count() else buttons.nth(k % 2)).focus()
        times += move(page, ("ArrowRight", "ArrowLeft")[k % 2] if control.count() else "Enter", 1)
    page.context.close()
    return times[WARM_UP:]


if __name__ == "__main__":
    main()
