"""Notice which functions of a library an answer calls, under whatever name."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

LIBRARIES = ("attention_lib", "scipy", "torch", "jax")
OWN = __name__.rpartition(".engine.")[0]  # the checkers themselves do not count


@contextmanager
def library_calls(names: Collection[str]) -> Iterator[list[str]]:
    """Collect the calls to library functions that are in `names`, or that call one of these.

    Examples
    --------
    >>> from attention_lib import attention as look
    >>> with library_calls(["softmax"]) as seen:
    ...     _ = look([[1.0]], [[1.0]], [[2.0]])
    >>> seen
    ['attention']
    """
    seen: list[str] = []
    if not names:
        yield seen
        return

    def note(frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_code.co_name.removeprefix("_")  # `_softmax` is the formula of `softmax`
        if event == "call" and name in names and _in_library(frame):
            seen.append(_outermost(frame))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)


def _in_library(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] in LIBRARIES and not module.startswith(OWN)


def _outermost(frame: FrameType) -> str:
    """Return the name of the function by which the answer entered the library."""
    while frame.f_back is not None and _in_library(frame.f_back):
        frame = frame.f_back
    return frame.f_code.co_name
