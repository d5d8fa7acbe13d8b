"""Time from the start of a page's Python to its first NumPy result, and what Stop and restart take.

The same two lines of code in the same browser, from the same server, in turns: in our page, and
with Pyodide as it is published, in a worker of an empty page. No other host is contacted.

One clock starts when the page makes the worker that Python runs in, the other when the browser
starts to open the page. Both stop when the result is in the document. A cold visit is the first of
a new browser profile; a warm one is the second, after the browser was closed and opened again.
"""

import contextlib
import functools
import itertools
import json
import os
import shutil
import statistics
import tempfile
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from benchmarks.page_weight import gzipped, kilobytes
from benchmarks.report import RESULTS, SITE, print_table, require_book, save, serve
from bookwork.build import build_python, wheels
from tools.find_chromium import find_chromium
from tools.open_chromium import FLAGS

ROUNDS, STOPS = 3, 15
CODE = "import numpy as np\nprint('sum:', np.arange(1000).sum())"
ANSWER = "sum: 499500"
OURS, STOCK = "our page", "Pyodide as published"
SITES = {  # where each is, and how its Python is started once the page is there
    OURS: (
        "book/chapters/queries_keys_values.html",
        "(code) => { const [cell] = bookCells.cells; cell.code = code; cell.run(); }",
    ),
    STOCK: ("stock/index.html", "() => start()"),
}
PATIENCE = 120_000  # milliseconds

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
    if (places.some((place) => place.textContent.includes("ANSWER"))) {
      window.ended = performance.now();
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}""".replace("ANSWER", ANSWER)

# In a page with Python at rest: run code, press Stop `after` milliseconds after its first output,
# then run NumPy; tell how long the end and the next result took.
STOP = """async ([code, next, after]) => {
  const { python } = bookCells;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  let onOutput;
  const on = new Promise((resolve) => (onOutput = resolve));
  const run = python.run("timed", code, { onOutput });
  await on;
  await wait(after);
  const pressed = performance.now();
  python.stop();
  const { restarted } = await run;
  const ended = performance.now();
  await python.run("timed", next);
  return { restarted, stop: ended - pressed, next: performance.now() - ended };
}"""
LOOP = "print('on')\nwhile True: pass"
LOOP_IN_C = "print('on')\nsum(range(10**13))"
CLOCKS = {"worker": "from its worker", "opening": "from opening the page"}


def main():
    """Measure, print the tables and save every time."""
    require_book()
    folder = assemble()
    load = os.getloadavg()[0]
    with serve(folder) as server, sync_playwright() as playwright:
        open_profile = functools.partial(profile, playwright)
        weights = weigh(open_profile, server, folder)
        visits = compare(open_profile, server)
        stops = stop_and_restart(open_profile, server)
    report(visits, weights, stops, load)


def assemble():
    """Put the book and a page with Pyodide's own files side by side; return their folder."""
    folder = RESULTS / "sites"
    shutil.rmtree(folder, ignore_errors=True)
    stock = folder / "stock"
    stock.mkdir(parents=True)
    (folder / "book").symlink_to(SITE)
    for name in (*build_python.CORE_FILES, wheels.STDLIB, "pyodide-lock.json"):
        shutil.copyfile(wheels.CORE / name, stock / name)
    numpy = json.loads((stock / "pyodide-lock.json").read_text())["packages"]["numpy"]
    (stock / numpy["file_name"]).write_bytes(
        wheels.read_verified(numpy, build_python.cache_of(SITE.parents[1]))
    )
    (stock / "index.html").write_text(PAGE)
    (stock / "worker.mjs").write_text(WORKER % json.dumps(CODE))
    return folder


@contextlib.contextmanager
def profile(playwright, folder):
    """Open a browser that keeps what it caches in a folder, as a reader's does."""
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    browser = playwright.chromium.launch_persistent_context(
        folder,
        executable_path=find_chromium(),
        headless=False,
        args=flags,
        viewport={"width": 1280, "height": 900},
    )
    browser.set_default_timeout(PATIENCE)
    browser.add_init_script(WATCH)
    yield browser
    browser.close()


