"""`await` in a cell, and tasks: asyncio's own loop, which sleeps as this Python does.

The loop that Pyodide has runs between two messages from the page, where Stop is not heard and no
cell owns what is printed. This one runs within the cell: until what it awaits is there and, at its
end, until every task is done or waits for something that only the reader can do, such as a click.
"""

import asyncio
import time
from asyncio import BaseEventLoop, _get_running_loop, _set_running_loop, all_tasks, ensure_future
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from inspect import CO_COROUTINE
from types import CodeType
from typing import Any

NEVER = (
    "the cell awaits something that does not come while it runs; "
    "what a click brings can be awaited in a task: asyncio.create_task(…)"
)


class Clock:
    """Stands in for the files and sockets that a loop waits for: here only time passes."""

    def __init__(self, loop: BaseEventLoop) -> None:
        self.loop = loop
        self.sleep: Callable[[float], None] = time.sleep

    def select(self, seconds: float | None) -> tuple[()]:
        """Let time pass; end the loop where it would wait for ever."""
        if seconds is None:
            self.loop.stop()
        elif seconds > 0:
            self.sleep(seconds)
        return ()


class Loop(BaseEventLoop):
    """A loop that counts as running while a cell runs, so that code there can make tasks."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = self._selector = Clock(self)

    def _process_events(self, _events: object) -> None:
        """Do nothing: nothing but time passes."""

    def _write_to_self(self) -> None:
        """Do nothing: there is no other thread that could be woken."""

    def _check_running(self) -> None:
        if self.is_running():
            raise RuntimeError("asyncio runs already: use await")

    def run_forever(self) -> None:
        """Run until nothing is left to do but to wait for the reader."""
        try:
            super().run_forever()
        finally:
            _set_running_loop(self)

    def run_until_complete(self, future: Any) -> Any:
        """Return what a coroutine or a task returns."""
        self._check_running()
        future = ensure_future(future, loop=self)
        future.add_done_callback(lambda _: self.stop())
        self.run_forever()
        if not future.done():
            future.cancel()
            raise RuntimeError(NEVER)
        return future.result()


LOOP = Loop()


def connect(sleep: Callable[[float], None]) -> None:
    """Let `asyncio.run` use our loop, and that sleep so that Stop is heard."""
    LOOP.clock.sleep = sleep
    asyncio.run = run


def run(main: Coroutine[Any, Any, Any], **_options: Any) -> Any:
    """Run a coroutine, as `asyncio.run` does."""
    return LOOP.run_until_complete(main)


@contextmanager
def at_work() -> Iterator[None]:
    """Let code make tasks; at its end do what they have left. Stop ends them all."""
    outside = _get_running_loop()
    _set_running_loop(LOOP)
    try:
        yield
        LOOP.run_forever()
    except KeyboardInterrupt:
        drop_tasks()
        raise
    finally:
        _set_running_loop(outside)


def drop_tasks() -> None:
    """End all tasks, as far as they let themselves be ended."""
    for task in all_tasks(LOOP):
        task.cancel()
    LOOP.call_soon(LOOP.stop)
    LOOP.run_forever()


def result_of(value: Any, code: CodeType) -> Any:
    """Return what code gave; if there is an `await` in it, it gave only a coroutine so far."""
    return LOOP.run_until_complete(value) if code.co_flags & CO_COROUTINE else value
