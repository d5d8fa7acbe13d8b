"""Put the wheels of the library and of bookwork into the site, beside the notebooks."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bookwork.book.files import PACKAGE, WEB, files_below, own_files
from bookwork.site.steps import do_once

from tools import ROOT, SITE

DATED = os.environ | {"SOURCE_DATE_EPOCH": "1577836800"}  # 2020, whatever the shell says
FOLDER = SITE / "notebooks"
WORKSHOP = PACKAGE.parents[1]  # the project of bookwork, in a clone
PROJECTS = (ROOT, WORKSHOP)
OWN = ("attention_lib", "attention_exercises")
LEFT_OUT = {WORKSHOP / "docs", WORKSHOP / "tests", WEB / "static", WEB / "pyodide"}
DESCRIBED = ("pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY.md")


def inputs():
    """Return the files that the wheels are built from."""
    library = [path for name in OWN for path in files_below(ROOT / name)]
    workshop = [path for path in own_files(WORKSHOP) if not LEFT_OUT & {*path.parents}]
    return [*library, *(ROOT / name for name in DESCRIBED), *workshop]


def build_wheels():
    """Return the names and bytes of the two wheels; the same sources give the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        for project in PROJECTS:
            command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
            subprocess.run(command, cwd=project, check=True, capture_output=True, env=DATED)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def write():
    """Put the wheels into the site, and remove earlier ones."""
    made = build_wheels()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.whl"):
        path.unlink()
    for name, data in made.items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    do_once(FOLDER / "built-for", inputs(), write)
