"""The page's Python in Node: run a file there and read what its last line says."""

import json
import subprocess
from pathlib import Path

from bookwork.site import build_python

RUNNER = Path(__file__).with_suffix(".mjs")


def run_session(root, file, *packages):
    """Run a Python file whose last line is JSON, by the Python of a built book; return it."""
    command = [build_python.NODE, RUNNER, build_python.out_of(root), file, *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])
