"""ipywidgets without a kernel: comms to the page, and Outputs that capture what code shows.

By setting its `msg_id`, an Output requests what is printed and shown from then on. In a notebook
the page does the rest; here Python itself puts it into `outputs`, which the page draws.
"""

import datetime
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from json import dumps, loads
from sys import modules
from typing import Any

from page_budget import check_widget

Message = dict[str, Any]
Send = Callable[[Message, list[bytes]], None]

PROTOCOL = {"version": "2.1.0"}  # version of ipywidgets' messages
MANAGER: list[Any] = []  # the book's comm manager, once widgets are connected
OWNERS: dict[str, str | None] = {}  # id of a widget -> the name of the cell whose code made it
RUNNING: list[str | None] = [None]  # the name of the cell that runs now, or ran last
HEARD: list[str | None] = [None]  # the id of the message from the page that is delivered now
FAULTS: list[BaseException] = []  # raised while a message was delivered, and not yet shown
CAPTURING: list[str] = []  # ids of the Outputs that are capturing, the innermost last
CLEARING: set[str] = set()  # ids of the Outputs to clear when the next output arrives
SIMPLE = {int, bool, str, type(None)}  # types that JSON holds as they are
KINDS = {"stdout", "stderr", "display", "error", "clear"}  # of messages that an Output captures


class Listener(logging.Handler):
    """Keeps the errors that comms only log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Record an error."""
        if record.exc_info and record.exc_info[1]:
            FAULTS.append(record.exc_info[1])


def begin(name: str) -> None:
    """Close the widgets that the last run of a cell made, because nothing else does."""
    RUNNING[:] = [name]
    for made in [each for each, owner in OWNERS.items() if owner == name]:
        del OWNERS[made]
        with suppress(Exception):  # the reader may have closed it, or replaced its methods
            widget_of(made).close()


def widget_of(comm_id: str) -> Any:
    """Return the widget with this id, or None."""
    return modules["ipywidgets"].Widget.widgets.get(comm_id)


def connect(send: Send) -> None:
    """Make every comm send to the page through `send`; call this once `comm` is installed."""
    import comm  # noqa: PLC0415  it is loaded only when a cell imports widgets

    manager = comm.base_comm.CommManager()

    class PageComm(comm.base_comm.BaseComm):
        def publish_msg(self, msg_type: str, *facts: Any, **more: Any) -> None:
            publish(send, msg_type, self.comm_id, *facts, **more)

    comm.create_comm = PageComm
    comm.get_comm_manager = lambda: manager
    MANAGER[:] = [manager]
    logging.getLogger("Comm").addHandler(Listener())


def publish(
    send: Send,
    kind: str,
    comm_id: str,
    data: Message | None = None,
    metadata: Message | None = None,
    buffers: Iterable[Any] | None = None,
    **_more: Any,
) -> None:
    """Send a widget's message to the page."""
    data = as_json(data or {})
    if data.get("method") == "update" and "msg_id" in data["state"]:
        follow(comm_id, data["state"].pop("msg_id"))
        if not data["state"]:
            return
    beside = [bytes(buffer) for buffer in buffers or ()]
    check_widget(data.get("state", {}), beside)
    message: Message = {"kind": "comm", "type": kind, "id": comm_id, "data": data}
    message["metadata"] = {**PROTOCOL, **(metadata or {})}
    if kind == "comm_open":
        OWNERS[comm_id] = message["cell"] = RUNNING[0]
    if data.get("method") == "echo_update":
        message["answers"] = HEARD[0]
    send(message, beside)


def as_json(data: Message) -> Message:
    """Return a copy of data as JSON represents it; refuse what JSON cannot represent."""
    state = data.get("state", {})
    if SIMPLE.issuperset(map(type, state.values())):  # quick: a loop may move a slider
        return {**data, "state": dict(state)} if state else data
    try:
        return loads(dumps(data, default=plain, allow_nan=False))
    except ValueError as error:
        if "JSON compliant" not in str(error):
            raise
        raise ValueError("a widget cannot send nan or inf to the page") from None


