"""Stop a wheel that would lack what pages load; pyproject.toml says everything else."""

import sys
from pathlib import Path

from setuptools import setup

NEEDED = ("page/static/book/manifest.json", "page/pyodide/pyodide-lock.json")
SAYS = """
This folder has the sources of bookwork, without the files for browsers that a wheel carries.
Run `make dist` in the repository, then: pip install "dist/bookwork-VERSION-py3-none-any.whl[book]"
"""

if "bdist_wheel" in sys.argv and not all(Path(name).is_file() for name in NEEDED):
    sys.exit(SAYS)
setup()
