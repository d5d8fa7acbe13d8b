"""Live figures: a NumPy function and ipywidgets controls become a widget that needs no kernel.

>>> from bookwork.live import bars, live, slider
"""

from bookwork.live.charts import bars, curve, heatmap, plane
from bookwork.live.controls import (
    checkbox,
    choice,
    log_slider,
    option_slider,
    slider,
    token_buttons,
)
from bookwork.live.figure import LiveFigure, live
from bookwork.live.flows import Stage, flow, stage
from bookwork.live.views import View
from bookwork.live.words import arcs, sentence

__all__ = ["bars", "curve", "heatmap", "plane"]
__all__ += ["checkbox", "choice", "log_slider", "option_slider", "slider", "token_buttons"]
__all__ += ["LiveFigure", "Stage", "View", "arcs", "flow", "live", "sentence", "stage"]
