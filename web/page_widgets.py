"""ipywidgets without a kernel: the few names of IPython that it imports, and comms to the page."""

import datetime
import logging
import types
from contextlib import suppress
from json import dumps, loads
from sys import modules

PROTOCOL = {"version": "2.1.0"}  # of ipywidgets' messages
MANAGER = []  # ours, once widgets are connected
MADE = {}  # name of a cell -> the ids of the widgets that its last run made
RUNNING = [None]  # the name of the cell that runs now, or ran last
FAULTS = []  # what the reader's functions raised while a message was delivered


class Listener(logging.Handler):
    """Keeps the errors that ipywidgets only logs."""

    def emit(self, record):
        """Take note of an error."""
        if record.exc_info:
            FAULTS.append(record.exc_info[1])


def stand_in_for_ipython(display):
    """Provide what ipywidgets and Matplotlib ask of IPython; the whole of it weighs 3 MB."""
    names = {
        "IPython": {"get_ipython": lambda: None, "version_info": (9, 0), "__path__": []},
        "IPython.display": {"display": display, "clear_output": clear_output, "HTML": Html},
        "IPython.core": {"__path__": []},
        "IPython.core.interactiveshell": {"InteractiveShell": type("InteractiveShell", (), {})},
    }
    for name, members in names.items():
        module = modules[name] = types.ModuleType(name)
        module.__dict__.update(members)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(modules[parent], child, module)


def clear_output(wait=False):
    """Do nothing: a cell's output is cleared when it runs again."""


class Html:
    """A piece of HTML to display."""

    def __init__(self, data=""):
        self.data = data

    def _repr_html_(self):
        return self.data


def begin(name):
    """Close the widgets that the last run of a cell made, for nothing else would ever do so."""
    RUNNING[:] = [name]
    made = MADE.pop(name, [])
    for widget in [modules["ipywidgets"].Widget.widgets.get(each) for each in made]:
        with suppress(Exception):  # the reader may have closed it, or changed how that is done
            widget.close()


def connect(send):
    """Make every comm speak to the page through `send`; call it once `comm` is installed."""
    import comm  # noqa: PLC0415  it is there only after a cell has asked for widgets

    manager = comm.base_comm.CommManager()

    class PageComm(comm.base_comm.BaseComm):
        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **_more):
            if msg_type == "comm_open":
                MADE.setdefault(RUNNING[0], []).append(self.comm_id)
            message = {
                "kind": "comm",
                "type": msg_type,
                "id": self.comm_id,
                "data": loads(dumps(data or {}, default=plain)),
                "metadata": {**PROTOCOL, **(metadata or {})},
            }
            send(message, [bytes(buffer) for buffer in buffers or []])

    comm.create_comm = PageComm
    comm.get_comm_manager = lambda: manager
    MANAGER[:] = [manager]
    for name in ("traitlets", "Comm"):
        logging.getLogger(name).addHandler(Listener())


def plain(value):
    """Return what JSON can hold in place of a date."""
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"a widget cannot send {type(value).__name__} to the page")


def deliver(text, buffers):
    """Hand a message from the page to its widget; raise what a function of the reader's raised."""
    FAULTS.clear()
    message = loads(text)
    content = {"comm_id": message["id"], "data": message["data"]}
    packet = {"content": content, "metadata": {}, "buffers": [memoryview(b) for b in buffers]}
    MANAGER[0].comm_msg(None, None, packet)
    if FAULTS:
        raise FAULTS.pop()
