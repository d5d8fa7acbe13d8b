"""The part of IPython that notebooks, ipywidgets and Matplotlib use; all of it would be 3 MB."""

from __future__ import annotations

import types
from collections import defaultdict
from os.path import dirname
from sys import modules
from typing import Any
from uuid import uuid4

PICTURES = {
    b"\x89PN": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF": "image/gif",
    b"<sv": "image/svg+xml",
    b"<?x": "image/svg+xml",
}


class InteractiveShell:
    """The part of IPython's shell that a page needs."""

    def __init__(self, user_ns: dict[str, Any], channel: Any) -> None:
        self.user_ns, self.channel = user_ns, channel  # to the page, of runtime.py
        self.kernel = self.events = self.display_formatter = self
        self.formatters: dict[str, Any] = defaultdict(lambda: self)  # for SymPy's init_printing
        self.type_printers: dict[Any, Any] = {}
        self.colors = "nocolor"

    @classmethod
    def instance(cls) -> Any:
        """Return the one shell."""
        return modules["IPython"].get_ipython()

    @classmethod
    def initialized(cls) -> bool:
        """Say that there is a shell."""
        return True

    def get_parent(self) -> dict[str, Any]:
        """Return the message that started the current run, which an Output needs to begin."""
        return {"header": {"msg_id": "run"}}

    def ignore(self, *_arguments: Any) -> None:
        """Do nothing: open figures are shown anyway, and magics are skipped."""

    register = trigger = unregister = for_type = ignore
    set_parent = run_line_magic = run_cell_magic = system = ignore

    def showtraceback(self, exc_tuple: Any = None, **_options: Any) -> None:
        """End the run with an error that a widget has caught."""
        raise exc_tuple[1] if exc_tuple else modules["sys"].exception()


def display(
    *values: Any,
    display_id: Any = None,
    raw: bool = False,
    clear: bool = False,
    update: bool = False,
    **_options: Any,
) -> DisplayHandle | None:
    """Show values, as in a notebook; with a `display_id` they can be replaced later."""
    if clear:
        clear_output(wait=True)
    if update and not display_id:
        raise TypeError("display_id required for update_display")
    handle = DisplayHandle(display_id) if display_id else None
    for value in values:
        kind, name = "update" if update else "display", handle and handle.display_id
        InteractiveShell.instance().channel.show(value, kind=kind, raw=raw, display_id=name)
    return handle


def update_display(value: Any, *, display_id: Any = None, **options: Any) -> None:
    """Replace what was shown under this name."""
    display(value, display_id=display_id, update=True, **options)


def clear_output(wait: bool = False) -> None:
    """Clear what this cell has shown; with `wait`, when the next output arrives."""
    InteractiveShell.instance().channel.clear(bool(wait))


class DisplayHandle:
    """What was displayed under a name, so that it can be replaced."""

    def __init__(self, display_id: Any = None) -> None:
        is_named = display_id is not None and display_id is not True
        self.display_id = str(display_id) if is_named else uuid4().hex

    def __repr__(self) -> str:
        return f"<DisplayHandle display_id={self.display_id}>"

    def display(self, value: Any, **options: Any) -> None:
        """Show a value under this name."""
        display(value, display_id=self.display_id, **options)

    def update(self, value: Any, **options: Any) -> None:
        """Show another value in its place."""
        update_display(value, display_id=self.display_id, **options)


class DisplayObject:
    """A text in a certain form, such as HTML or Markdown."""

    form = "text/plain"

    def __init__(self, data: Any = None, url: Any = None, filename: Any = None, **_: Any) -> None:
        if url is not None:
            raise ValueError(f"the page fetches nothing from {url}: pass the data itself")
        self.data: Any = read(filename) if filename is not None else data

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        is_drawn = self.form.startswith("image/") or self.form == "text/html"
        text = repr(self) if is_drawn else str(self.data)
        return {"text/plain": text, self.form: self.data}


def read(filename: str) -> str | bytes:
    """Return the contents of a file as text or, if they are not text, as bytes."""
    with open(filename, "rb") as file:
        data = file.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class Math(DisplayObject):
    """A formula in TeX."""

    form = "text/latex"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        formula = str(self.data).strip("$")
        return {"text/plain": formula, self.form: f"$\\displaystyle {formula}$"}


class Image(DisplayObject):
    """A picture: the contents of a PNG, JPEG, GIF or SVG file, or the name of one."""

    def __init__(
        self, data: Any = None, url: Any = None, filename: Any = None, **options: Any
    ) -> None:
        if isinstance(data, str) and not data.startswith("<"):
            data, filename = None, data
        super().__init__(data, url, filename)
        self.size = {side: options.get(side) for side in ("width", "height")}
        start = (
            self.data[:3].encode() if isinstance(self.data, str) else bytes(self.data or b"")[:3]
        )
        if start not in PICTURES:
            raise ValueError("a picture is the contents of a PNG, JPEG, GIF or SVG file")
        self.form = PICTURES[start]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return super()._repr_mimebundle_(), {self.form: self.size}


def absent(name: str) -> Any:
    """Return what stands in for a player or a frame of another page."""
    if name.startswith("__"):
        raise AttributeError(name)
    sentence = f"{name} is shown in JupyterLab, not in this page."
    return lambda *_arguments, **_options: DisplayObject(sentence)


FORMS = {  # a script, too, is shown and not run
    "HTML": "text/html",
    "JSON": "application/json",
    "Latex": "text/latex",
    "Markdown": "text/markdown",
    "SVG": "image/svg+xml",
    **dict.fromkeys(("Code", "Javascript", "Pretty"), "text/plain"),
}
SHOWN = (display, update_display, clear_output, DisplayHandle, DisplayObject, Image, Math)


def stand_in(shell: InteractiveShell) -> None:
    """Let code import the supported part of IPython."""
    kinds = {name: type(name, (DisplayObject,), {"form": form}) for name, form in FORMS.items()}
    shown = {**kinds, **{each.__name__: each for each in SHOWN}, "__getattr__": absent}
    asked = {"get_ipython": lambda: shell}
    offer("IPython", {**asked, "version_info": (9, 0), "__version__": "9.0"})
    offer("IPython.display", shown)
    offer("IPython.core", {})
    offer("IPython.core.display", shown)
    offer("IPython.core.display_functions", shown)
    offer("IPython.core.interactiveshell", {"InteractiveShell": InteractiveShell})
    offer("IPython.core.getipython", asked)
    offer("ipykernel", {"version_info": (7, 0)})
    for package in ("ipykernel.pylab", "matplotlib_inline"):  # ipywidgets knows the backend of both
        offer(package, {"__path__": [dirname(__file__)]})  # it is in the same folder as this file


def offer(name: str, members: dict[str, Any]) -> None:
    """Make a module."""
    module = modules[name] = types.ModuleType(name)
    module.__dict__.update({"__path__": [], **members})
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(modules[parent], child, module)
