"""The page's Python in Node: run a file there and read what its last line says."""

import json
from pathlib import Path

from bookwork.site import build_python
from checks import run

RUNNER = Path(__file__).with_name("run_pyodide.mjs")


def run_session(root, file, *packages):
    """Run a Python file whose last line is JSON, by the Python of a built book; return it."""
    folder = build_python.out_of(root)
    done = run(build_python.NODE, RUNNER, folder, file, *packages)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])
