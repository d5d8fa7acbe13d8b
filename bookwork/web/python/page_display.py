"""The forms in which a value goes to the page: text as a notebook prints it, images, HTML."""

import base64
import io
import logging
import os
import pprint
from sys import modules
from typing import Any

TEXT_LIMIT = 20_000  # characters of a value's text
IMAGE_LIMIT = 1_000_000  # characters of an SVG; a larger figure is sent as PNG
TAG_LIMIT = 5_000  # tags of an SVG: the page draws only so many shapes
CONTAINERS = {list, tuple, set, dict}
SIZE = "application/vnd.book.size+json"  # of a picture, as page/outputs/outputs.js takes it
METHODS = {
    "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
    "image/jpeg": "_repr_jpeg_",
    "text/html": "_repr_html_",
    "text/markdown": "_repr_markdown_",
    "text/latex": "_repr_latex_",
    "application/json": "_repr_json_",
}


def bundle(value: Any) -> dict[str, Any]:
    """Return { mime type: data }, which always has the value's text."""
    if is_figure(value):
        return {"text/plain": clip(repr(value)), **drawn(value)}
    found = {"text/plain": clip(pretty(value))}
    about: dict[str, Any] = {}  # what is said about the data of each mime type
    for mime, method in METHODS.items():
        data = call(value, method)
        if data is not None:
            found[mime], about[mime] = data if isinstance(data, tuple) else (data, None)
    more = call(value, "_repr_mimebundle_")
    more, about_more = more if isinstance(more, tuple) else (more, None)
    return written(found | (more or {}) | size_in(about | (about_more or {})))


def size_in(about: dict[str, Any]) -> dict[str, Any]:
    """Return the width and height that a picture should have, where either is given."""
    for mime, facts in about.items():
        told = facts if isinstance(facts, dict) else {}
        given = {side: told.get(side) for side in ("width", "height")}
        if mime.startswith("image/") and any(given.values()):
            return {SIZE: given}
    return {}


def written(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return a bundle in which bytes are written in base 64."""
    return {
        mime: base64.b64encode(data).decode() if isinstance(data, bytes) else data
        for mime, data in bundle.items()
    }


def shows_itself(value: Any) -> bool:
    """Tell whether a value has a method of its own that shows it."""
    return callable(getattr(type(value), "_ipython_display_", None)) and not isinstance(value, type)


def call(value: Any, method: str) -> Any:
    """Return what a representation method returns, or None if there is none."""
    function = getattr(type(value), method, None)
    return None if function is None or isinstance(value, type) else function(value)


def clip(text: str) -> str:
    """Cut a text that is too long, and say so."""
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]} … ({len(text) - TEXT_LIMIT:,} more characters)"


def pretty(value: Any) -> str:
    """Return the text of a value, on several lines if it is a container and too wide."""
    text = repr(value)
    is_listed = (
        type(value) in CONTAINERS and len(text) <= TEXT_LIMIT
    )  # of a longer one a part is shown
    return pprint.pformat(value, sort_dicts=False) if is_listed else text


# Matplotlib, where the reader's code has imported it


def prepare_matplotlib() -> None:
    """Choose backend and look, and silence the message about building the font list."""
    os.environ["MATPLOTLIBRC"] = os.path.dirname(__file__)  # where the worker puts it, if any
    os.environ["MPLBACKEND"] = "module://ipykernel.pylab.backend_inline"
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def is_figure(value: Any) -> bool:
    """Return whether a value is a Matplotlib figure."""
    figures = modules.get("matplotlib.figure")
    return figures is not None and isinstance(value, figures.Figure)


def drawn(figure: Any) -> dict[str, str]:
    """Return a figure as SVG, or as PNG if it has too many shapes."""
    svg = saved(figure, "svg").decode()
    if len(svg) <= IMAGE_LIMIT and svg.count("<") <= TAG_LIMIT:
        return {"image/svg+xml": svg}
    return {"image/png": base64.b64encode(saved(figure, "png")).decode()}


def saved(figure: Any, form: str) -> bytes:
    """Return the bytes of a figure in a file format."""
    file = io.BytesIO()
    figure.savefig(file, format=form, bbox_inches="tight", dpi=144)
    return file.getvalue()


def open_figures() -> list[Any]:
    """Return pyplot's open figures; none if it was never imported."""
    pyplot = modules.get("matplotlib.pyplot")
    return [pyplot.figure(number) for number in pyplot.get_fignums()] if pyplot else []


def close_figures() -> None:
    """Close all figures, so that the next cell starts with none."""
    pyplot = modules.get("matplotlib.pyplot")
    if pyplot:
        pyplot.close("all")
