"""Messages to the page: the first are sent at once, later ones in batches without outdated ones."""

from collections.abc import Callable, Iterator
from itertools import groupby
from json import dumps
from time import monotonic
from typing import Any

EAGER = 100  # messages of a run that are sent at once; after that they are sent in batches
PAUSE = 0.05  # seconds between two batches
REST = 4  # or this many times the duration of the last batch, if longer
STREAMS = ("stdout", "stderr")

Message = dict[str, Any]  # what JSON can hold


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
        self.post: Callable[[str], None]  # the worker sets it
        self.waiting: list[Message] = []
        self.begin()

    def begin(self) -> None:
        """Start counting for a new run."""
        self.times, self.due = 0, 0.0

    def put(self, message: Message) -> None:
        """Add a message for the page: a dictionary that JSON can hold."""
        with HOLD:
            self.waiting.append(message)
            if self.times < EAGER or monotonic() >= self.due:
                self.flush()

    def flush(self) -> None:
        """Send the messages that are waiting."""
        if not self.waiting:
            return
        with HOLD:
            began = monotonic()
            waiting, self.waiting = self.waiting, []
            for message in with_joined_text(without_outdated(waiting)):
                self.post(dumps(message))
            now = monotonic()
            self.times += 1
            self.due = now + max(PAUSE, REST * (now - began))


def without_outdated(waiting: list[Message]) -> list[Message]:
    """Keep the last update of each display."""
    kept: list[Message] = []
    at: dict[str, int] = {}  # display_id -> position of its last update in `kept`
    for message in waiting:
        name = message.get("display_id", "")
        if message["kind"] == "update" and name in at:
            kept[at[name]] = message
            continue
        if message["kind"] == "update":
            at[name] = len(kept)
        elif message["kind"] == "display":  # under the same name, perhaps
            at.pop(name, None)
        kept.append(message)
    return kept


def with_joined_text(messages: list[Message]) -> Iterator[Message]:
    """Join what was printed to one stream with nothing in between."""
    for kind, group in groupby(messages, lambda message: message["kind"]):
        if kind in STREAMS:
            yield {"kind": kind, "text": "".join(message["text"] for message in group)}
        else:
            yield from group
