"""Gzipped weight of each page, by kind, from what Chromium requests when it opens the page.

A page contains its widgets as text, so its HTML is split further: parts are removed one after
another, and each weighs what the gzipped page then loses. So the parts add up to the whole.
"""

import gzip
import json
import re
from urllib.parse import urlsplit

from benchmarks.report import WINDOW, print_table, save, serve
from tools import SITE, require_book
from tools.open_chromium import open_chromium

KINDS = ["html", "frames", "widgets", "js", "css", "fonts", "images", "other"]
OF_TYPE = {"script": "js", "stylesheet": "css", "font": "fonts", "image": "images"}
FRAMES = (
    "/_static/book-frames/"  # of figures that are near: bookwork/src/bookwork/sphinx/lazy_frames.py
)
STATE = re.compile(
    r'(?<=<script type="application/vnd.jupyter.widget-state\+json">).*?(?=</script>)', re.S
)


def main():
    """Open every page, weigh what it fetches, print a table."""
    require_book()
    with serve() as address, open_chromium() as browser:
        report({name: weigh(visit(browser, f"{address}/{name}")) for name in page_names()})


def page_names():
    """List the pages of the current build; the folder may contain older ones."""
    data = (SITE / "searchindex.js").read_text()
    index = json.loads(data.removeprefix("Search.setIndex(").removesuffix(")"))
    return [f"{name}.html" for name in index["docnames"]]


def visit(browser, address):
    """Return what a first visit fetches until all is drawn: (address, type, content)."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    fetched = []

    def keep(file):
        if file.url.startswith("http"):  # not what the page makes itself: data:, blob:
            fetched.append(file)

    page.on("response", keep)
    page.goto(address)
    page.evaluate("window.bookWidgets.ready")
    page.wait_for_load_state("networkidle")
    files = [(file.url, file.request.resource_type, file.body()) for file in fetched]
    context.close()
    return files


def weigh(files):
    """Return the gzipped bytes of a page by kind, and of each file by its path."""
    kinds, names = {}, {}
    for address, type_, content in files:
        names[urlsplit(address).path] = gzipped(content)
        kind = "frames" if FRAMES in address else OF_TYPE.get(type_, "other")
        parts = {kind: gzipped(content)}
        if type_ == "document":
            parts = split(content.decode())
        for kind, weight in parts.items():
            kinds[kind] = kinds.get(kind, 0) + weight
    return {"kinds": kinds, "files": names}


def gzipped(content):
    """Return the size after gzip, or as it is where gzip does not help (fonts)."""
    return min(len(content), len(gzip.compress(content, 6)))


def split(html):
    """Weigh the parts of a page: the frames of its figures, the rest of the widgets, the text."""
    steps = [html, STATE.sub(without_frames, html), STATE.sub("", html)]
    whole, no_frames, text = (gzipped(step.encode()) for step in steps)
    return {"html": text, "frames": whole - no_frames, "widgets": no_frames - text}


def without_frames(state):
    """Return the matched state of all widgets without the data of its buffers."""
    data = json.loads(state[0])
    for model in data["state"].values():
        for buffer in model.get("buffers", []):
            buffer["data"] = ""
    return json.dumps(data)


def report(pages):
    """Print a row for each page, in kB, and what dominates the heaviest."""
    totals = {name: sum(page["kinds"].values()) for name, page in pages.items()}
    rows = [
        (name, *(kilobytes(page["kinds"].get(kind, 0)) for kind in KINDS), kilobytes(totals[name]))
        for name, page in pages.items()
    ]
    print_table(["page, kB gzipped", *KINDS, "all"], rows)
    heaviest = max(totals, key=totals.get)
    print(f"\nThe largest files of {heaviest}:")
    files = sorted(pages[heaviest]["files"].items(), key=lambda item: -item[1])
    print_table(["file", "kB"], [(name, kilobytes(weight)) for name, weight in files[:6]])
    save("page_weight", {"bytes": pages})


def kilobytes(count):
    """Write bytes as thousands of bytes."""
    return f"{count / 1000:.1f}"


if __name__ == "__main__":
    main()
