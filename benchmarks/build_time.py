"""Time of `make book` in a fresh copy of the tree, and of the author's loop, `make watch`.

Cold is after set-up, which is done once for a clone. In the loop, a page is open in Chromium;
the time is that from saving a file until the page shows the change. An author looks at it for some
seconds before the next change; meanwhile the loop does what can wait.
"""

import shutil
import statistics
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import print_table, save
from tools import ROOT
from tools.open_chromium import open_chromium

REPEATS = 3
LOOKED_AT = 5  # seconds between two changes
PAGE = "chapters/self_attention.html"
CHANGES = {  # what is added to the end of which file, with another number each time
    "a sentence": ("chapters/self_attention.md", "\nSeen {}.\n"),
    "a view in JavaScript": ("bookwork/live/js/figure.js", "\nwindow.seen = {};\n"),
    "a function of the library": (
        "attention_lib/weights.py",
        "\n\ncausal_mask = [causal_mask, {}][0]\n",
    ),
}
RELOADED = "() => window.isOld === undefined && window.bookWidgets?.ready.then(() => true)"


def main():
    """Copy, set up, build, build again, then change one thing after another; print a table."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "book"
        copy_tree(tree)
        seconds = {"set-up, once": make(tree, "setup"), "make book, cold": make(tree, "book")}
        again = [make(tree, "book") for _ in range(REPEATS)]
        seconds[f"make book, no change (median of {REPEATS})"] = statistics.median(again)
        seconds |= time_loop(tree)
    print_table(["build", "time"], [(name, f"{taken:.1f} s") for name, taken in seconds.items()])
    save("build_time", {"seconds": seconds, "each without change": again})


def copy_tree(tree):
    """Copy every file that git tracks or would add, and nothing that was built."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def make(tree, target):
    """Run make; return the seconds it took."""
    start = time.perf_counter()
    done = subprocess.run(["make", target], cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"make {target} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - start


def time_loop(tree):
    """Return the seconds from saving each kind of change until an open page shows it."""
    seconds = {}
    with watching(tree) as address, open_chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(300_000)
        page.goto(f"{address}/{PAGE}")
        for name, (file, addition) in CHANGES.items():
            times = [time_change(page, tree / file, addition.format(k)) for k in range(REPEATS)]
            seconds[f"make watch, {name} (median of {REPEATS})"] = statistics.median(times)
    return seconds


def time_change(page, path, addition):
    """Save a change; return the seconds until the page has been loaded again and drawn."""
    page.evaluate("() => { window.isOld = true; }")
    text = path.read_text(encoding="utf-8")
    start = time.perf_counter()
    path.write_text(text + addition, encoding="utf-8")
    page.wait_for_function(RELOADED)
    taken = time.perf_counter() - start
    time.sleep(LOOKED_AT)
    return taken


@contextmanager
def watching(tree):
    """Run `make watch`; yield the address of the book, and end it."""
    command = [f"{tree}/.venv/bin/python", "-m", "bookwork", "serve", "--port=8700"]
    with subprocess.Popen(command, cwd=tree, stdout=subprocess.PIPE, text=True) as process:
        told = next(line for line in process.stdout if "http://" in line)
        try:
            yield next(word for word in told.split() if word.startswith("http://"))
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
