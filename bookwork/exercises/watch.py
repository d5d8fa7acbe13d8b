"""Notice which functions of a library an answer calls, under whatever name."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

LIBRARIES = {"scipy", "torch", "jax"}  # and the package of each book, see `note_book`
OWN = {"bookwork"}  # the checkers themselves do not count


def note_book(package: str) -> None:
    """Count calls to a book's package, ``shop`` of the checkers ``shop.exercises``."""
    LIBRARIES.add(package.partition(".")[0])
    OWN.add(package)


@contextmanager
def library_calls(names: Collection[str]) -> Iterator[list[str]]:
    """Collect the calls to library functions that are in `names`, or that call one of these.

    The name ``mean.axis`` stands for calls of ``mean`` with an argument ``axis``.

    Examples
    --------
    >>> from statistics import fmean as average
    >>> note_book("statistics.exercises")
    >>> with library_calls(["fmean"]) as seen:
    ...     _ = average([1.0, 2.0])
    >>> seen
    ['fmean']
    """
    seen: list[str] = []
    if not names:
        yield seen
        return

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and _in_library(frame) and (found := _among(frame, names)) is not None:
            seen.append(_outermost(frame) + found)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)


def _among(frame: FrameType, names: Collection[str]) -> str | None:
    """Return which argument of a call is ruled out, "" if the whole call is, else None."""
    name = _name(frame)
    if name in names:
        return ""
    ruled_out = (each.removeprefix(f"{name}.") for each in names if each.startswith(f"{name}."))
    given = (each for each in ruled_out if frame.f_locals.get(each) is not None)
    return next((f" with {each}=" for each in given), None)


def _in_library(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] in LIBRARIES and not module.startswith(tuple(OWN))


def _outermost(frame: FrameType) -> str:
    """Return the name of the function by which the answer entered the library."""
    name = _name(frame)
    while frame.f_back is not None and _in_library(frame.f_back):
        frame = frame.f_back
        if "<locals>" not in frame.f_code.co_qualname:  # what a decorator put around a function
            name = _name(frame)
    return name


def _name(frame: FrameType) -> str:
    return frame.f_code.co_name.removeprefix("_")  # `_mean` may be the formula of `mean`
