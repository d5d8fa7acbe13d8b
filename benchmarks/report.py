"""What the benchmarks share: where the book is, a small table, and a place for the results."""

import contextlib
import csv
import functools
import json
import os
import platform
import threading

from bookwork.site.serve import Handler, Server

from tools import ROOT, SITE

RESULTS = ROOT / "_build" / "benchmarks"
RECORDS = ROOT / "benchmarks"  # what the book states
WINDOW = {"width": 1280, "height": 900}


def print_table(head, rows):
    """Print rows under their heads as a Markdown table, numbers to the right."""
    lines = [[str(entry) for entry in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    for first, *others in lines:
        cells = [first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]
        print("|", " | ".join(cells), "|")


def save(name, numbers):
    """Write the numbers and what they depend on to _build/benchmarks/name.json."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path, found = RESULTS / f"{name}.json", machine()
    path.write_text(json.dumps(numbers | {"machine": found}, indent=1) + "\n")
    print(f"\n{found['cores']} cores; load of the last 1, 5 and 15 minutes: {found['load']}")
    print(f"Written to {path.relative_to(ROOT)}")


def save_table(name, rows, sentence, record):
    """Write rows and what they were measured on to the results, or to what the book states."""
    folder = RECORDS if record else RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    (folder / f"{name}.txt").write_text(sentence + "\n", encoding="utf-8")
    print(f"\nWritten to {(folder / name).relative_to(ROOT)}.csv and .txt")


def machine():
    """Describe what the numbers were measured on; the load shows whether it was busy."""
    return {
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "python": platform.python_version(),
        "system": platform.system(),
    }


@contextlib.contextmanager
def serve(folder=SITE):
    """Serve a folder, by default the built book; gives its address."""
    with Server(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
