"""What a run shows, on its way to the page: in order, not too fast, and not too much."""

from collections.abc import Callable
from json import dumps
from time import monotonic
from typing import Any

EAGER = 100  # lines and values of a run that are sent at once; after that they are sent in batches
PAUSE = 0.05  # seconds between two batches
REST = 4  # or this many times the duration of the last batch, if longer
STREAMS = ("stdout", "stderr")
TEXT_LIMIT = 100_000  # characters that one run may print
DISPLAY_LIMIT = 200  # values and figures that one run may show
BYTE_LIMIT = 20_000_000  # of all these together
FULL = (
    "This output is not shown: with it the run would show {size:.1f} MB, and the page takes "
    "{most:.0f} MB. Show a part of it."
)

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


class Budget:
    """How much one run has shown; what is too much is counted, or replaced by a sentence."""

    def __init__(self) -> None:
        self.printed = self.dropped = self.unshown = 0
        self.sizes: dict[object, int] = {}  # of each value, and of what last replaced it

    def cut(self, text: str) -> str:
        """Return what may still be printed of a text, and count the rest."""
        kept = text[: TEXT_LIMIT - self.printed]
        self.printed += len(kept)
        self.dropped += len(text) - len(kept)
        return kept

    def admits(self, key: object) -> bool:
        """Return whether one more value may be shown; whatever replaces another has one key."""
        is_admitted = key in self.sizes or len(self.sizes) < DISPLAY_LIMIT
        self.unshown += not is_admitted
        return is_admitted

    def fit(self, key: object, bundle: Message) -> Message:
        """Return a bundle that was admitted, or a sentence if it is too large."""
        self.sizes[key] = sum(len(data) for data in bundle.values() if isinstance(data, str))
        size = sum(self.sizes.values())
        if size <= BYTE_LIMIT:
            return bundle
        self.sizes[key] = 0
        return {"text/plain": FULL.format(size=size / 1e6, most=BYTE_LIMIT / 1e6)}


class Outbox:
    """Messages to the page: text that follows text is one, and so are changes of one display."""

    def __init__(self) -> None:
        self.post: Callable[[str], None]  # the worker sets it
        self.waiting: list[Message] = []
        self.begin()

    def begin(self) -> None:
        """Start counting for a new run."""
        self.times, self.due = 0, 0.0

    def put(self, message: Message) -> None:
        """Add a message: the beginning of a line waits for its end, but not for long."""
        with HOLD:
            is_part = message["kind"] in STREAMS and not message["text"].endswith("\n")
            self.add(message)
            if not is_part or monotonic() >= self.due:
                self.hurry()

    def add(self, message: Message) -> None:
        """Join text to the text before it; of what replaces a display keep only the last."""
        kind, name = message["kind"], message.get("display_id")
        last: Message = self.waiting[-1] if self.waiting else {}
        same = [each for each in self.waiting if name and each.get("display_id") == name]
        if kind in STREAMS and last.get("kind") == kind:
            last["text"] += message["text"]
        elif kind == "update" and same and same[-1]["kind"] == kind:
            same[-1]["bundle"] = message["bundle"]
        else:
            self.waiting.append(message)

    def hurry(self) -> None:
        """Send what is waiting, unless so much has been sent just now."""
        if self.times < EAGER or monotonic() >= self.due:
            self.flush()

    def flush(self) -> None:
        """Send what is waiting."""
        with HOLD:
            began = monotonic()
            waiting, self.waiting = self.waiting, []
            for message in waiting:
                self.post(dumps(message))
            now = monotonic()
            self.times += bool(waiting)
            self.due = now + max(PAUSE, REST * (now - began))
