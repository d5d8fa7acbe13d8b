"""Time from the start of a page's Python to its first NumPy result.

Run in the folder of bookwork, after its tests have built their book:
    python -m benchmarks.python_start [folder of a built site] [name of a page with a cell]

The same two lines of code in the same browser, from the same server, in turns: in the page, in the
page without its snapshot, and with Pyodide as it is published, in a worker of an empty page. No
other host is contacted. On a busy machine compare ratios, not seconds.

One clock starts when the page makes the worker that Python runs in, that is when Run is pressed,
the other when the browser starts to open the page. Both stop when the result is in the document. A
cold visit is the first of a new browser profile; a warm one is the second, after the browser was
closed and opened again. A local network costs nothing, so both differ little here.
"""

import contextlib
import functools
import json
import shutil
import statistics
import sys
import tempfile
import threading
from pathlib import Path

from bookwork.site import build_python, packages, wheels
from bookwork.site.serve import Handler, Server
from bookwork.testing.chromium import options
from playwright.sync_api import sync_playwright

SITE, PAGE = Path("tests/_build/book/_build/html"), "chapters/orders.html"
ROUNDS = 3
CODE = "import numpy as np\nprint('sum:', np.arange(1000).sum())"
OURS, PLAIN, STOCK = "our page", "without a snapshot", "Pyodide as published"
START = "(code) => { const [cell] = bookCells.cells; cell.code = code; cell.run(); }"
CLOCKS = {"worker": "from its worker", "opening": "from opening the page"}

EMPTY = """\
<!doctype html><meta charset="utf-8"><title>Pyodide</title><p id="result"></p><script type="module">
globalThis.start = () => {
  const worker = new Worker("worker.mjs", { type: "module" });
  worker.onmessage = ({ data }) => { document.getElementById("result").textContent = data; };
};
</script>
"""
WORKER = """\
import { loadPyodide } from "./pyodide.mjs";
const base = new URL("./", import.meta.url).href;
const stdout = (text) => postMessage(text);
const python = await loadPyodide({ indexURL: base, packageBaseUrl: base, stdout });
await python.loadPackage("numpy", { messageCallback: () => {} });
python.runPython(%s);
"""
# Notes when the first worker is made and when the answer is in the document.
WATCH = """{
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...parts) {
      super(...parts);
      window.began ??= performance.now();
    }
  };
  new MutationObserver(() => {
    if (window.ended || !window.began) return;
    const places = [...document.querySelectorAll(".book-stdout, #result")];
    if (places.some((place) => place.textContent.includes("sum: 499500"))) {
      window.ended = performance.now();
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""


def main(site=SITE, page=PAGE):
    """Measure, and print a table."""
    if not Path(site, page).is_file():
        sys.exit(f"There is no {page} in {site}: build the book first")
    with tempfile.TemporaryDirectory() as folder:
        sites = assemble(Path(folder), Path(site), page)
        with serving(folder) as server:
            report(compare(server, sites))


def assemble(folder, site, page):
    """Put the book, with and without snapshot, beside Pyodide's own files; return the pages."""
    (folder / "book").symlink_to(site.resolve())
    shutil.copytree(site, folder / "plain")
    index = folder / "plain" / "_pyodide" / "index.json"
    facts = json.loads(index.read_text(encoding="utf-8"))
    index.write_text(json.dumps(facts | {"snapshot": None}), encoding="utf-8")
    stock = folder / "stock"
    stock.mkdir()
    for name in (*build_python.CORE_FILES, wheels.LOCK):
        shutil.copyfile(wheels.CORE / name, stock / name)
    numpy = wheels.pyodide_lock().packages["numpy"]
    cache = packages.cache_of(site.resolve().parents[1])
    (stock / numpy.file_name).write_bytes(wheels.archive_of(numpy, cache))
    (stock / "index.html").write_text(EMPTY)
    (stock / "worker.mjs").write_text(WORKER % json.dumps(CODE))
    return {
        OURS: (f"book/{page}", START),
        PLAIN: (f"plain/{page}", START),
        STOCK: ("stock/index.html", "() => start()"),
    }


@contextlib.contextmanager
def serving(folder):
    """Serve a folder; yield its address."""
    with Server(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def compare(server, sites):
    """Visit each site twice with a new profile, in turns; return its times by kind of visit."""
    visits = {name: {"cold": [], "warm": []} for name in sites}
    for _ in range(ROUNDS):
        for name, (address, start) in sites.items():
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                for kind in ("cold", "warm"):
                    visits[name][kind].append(visit(folder, server, address, start))
    return visits


def visit(folder, server, address, start):
    """Let a site run the code, in a browser whose cache is a folder; return both seconds."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(folder, **options())
        browser.add_init_script(WATCH)
        page, asked = browser.pages[0], []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{server}/{address}")
        page.evaluate(start, CODE)
        page.wait_for_function("() => window.ended")
        began, ended = page.evaluate("() => [window.began, window.ended]")
        browser.close()
    others = [url for url in asked if url.startswith("http") and not url.startswith(server)]
    if others:
        raise RuntimeError(f"a page contacted another host: {others[0]}")
    return {"worker": (ended - began) / 1000, "opening": ended / 1000}


def report(visits):
    """Print the medians; the last column compares the cold visits."""
    ours = median(visits[OURS]["cold"], "worker")
    heads = [f"{text}, {kind}" for text in CLOCKS.values() for kind in ("cold", "warm")]
    print("medians of", ROUNDS, *heads, "cold / ours", sep="\t")
    for name, times in visits.items():
        seconds = [f"{median(times[kind], clock):.2f} s" for clock in CLOCKS for kind in times]
        print(name, *seconds, f"{median(times['cold'], 'worker') / ours:.1f}", sep="\t")


def median(times, clock):
    """Return the median of some visits by one clock."""
    return statistics.median(time[clock] for time in times)


if __name__ == "__main__":
    main(*sys.argv[1:])
