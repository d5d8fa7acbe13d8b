"""Plant faults in the book, one at a time, and see whether the tests of `make test` notice.

    python -m tools.plant_faults              all of tools/planted_faults.py
    python -m tools.plant_faults phone dark   those with one of these words in their names

Works in a copy of the repository, _build/faults, which is built once. For each fault, what depends
on it is built again, the tests that should notice it run, and the copy is put back. Prints a table
in Markdown and fails if a fault was missed. Tests must pass without a fault: run make test first.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys

from tools import ROOT, copy_tree
from tools.planted_faults import FAULTS

COPY = ROOT / "_build" / "faults"
WHOLE = ROOT / "_build" / "faults-build"  # the build without a fault
LINKS = (".venv", ".cache", "bookwork/page/node_modules")  # files that no fault changes
BUILT = ("html", "web", "python", "lite", "notebooks", "outputs", ".doctrees")
PYTHON = [".venv/bin/python", "-m"]
STEPS = {
    "web": ["bookwork.build.build_web"],
    "python": ["bookwork.build.build_python"],
    "lite": ["tools.build_lite"],
    "book": ["bookwork.build.build_book"],
    "check": ["bookwork.book.check_book", "text"],
}
# Where a part of the site goes that can be rebuilt without the pages.
PARTS = {
    "web": ("web/static/book", "html/_static/book"),
    "python": ("python", "html/_pyodide"),
    "lite": ("lite", "html/lite"),
}


def main(words):
    for fault in FAULTS:
        planted(ROOT, fault)  # fails at once if a fault can no longer be planted
    chosen = [each for each in FAULTS if not words or any(word in each.name for word in words)]
    make_copy()
    print("| fault | in | noticed by |\n|---|---|---|", flush=True)
    missed = 0
    for fault in chosen:
        with in_place(fault):
            witness = witness_of(fault)
        missed += witness is None
        print(f"| {fault.name} | `{fault.file}` | {witness or '**nothing**'} |", flush=True)
    print(f"\n{len(chosen) - missed} of {len(chosen)} were noticed.")
    return missed > 0


def planted(folder, fault):
    """Return the text of a file with the fault in it."""
    text = (folder / fault.file).read_text(encoding="utf-8")
    places = text.count(fault.old)
    if places != 1:
        sys.exit(f"{fault.name}: its text occurs {places} times in {fault.file}, not once")
    return text.replace(fault.old, fault.new)


def make_copy():
    """Copy the repository with its build, and rebuild what is outdated there."""
    shutil.rmtree(COPY, ignore_errors=True)
    copy_tree(COPY)
    for name in LINKS:
        (COPY / name).symlink_to(ROOT / name)
    for name in BUILT:
        if (ROOT / "_build" / name).is_dir():
            shutil.copytree(ROOT / "_build" / name, COPY / "_build" / name)
    for name, step in STEPS.items():
        done = run(*step)
        if done.returncode != 0:
            sys.exit(f"without a fault the step {name} failed:\n{done.stdout[-2000:]}")
    shutil.rmtree(WHOLE, ignore_errors=True)
    shutil.copytree(COPY / "_build", WHOLE)


def run(*module):
    """Run a module in the copy, with the copy's library."""
    environment = os.environ | {"PYTHONPATH": str(COPY), "OPENBLAS_NUM_THREADS": "1"}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run([*PYTHON, *module], cwd=COPY, env=environment, check=False, **options)


@contextlib.contextmanager
def in_place(fault):
    """Plant a fault, and restore everything at the end."""
    file = COPY / fault.file
    before = file.read_bytes()
    file.write_text(planted(COPY, fault), encoding="utf-8")
    try:
        yield
    finally:
        file.write_bytes(before)
        if fault.steps:
            shutil.rmtree(COPY / "_build")
            shutil.copytree(WHOLE, COPY / "_build")


def witness_of(fault):
    """Return what noticed a planted fault, a step of make test or a test, or None."""
    for step in fault.steps:
        if run(*STEPS[step]).returncode != 0:
            return f"the step {step}, before any test"
        if step in PARTS:
            source, target = (COPY / "_build" / name for name in PARTS[step])
            shutil.rmtree(target)
            shutil.copytree(source, target)
    options = ["-q", "-x", "--tb=no", "-m", "not rare", "-p", "no:cacheprovider"]
    done = run("pytest", *options, *fault.tests)
    if done.returncode == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) ([\w/.:]+)", done.stdout, re.M)
    if not failed:
        sys.exit(f"{fault.name}: its tests could not be run\n{done.stdout[-2000:]}")
    return f"`{failed[1]}`"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
