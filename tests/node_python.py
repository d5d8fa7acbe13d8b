"""The page's Python in Node: run a file there and read what its last line says."""

import json
from pathlib import Path

import pytest
from bookwork.site import build_python
from checks import run

ROOT = Path(__file__).parents[1]
OUT = build_python.out_of(ROOT)
RUNNER = Path(__file__).with_name("run_pyodide.mjs")


def built():
    """Return the folder of the page's Python."""
    if not (OUT / "index.json").is_file():
        pytest.fail("the page's Python is not built: run make book first")
    return OUT


def run_session(folder, file, *packages):
    """Run a Python file whose last line is JSON; return what that says."""
    done = run(build_python.NODE, RUNNER, folder, file, *packages)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])
