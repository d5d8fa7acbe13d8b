"""Notices when the reader's code has changed what other code relies on: `numpy.exp = None`.

`remember` is called once, before the reader's code runs; `changes` and `settings` compare.
"""

import gc
import os
import sys
import types
import warnings
from collections.abc import Callable
from sys import modules
from typing import Any

import numpy as np
from page_book import EXERCISES, PACKAGE

WATCHED = (  # besides the modules of the library
    *("builtins", "collections", "functools", "itertools", "json", "math", "os", "sys", "time"),
    *("numpy", "numpy.linalg", "numpy.random"),
)
LIBRARIES = tuple(f"{name}." for name in (PACKAGE, EXERCISES, "bookwork") if name)
MOST = 3  # names that a sentence lists

# name of a watched module -> (the module, its functions and classes by name)
MEMBERS: dict[str, tuple[Any, dict[str, Any]]] = {}
MODULES: dict[str, Any] = {}  # sys.modules, as it was
PATH: list[str] = []  # sys.path, as it was
NORMAL: dict[str, Any] = {}  # name of a setting -> its value, as it was


def own_builtins() -> types.ModuleType:
    """Give the reader's code its own `builtins`, so that changes to it affect no other code."""
    own = types.ModuleType("builtins")
    vars(own).update(vars(modules["builtins"]))
    modules["builtins"] = own
    return own


def remember() -> None:
    """Record the state of the modules before the reader's code runs."""
    MODULES.update(modules)
    PATH[:] = sys.path
    NORMAL.update({name: value() for name, (value, _) in SETTINGS.items()})
    watch_new()


def watch(name: str) -> None:
    """Record the functions and classes of a module."""
    members = {
        member: value
        for member, value in vars(modules[name]).items()
        if callable(value) and (name == "builtins" or not member.startswith("_"))
    }
    MEMBERS[name] = modules[name], members


def watch_new() -> None:
    """Watch the modules that have been imported meanwhile."""
    for name in list(modules):
        if name not in MEMBERS and (name in WATCHED or f"{name}.".startswith(LIBRARIES)):
            watch(name)


def changes() -> list[str]:
    """Return the names that are no longer what they were."""
    changed = [
        f"{name}.{member}"
        for name, (module, members) in MEMBERS.items()
        for member, value in members.items()
        if vars(module).get(member, MODULES) is not value
    ]
    replaced = [name for name, module in MODULES.items() if modules.get(name) is not module]
    changed += [f'sys.modules["{name}"]' for name in replaced]
    changed += ["sys.path"] * any(folder not in sys.path for folder in PATH)
    return changed + ["sys.modules"] * (sys.modules is not modules)


def put_back_modules() -> list[str]:
    """Restore modules that were removed, because Python itself needs some; return their names."""
    gone = [name for name in MODULES if name not in modules]
    modules.update({name: MODULES[name] for name in gone})
    return gone


def listed(names: list[str]) -> str:
    """Return a few names as a list within a sentence."""
    if len(names) > MOST:
        names = [*names[: MOST - 1], f"{len(names) - MOST + 1} more names"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def advice(changed: list[str]) -> str:
    """Say what was changed and how to undo it."""
    return (
        f"Your code has changed {listed(changed)}, which other code relies on. Press Restart "
        "Python to undo that: your variables are lost; your text, outputs and progress are kept."
    )


def advice_on_modules(removed: list[str]) -> str:
    """Say which modules were restored."""
    return f"Your code has removed {listed(removed)} from sys.modules; the book has restored it."


def warnings_are_errors() -> bool:
    """Return whether some warnings are raised as errors."""
    return any(action == "error" for action, *_ in warnings.filters)


# function -> how to see its effect, and the errors that it may cause
SETTINGS: dict[str, tuple[Callable[[], Any], type[BaseException]]] = {
    "gc.disable": (gc.isenabled, MemoryError),
    "numpy.seterr": (np.geterr, FloatingPointError),
    "os.chdir": (os.getcwd, OSError),
    "sys.settrace": (sys.gettrace, Exception),
    "warnings.simplefilter": (warnings_are_errors, Warning),
}


def settings(error: BaseException | None) -> list[str]:
    """Return the settings that are not as they were and that may have caused an error."""
    return [
        name
        for name, (value, kind) in SETTINGS.items()
        if isinstance(error, kind) and value() != NORMAL[name]
    ]


def advice_on_settings(names: list[str]) -> str:
    """Say which settings may be the cause of an error."""
    return f"The cause may be an earlier {listed(names)}. Press Restart Python to undo it."
