"""How long a chapter keeps the browser busy while it opens, plain and slowed four times.

Busy is the time that the page's main thread spends in tasks until every figure is drawn and the
network is idle (DevTools' TaskDuration); all is drawn when the last figure of the page is there.
Each visit is the first of a new browser context. Phones are about four times slower than desktops.
"""

import numpy as np

from benchmarks.report import PATIENCE, WINDOW, print_table, save, serve
from tools import require_book
from tools.open_chromium import open_chromium

CHAPTERS = {
    "queries_keys_values": "Queries, keys, values",
    "self_attention": "Self-attention",
    "how_attention_learns": "How attention learns",
}
SLOWDOWNS = (1, 4)
ROUNDS = 3
DRAWN = "() => window.bookWidgets.ready.then(() => performance.now())"


def main():
    """Open each chapter in turns, print the medians and save every time."""
    require_book()
    times = {(name, slowdown): [] for name in CHAPTERS for slowdown in SLOWDOWNS}
    with serve() as address, open_chromium() as browser:
        for _ in range(ROUNDS):
            for (name, slowdown), visits in times.items():
                page = f"{address}/chapters/{name}.html"
                visits.append(visit(browser, page, slowdown))
    report(times)


def visit(browser, address, slowdown):
    """Open a page as for the first time; return the seconds it is busy, and until all is drawn."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    devtools.send("Performance.enable")
    page.goto(address)
    drawn = page.evaluate(DRAWN) / 1000
    page.wait_for_load_state("networkidle")
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    context.close()
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"), drawn


def report(times):
    """Print a row for each chapter and speed."""
    rows = [
        (CHAPTERS[name], f"{slowdown} ×", *(f"{time:.2f} s" for time in np.median(visits, axis=0)))
        for (name, slowdown), visits in times.items()
    ]
    print_table(["chapter", "slowed", "busy", "all drawn"], rows)
    save("opening", {f"{name} {slowdown}": visits for (name, slowdown), visits in times.items()})


if __name__ == "__main__":
    main()
