"""Notice which functions of a library an answer calls, under whatever name."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

LIBRARIES = {"scipy", "torch", "jax"}  # and the package of each book, see `note_book`
OWN = {"bookwork"}  # the checkers themselves do not count


def note_book(package: str, library: str = "") -> None:
    """Count calls to a book's package, ``shop`` of the checkers ``shop.exercises``."""
    LIBRARIES.add(library or package.partition(".")[0])
    OWN.add(package)
    _counts.cache_clear()


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

    ruled_out = _arguments(names)

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or not _in_library(frame):
            return
        if (found := _among(frame, ruled_out)) is not None:
            seen.append(_outermost(frame) + found)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)


def _arguments(names: Collection[str]) -> dict[str, list[str]]:
    """Return the arguments that are ruled out of each function, "" if every call of it is."""
    ruled_out: dict[str, list[str]] = {}
    for function, _, argument in (name.partition(".") for name in names):
        ruled_out.setdefault(function, []).append(argument)
    return ruled_out


def _among(frame: FrameType, ruled_out: dict[str, list[str]]) -> str | None:
    """Return which argument of a call is ruled out, "" if the whole call is, else None."""
    arguments = ruled_out.get(_name(frame), [])
    if "" in arguments:
        return ""
    given = (each for each in arguments if frame.f_locals.get(each) is not None)
    return next((f" with {each}=" for each in given), None)


def _in_library(frame: FrameType) -> bool:
    return _counts(str(frame.f_globals.get("__name__", "")))


@cache  # it is asked at every call of an answer
def _counts(module: str) -> bool:
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
