"""The wheels that the site offers beside its notebooks: the library, and bookwork."""

import subprocess
import sys
import tempfile
from pathlib import Path

from bookwork.book.files import PACKAGE, files_below, own_files
from tools import ROOT

PROJECTS = (ROOT, PACKAGE)
OWN = ("attention_lib", "attention_exercises")
DESCRIBED = ("pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY.md")


def inputs():
    """Return the files that the wheels are built from."""
    library = [path for name in OWN for path in files_below(ROOT / name)]
    workshop = [path for path in own_files(PACKAGE) if PACKAGE / "docs" not in path.parents]
    return [*library, *(ROOT / name for name in DESCRIBED), *workshop]


def build_wheels():
    """Return the names and bytes of the two wheels; the same sources give the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        for project in PROJECTS:
            command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
            subprocess.run(command, cwd=project, check=True, stdout=subprocess.DEVNULL)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
