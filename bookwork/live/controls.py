"""Controls of a live figure: six kinds of ipywidgets, each with a finite list of values."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import ipywidgets
import numpy as np

from bookwork.live.options import as_list

NARROW = {"description_width": "initial"}
SAME_AGAIN = "\u200b"  # has no width; ipywidgets finds the pressed button by its label
LARGEST = sys.float_info.max
MOST_STEPS = 10_000  # of one slider; a screen has fewer pixels
SLIDERS = (ipywidgets.IntSlider, ipywidgets.FloatSlider, ipywidgets.FloatLogSlider)
SELECTIONS = (ipywidgets.Dropdown, ipywidgets.SelectionSlider, ipywidgets.ToggleButtons)


def slider(low: float, high: float, step: float, value: float | None = None, name: str = "") -> Any:
    """Return an ipywidgets slider from `low` in steps; whole numbers give an ``IntSlider``.

    It ends at the last step that is not above `high`.

    Examples
    --------
    >>> slider(0.5, 2, 0.5, value=1).value
    1.0
    >>> slider(0, 10, 3).max
    9
    """
    who = f"the slider {name}".strip()
    values = _steps(who, low, high, step)
    whole = isinstance(values[0], int)
    return (ipywidgets.IntSlider if whole else ipywidgets.FloatSlider)(
        value=values[_start(who, values, low if value is None else value)],
        min=low,
        max=values[-1],
        step=step,
        readout_format="d" if whole else _format(low, step),
        description=str(name),
        style=NARROW,
    )


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
    who = f"the slider {name}".strip()
    exponents = _steps(who, low, high, step)
    values = [10.0**exponent for exponent in exponents]
    if value is None:
        value = 1.0 if 1.0 in values else values[0]
    return ipywidgets.FloatLogSlider(
        value=values[_start(who, values, value)],
        min=low,
        max=exponents[-1],
        step=step,
        description=str(name),
        readout_format=".3g",
        style=NARROW,
    )


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
    return ipywidgets.Checkbox(bool(value), description=str(name), indent=False, style=NARROW)


def _selection(kind: Any, options: Iterable[Any], value: Any, name: str) -> Any:
    """Return a control over options, which starts at one of them."""
    given = options.items() if isinstance(options, Mapping) else options
    pairs = _pairs(as_list(str(name) or "options", given, "values"))
    who = f"the control {name}".strip()
    if not pairs:
        raise ValueError(f"{who} needs at least one option, but has none")
    values = [known for _, known in pairs]
    place = 0 if value is None else _find(values, value)
    if place is None:
        raise ValueError(f"{who} has no option {_say(value)}; {_list(values)}")
    return kind(options=pairs, index=place, equals=_same, description=str(name), style=NARROW)


def _pairs(options: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return options as pairs of a label and a value, as ipywidgets does."""
    listed = list(options)
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
        """Tell whether the values can stand in one array of numbers."""
        return _are_numbers(self.values)

    def place(self, value: Any) -> int:
        """Return the place of `value` among the values, or say which values there are."""
        found = _find(self.values, value)
        if found is not None:
            return found
        there = f"; {_list(self.values)}"
        if self.kind == "value" and isinstance(value, Real):
            there = f", which lies {_between(self.values, float(value))}"
        raise ValueError(f"the control {self.name} has no value {_say(value)}{there}")

    def spec(self) -> dict[str, Any]:
        """Return what the page needs to know: each value as a text and, if it is one, a number."""
        spec = {key: getattr(self, key) for key in ("name", "label", "texts", "start", "kind")}
        if self.numeric and np.isfinite(self.values).all():
            spec["values"] = [float(value) for value in self.values]
        return spec


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
    who = f"the slider {name}"
    steps = _steps(who, control.min, control.max, control.step)
    form = _format(control.min, control.step)
    values, of_texts = steps, form
    if isinstance(control, ipywidgets.FloatLogSlider):
        values, of_texts = [float(control.base**exponent) for exponent in steps], ".3g"
    start = _start(who, values, control.value)
    control.value, control.max = values[start], steps[-1]
    if control.readout_format == ".2f":  # ipywidgets' own, for whatever step
        control.readout_format = form
    texts = tuple(format(value, of_texts) for value in values)
    return Axis(name, label, tuple(values), texts, start, "value")


