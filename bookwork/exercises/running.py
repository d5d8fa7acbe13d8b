"""Call a function that the reader wrote: on copies, for a limited time, whatever it does."""

import inspect
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from time import monotonic, process_time  # not thread_time, which the page lacks
from types import FrameType
from typing import Any

from numpy import errstate, ndarray

TIME_LIMIT = 10.0  # seconds for one call
BUSY = 6  # as many times as long, while other programs have the processor
LONGEST_ERROR = 180  # characters of an error's message
_GUFUNC = re.compile(r", with gufunc signature .*(?=\(size)")  # which no student needs to read


class UnreadableError(Exception):
    """A result is not of the expected kind; the message says what it is instead."""


class TimeUpError(BaseException):
    """The time is up. Not an `Exception`, so that the reader's own `except` does not catch it."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one call: a value, or what went wrong."""

    value: Any = None
    raw: Any = None  # the value as it was returned
    unreadable: str = ""
    error: str = ""  # "ZeroDivisionError: division by zero"
    line: int | None = None
    late: bool = False
    changed: tuple[int, ...] = ()  # the arguments that the call changed

    @property
    def returned(self) -> bool:
        """Whether there is a value that could be read."""
        return not (self.unreadable or self.error or self.late)


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
    >>> from numpy import ones
    >>> run(lambda p: p["W"].sum(), ({"W": ones(2)},), read=float).changed
    ()
    >>> run(lambda p: p["W"].fill(0), ({"W": ones(2)},), read=str).changed
    (0,)
    """
    own = deepcopy(arguments)
    raw = value = None
    try:
        with _quiet(), _time_limit(TIME_LIMIT):
            raw = function(*own)
            value = read(raw)
    except UnreadableError as error:
        return Outcome(raw=raw, unreadable=str(error))
    except TimeUpError:
        return Outcome(late=True)
    except (Exception, SystemExit) as error:
        return Outcome(error=_in_words(error), line=_line(error, function))
    changed = (i for i, before in enumerate(arguments) if not unchanged(before, own[i]))
    return Outcome(value=value, raw=raw, changed=tuple(changed))


def too_late() -> str:
    """Say that a function took too long."""
    return f"took too long: it had not returned after {TIME_LIMIT:g} seconds"


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress warnings: the verdict says what is wrong."""
    with warnings.catch_warnings(), errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeUpError` after some seconds, where Python can interrupt itself.

    It cannot in a browser, where the page has its own limit, nor outside the main thread. What
    computes, but has not had these seconds of the processor yet, is given more.
    """
    if not _has_timer():
        yield
        return
    has_ended, before, end = False, process_time(), monotonic() + BUSY * seconds

    def strike(number: int, frame: FrameType | None) -> None:
        computes = seconds / 100 < process_time() - before < 0.9 * seconds  # less: it sleeps
        if not has_ended and not (computes and monotonic() < end):
            raise TimeUpError

    handler = signal.signal(signal.SIGALRM, strike)
    again = max(seconds / 5, 1.0)  # if it did not end; not while a busy machine is still ending it
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, again)
    try:
        yield
    finally:
        has_ended = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *timer)


def _has_timer() -> bool:
    in_main = threading.current_thread() is threading.main_thread()
    return hasattr(signal, "setitimer") and sys.platform != "emscripten" and in_main


def _in_words(error: BaseException) -> str:
    try:
        text = _GUFUNC.sub(" ", " ".join(str(error).split()))
    except Exception:  # the reader's own exception class
        text = ""
    return f"{type(error).__name__}: {_cut(text)}" if text else type(error).__name__


def _cut(text: str) -> str:
    """Cut a text that is too long, between two words if it has any."""
    if len(text) <= LONGEST_ERROR:
        return text
    kept = text[:LONGEST_ERROR]
    return f"{kept.rpartition(' ')[0] or kept} …"


def _line(error: BaseException, function: Callable[..., Any]) -> int | None:
    """Return the last line of the reader's file that the error passed through."""
    own = getattr(getattr(inspect.unwrap(function), "__code__", None), "co_filename", None)
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == own:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def unchanged(before: Any, after: Any) -> bool:
    """Return whether a value, and all that it contains, is as it was before."""
    if type(before) is not type(after):
        return False
    if isinstance(before, ndarray):
        same_kind = before.shape == after.shape and before.dtype == after.dtype
        return bool(same_kind and before.tobytes() == after.tobytes())
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(
            unchanged(before[name], after[name]) for name in before
        )
    if isinstance(before, list | tuple):
        return len(before) == len(after) and all(map(unchanged, before, after))
    equal: Any = type(before).__eq__
    if equal is object.__eq__ and hasattr(before, "__dict__"):
        before, after = vars(before), vars(after)
    try:
        return before is after or bool(before == after)
    except Exception:  # the reader's own class, which may do anything
        return False
