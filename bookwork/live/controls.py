"""Controls of a live figure: real ipywidgets with a finite list of values."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import ipywidgets
import numpy as np
from ipywidgets.widgets.widget_selection import _make_options

from bookwork.live.options import as_list

NARROW = {"description_width": "initial"}
SAME_AGAIN = "\u200b"  # has no width; ipywidgets finds the pressed button by its label
LARGEST = sys.float_info.max
MOST_STEPS = 10_000  # of one slider; a screen has fewer pixels
STEPPED = (
    ipywidgets.IntSlider,
    ipywidgets.FloatSlider,
    ipywidgets.FloatLogSlider,
    ipywidgets.BoundedIntText,
    ipywidgets.BoundedFloatText,
)


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
    who = _called("slider", name)
    values = _steps(who, low, high, step)
    start = _start(who, values, low if value is None else value)
    whole = isinstance(values[0], int)
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    return kind(
        value=values[start],
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
    who = _called("slider", name)
    exponents = _steps(who, low, high, step)
    values = [10.0**exponent for exponent in exponents]
    if value is None:
        value = 1.0 if 1.0 in values else values[0]
    start = _start(who, values, value)
    return ipywidgets.FloatLogSlider(
        value=values[start],
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


def _selection(kind: Any, options: Iterable[Any], value: Any, name: str) -> Any:
    """Return a control over options, or over pairs of a label and an option."""
    given = options.items() if isinstance(options, Mapping) else options
    pairs = as_list(str(name) or "options", given, "values")
    who = _called("control", name)
    if not pairs:
        raise ValueError(f"{who} needs at least one option, but has none")
    values = [value for _, value in _make_options(pairs)]
    place = 0 if value is None else _find(values, value)
    if place is None:
        raise ValueError(f"{who} has no option {_say(value)}; {_list(values)}")
    return kind(options=pairs, index=place, equals=_same, description=str(name), style=NARROW)


def checkbox(value: bool = False, name: str = "") -> Any:
    """Return an ipywidgets checkbox.

    Examples
    --------
    >>> checkbox(True).value
    True
    """
    return ipywidgets.Checkbox(bool(value), description=str(name), indent=False, style=NARROW)


def as_control(name: str, given: Any) -> Any:
    """Return a control, made from one of the abbreviations of ``ipywidgets.interact`` if need be.

    Examples
    --------
    >>> as_control("t", (0.5, 4, 0.5)).value
    2.0
    >>> as_control("kind", ["soft", "hard"]).value
    'soft'
    """
    if isinstance(given, ipywidgets.DOMWidget):
        return given
    if isinstance(given, bool):
        return checkbox(given)
    if isinstance(given, tuple) and len(given) in (2, 3):
        return _slider_between(name, *given)
    if isinstance(given, Iterable) and not isinstance(given, (str, tuple, type)):
        return choice(given, name=_plain(name))
    raise TypeError(
        f"{name} must be a control, such as slider, choice, token_buttons or checkbox, or a range, "
        f"(low, high, step), but is {given!r}"
    )


def _slider_between(name: str, low: float, high: float, step: float | None = None) -> Any:
    """Return a slider that starts in its middle."""
    if step is None:
        step = 1 if isinstance(low, Integral) and isinstance(high, Integral) else 0.1
    values = _steps(_called("slider", _plain(name)), low, high, step)
    return slider(low, high, step, values[(len(values) - 1) // 2], _plain(name))


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

    def hold(self, control: Any) -> None:
        """Let a control of numbers take none but these: whatever it is set to, the nearest."""
        if self.kind == "value":
            control.observe(self._settle, "value")

    def _settle(self, change: Any) -> None:
        nearest = int(np.argmin([abs(value - change.new) for value in self.values]))
        change.owner.value = self.values[nearest]


def read_axis(name: str, control: Any) -> Axis:
    """Read the values a control can take, or say why that cannot be done."""
    control.description = label = control.description or _plain(name)
    if hasattr(control, "lower") or isinstance(getattr(control, "index", None), tuple):
        raise TypeError(
            f"the control {name} holds several values at once ({type(control).__name__}); "
            "a live figure takes one from each control: use several controls"
        )
    if isinstance(control, (ipywidgets.Checkbox, ipywidgets.ToggleButton)):
        return Axis(name, label, (False, True), ("off", "on"), int(control.value), "bool")
    if isinstance(control, STEPPED):
        return _read_numbers(name, label, control)
    if hasattr(control, "_options_full"):
        return _read_options(name, label, control)
    raise TypeError(
        f"the control {name} is of the kind {type(control).__name__}, which has no finite list of "
        "values; use a slider with a step, a dropdown, buttons or a checkbox"
    )


def _read_numbers(name: str, label: str, control: Any) -> Axis:
    """Read a slider, or a box for a number, and let it end at its last step."""
    who = f"the slider {name}"
    steps = _steps(who, control.min, control.max, control.step)
    form = _format(control.min, control.step)
    values, of_texts = steps, form
    if isinstance(control, ipywidgets.FloatLogSlider):
        values, of_texts = [float(control.base**exponent) for exponent in steps], ".3g"
    start = _start(who, values, control.value)
    control.value, control.max = values[start], steps[-1]
    if getattr(control, "readout_format", "") == ".2f":  # ipywidgets' own, for whatever step
        control.readout_format = form
    texts = tuple(format(value, of_texts) for value in values)
    return Axis(name, label, tuple(values), texts, start, "value")


def _read_options(name: str, label: str, control: Any) -> Axis:
    if control.index is None:
        raise ValueError(f"the control {name} must start at one of its options: give it a value")
    texts, values = zip(*control._options_full, strict=True)
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


def _called(kind: str, name: str) -> str:
    return f"the {kind} {name}".strip()


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _list(values: Sequence[Any]) -> str:
    return f"its values are: {', '.join(map(_say, values))}"


def _say(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)
