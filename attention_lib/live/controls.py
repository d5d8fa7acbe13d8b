"""Controls of a live figure: real ipywidgets with a finite list of values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np
from numpy.typing import NDArray

NARROW = {"description_width": "initial"}
SAME_AGAIN = "\u200b"  # has no width; ipywidgets finds the pressed button by its label


def slider(low: float, high: float, step: float, value: float | None = None, name: str = "") -> Any:
    """Return an ipywidgets slider from `low` to `high`; whole numbers give an ``IntSlider``.

    Examples
    --------
    >>> slider(0.5, 2, 0.5, value=1).value
    1.0
    """
    start = low if value is None else value
    whole = all(isinstance(number, int) for number in (low, high, step)) and start % 1 == 0
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    options: dict[str, Any] = {"min": low, "max": high, "step": step, "value": start}
    if not whole:
        options["readout_format"] = f".{_decimals(low, step)}f"
    return kind(description=name, style=NARROW, **options)


def log_slider(low: float, high: float, step: float, value: float = 1, name: str = "") -> Any:
    """Return an ipywidgets slider over powers of ten, from ``10**low`` to ``10**high``.

    Examples
    --------
    >>> log_slider(-2, 1, 0.25).value
    1.0
    """
    return ipywidgets.FloatLogSlider(
        value=value,
        min=low,
        max=high,
        step=step,
        description=name,
        readout_format=".3g",
        style=NARROW,
    )


def _decimals(low: float, step: float) -> int:
    """Return how many decimals the values low, low + step, … need."""
    fits = (d for d in range(6) if all(abs(round(x, d) - x) < 1e-9 for x in (low, step)))
    return next(fits, 6)


def choice(options: Sequence[Any] | dict[str, Any], value: Any = None, name: str = "") -> Any:
    """Return an ipywidgets dropdown over named options.

    Examples
    --------
    >>> choice(["dot", "scaled"]).value
    'dot'
    """
    return _selection(ipywidgets.Dropdown, options, value, name)


def option_slider(
    options: Sequence[Any] | dict[str, Any], value: Any = None, name: str = ""
) -> Any:
    """Return an ipywidgets slider over options in their order.

    Examples
    --------
    >>> option_slider(["Ann", "Bo", "Cy"], value="Bo").value
    'Bo'
    """
    return _selection(ipywidgets.SelectionSlider, options, value, name)


def _selection(kind: Any, options: Sequence[Any] | dict[str, Any], value: Any, name: str) -> Any:
    """Return a control over options, or over pairs of a label and an option."""
    pairs = list(options.items()) if isinstance(options, dict) else list(options)
    control = kind(options=pairs, description=name, style=NARROW)
    if value is not None:
        control.value = value
    return control


def checkbox(value: bool = False, name: str = "") -> Any:
    """Return an ipywidgets checkbox.

    Examples
    --------
    >>> checkbox(True).value
    True
    """
    return ipywidgets.Checkbox(value=value, description=name, indent=False, style=NARROW)


def token_buttons(tokens: Sequence[str], value: int = 0, name: str = "") -> Any:
    """Return a row of buttons, one per token; its value is the token's place in the row.

    Examples
    --------
    >>> token_buttons(["the", "dog", "and", "the", "cat"], value=1).value
    1
    """
    pairs = [
        (token + SAME_AGAIN * list(tokens[:place]).count(token), place)
        for place, token in enumerate(tokens)
    ]
    style = NARROW | {"button_width": "auto"}
    return ipywidgets.ToggleButtons(options=pairs, value=value, description=name, style=style)


@dataclass(frozen=True)
class Axis:
    """One control as the grid sees it: its name, its values in order, and where it starts."""

    name: str
    label: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]
    start: int
    kind: str
    low: float = 0.0
    step: float = 1.0

    @property
    def numeric(self) -> bool:
        """Tell whether the values can stand in one array of numbers."""
        return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in self.values)

    def place(self, value: Any) -> int:
        """Return the place of `value` among the values, or say which values there are."""
        number = self.numeric and isinstance(value, (int, float, np.number))
        if number:
            found = _nearest(self.values, value, self.kind)
        else:
            found = self.values.index(value) if value in self.values else None
        if found is not None:
            return found
        there = f"; its values are: {', '.join(map(_say, self.values))}"
        if number and self.kind != "index":
            there = f", which lies {_between(self.values, self.texts, value)}"
        raise ValueError(f"the control {self.name} has no value {_say(value)}{there}")

    def spec(self) -> dict[str, Any]:
        """Return what the page needs to know."""
        names = ("name", "label", "texts", "start", "kind", "low", "step")
        return {name: getattr(self, name) for name in names}


def read_axis(name: str, control: Any) -> Axis:
    """Read the values a control can take, or say why that cannot be done."""
    if not hasattr(control, "description"):
        raise TypeError(
            f"{name} must be a control, such as slider, choice, token_buttons or checkbox, "
            f"but is {control!r}"
        )
    if not control.description:
        control.description = name.replace("_", " ")
    label = control.description
    if isinstance(control, (ipywidgets.Checkbox, ipywidgets.ToggleButton)):
        return Axis(name, label, (False, True), ("off", "on"), int(control.value), "bool")
    if isinstance(control, ipywidgets.FloatLogSlider):
        return _log_axis(name, label, control)
    if isinstance(control, (ipywidgets.IntSlider, ipywidgets.FloatSlider)):
        return _slider_axis(name, label, control)
    if hasattr(control, "_options_full") and hasattr(control, "index"):
        if control.index is None or isinstance(control.index, tuple):
            raise ValueError(
                f"the control {name} must start at one of its options: give it a value"
            )
        texts, values = zip(*control._options_full, strict=True)
        return Axis(name, label, values, texts, control.index, "index")
    raise TypeError(
        f"the control {name} is a {type(control).__name__}, which has no finite list of values; "
        "use a slider with a step, a dropdown, buttons or a checkbox"
    )


def _slider_axis(name: str, label: str, control: Any) -> Axis:
    whole = isinstance(control, ipywidgets.IntSlider)
    grid = _grid(name, control)
    values = tuple(int(v) if whole else round(float(v), 10) for v in grid)
    decimals = 0 if whole else _decimals(control.min, control.step)
    texts = tuple(f"{v:.{decimals}f}" for v in values)
    start = _start(name, values, texts, control.value, "value")
    return Axis(name, label, values, texts, start, "value", control.min, control.step)


def _log_axis(name: str, label: str, control: Any) -> Axis:
    values = tuple(float(control.base**e) for e in _grid(name, control))
    texts = tuple(f"{v:.3g}" for v in values)
    start = _start(name, values, texts, control.value, "log")
    low = float(np.log(control.base) * control.min)
    return Axis(
        name, label, values, texts, start, "log", low, float(np.log(control.base) * control.step)
    )


def _grid(name: str, control: Any) -> NDArray[Any]:
    """Return the numbers that the steps of a slider reach."""
    if not control.step or control.step <= 0:
        raise ValueError(f"the slider {name} needs a positive step, but its step is {control.step}")
    count = int((control.max - control.min) / control.step + 1e-6) + 1
    return np.asarray(control.min + control.step * np.arange(count))


def _start(
    name: str, values: Sequence[float], texts: Sequence[str], value: float, kind: str
) -> int:
    start = _nearest(values, value, kind)
    if start is None:
        raise ValueError(
            f"the slider {name} starts at {value}, {_between(values, texts, value)}: "
            "choose a step that reaches it"
        )
    return start


def _nearest(values: Sequence[float], value: float, kind: str) -> int | None:
    """Return the place of a number, or None; a power counts as what its three digits show."""
    place = int(np.argmin(np.abs(np.array(values) - value)))
    near = 1e-10 + abs(values[place]) * (0.005 if kind == "log" else 1e-7)
    return place if abs(values[place] - value) <= near else None


def _between(values: Sequence[float], texts: Sequence[str], value: float) -> str:
    """Say between which steps of a slider a number lies."""
    right = int(np.searchsorted(values, value))
    if right == 0:
        return f"below its first step {texts[0]}"
    if right == len(values):
        return f"above its last step {texts[-1]}"
    return f"between its steps {texts[right - 1]} and {texts[right]}"


def _say(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)
