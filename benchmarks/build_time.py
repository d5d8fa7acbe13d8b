"""Time of `make book` in a fresh copy of the tree, after set-up: cold, and when nothing changed.

Set-up is what is done once for a clone: the environment, the npm packages.
"""

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.report import ROOT, print_table, save

REPEATS = 3
LIST = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]


def main():
    """Copy, set up, build, build again; print a table."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "book"
        copy_tree(tree)
        seconds = {"set-up": make(tree, "web")}
        shutil.rmtree(tree / "_build")
        seconds["cold"] = make(tree, "book")
        again = [make(tree, "book") for _ in range(REPEATS)]
        seconds["no change"] = statistics.median(again)
    names = {"cold": "make book, cold", "no change": f"make book, no change (median of {REPEATS})"}
    rows = [(names.get(name, "set-up, once"), f"{taken:.1f} s") for name, taken in seconds.items()]
    print_table(["build", "time"], rows)
    print(f"\n{os.cpu_count()} cores; load afterwards {os.getloadavg()[0]:.1f}")
    save("build_time", {"seconds": seconds, "each without change": again})


def copy_tree(tree):
    """Copy every file that git knows or would add, so nothing that was built."""
    listed = subprocess.run(LIST, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
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


if __name__ == "__main__":
    main()
