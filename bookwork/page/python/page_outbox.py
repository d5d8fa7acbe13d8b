"""Messages to the page: the first are sent at once, later ones in batches without outdated ones."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from json import dumps
from time import monotonic
from typing import Any

EAGER = 100  # messages of a run that are sent at once; after that they are sent in batches
PAUSE = 0.05  # seconds between two batches
REST = 4  # or this many times the duration of the last batch, if longer
STREAMS = ("stdout", "stderr")


Message = dict[str, Any]  # what JSON can hold
Waiting = list[tuple[Message, list[Any]]]  # messages, each with its buffers


class Hold:
    """Delays Stop while something is being sent to the page, because it would otherwise be lost.

    Python handles Stop between any two of its steps, by calling `interrupt`.
    """

    def __init__(self) -> None:
        self.depth, self.is_due = 0, False

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *_error: object) -> None:
        self.depth -= 1
        if self.is_due and not self.depth:
            self.is_due = False
            raise KeyboardInterrupt

    def interrupt(self, *_signal: object) -> None:
        """Stop what is running, at once or when nothing is being sent any more."""
        if not self.depth:
            raise KeyboardInterrupt
        self.is_due = True


HOLD = Hold()


class Outbox:
    """Messages to the page, in order, at a rate that does not flood it."""

    def __init__(self) -> None:
        self.post: Callable[[str, list[Any]], None]  # of a text and its buffers; the worker sets it
        self.waiting: Waiting = []
        self.begin()

    def begin(self) -> None:
        """Start counting for a new run."""
        self.times, self.due = 0, 0.0

    def put(self, message: Message, buffers: Iterable[Any] = ()) -> None:
        """Add a message for the page: a dictionary that JSON can hold, and its buffers."""
        with HOLD:
            self.waiting.append((message, list(buffers)))
            if self.times < EAGER or monotonic() >= self.due:
                self.flush()

    def flush(self) -> None:
        """Send the messages that are waiting."""
        if not self.waiting:
            return
        with HOLD:
            began = monotonic()
            waiting, self.waiting = self.waiting, []
            for message, buffers in together(without_outdated(waiting)):
                self.post(dumps(message), buffers)
            now = monotonic()
            self.times += 1
            self.due = now + max(PAUSE, REST * (now - began))


def without_outdated(waiting: Waiting) -> Waiting:
    """Join successive values of a widget into one message; of a display keep the last update.

    Not across the opening or closing of a widget: a box must not name a child before it exists.
    """
    kept: Waiting = []
    at: dict[tuple[str, str], int] = {}  # what changes -> place of its last change in `kept`
    for message, buffers in waiting:
        key = message["kind"], str(message.get("id", message.get("display_id")))
        if is_change(message) and key in at:
            kept[at[key]] = joined(kept[at[key]], (message, buffers))
            continue
        if is_change(message):
            at[key] = len(kept)
        elif message["kind"] == "comm":
            at.pop(key, None)
            at = at if message["type"] == "comm_msg" else {}
        elif message["kind"] == "display":  # under the same name, perhaps
            at.pop(("update", key[1]), None)
        kept.append((message, buffers))
    return kept


def is_change(message: Message) -> bool:
    """Return whether a message gives a widget new values, or replaces what a display shows."""
    is_update = message["kind"] == "comm" and message["data"].get("method") == "update"
    return is_update or message["kind"] == "update"


def joined(
    before: tuple[Message, list[Any]], after: tuple[Message, list[Any]]
) -> tuple[Message, list[Any]]:
    """Join two changes: of a widget its values, with their buffers; of a display the second."""
    (old, old_buffers), (new, new_buffers) = before, after
    if new["kind"] == "update":
        return after
    state = new["data"]["state"]
    paths = zip(old["data"].get("buffer_paths", []), old_buffers, strict=True)
    held = [(path, each) for path, each in paths if path[0] not in state]
    data = {
        "method": "update",
        "state": {**old["data"]["state"], **state},
        "buffer_paths": [path for path, _ in held] + new["data"].get("buffer_paths", []),
    }
    return {**new, "data": data}, [each for _, each in held] + list(new_buffers)


def together(messages: Waiting) -> Iterator[tuple[Message, list[Any]]]:
    """Join consecutive messages into one: text that was printed, and a row of widgets' messages."""
    row: list[Message] = []
    bytes_beside: list[Any] = []
    for message, buffers in with_joined_text(messages):
        is_widget = message["kind"] == "comm"
        if row and not is_widget:
            yield {"kind": "comms", "messages": row}, bytes_beside
            row, bytes_beside = [], []
        if is_widget:
            row.append({**message, "buffers": len(buffers)})
            bytes_beside += buffers
        else:
            yield message, buffers
    if row:
        yield {"kind": "comms", "messages": row}, bytes_beside


def with_joined_text(messages: Waiting) -> Iterator[tuple[Message, list[Any]]]:
    """Join what was printed to one stream, of one cell, with nothing in between."""
    for (kind, cell), group in groupby(messages, lambda pair: stream_of(pair[0])):
        if kind is None:
            yield from group
        else:
            text = "".join(message["text"] for message, _ in group)
            yield {"kind": kind, "text": text, **({} if cell is None else {"cell": cell})}, []


def stream_of(message: Message) -> tuple[str | None, str | None]:
    """Return the stream to which text was printed, and the cell that it goes to, or two None."""
    is_text = message["kind"] in STREAMS
    return (message["kind"], message.get("cell")) if is_text else (None, None)
