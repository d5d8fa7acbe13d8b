"""A line that says how far long work has come, only when there is something to wait for."""

from __future__ import annotations

import os
import sys
from typing import Any

from IPython import get_ipython
from IPython.display import HTML, display

QUIET = "BOOKWORK_QUIET"  # set while the book is built: a page shows results only


class Progress:
    """Show how far a long evaluation has come, in a notebook with someone waiting before it."""

    def __init__(self) -> None:
        self._line: Any = None  # a display that is updated
        self._text = ""

    def __enter__(self) -> Progress:
        return self

    def tell(self, share: float) -> None:
        """Show `share`, from 0 to 1."""
        text = f"computing: {share:.0%}"
        if self._line is None and share < 1 and _someone_waits():
            self._line = display({"text/plain": text}, raw=True, display_id=True)
        elif self._line is not None and text != self._text:
            self._line.update({"text/plain": text}, raw=True)
        self._text = text

    def __exit__(self, *error: object) -> None:
        if self._line is not None:
            self._line.update(HTML(""))


def _someone_waits() -> bool:
    """Tell whether this runs in a notebook, or in the reader's page, and not in a build."""
    in_page = sys.platform == "emscripten"
    return (in_page or get_ipython() is not None) and QUIET not in os.environ
