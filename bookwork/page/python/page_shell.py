"""The part of IPython that notebooks, ipywidgets and Matplotlib use; all of it would be 3 MB."""

from __future__ import annotations

import base64
import json
import types
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from os.path import dirname
from sys import modules
from typing import Any
from uuid import uuid4

import page_display
from page_magics import Magics

NUMBERS = count(1)
WORDS = {  # in the names of functions that show raw data: `display_html` as `_repr_html_`
    "pretty": "text/plain",
    **{method[6:-1]: form for form, method in page_display.METHODS.items()},
}
FORMATS = {b"\x89PNG": "image/png", b"\xff\xd8": "image/jpeg", b"GIF8": "image/gif"}


class InteractiveShell(Magics):
    """The part of IPython's shell that a page needs."""

    def __init__(
        self, user_ns: dict[str, Any], show_error: Callable[[BaseException], None]
    ) -> None:
        self.user_ns, self.show_error = user_ns, show_error
        self.parent = {"header": {"msg_id": "0"}}  # of the current run
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

    def begin(self) -> None:
        """Give the next run its own id, by which an Output knows what to capture."""
        self.parent = {"header": {"msg_id": str(next(NUMBERS))}}

    def get_parent(self) -> dict[str, Any]:
        """Return the message that started the current run."""
        return self.parent

    def ignore(self, *_arguments: Any) -> None:
        """Do nothing: output belongs to the current run, and open figures are shown anyway."""

    set_parent = register = trigger = unregister = for_type = ignore

    def showtraceback(self, exc_tuple: Any = None, **_options: Any) -> None:
        """Show an error with the output; raise one that ends the run, and any MemoryError."""
        error = exc_tuple[1] if exc_tuple else modules["sys"].exception()
        if not isinstance(error, Exception) or isinstance(error, MemoryError):
            raise error
        self.show_error(error)

    def format(
        self, value: Any, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a value in all its forms, and their metadata."""
        return page_display.bundle(value), {}


class Displays:
    """`display` and related functions. What they show goes to a channel of runtime.py."""

    def __init__(self, channel: Any) -> None:
        self.channel = channel

    def display(
        self,
        *values: Any,
        display_id: Any = None,
        raw: bool = False,
        clear: bool = False,
        update: bool = False,
        **_options: Any,
    ) -> DisplayHandle | None:
        """Show values, as in a notebook; with a `display_id` they can be replaced later."""
        if clear:
            self.clear_output(wait=True)
        if update and not display_id:
            raise TypeError("display_id required for update_display")
        handle = DisplayHandle(display_id, self) if display_id else None
        for value in values:
            kind = "update" if update else "display"
            self.channel.show(value, kind=kind, raw=raw, display_id=handle and handle.display_id)
        return handle

    def shows_as(self, form: str) -> Callable[..., None]:
        """Return `display_html` or one of its relatives: they show raw data of one form."""

        def show(*values: Any, raw: bool = False, **options: Any) -> None:
            for value in values:
                self.display({form: value} if raw else value, raw=raw, **options)

        return show

    def update_display(self, value: Any, *, display_id: Any = None, **options: Any) -> None:
        """Replace what was shown under this name."""
        self.display(value, display_id=display_id, update=True, **options)

    def glue(self, name: str, variable: Any, display: bool = True) -> None:
        """Show what myst-nb keeps for the text; a reader's run keeps nothing."""
        if display:
            self.display(variable)

    def clear_output(self, wait: bool = False) -> None:
        """Clear what this cell has shown; with `wait`, when the next output arrives."""
        self.channel.clear(bool(wait))


class DisplayHandle:
    """What was displayed under a name, so that it can be replaced."""

    def __init__(self, display_id: Any = None, displays: Displays | None = None) -> None:
        is_named = display_id is not None and display_id is not True
        self.display_id = str(display_id) if is_named else uuid4().hex
        self.displays = displays or Displays(modules["runtime"].CHANNEL)

    def __repr__(self) -> str:
        return f"<DisplayHandle display_id={self.display_id}>"

    def display(self, value: Any, **options: Any) -> None:
        """Show a value under this name."""
        self.displays.display(value, display_id=self.display_id, **options)

    def update(self, value: Any, **options: Any) -> None:
        """Show another value in its place."""
        self.displays.update_display(value, display_id=self.display_id, **options)


class DisplayObject:
    """A text in a certain form, such as HTML or Markdown."""

    form = "text/plain"

    def __init__(
        self, data: Any = None, url: Any = None, filename: Any = None, metadata: Any = None
    ) -> None:
        if url is not None:
            raise ValueError(f"the page fetches nothing from {url}: pass the data itself")
        self.data: Any = read(filename) if filename is not None else data
        self.filename, self.metadata = filename, metadata or {}

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        is_drawn = self.form in {"text/html", "image/svg+xml"}
        return {"text/plain": repr(self) if is_drawn else self.text(), self.form: self.data}

    def text(self) -> str:
        """Return what is shown where the form is not known."""
        return str(self.data)


def read(filename: str) -> str | bytes:
    """Return the contents of a file as text or, if they are not text, as bytes."""
    with open(filename, "rb") as file:
        data = file.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class JSON(DisplayObject):
    """Data that are shown as text."""

    form = "application/json"

    def text(self) -> str:
        """Return the data, an item on each line; a text may hold them as JSON."""
        data = json.loads(self.data) if isinstance(self.data, str | bytes) else self.data
        return json.dumps(data, indent=2, ensure_ascii=False)


class Latex(DisplayObject):
    """Text with formulas in TeX."""

    form = "text/latex"


class Math(Latex):
    """A formula in TeX."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        formula = str(self.data).strip("$")
        return {"text/plain": formula, self.form: f"$\\displaystyle {formula}$"}


class Image(DisplayObject):
    """A picture: the bytes of a PNG, JPEG or GIF file, or the name of one."""

    def __init__(
        self, data: Any = None, url: Any = None, filename: Any = None, *_: Any, **options: Any
    ) -> None:
        if isinstance(data, str):
            data, filename = None, data
        super().__init__(data, url, filename)
        self.size = {side: options.get(side) for side in ("width", "height")}
        found = [form for start, form in FORMATS.items() if bytes(self.data).startswith(start)]
        if not found:
            raise ValueError("a picture is the bytes of a PNG, JPEG or GIF file")
        self.form = found[0]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        data = {"text/plain": repr(self), self.form: base64.b64encode(self.data).decode()}
        return data, {self.form: self.size}


class Unknown(DisplayObject):
    """What needs files, sound or other addresses."""

    def __init__(self, *_arguments: Any, **_options: Any) -> None:
        super().__init__(f"{type(self).__name__} is shown in JupyterLab, not in this page.")


def kinds_of(base: type, forms: dict[str, str]) -> dict[str, type]:
    """Return classes by name that differ only in the form of what they show."""
    return {name: type(name, (base,), {"form": form}) for name, form in forms.items()}


PLAIN = DisplayObject.form  # a script, too, is shown and not run
ABSENT = ("Audio", "FileLink", "FileLinks", "IFrame", "Video", "VimeoVideo", "YouTubeVideo")
FORMS: dict[str, type] = {form.__name__: form for form in (JSON, Latex, Math, Image, DisplayObject)}
FORMS |= kinds_of(
    DisplayObject,
    {"HTML": "text/html", "SVG": "image/svg+xml", "Markdown": "text/markdown", "Javascript": PLAIN},
)
FORMS |= dict.fromkeys(("Pretty", "Code", "TextDisplayObject"), DisplayObject)
FORMS |= kinds_of(Unknown, dict.fromkeys(ABSENT, PLAIN))


def stand_in(shell: InteractiveShell, displays: Displays) -> None:
    """Let code import the supported part of IPython."""
    functions = ("display", "update_display", "clear_output")
    shown = {name: getattr(displays, name) for name in functions}
    shown |= {f"display_{word}": displays.shows_as(form) for word, form in WORDS.items()}
    shown |= {"DisplayHandle": DisplayHandle, **FORMS}
    shell_module = {"InteractiveShell": InteractiveShell}
    version = {"version_info": (9, 0), "__version__": "9.0"}
    offer("IPython", {"get_ipython": lambda: shell, **version})
    offer("IPython.display", shown)
    offer("IPython.core", {})
    offer("IPython.core.display", shown)
    offer("IPython.core.display_functions", shown)
    offer("IPython.core.interactiveshell", shell_module)
    offer("IPython.core.getipython", {"get_ipython": lambda: shell})
    offer("ipykernel", {"version_info": (7, 0)})
    offer("myst_nb", {"glue": displays.glue})
    offer("nbformat", {"__version__": "5.0"})  # plotly's `show` asks for a version, and no more
    for package in ("ipykernel.pylab", "matplotlib_inline"):  # ipywidgets knows the backend of both
        offer(package, {"__path__": [dirname(__file__)]})  # it is in the same folder as this file


def offer(name: str, members: dict[str, Any]) -> None:
    """Make a module."""
    module = modules[name] = types.ModuleType(name)
    module.__dict__.update({"__path__": [], **members})
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(modules[parent], child, module)
