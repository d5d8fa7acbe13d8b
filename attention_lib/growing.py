"""A curve that grows while something runs, without Matplotlib, which takes a while to load."""

from __future__ import annotations

import sys
from typing import Any

from IPython import get_ipython
from IPython.display import display

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="520" height="160" font-size="13" \
font-family="Source Sans 3, Helvetica Neue, Arial, sans-serif" fill="#1f2933">
<title>{name}: {now} at {right:g}</title>
<path d="M44 20V132H464" fill="none" stroke="#8a94a0"/>
<polyline points="{line}" fill="none" stroke="#0b5cad" stroke-width="2"/>
<text x="44" y="12">{name}</text>
<text x="38" y="24" text-anchor="end">{top:.1f}</text>
<text x="38" y="136" text-anchor="end">0</text>
<text x="44" y="150" text-anchor="middle">{left:g}</text>
<text x="464" y="150" text-anchor="middle">{right:g}</text>
<text x="470" y="{last:.1f}">{now}</text>
</svg>"""


class GrowingCurve:
    """Draw a number step by step, such as the loss of a model that learns.

    Examples
    --------
    >>> falling = GrowingCurve("bits")
    >>> falling.points += [(1, 4.0), (2, 2.0)]
    >>> "44.0,20.0 464.0,76.0" in falling._repr_svg_()
    True
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.points: list[tuple[float, float]] = []
        self._shown: Any = None

    def add(self, place: float, height: float) -> None:
        """Add a point; the curve is shown as soon as it has two."""
        self.points.append((float(place), float(height)))
        if self._shown is not None:
            self._shown.update(self)
        elif len(self.points) > 1 and (sys.platform == "emscripten" or get_ipython() is not None):
            self._shown = display(self, display_id=True)

    def _repr_svg_(self) -> str:
        """Return the curve as a picture: dark on no ground, which a dark page turns round."""
        places, heights = zip(*self.points, strict=True)
        left, right, top = places[0], places[-1], max(heights) or 1.0
        x = [44 + 420 * (place - left) / (right - left or 1) for place in places]
        y = [132 - 112 * height / top for height in heights]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        about = {"name": self.name, "now": f"{heights[-1]:.2f}", "last": y[-1] + 4}
        return PICTURE.format(line=line, left=left, right=right, top=top, **about)