def new_folder():
    """Make a folder for a new profile; a browser that is closing may still write to it."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


def compare(open_profile, server):
    """Visit each site twice with a new profile, in turns; return its times by kind of visit."""
    visits = {name: {"cold": [], "warm": []} for name in SITES}
    for _ in range(ROUNDS):
        for name in SITES:
            with new_folder() as folder:
                for kind in ("cold", "warm"):
                    with open_profile(folder) as browser:
                        page, _, _ = visit(browser, server, name)
                        began, ended = page.evaluate("() => [window.began, window.ended]")
                        times = {"worker": (ended - began) / 1000, "opening": ended / 1000}
                        visits[name][kind].append(times)
    return visits


def visit(browser, server, name):
    """Let a site run the code; return its page, what it requested, and how much of it by Run."""
    address, start = SITES[name]
    page, asked = browser.pages[0], []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server}/{address}")
    before = len(asked)
    page.evaluate(start, CODE)
    page.wait_for_function("() => window.ended")
    others = [url for url in asked if url.startswith("http") and not url.startswith(server)]
    if others:
        raise RuntimeError(f"a page contacted another host: {others[0]}")
    return page, asked, before


def weigh(open_profile, server, folder):
    """Return the gzipped bytes that each site fetches: to be read, to a result, for Matplotlib."""
    weights = {}
    for name in SITES:
        with new_folder() as home, open_profile(home) as browser:
            page, asked, before = visit(browser, server, name)
            steps = [0, before, len(asked)]
            if name == OURS:
                page.evaluate("() => bookCells.python.run('cell', 'import matplotlib.pyplot')")
                steps.append(len(asked))
        weights[name] = [weight_of(asked[a:b], folder) for a, b in itertools.pairwise(steps)]
    return weights


def weight_of(addresses, folder):
    """Return the gzipped bytes of the files behind addresses, each counted once."""
    names = {urlsplit(url).path.lstrip("/") for url in addresses if url.startswith("http")}
    files = [folder / name for name in names]
    return sum(gzipped(file.read_bytes()) for file in files if file.is_file())


def stop_and_restart(open_profile, server):
    """Press Stop in loops that check for it, and in one that does not; return milliseconds."""
    with new_folder() as folder, open_profile(folder) as browser:
        page, _, _ = visit(browser, server, OURS)
        polite = [page.evaluate(STOP, [LOOP, CODE, 200 + 37 * i]) for i in range(STOPS)]
        hard = [page.evaluate(STOP, [LOOP_IN_C, CODE, 200]) for _ in range(ROUNDS)]
    if any(end["restarted"] for end in polite) or not all(end["restarted"] for end in hard):
        raise RuntimeError("a stop did not end as it should")
    return {
        "Stop, a loop in Python → it has ended": [end["stop"] for end in polite],
        "Stop, a loop in C → Python is ended": [end["stop"] for end in hard],
        "… → the next NumPy result of a new Python": [end["next"] for end in hard],
    }


def report(visits, weights, stops, load):
    """Print three tables: the starts, the weights, and the ends."""
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
    print()
    rows = [(name, *map(kilobytes, weights[name]), "–")[:4] for name in SITES]
    print_table(["fetched, kB gzipped", "before Run", "for the first result", "Matplotlib"], rows)
    print()
    rows = [
        (name, len(times), f"{statistics.median(times):.0f} ms", f"{max(times):.0f} ms")
        for name, times in stops.items()
    ]
    print_table(["our page", "times", "median", "longest"], rows)
    print(f"\n{os.cpu_count()} cores; load before {load:.1f}, after {os.getloadavg()[0]:.1f}")
    save("python_start", {"seconds": visits, "bytes": weights, "milliseconds": stops})


def median(times, clock):
    """Return the median of some visits by one clock."""
    return statistics.median(time[clock] for time in times)


if __name__ == "__main__":
    main()
