"""Controls of a live figure: six kinds of ipywidgets, each with a finite list of values."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import ipywidgets
import numpy as np

from bookwork.live.options import as_list

SAME_AGAIN = "\u200b"  # has no width; ipywidgets finds the pressed button by its label
MOST_STEPS = 10_000  # of one slider; a screen has fewer pixels
SLIDERS = (ipywidgets.IntSlider, ipywidgets.FloatSlider, ipywidgets.FloatLogSlider)
SELECTIONS = (ipywidgets.Dropdown, ipywidgets.SelectionSlider, ipywidgets.ToggleButtons)


def slider(low: float, high: float, step: float, value: float | None = None, name: str = "") -> Any:
    """Return an ipywidgets slider from `low` in steps; whole numbers give an ``IntSlider``.

    In a figure it ends at the last step that is not above `high`.

    Examples
    --------
    >>> slider(0.5, 2, 0.5, value=1).value
    1.0
    """
    whole = all(isinstance(number, Integral) for number in (low, high, step))
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    return _made(kind, name, value=low if value is None else value, min=low, max=high, step=step)


def log_slider(
    low: float, high: float, step: float, value: float | None = None, name: str = ""
) -> Any:
    """Return an ipywidgets slider over powers of ten, from ``10**low``, at most to ``10**high``.

    It starts at `value`; if there is none, at 1 or, if 1 is no step of it, at its low end.

    Examples
    --------
    >>> log_slider(-2, 1, 0.25).value
    1.0
    """
    if value is None:
        has_one = low <= 0 <= high and round(low / step, 6) % 1 == 0
        value = 1.0 if has_one else 10.0**low
    return _made(ipywidgets.FloatLogSlider, name, value=value, min=low, max=high, step=step)


def choice(options: Iterable[Any] | dict[str, Any], value: Any = None, name: str = "") -> Any:
    """Return an ipywidgets dropdown over named options.

    An option is a value that is called by its text, or, as in ipywidgets, a pair of a label and a
    value; a dictionary of labels and values says the same. It starts at `value`; if there is none,
    at its first option.

    Examples
    --------
    >>> choice(["dot", "scaled"]).value
    'dot'
    >>> choice([("a little", 1), ("a lot", 9)], value=9).label
    'a lot'
    """
    return _selection(ipywidgets.Dropdown, options, value, name)


def option_slider(
    options: Iterable[Any] | dict[str, Any], value: Any = None, name: str = ""
) -> Any:
    """Return an ipywidgets slider over options in their order, each as in `choice`.

    Examples
    --------
    >>> option_slider(["Ann", "Bo", "Cy"], value="Bo").value
    'Bo'
    """
    return _selection(ipywidgets.SelectionSlider, options, value, name)


def token_buttons(tokens: Sequence[str], value: int = 0, name: str = "") -> Any:
    """Return a row of buttons, one per token; its value is the token's place in the row.

    Examples
    --------
    >>> token_buttons(["the", "dog", "and", "the", "cat"], value=1).value
    1
    """
    texts = list(map(str, as_list("tokens", tokens, "words")))
    pairs = [(text + SAME_AGAIN * texts[:k].count(text), k) for k, text in enumerate(texts)]
    control = _selection(ipywidgets.ToggleButtons, pairs, value, name)
    control.style.button_width = "auto"
    return control


def checkbox(value: bool = False, name: str = "") -> Any:
    """Return an ipywidgets checkbox.

    Examples
    --------
    >>> checkbox(True).value
    True
    """
    return _made(ipywidgets.Checkbox, name, value=bool(value), indent=False)


def _made(kind: Any, name: str, **told: Any) -> Any:
    return kind(description=str(name), style={"description_width": "initial"}, **told)


def _selection(kind: Any, options: Any, value: Any, name: str) -> Any:
    """Return a control over options, which starts at one of them."""
    pairs = _pairs(options, name or "options")
    start = {"index": 0} if value is None and pairs else {"value": value}
    return _made(kind, name, options=pairs, **start)


def _pairs(options: Any, name: str) -> list[tuple[str, Any]]:
    """Return options as pairs of a label and a value, as ipywidgets does."""
    options = options.items() if isinstance(options, Mapping) else options
    listed = as_list(name, options, "values")
    if all(isinstance(each, (list, tuple)) and len(each) == 2 for each in listed):
        return [(str(label), value) for label, value in listed]
    return [(str(each), each) for each in listed]


@dataclass(frozen=True)
class Axis:
    """One control as the grid sees it: its name, its values in order, and where it starts."""

    name: str
    label: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]
    start: int
    kind: str  # what the page looks at: the control's "value", its "index", or whether it is on

    @property
    def numeric(self) -> bool:
        """Tell whether the values are numbers that can be drawn."""
        return _are_numbers(self.values)

    def spec(self) -> dict[str, Any]:
        """Return what the page needs to know: each value as a text and, if it is one, a number."""
        spec = {key: getattr(self, key) for key in ("name", "label", "texts", "start", "kind")}
        return spec | ({"values": [float(value) for value in self.values]} if self.numeric else {})


def find_axis(who: str, name: str, axes: Iterable[Axis]) -> Axis:
    """Return the control of a name, or say which there are."""
    known = {axis.name: axis for axis in axes}
    if name not in known:
        listed = ", ".join(known) or "none"
        raise ValueError(f"{who} {name!r}, but the controls of the figure are: {listed}")
    return known[name]


def read_axis(name: str, control: Any) -> Axis:
    """Read the values a control can take, or say why that cannot be done."""
    if not isinstance(control, (*SLIDERS, *SELECTIONS, ipywidgets.Checkbox)):
        given = type(control).__name__ if isinstance(control, ipywidgets.Widget) else repr(control)
        raise TypeError(
            f"{name} must be a control with a finite list of values: slider, log_slider, "
            f"option_slider, choice, token_buttons or checkbox, but is {given}"
        )
    control.description = label = control.description or name.replace("_", " ")
    if isinstance(control, ipywidgets.Checkbox):
        return Axis(name, label, (False, True), ("off", "on"), int(control.value), "bool")
    read = _read_numbers if isinstance(control, SLIDERS) else _read_options
    return read(name, label, control)


def _read_numbers(name: str, label: str, control: Any) -> Axis:
    """Read a slider, and let it end at its last step."""
    steps, form = _steps(name, control.min, control.max, control.step), ".3g"
    if isinstance(control, ipywidgets.FloatLogSlider):
        values = [float(control.base**exponent) for exponent in steps]
    else:
        values, form = steps, _format(control.min, control.step)
    start = place_of(name, values, control.value)
    control.value, control.max = values[start], steps[-1]
    if control.readout_format == ".2f":  # ipywidgets' own, for whatever step
        control.readout_format = form
    texts = tuple(format(value, form) for value in values)
    return Axis(name, label, tuple(values), texts, start, "value")


def _read_options(name: str, label: str, control: Any) -> Axis:
    """Read a choice; no two of its options may look the same to a reader."""
    pairs = _pairs(control.options, name)
    texts = tuple(text for text, _ in pairs)
    if control.index is None or len(set(texts)) < len(texts):
        raise ValueError(
            f"the control {name} must start at one of its options, and each of them needs a label "
            f"of its own, but they are: {', '.join(texts)}"
        )
    return Axis(name, label, tuple(value for _, value in pairs), texts, control.index, "index")


def _steps(name: str, low: float, high: float, step: float) -> list[Any]:
    """Return the numbers that the steps of a slider reach."""
    try:
        count = math.floor((high - low) / step + 1e-6) + 1 if step > 0 else 0
    except (TypeError, ValueError, OverflowError):  # no numbers, or no finite ones
        count = 0
    if not 0 < count <= MOST_STEPS:
        raise ValueError(
            f"{f'the slider {name}'.rstrip()} runs from low to high in steps above 0, at most "
            f"{MOST_STEPS:,} of them, but from {low!r} to {high!r} in steps of {step!r}"
        )
    if all(isinstance(n, Integral) for n in (low, high, step)):
        return [int(low + step * k) for k in range(count)]
    digits = 11 - math.floor(math.log10(step))  # a sum such as 0.1 + 0.1 + 0.1 is rounded to 0.3
    return [round(float(low + step * k), digits) for k in range(count)]


def _format(low: float, step: float) -> str:
    """Return how to print low, low + step, …: with the decimals they need, or three of a step."""
    fits = (d for d in range(13) if all(abs(round(x, d) - x) < 1e-13 * step for x in (low, step)))
    return f".{next(fits, max(0, 2 - math.floor(math.log10(step))))}f"


def place_of(name: str, values: Sequence[Any], value: Any) -> int:
    """Return the place of a value; a number may be a hundredth of a step off."""
    if _are_numbers([*values, value]):
        place = int(np.argmin(np.abs(np.subtract(values, value))))
        gap = float(np.ptp(values[max(place - 1, 0) : place + 2])) or abs(values[place])
        if abs(values[place] - value) <= gap / 200:
            return place
    elif value in values:
        return list(values).index(value)
    said = reprlib.repr(list(values))
    raise ValueError(f"the control {name} has no value {value!r}, but these: {said}")


def _are_numbers(values: Iterable[Any]) -> bool:
    return all(
        isinstance(each, Real) and not isinstance(each, bool) and math.isfinite(each)
        for each in values
    )
