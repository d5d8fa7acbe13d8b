"""What waits to go to the page: sent at once at first, then together, without what is outdated."""

from json import dumps
from time import monotonic

EAGER = 100  # times that messages are sent at once in a run; after that they wait for each other
PAUSE = 0.05  # seconds between two times after that
REST = 4  # and this many times what the last time took
PRINTED = ("stdout", "stderr", "display", "error")


class Outbox:
    """Messages to the page, in order; no flood of them reaches it."""

    def __init__(self):
        self.post = None  # takes a text and the bytes beside it
        self.waiting = []
        self.begin()

    def begin(self):
        """Start counting for a new run."""
        self.times, self.due = 0, 0.0

    def put(self, message, buffers=()):
        """Take a message for the page: a dictionary that JSON can hold, with bytes beside it."""
        self.waiting.append((message, list(buffers)))
        if self.times < EAGER or monotonic() >= self.due:
            self.flush()

    def flush(self):
        """Send what waits."""
        if not self.waiting:
            return
        began = monotonic()
        waiting, self.waiting = self.waiting, []
        for message, buffers in together(without_outdated(waiting)):
            self.post(dumps(message), buffers)
        now = monotonic()
        self.times += 1
        self.due = now + max(PAUSE, REST * (now - began))


def without_outdated(waiting):
    """Leave out old values of widgets, and output that was cleared before anyone saw it."""
    return without_cleared(without_old_values(waiting))


def without_old_values(waiting):
    """Let the values that a widget takes one after another become one message.

    A widget that is made or closed is a border: a box must not hear of a child before that exists.
    """
    kept, at = [], {}  # at: the id of a widget -> where its last values stand, while more may join
    for message, buffers in waiting:
        place = at.get(message.get("id"))
        if is_values(message) and place is not None:
            kept[place] = joined(*kept[place], message, buffers)
            continue
        if is_values(message):
            at[message["id"]] = len(kept)
        elif message["kind"] == "comm":
            at.pop(message["id"], None)
            at = at if message["type"] == "comm_msg" else {}
        kept.append((message, buffers))
    return kept


def is_values(message):
    """Tell whether a message gives a widget new values."""
    return message["kind"] == "comm" and message["data"].get("method") == "update"


def joined(old, old_buffers, new, new_buffers):
    """Return one message, with its bytes, for two that give a widget new values."""
    state = new["data"]["state"]
    paths = zip(old["data"].get("buffer_paths", []), old_buffers, strict=True)
    held = [(path, each) for path, each in paths if path[0] not in state]
    data = {
        "method": "update",
        "state": {**old["data"]["state"], **state},
        "buffer_paths": [path for path, _ in held] + new["data"].get("buffer_paths", []),
    }
    return {**new, "data": data}, [each for _, each in held] + list(new_buffers)


def without_cleared(waiting):
    """Leave out what is cleared by the time that it would be shown."""
    kept, clear = [], None  # clear: one that waits for the next output
    for message, buffers in waiting:
        if message["kind"] == "clear" and message["wait"]:
            clear = message
            continue
        if message["kind"] == "clear" or (clear and message["kind"] in PRINTED):
            kept = [pair for pair in kept if pair[0]["kind"] not in {*PRINTED, "clear"}]
        if clear and message["kind"] in PRINTED:
            kept.append((clear, []))
        if message["kind"] in {*PRINTED, "clear"}:
            clear = None
        kept.append((message, buffers))
    return kept + [(clear, [])] * (clear is not None)


def together(messages):
    """Put messages of widgets that follow each other into one."""
    row, bytes_beside = [], []
    for message, buffers in messages:
        if message["kind"] == "comm":
            row.append({**message, "buffers": len(buffers)})
            bytes_beside += buffers
            continue
        if row:
            yield {"kind": "comms", "messages": row}, bytes_beside
            row, bytes_beside = [], []
        yield message, buffers
    if row:
        yield {"kind": "comms", "messages": row}, bytes_beside
