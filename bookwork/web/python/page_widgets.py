"""A displayed widget goes to the page as its state, which figures/mount.js draws without Python.

`runtime` calls `begin` before each cell, and `complete` for each value that it shows.
"""

from contextlib import suppress
from json import dumps
from sys import modules
from typing import Any

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
LIVE = "bookwork.live.figure.Drawing"  # whose script and style the page has
OWNERS: dict[str, str] = {}  # id of a widget -> the name of the cell whose code made it
RUNNING = [""]  # the name of the cell that runs now, or ran last


def begin(cell: str) -> None:
    """Close the widgets that the last run of a cell made, because nothing else does."""
    widgets = modules["ipywidgets"].Widget.widgets if "ipywidgets" in modules else {}
    OWNERS.update(dict.fromkeys(widgets.keys() - OWNERS.keys(), RUNNING[0]))
    RUNNING[0] = cell
    for each in [each for each, owner in OWNERS.items() if owner == cell]:
        del OWNERS[each]
        with suppress(Exception):  # the reader may have closed it, or replaced its methods
            widgets[each].close()


def is_inside_output() -> bool:
    """Tell whether code runs inside an Output, which has nothing of its own in the page.

    What is shown there is the cell's; that it clears itself first must not clear the cell.
    """
    widgets = modules["ipywidgets"].Widget.widgets if "ipywidgets" in modules else {}
    return any(getattr(each, "msg_id", "") for each in widgets.values())


def complete(bundle: dict[str, Any]) -> dict[str, Any]:
    """Give the bundle of a widget the state of all that it consists of, as text."""
    widgets = modules["ipywidgets"].Widget.widgets if VIEW in bundle else {}
    shown = widgets.get(bundle.get(VIEW, {}).get("model_id"))
    if shown is None:
        return bundle
    from ipywidgets.embed import dependency_state  # noqa: PLC0415  only where widgets are used

    states = dependency_state([shown], drop_defaults=False)
    for own in (each["state"] for each in states.values()):
        if own.get("_anywidget_id") == LIVE:
            own.update(_esm="", _css="")
    return {**bundle, STATE: as_json({"state": states})}


def as_json(state: dict[str, Any]) -> str:
    """Return a state as JSON, which has no nan."""
    try:
        return dumps(state, allow_nan=False, default=str)
    except ValueError:
        raise ValueError("a widget cannot show nan or inf in the page") from None
