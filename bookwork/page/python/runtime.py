"""Runs the reader's code in the page's worker: one namespace, output at once, short errors.

The worker calls `connect` once, then `imported` and `run` for each cell.
"""

import ast
import builtins
import gc
import io
import linecache
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from json import dumps
from signal import SIGINT, signal
from sys import modules
from time import monotonic
from traceback import StackSummary, TracebackException, walk_tb
from types import CodeType
from typing import Any

import page_await
import page_display
import page_magics
import page_memory
import page_outbox
import page_shell
import page_widgets
from page_budget import OutputBudget

Message = dict[str, Any]  # what JSON can hold

EAGER = 100  # lines that are sent at once; further ones are sent together, every 50 ms
FRAME_LIMIT = 8  # of the reader's lines that a traceback shows
END_LIMIT = 9_000  # characters of a long traceback that are shown of either end
RECURSION_LIMIT = 3000  # beyond this the browser's own stack ends first
TOO_LARGE = (
    "That is too large for Python in a page, which has 1 GB of memory: choose a smaller size, or "
    "run the code in JupyterLab, which has all the memory of your computer."
)
SIZES = ("Maximum allowed dimension", "array is too big", "index-sized integer", "C ssize_t")
ABSENT = "{name} is not among the packages of this page. It may run in Python on your own machine."
COMMAS = "Python writes large numbers without commas: 1048576, or 1_048_576."
HIDDEN = "Your variable {name} hides Python's own {name}. To get that back: del {name}"

NAMESPACE: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
RESERVE = page_memory.Reserve()
_set_recursion_limit = sys.setrecursionlimit
_sleep = time.sleep


class Channel:
    """The connection to the page."""

    def __init__(self) -> None:
        self.outbox = page_outbox.Outbox()
        self.begin()

    def begin(self) -> None:
        """Start counting for a new run."""
        self.budget, self.flushes = OutputBudget(), 0
        self.outbox.begin()

    def flush(self) -> None:
        """Send everything that is waiting."""
        flush_text()
        self.outbox.flush()

    def clear(self, wait: bool) -> None:
        """Clear the output, and start counting again."""
        flush_text()
        if page_widgets.is_inside_output():
            return
        self.budget = OutputBudget()
        self.outbox.put({"kind": "clear", "wait": wait})

    def show(
        self, value: Any, kind: str = "display", raw: bool = False, display_id: str | None = None
    ) -> None:
        """Send a value in every form that the page may draw, or let it show itself."""
        flush_text()
        if not raw and page_display.shows_itself(value):
            value._ipython_display_()
            return
        place = self.budget.place_for(kind, display_id)
        if place is None:
            return
        bundle = page_display.written(value) if raw else page_display.bundle(value)
        bundle = self.budget.fit(place, page_widgets.complete(bundle))
        name = {} if display_id is None else {"display_id": display_id}
        self.outbox.put({"kind": kind, "bundle": bundle, **name})

    def show_error(self, error: BaseException) -> None:
        """Send an error that does not end the run."""
        flush_text()
        self.outbox.put({"kind": "error", "error": describe(error, "")})


class Stream(io.TextIOBase):
    """`sys.stdout` of a run: sends text in pieces, and drops what is beyond the limit."""

    encoding = "utf-8"

    def __init__(self, kind: str, channel: Channel) -> None:
        self.kind, self.channel = kind, channel
        self.pieces: list[str] = []
        self.waiting, self.flushed = 0, 0.0

    def writable(self) -> bool:
        """Say that text can be written here."""
        return True

    def write(self, text: str) -> int:
        """Accept text, up to the limit."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        (ERR if self is OUT else OUT).flush()  # the text that came first is shown first
        kept = self.channel.budget.cut(text)
        if not kept:
            return len(text)
        self.waiting += len(kept)
        self.pieces.append(kept)
        is_due = self.channel.flushes < EAGER or monotonic() - self.flushed > 0.05
        if (is_due and text.endswith("\n")) or self.waiting > 8192:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Send what is waiting; Stop is delayed."""
        if not self.pieces:
            return
        with page_outbox.HOLD:
            text = "".join(self.pieces)
            self.pieces, self.waiting, self.flushed = [], 0, monotonic()
            self.channel.flushes += 1
            self.channel.outbox.put({"kind": self.kind, "text": text})


CHANNEL = Channel()
OUT, ERR = Stream("stdout", CHANNEL), Stream("stderr", CHANNEL)
SHELL = page_shell.InteractiveShell(NAMESPACE, CHANNEL.show_error)
DISPLAYS = page_shell.Displays(CHANNEL)
display = DISPLAYS.display


def flush_text() -> None:
    """Send the text that is waiting, which comes before whatever is sent next."""
    OUT.flush()
    ERR.flush()


