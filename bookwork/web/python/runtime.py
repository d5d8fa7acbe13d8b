"""Runs the reader's code in the page's worker: one namespace, output at once, short errors.

The worker calls `connect` once, then `imported` and `run` for each cell.
"""

import ast
import asyncio
import builtins
import gc
import io
import linecache
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from json import dumps
from signal import SIGINT, signal
from time import monotonic
from traceback import StackSummary, TracebackException
from types import CodeType
from typing import Any

import numpy as np
import page_display
import page_magics
import page_outbox
import page_shell
import page_widgets
from page_outbox import Message

FRAME_LIMIT = 8  # of the reader's lines that a traceback shows
END_LIMIT = 9_000  # characters of a long traceback that are shown of either end
BLOCK, BLOCKS = 2**20, 96  # bytes, and how many blocks of them are held in reserve
INPUT = "input() does not work in this page: write the value into the cell"
AWAIT = "await and asyncio do not work in this page: run the cell in JupyterLab"
FULL = (
    "Python in a page has 1 GB of memory, and your code needed more. Your variables are kept: "
    "delete those that you no longer need, such as x, with del x."
)
TOO_LARGE = (
    "That is too large for Python in a page, which has 1 GB of memory: choose a smaller size, or "
    "run the code in JupyterLab, which has all the memory of your computer."
)
ABSENT = "{name} is not among the packages of this page. It may run in Python on your own machine."
SIZES = ("Maximum allowed dimension", "array is too big", "index-sized integer", "C ssize_t")
ADVICE: list[tuple[type[BaseException], tuple[str, ...], str]] = [  # by what is in an error's text
    (MemoryError, ("",), FULL),
    (ValueError, SIZES, TOO_LARGE),
    (OverflowError, SIZES, TOO_LARGE),
    (SyntaxError, ("'await' outside", "outside async", "outside of an async"), f"{AWAIT}."),
]
HIDDEN = "Your variable {name} hides Python's own {name}. To get that back: del {name}"

NAMESPACE: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
_sleep = time.sleep


class Channel(page_outbox.Outbox):
    """The connection to the page."""

    def begin(self) -> None:
        """Start counting for a new run."""
        super().begin()
        self.budget = page_outbox.Budget()

    def clear(self, wait: bool) -> None:
        """Clear the output, and count again what is shown."""
        if page_widgets.is_inside_output():
            return
        self.budget = page_outbox.Budget()
        self.put({"kind": "clear", "wait": wait})

    def show(
        self, value: Any, kind: str = "display", raw: bool = False, display_id: str | None = None
    ) -> None:
        """Send a value in every form that the page may draw, or let it show itself."""
        if not raw and page_display.shows_itself(value):
            value._ipython_display_()
            return
        budget, key = self.budget, display_id if kind == "update" else object()
        if not budget.admits(key):
            return
        bundle = page_display.written(value) if raw else page_display.bundle(value)
        bundle = budget.fit(key, page_widgets.complete(bundle))
        name = {} if display_id is None else {"display_id": display_id}
        self.put({"kind": kind, "bundle": bundle, **name})


class Stream(io.TextIOBase):
    """`sys.stdout` of a run: drops what is beyond the limit."""

    encoding = "utf-8"

    def __init__(self, kind: str, channel: Channel) -> None:
        self.kind, self.channel = kind, channel

    def writable(self) -> bool:
        """Say that text can be written here."""
        return True

    def write(self, text: str) -> int:
        """Accept text, up to the limit."""
        if kept := self.channel.budget.cut(text):
            self.channel.put({"kind": self.kind, "text": kept})
        return len(text)

    def flush(self) -> None:
        """Send what is waiting."""
        self.channel.hurry()


CHANNEL = Channel()
SHELL = page_shell.InteractiveShell(NAMESPACE, CHANNEL)


def connect(post: Callable[[str], None]) -> None:
    """Connect to the worker, and replace what has to work differently in a page."""
    CHANNEL.post = post
    signal(SIGINT, page_outbox.HOLD.interrupt)
    time.sleep = sleep
    asyncio.run = refusing(AWAIT)
    own = {"display": page_shell.display, "get_ipython": SHELL.instance, "input": refusing(INPUT)}
    for name, function in own.items():
        setattr(builtins, name, function)
    page_shell.stand_in(SHELL)
    page_display.prepare_matplotlib()


def sleep(seconds: Any) -> None:
    """Sleep in short steps, because Stop takes effect only between two of them."""
    CHANNEL.flush()
    end = monotonic() + seconds
    while (left := end - monotonic()) > 0:
        _sleep(min(left, 0.05))


def refusing(sentence: str) -> Any:
    """Return a function that only says why it does not work."""

    def refuse(*_arguments: Any, **_options: Any) -> Any:
        raise RuntimeError(sentence)

    return refuse


def imported(code: str) -> list[str]:
    """Return the dotted names that code imports, each with its parent packages."""
    try:
        nodes = list(ast.walk(ast.parse(page_magics.plain(code))))
    except (SyntaxError, ValueError, RecursionError):
        return []
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return sorted({name.rsplit(".", i)[0] for name in names for i in range(name.count(".") + 1)})


