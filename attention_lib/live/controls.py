"""Controls of a live figure: real ipywidgets with a finite list of values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np

NARROW = {"description_width": "initial"}
SAME_AGAIN = "\u200b"  # has no width; ipywidgets finds the pressed button by its label


def slider(low: float, high: float, step: float, value: float | None = None, name: str = "") -> Any:
    """Return an ipywidgets slider from `low` to `high`; whole numbers give an ``IntSlider``.

    Examples
    --------
    >>> slider(0.5, 2, 0.5, value=1).value
    1.0
    """
    whole = all(isinstance(number, int) for number in (low, high, step))
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    start = low if value is None else value
    options: dict[str, Any] = {"min": low, "max": high, "step": step, "value": start}
    if not whole:
        options["readout_format"] = f".{_decimals(step)}f"
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


def _decimals(step: float) -> int:
    return next((d for d in range(6) if abs(round(step, d) - step) < 1e-9), 6)


def choice(options: Sequence[Any] | dict[str, Any], value: Any = None, name: str = "") -> Any:
    """Return an ipywidgets dropdown over named options.

    Examples
    --------
    >>> choice(["dot", "scaled"]).value
    'dot'
    """
    pairs = list(options.items()) if isinstance(options, dict) else list(options)
    menu = ipywidgets.Dropdown(options=pairs, description=name, style=NARROW)
    if value is not None:
        menu.value = value
    return menu


def option_slider(options: Sequence[Any], value: Any = None, name: str = "") -> Any:
    """Return an ipywidgets slider over options in their order.

    Examples
    --------
    >>> option_slider(["Ann", "Bo", "Cy"], value="Bo").value
    'Bo'
    """
    start = options[0] if value is None else value
    return ipywidgets.SelectionSlider(options=options, value=start, description=name, style=NARROW)


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

    def spec(self) -> dict[str, Any]:
        """Return what the page needs to know."""
        names = ("name", "label", "texts", "start", "kind", "low", "step")
        return {name: getattr(self, name) for name in names}


def read_axis(name: str, control: Any) -> Axis:
    """Read the values a control can take, or say why that cannot be done."""
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
    if not control.step or control.step <= 0:
        raise ValueError(f"the slider {name} needs a positive step, but its step is {control.step}")
    count = int((control.max - control.min) / control.step + 1e-6) + 1
    whole = isinstance(control, ipywidgets.IntSlider)
    grid = control.min + control.step * np.arange(count)
    values = tuple(int(v) if whole else round(float(v), 10) for v in grid)
    texts = tuple(str(v) if whole else f"{v:.{_decimals(control.step)}f}" for v in values)
    start = _nearest(name, values, control.value)
    return Axis(name, label, values, texts, start, "value", control.min, control.step)


def _log_axis(name: str, label: str, control: Any) -> Axis:
    count = int((control.max - control.min) / control.step + 1e-6) + 1
    exponents = control.min + control.step * np.arange(count)
    values = tuple(float(control.base**e) for e in exponents)
    texts = tuple(f"{v:.3g}" for v in values)
    start = int(np.argmin([abs(v - control.value) for v in values]))
    low = float(np.log(control.base) * control.min)
    return Axis(
        name, label, values, texts, start, "log", low, float(np.log(control.base) * control.step)
    )


def _nearest(name: str, values: Sequence[float], value: float) -> int:
    start = int(np.argmin([abs(v - value) for v in values]))
    if abs(values[start] - value) > 1e-6:
        raise ValueError(
            f"the slider {name} starts at {value}, between its steps {values[start - 1]} and "
            f"{values[start]}: choose a step that reaches it"
        )
    return start
