"""A view that a book brings itself: a script of its own, which draws the arrays of a figure."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bookwork.live.controls import Axis
from bookwork.live.frames import ALONE, Frame
from bookwork.live.limits import Limits, read_limits
from bookwork.live.options import as_list, common, table
from bookwork.live.views import View

GIVEN = ("kind", "limits", "script", "file", "shapes", "names")  # options that the figure sets
IMPORT = re.compile(
    r"""^\s*(?:import\s*(?:[\w$*{},\s]+\bfrom\s*)?|export\s*(?:\*[^'"]*?|\{[^}]*\}\s*)\bfrom\s*)["']([^"']+)""",
    re.M,
)


def custom_view(
    script: str | Path,
    show: str | Sequence[str] = ALONE,
    *,
    title: str = "",
    limits: Limits = None,
    digits: int = 2,
    **options: Any,
) -> View:
    """Draw with a script of the book: a JavaScript module whose default export makes a view.

    Parameters
    ----------
    script : str or Path
        The file, best in the book's package, ``Path(__file__).with_name("dial.js")``, where
        readers' Python finds it, too.
    show : str or sequence of str
        Which arrays it draws, of any shape.
    limits : (float, float) or None
        The lowest and the highest number; None takes them from the numbers.
    title, digits
        As in `heatmap`.
    **options
        Anything else that the script should know: numbers, texts, lists.
    """
    path = Path(script)
    names = (show,) if isinstance(show, str) else tuple(as_list("show", show, "arrays"))
    check_options(path, options)
    given = {"script": read_script(path), "file": path.name, "names": list(names), "shapes": {}}
    told = {**common(title, digits), **options, **given}
    scale = read_limits(limits, lambda low, high: (low, high))
    return View("custom view", told, dict.fromkeys(names, ()), scale, names, settle=settle)


def own_view(*arguments: Any, **options: Any) -> View:
    """Return a `custom_view`, as it is called now."""
    warnings.warn("own_view is now called custom_view", DeprecationWarning, stacklevel=2)
    return custom_view(*arguments, **options)


def settle(view: View, axes: Sequence[Axis], frame: Frame) -> View:
    """Accept arrays of any shape, and tell the script their shapes."""
    shapes = {name: frame[name].shape for name in view.needs if name in frame}
    listed = {name: list(shape) for name, shape in shapes.items()}
    tables = [
        table(name, () if shape else [name], () if len(shape) > 1 else ["value"], name)
        for name, shape in shapes.items()
    ]
    options = view.options | {"shapes": listed}
    return replace(view, needs={**view.needs, **shapes}, options=options, tables=tables)


def check_options(path: Path, options: dict[str, Any]) -> None:
    """Require options that a page can be told, under names that are free."""
    for name, value in options.items():
        if name in GIVEN:
            raise ValueError(f"the option {name!r} of {path.name} is set by the figure: rename it")
        try:
            json.dumps(value)
        except (TypeError, ValueError):
            raise ValueError(
                f"the option {name!r} of {path.name} should be numbers, texts or lists of them, "
                f"but is a {type(value).__name__}"
            ) from None


def read_script(path: Path) -> str:
    """Return the text of a script, which must be one module, complete in itself."""
    if not path.is_file():
        raise ValueError(
            f"there is no script {path}: name it as seen from the page, or put it into the book's "
            'package and say Path(__file__).with_name("…")'
        )
    text = path.read_text(encoding="utf-8")
    if imported := IMPORT.search(text):
        raise ValueError(f"{path.name} imports {imported[1]!r}, but a view is a single file")
    if "export default" not in text:
        raise ValueError(f"{path.name} exports nothing: write export default function (…) {{…}}")
    return text