def plain(value: Any) -> str:
    """Return a value that represents a date in JSON."""
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    raise TypeError(f"a widget cannot send {type(value).__name__} to the page")


def owner_of(comm_id: str) -> str | None:
    """Return the name of the cell whose code made a widget."""
    return OWNERS.get(comm_id, RUNNING[0])


def deliver(message: Message, buffers: Iterable[Any]) -> None:
    """Pass a message from the page to its widget; raise errors that could not be shown."""
    FAULTS.clear()
    RUNNING[:], HEARD[:] = [owner_of(message["id"])], [message.get("message")]
    content = {"comm_id": message["id"], "data": message["data"]}
    packet = {"content": content, "metadata": {}, "buffers": [memoryview(b) for b in buffers]}
    MANAGER[0].comm_msg(None, None, packet)
    if FAULTS:
        raise FAULTS.pop()


# Outputs


def follow(comm_id: str, message_id: str) -> None:
    """Start an Output's capture or, if it names no message, end it."""
    if comm_id in CAPTURING:
        CAPTURING.remove(comm_id)
    if message_id:
        CAPTURING.append(comm_id)


def release() -> None:
    """End every capture: code that was stopped inside a `with` has not left it."""
    while CAPTURING:
        output = widget_of(CAPTURING.pop())
        if output is not None:
            output._Output__counter = 0  # how many times its `with` was entered
            output.msg_id = ""


def capture(message: Message) -> bool:
    """Put a message into the innermost Output that is capturing; return whether there is one."""
    if not CAPTURING or message["kind"] not in KINDS:
        return False
    comm_id = CAPTURING.pop()  # temporarily: observers of `outputs` may print, too
    try:
        output = widget_of(comm_id)
        if output is None:
            return capture(message)
        if message["kind"] == "clear" and message["wait"]:
            CLEARING.add(comm_id)
            return True
        held = () if comm_id in CLEARING or message["kind"] == "clear" else output.outputs
        CLEARING.discard(comm_id)
        output.outputs = held if message["kind"] == "clear" else added(held, message)
        return True
    finally:
        CAPTURING.append(comm_id)


def added(outputs: tuple[Message, ...], message: Message) -> tuple[Message, ...]:
    """Return a notebook's outputs with one more; consecutive text of one stream is joined."""
    new = as_output(message)
    last = outputs[-1] if outputs else {}
    if last.get("name") != new.get("name") or new["output_type"] != "stream":
        return (*outputs, new)
    return (*outputs[:-1], {**last, "text": last["text"] + new["text"]})


def as_output(message: Message) -> Message:
    """Return a message as a notebook stores it."""
    if message["kind"] == "display":
        name = message.get("display_id")
        more = {"transient": {"display_id": name}} if name else {}
        return {"output_type": "display_data", "data": message["bundle"], "metadata": {}, **more}
    if message["kind"] == "error":
        error = message["error"]
        names = {"ename": error["type"], "evalue": error["message"]}
        return {"output_type": "error", **names, "traceback": [error["traceback"]]}
    return {"output_type": "stream", "name": message["kind"], "text": message["text"]}


def replace(name: str | None, bundle: Message) -> None:
    """Replace what Outputs hold under a `display_id`."""
    if "ipywidgets" not in modules:
        return
    for widget in list(modules["ipywidgets"].Widget.widgets.values()):
        held = getattr(widget, "outputs", None) or ()
        if isinstance(widget, modules["ipywidgets"].Output) and any(map(named(name), held)):
            widget.outputs = tuple(
                {**each, "data": bundle} if named(name)(each) else each for each in held
            )


def named(name: str | None) -> Callable[[Message], bool]:
    """Return a function that tests whether an output was displayed under this name."""
    return lambda output: output.get("transient", {}).get("display_id") == name