def _read_options(name: str, label: str, control: Any) -> Axis:
    if control.index is None:
        raise ValueError(f"the control {name} must start at one of its options: give it a value")
    options = control.options
    pairs = _pairs(options.items() if isinstance(options, Mapping) else options)
    texts, values = zip(*pairs, strict=True)
    for text in texts:
        if texts.count(text) > 1:
            raise ValueError(
                f"two options of the control {name} are called {text!r}: "
                "give each a label of its own"
            )
    return Axis(name, label, values, texts, control.index, "index")


def _steps(who: str, low: float, high: float, step: float) -> list[Any]:
    """Return the numbers that the steps of a slider reach."""
    if not all(isinstance(n, Real) and abs(n) <= LARGEST for n in (low, high, step or 0)):
        raise ValueError(
            f"{who} needs finite numbers, but runs from {low!r} to {high!r} in steps of {step!r}"
        )
    if not step or step <= 0:
        raise ValueError(f"{who} needs a positive step, but its step is {step}")
    if low > high:
        raise ValueError(f"{who} runs from low to high, but {low} lies above {high}")
    count = np.floor((high - low) / step + 1e-6) + 1
    if count > MOST_STEPS:
        raise ValueError(
            f"{who} has {count:,.0f} positions from {low} to {high} in steps of {step}, more than "
            f"{MOST_STEPS:,}: give it a larger step"
        )
    if all(isinstance(n, Integral) for n in (low, high, step)):
        return [int(low + step * k) for k in range(int(count))]
    digits = 11 - math.floor(math.log10(step))  # a sum such as 0.1 + 0.1 + 0.1 is rounded to 0.3
    return [round(float(low + step * k), digits) for k in range(int(count))]


def _format(low: float, step: float) -> str:
    """Return how to print low, low + step, …: with the decimals they need, or three of a step."""
    fits = (d for d in range(13) if all(abs(round(x, d) - x) < 1e-13 * step for x in (low, step)))
    return f".{next(fits, max(0, 2 - math.floor(math.log10(step))))}f"


def _start(who: str, values: Sequence[float], value: float) -> int:
    start = _find(values, value)
    if start is None:
        where = _between(values, value) if isinstance(value, Real) else "which is not a number"
        raise ValueError(f"{who} starts at {_say(value)}, {where}")
    return start


def _find(values: Sequence[Any], value: Any) -> int | None:
    """Return the place of a value, or None; a number may be a hundredth of a step off."""
    if not (_are_numbers(values) and isinstance(value, Real)):
        return next((k for k, known in enumerate(values) if _same(known, value)), None)
    place = int(np.argmin([abs(known - value) for known in values]))
    gap = float(np.ptp(values[max(place - 1, 0) : place + 2])) or abs(values[place])
    return place if abs(values[place] - value) <= gap / 200 else None


def _same(one: Any, other: Any) -> bool:
    return one is other or bool(np.array_equal(one, other))


def _are_numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values)


def _between(values: Sequence[float], value: float) -> str:
    """Say between which steps of a slider a number lies."""
    right = int(np.searchsorted(values, value))
    if right == 0:
        return f"below its first step {values[0]:.10g}"
    if right == len(values):
        return f"above its last step {values[-1]:.10g}"
    return f"between its steps {values[right - 1]:.10g} and {values[right]:.10g}"


def _list(values: Sequence[Any]) -> str:
    return f"its values are: {', '.join(map(_say, values))}"


def _say(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)