def run(name: str, code: str, checkers: str | None = None) -> str:
    """Run a cell; return { ok, error, dropped, unshown, advice } as JSON.

    The cell of an exercise gets the `check` of a module of checkers.
    """
    CHANNEL.begin()
    page_widgets.begin(name)
    filename = f"<{name}>"
    linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
    error = attempt(lambda: execute(*compiled(page_magics.plain(code), filename), checkers))
    told: Message = {"ok": error is None, "error": error and describe(error, filename)}
    told |= {"dropped": CHANNEL.budget.dropped, "unshown": CHANNEL.budget.unshown}
    told["advice"] = advise(error) or page_magics.note_on(code)
    forget(error)
    return dumps(told)


def attempt(action: Callable[[], None]) -> BaseException | None:
    """Call a function; return what it raised, or None."""
    outside = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream("stdout", CHANNEL), Stream("stderr", CHANNEL)
    error: BaseException | None = None
    try:
        with reserve():
            action()
    except BaseException as raised:
        error = raised
    finally:
        CHANNEL.flush()
        sys.stdout, sys.stderr = outside
        page_display.close_figures()
    return error


@contextmanager
def reserve() -> Iterator[None]:
    """Hold memory back, so that the book's code still runs when the reader's has used up the rest.

    WebAssembly's memory grows up to a limit (see confine.js) and never shrinks. Half of what is
    left is held at most, and not touched, so that it costs no real memory.
    """
    blocks: list[Any] = []
    with suppress(MemoryError):
        while len(blocks) < 2 * BLOCKS:
            blocks.append(np.empty(BLOCK, "u1"))
    del blocks[len(blocks) // 2 :]
    try:
        yield
    finally:
        blocks.clear()


def forget(error: BaseException | None) -> None:
    """Release an error: its traceback keeps the variables of the reader's functions alive."""
    if error is not None:
        error.__traceback__ = None
    if isinstance(error, MemoryError):
        gc.collect()


def compiled(code: str, filename: str) -> tuple[CodeType, CodeType | None]:
    """Return a cell's statements and, if its value should be shown, its last expression."""
    tree: Any = ast.parse(code, filename)
    shown = tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";")
    last: Any = ast.Expression(tree.body.pop().value) if shown else None
    return compile(tree, filename, "exec"), last and compile(last, filename, "eval")


def execute(statements: CodeType, last: CodeType | None, checkers: str | None) -> None:
    """Run statements; show the value of the last one and the figures left open."""
    exec(statements, NAMESPACE)
    if checkers:  # whatever the reader has given that name
        NAMESPACE["check"] = import_module(checkers).check
    value = eval(last, NAMESPACE) if last else None
    if value is not None:
        NAMESPACE["_"] = value
        CHANNEL.show(value)
    for figure in page_display.open_figures():
        CHANNEL.show(figure)


def advise(error: BaseException | None) -> str | None:
    """Return a sentence that the reader should see besides an error, if there is one."""
    text = message_of(error) if error else ""
    found = (each for each in ADVICE if isinstance(error, each[0]))
    told = [sentence for _, words, sentence in found if any(word in text for word in words)]
    if isinstance(error, ModuleNotFoundError) and error.name:
        told.append(ABSENT.format(name=error.name.partition(".")[0]))
    if isinstance(error, TypeError) and "not callable" in text:
        known = (name for name in NAMESPACE if callable(getattr(builtins, name, None)))
        told += [HIDDEN.format(name=name) for name in known if not callable(NAMESPACE[name])]
    return told[0] if told else None


# errors


def describe(error: BaseException, filename: str) -> Message:
    """Return an error as the page shows it: { type, message, traceback, line }."""
    kind, message = type(error).__name__, message_of(error)
    text, line = f"{kind}: {message}", None
    if isinstance(error, SystemExit):
        message = "exit() ends a program; here it ended the cell, and your variables are kept"
        return {"type": kind, "message": message, "traceback": f"{kind}: {message}", "line": None}
    with suppress(Exception):  # an error may be grouped with others thousands deep
        traceback = TracebackException.from_exception(error, compact=True)
        line = line_of(error, traceback, filename)
        shorten(traceback)
        text = "".join(traceback.format()).strip()
    return {"type": kind, "message": message, "traceback": both_ends(text), "line": line}


def both_ends(text: str) -> str:
    """Leave out the middle of a long text: it begins with the place of an error."""
    left_out = len(text) - 2 * END_LIMIT
    if left_out <= 0:
        return text
    return f"{text[:END_LIMIT]}\n… ({left_out:,} characters) …\n{text[-END_LIMIT:]}"


def message_of(error: BaseException) -> str:
    """Return an error's message, or an empty text if its `__str__` fails."""
    with suppress(Exception):
        return str(error)[:2000]
    return ""


def line_of(error: BaseException, traceback: TracebackException, filename: str) -> int | None:
    """Return the line of the cell that the error comes from, or None."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno
    lines = [frame.lineno for frame in traceback.stack if frame.filename == filename]
    return lines[-1] if lines else None


def shorten(traceback: TracebackException | None) -> None:
    """Keep the reader's own lines and the last one, also in the causes of the error."""
    while traceback is not None:
        frames = [frame for frame in traceback.stack if frame.filename != __file__]
        kept = [frame for frame in frames[:-1] if frame.filename.startswith("<")] + frames[-1:]
        traceback.stack = StackSummary.from_list(kept[:3] + kept[3:][3 - FRAME_LIMIT :])
        traceback = traceback.__cause__ or traceback.__context__