def connect(post: Callable[[str], None]) -> None:
    """Connect to the worker, and replace what has to work differently in a page."""
    CHANNEL.outbox.post = post
    signal(SIGINT, page_outbox.HOLD.interrupt)
    time.sleep = sleep
    sys.setrecursionlimit = set_recursion_limit
    builtins.input = refuse_input
    page_await.connect(sleep)
    for name, function in {"display": display, "get_ipython": SHELL.instance}.items():
        setattr(builtins, name, function)
    page_shell.stand_in(SHELL, DISPLAYS)
    page_display.prepare_matplotlib()


def sleep(seconds: Any) -> None:
    """Sleep in short steps, because Stop takes effect only between two of them."""
    CHANNEL.flush()
    end = monotonic() + seconds
    while (left := end - monotonic()) > 0:
        _sleep(min(left, 0.05))


def set_recursion_limit(limit: int) -> None:
    """Refuse a limit that would crash the worker."""
    if limit > RECURSION_LIMIT:
        raise ValueError(f"in this page the recursion limit may be at most {RECURSION_LIMIT}")
    _set_recursion_limit(limit)


def refuse_input(prompt: object = "") -> str:
    """Say what to do instead of calling input()."""
    raise RuntimeError("input() does not work in this page: write the value into the cell")


def imported(code: str) -> list[str]:
    """Return the dotted names that code imports, each with its parent packages."""
    try:
        nodes = list(ast.walk(ast.parse(page_magics.readable(code))))
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
    SHELL.evaluate = lambda lines: value_of(*compiled(lines, filename))
    raised = attempt(lambda: execute(*compiled(page_magics.plain(code), filename), checkers))
    return dumps({"ok": raised is None, **report(raised, filename)})


def report(error: BaseException | None, filename: str) -> Message:
    """Return how a run ended, as the page reports it; release what its error holds."""
    told: Message = {"error": error and describe(error, filename), **CHANNEL.budget.left_out}
    told["advice"] = advise(error)
    forget(error)
    return told


def attempt(action: Callable[[], None]) -> BaseException | None:
    """Call a function; return what it raised, or None."""
    outside = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = OUT, ERR
    error: BaseException | None = None
    before = set(modules)
    SHELL.begin()
    try:
        with RESERVE, page_await.at_work():
            action()
    except BaseException as raised:
        error = raised
        unload_incomplete(raised, before)
    finally:
        flush_text()
        CHANNEL.outbox.flush()
        sys.stdout, sys.stderr = outside
        page_display.close_figures()
    return error


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
    statements = compile(tree, filename, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return statements, last and compile(last, filename, "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def evaluate(code: CodeType) -> Any:
    """Run code among the reader's variables, and return its value."""
    return page_await.result_of(eval(code, NAMESPACE), code)


def value_of(statements: CodeType, last: CodeType | None) -> Any:
    """Run statements, and return the value of the last one."""
    evaluate(statements)
    return evaluate(last) if last else None


def execute(statements: CodeType, last: CodeType | None, checkers: str | None) -> None:
    """Run statements; show the value of the last one and the figures left open."""
    evaluate(statements)
    if checkers:  # whatever the reader has given that name
        NAMESPACE["check"] = import_module(checkers).check
    value = evaluate(last) if last else None
    if value is not None:
        NAMESPACE["_"] = value
        CHANNEL.show(value)
    for figure in page_display.open_figures():
        CHANNEL.show(figure)


def unload_incomplete(error: BaseException, before: set[str]) -> None:
    """Unload packages that were being imported when an error occurred: they are incomplete.

    Python itself unloads the module that failed, but not what it had imported of its package.
    A module in C is always complete, and some cannot be loaded twice.
    """
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    broken = {
        frame.f_globals.get("__name__", "").partition(".")[0]
        for frame in frames
        if frame.f_code.co_name == "<module>" and frame.f_globals is not NAMESPACE
    }
    for name in set(modules) - before:
        in_c = isinstance(getattr(modules[name], "__loader__", None), ExtensionFileLoader)
        if name.partition(".")[0] in broken and not in_c:
            del modules[name]


# advice


def advise(error: BaseException | None) -> str | None:
    """Return a sentence that the reader should see besides an error, if there is one."""
    if isinstance(error, MemoryError):
        return page_memory.advice(NAMESPACE)
    if isinstance(error, ValueError | OverflowError):
        return TOO_LARGE if any(words in message_of(error) for words in SIZES) else None
    if isinstance(error, ModuleNotFoundError) and error.name:
        return ABSENT.format(name=error.name.partition(".")[0])
    if isinstance(error, SyntaxError) and "leading zeros" in message_of(error):
        return COMMAS
    is_call = isinstance(error, TypeError) and "not callable" in message_of(error)
    return advise_on_names() if is_call else None


def advise_on_names() -> str | None:
    """Name a variable that hides a built-in function."""
    hidden = [name for name in NAMESPACE if callable(getattr(builtins, name, None))]
    hiding = [name for name in hidden if not callable(NAMESPACE[name])]
    return HIDDEN.format(name=hiding[0]) if hiding else None


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
