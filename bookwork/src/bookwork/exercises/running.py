"""Call a function that the reader wrote: on copies, whatever it does."""

import inspect
import re
import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pickle import dumps
from textwrap import shorten
from traceback import walk_tb
from typing import Any

from numpy import errstate

LONGEST_ERROR = 180  # characters of an error's message
_GUFUNC = re.compile(r", with gufunc signature .*(?=\(size)")  # which no student needs to read


class UnreadableError(Exception):
    """A result is not of the expected kind; the message says what it is instead."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one call: a value, or what went wrong."""

    value: Any = None
    raw: Any = None  # the value as it was returned
    unreadable: str = ""
    error: str = ""  # "ZeroDivisionError: division by zero"
    line: int | None = None
    changed: tuple[int, ...] = ()  # the arguments that the call changed

    @property
    def returned(self) -> bool:
        """Whether there is a value that could be read."""
        return not (self.unreadable or self.error)


def run(
    function: Callable[..., Any], arguments: tuple[Any, ...], read: Callable[[Any], Any]
) -> Outcome:
    """Call `function` on copies of `arguments` and `read` what it returns.

    Examples
    --------
    >>> run(lambda x: 1 / x, (0,), read=float).error
    'ZeroDivisionError: division by zero'
    >>> run(list.sort, ([3, 1, 2],), read=str).changed
    (0,)
    """
    own = deepcopy(arguments)
    before = [_contents(part) for part in own]
    raw = value = None
    try:
        with warnings.catch_warnings(action="ignore"), errstate(all="ignore"):
            raw = function(*own)
            value = read(raw)
    except UnreadableError as error:
        return Outcome(raw=raw, unreadable=str(error))
    except (Exception, SystemExit) as error:
        return Outcome(error=_in_words(error), line=_line(error, function))
    changed = tuple(i for i, part in enumerate(own) if _contents(part) != before[i])
    return Outcome(value=value, raw=raw, changed=changed)


def _in_words(error: BaseException) -> str:
    text = shorten(_GUFUNC.sub(" ", str(error)), LONGEST_ERROR, placeholder=" …")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _line(error: BaseException, function: Callable[..., Any]) -> int | None:
    """Return the last line of the reader's file that the error passed through."""
    own = getattr(getattr(inspect.unwrap(function), "__code__", None), "co_filename", None)
    steps = walk_tb(error.__traceback__)
    lines = [line for frame, line in steps if frame.f_code.co_filename == own]
    return lines[-1] if lines else None


def _contents(value: Any) -> bytes:
    """Return what a value and all that it contains consists of, to see whether it was changed."""
    try:
        return dumps(value)
    except Exception:  # the reader's own class, which may do anything
        return b""
