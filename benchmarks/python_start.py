"""Time from the start of a page's Python to its first NumPy result.

The same two lines of code in the same browser, from the same server, in turns: in our page, in our
page without its snapshot, and with Pyodide as it is published, in a worker of an empty page. No
other host is contacted.

One clock starts when the page makes the worker that Python runs in, the other when the browser
starts to open the page. Both stop when the result is in the document. A cold visit is the first of
a new browser profile; a warm one is the second, after the browser was closed and opened again.
"""

import json
import shutil
import statistics
import tempfile

from bookwork.site import build_python, packages, wheels

from benchmarks.report import RESULTS, WINDOW, print_table, save, serve
from tools import ROOT, SITE, require_book
from tools.open_chromium import open_profile

ROUNDS = 3
CODE = "import numpy as np\nprint('sum:', np.arange(1000).sum())"
OURS, PLAIN, STOCK = "our page", "without a snapshot", "Pyodide as published"
CHAPTER = "chapters/queries_keys_values.html"
START = "(code) => { const [cell] = bookCells.cells; cell.code = code; cell.run(); }"
SITES = {  # where each is, and how its Python is started once the page is there
    OURS: (f"book/{CHAPTER}", START),
    PLAIN: (f"plain/{CHAPTER}", START),
    STOCK: ("stock/index.html", "() => start()"),
}
CLOCKS = {"worker": "from its worker", "opening": "from opening the page"}

PAGE = """\
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


def main():
    """Measure, print the table and save every time."""
    require_book()
    with serve(assemble()) as server:
        report(compare(server))


def assemble():
    """Put the book, with and without snapshot, beside Pyodide's own files; return the folder."""
    folder = RESULTS / "sites"
    shutil.rmtree(folder, ignore_errors=True)
    stock = folder / "stock"
    stock.mkdir(parents=True)
    (folder / "book").symlink_to(SITE)
    shutil.copytree(SITE, folder / "plain")
    index = folder / "plain" / "_pyodide" / "index.json"
    facts = json.loads(index.read_text(encoding="utf-8"))
    index.write_text(json.dumps(facts | {"snapshot": None}), encoding="utf-8")
    for name in (*build_python.CORE_FILES, wheels.LOCK):
        shutil.copyfile(wheels.CORE / name, stock / name)
    numpy = wheels.pyodide_lock().packages["numpy"]
    wheel = wheels.archive_of(numpy, packages.cache_of(ROOT))
    (stock / numpy.file_name).write_bytes(wheel)
    (stock / "index.html").write_text(PAGE)
    (stock / "worker.mjs").write_text(WORKER % json.dumps(CODE))
    return folder


def compare(server):
    """Visit each site twice with a new profile, in turns; return its times by kind of visit."""
    visits = {name: {"cold": [], "warm": []} for name in SITES}
    for _ in range(ROUNDS):
        for name in SITES:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                for kind in ("cold", "warm"):
                    with open_profile(folder, viewport=WINDOW) as browser:
                        visits[name][kind].append(visit(browser, server, name))
    return visits


def visit(browser, server, name):
    """Let a site run the code; return the seconds by both clocks."""
    address, start = SITES[name]
    browser.add_init_script(WATCH)
    page, asked = browser.pages[0], []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/{address}")
    page.evaluate(start, CODE)
    page.wait_for_function("() => window.ended")
    others = [url for url in asked if url.startswith("http") and not url.startswith(server)]
    if others:
        raise RuntimeError(f"a page contacted another host: {others[0]}")
    began, ended = page.evaluate("() => [window.began, window.ended]")
    return {"worker": (ended - began) / 1000, "opening": ended / 1000}


def report(visits):
    """Print the medians; the last column compares the cold visits."""
    ours = median(visits[OURS]["cold"], "worker")
    rows = [
        (
            name,
            *(f"{median(times[kind], clock):.2f} s" for clock in CLOCKS for kind in times),
            f"{median(times['cold'], 'worker') / ours:.1f} ×",
        )
        for name, times in visits.items()
    ]
    head = [f"{text}, {kind}" for text in CLOCKS.values() for kind in ("cold", "warm")]
    print_table([f"first NumPy result (medians of {ROUNDS})", *head, "cold / ours"], rows)
    save("python_start", {"seconds": visits})


def median(times, clock):
    """Return the median of some visits by one clock."""
    return statistics.median(time[clock] for time in times)


if __name__ == "__main__":
    main()
