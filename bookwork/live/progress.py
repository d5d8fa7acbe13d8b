"""A progress bar that appears only when there is something to wait for, and goes away after."""

from __future__ import annotations

import os
import sys
from typing import Any

import ipywidgets
from IPython import get_ipython
from IPython.display import HTML, display

QUIET = "BOOKWORK_QUIET"  # set while the book is built: a page shows results only


class Progress:
    """Show how far a long evaluation has come, in a notebook with someone waiting before it."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._place: Any = None

    def __enter__(self) -> Progress:
        return self

    def tell(self, share: float) -> None:
        """Show `share`, from 0 to 1."""
        if self._bar is None and share < 1 and _someone_waits():
            self._show()
        if self._bar is not None:
            self._bar.value = share

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()
            if self._place is not None:
                self._place.update(HTML(""))

    def _show(self) -> None:
        self._bar = ipywidgets.FloatProgress(max=1.0, description="computing")
        self._place = display(self._bar, display_id=True)


def _someone_waits() -> bool:
    """Tell whether this runs in a notebook, or in the reader's page, and not in a build."""
    in_page = sys.platform == "emscripten"
    return (in_page or get_ipython() is not None) and QUIET not in os.environ
