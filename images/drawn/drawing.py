"""What the drawn diagrams of the book are made of: boxes, arrows, small matrices, one palette.

A drawing is an SVG with a ground of its own, so it can be read wherever it stands. It knows a light
and a dark palette, and takes the one of the place that shows it. In a page of the book it stands
itself, in the page's type (see sphinx/pictures.py). Widths and sizes are such that all text stays
readable on a phone.
"""

import html
import re

WIDTH = 560  # units: pixels on a wide screen, two thirds of one on a phone
SMALL, LARGE = 18, 20  # sizes of text
INDEX = 16.5  # that of an index such as the k of d_k
CELL = 20  # the side of one entry of a matrix
FONT = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
PALETTES = {  # light, dark
    "card": ("#f8f9fb", "#1b212a"),
    "edge": ("#c5cad3", "#36404d"),
    "paper": ("#ffffff", "#12161c"),
    "ink": ("#1f2937", "#e4e8ee"),
    "muted": ("#4b5563", "#b9c3d1"),
    "line": ("#6b7280", "#a2adbd"),
    "weight": ("#c9d4e6", "#3a4f6d"),
    "on": ("#ffffff", "#12161c"),  # text on one of the four roles
    "query": ("#0b5cad", "#79b8f5"),
    "key": ("#a34a00", "#f5a25d"),
    "value": ("#00705a", "#4fcfa8"),
    "output": ("#9b2c7e", "#e79ad0"),
    "back": ("#b3261e", "#ff8f85"),
}
LIGHT, DARK = ({name: pair[k] for name, pair in PALETTES.items()} for k in (0, 1))
ROLES = ("query", "key", "value", "output")


def style():
    """Return the colours as CSS: each is a fill, "in-", and a stroke, "to-".

    A page in which the drawing stands has them too, so they are those of drawings alone.
    """
    dark = f"@media (prefers-color-scheme: dark) {{\n{values(DARK)}\n}}"
    uses = [
        f".drawing .{part}-{name} {{ {what}: var(--{name}); }}"
        for part, what in (("in", "fill"), ("to", "stroke"))
        for name in PALETTES
    ]
    return "\n".join([values(LIGHT), dark, *uses])


def values(palette):
    """Return the rule with the colours of one palette."""
    return f".drawing {{ {' '.join(f'--{name}: {colour};' for name, colour in palette.items())} }}"


def number(value):
    """Return a number as it stands in an SVG, short and the same on every machine."""
    return f"{round(value, 1):g}"


def spans(words):
    """Return a text as SVG, what follows an underscore as an index, but not in <|a_mark|>."""
    first, *rest = re.split(r"_([a-z0-9]+)(?![a-z0-9|])", html.escape(words, quote=False))
    for index, after in zip(rest[::2], rest[1::2], strict=True):
        first += f'<tspan dy="5" font-size="{INDEX}">{index}</tspan>'
        first += f'<tspan dy="-5">{after}</tspan>' if after else ""
    return first


def written(value):
    """Return the value of an attribute."""
    return value if isinstance(value, str) else number(value)


class Drawing:
    """A picture of `WIDTH` units that is as high as it says."""

    def __init__(self, title, height):
        self.title, self.height, self.parts = title, height, []

    def add(self, name, inner="", **attributes):
        """Add an element; an underscore in the name of an attribute stands for a hyphen.

        Its class is the colour that it is filled with, or "to-" and that of its line, or both.
        """
        if kinds := attributes.get("class_"):
            named = [kind if kind.startswith("to-") else f"in-{kind}" for kind in kinds.split()]
            attributes["class_"] = " ".join(named)
        said = "".join(
            f' {key.strip("_").replace("_", "-")}="{written(value)}"'
            for key, value in attributes.items()
            if value is not None
        )
        self.parts.append(f"  <{name}{said}>{inner}</{name}>" if inner else f"  <{name}{said}/>")

    def text(self, x, y, words, kind="ink", size=SMALL, anchor=None, bold=False):
        """Write words around a point, at half their height; `anchor` is "start" or "end"."""
        weight = "600" if bold else None
        place = {"x": x, "y": y + 0.35 * size, "class_": kind, "font_size": size}
        self.add("text", spans(words), **place, text_anchor=anchor, font_weight=weight)

    def lines(self, x, y, *lines, step=22, **look):
        """Write lines below one another."""
        for k, words in enumerate(lines):
            self.text(x, y + step * k, words, **look)

    def box(self, x, y, width, height, words="", kind="paper", bold=True, dashed=False):
        """Draw a rounded box with words in its middle; one of the four roles has its own colour."""
        edge = f"{kind} to-{kind}" if kind in ROLES else f"{kind} to-line"
        dashes = "6 5" if dashed else None
        place = {"x": x, "y": y, "width": width, "height": height}
        self.add("rect", **place, rx=8, class_=edge, stroke_width=1.5, stroke_dasharray=dashes)
        if words:
            ink = "on" if kind in ROLES else "ink"
            self.text(
                x + width / 2, y + height / 2, words, ink, LARGE if bold else SMALL, bold=bold
            )

    def frame(self, x, y, width, height):
        """Draw a dashed frame around what belongs together."""
        size = {"x": x, "y": y, "width": width, "height": height, "rx": 12}
        look = {"class_": "to-line", "stroke_width": 1.5, "stroke_dasharray": "6 5"}
        self.add("rect", **size, **look, fill="none")

    def filled(self, x, y, width, height, share, words):
        """Draw a box that is filled up to a share, such as a weight."""
        self.box(x, y, width, height)
        if share > 0:
            self.add("rect", x=x, y=y, width=width * share, height=height, rx=8, class_="weight")
        self.text(x + width / 2, y + height / 2, words, size=LARGE, bold=True)

    def line(self, *points, kind="line", width=2.0, dashed=False):
        """Draw a line through points."""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        dashes = "7 5" if dashed else None
        drawn = {"points": path, "fill": "none", "class_": f"to-{kind}", "stroke_width": width}
        self.add("polyline", **drawn, stroke_dasharray=dashes)

    def arrow(self, *points, kind="line", width=2.0, dashed=False):
        """Draw a line through points that ends in an arrow head."""
        (x, y), (tip_x, tip_y) = points[-2:]
        length = ((tip_x - x) ** 2 + (tip_y - y) ** 2) ** 0.5
        along = ((tip_x - x) / length, (tip_y - y) / length)
        foot = (tip_x - 11 * along[0], tip_y - 11 * along[1])
        self.line(*points[:-1], foot, kind=kind, width=width, dashed=dashed)
        sides = [(foot[0] + s * along[1], foot[1] - s * along[0]) for s in (5.5, -5.5)]
        corners = [(tip_x, tip_y), *sides]
        path = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
        self.add("polygon", points=path, class_=kind)

    def matrix(self, x, y, rows, columns, kind="paper", lit=None, shares=None):
        """Draw a matrix of small squares; `lit` is the row that counts, all if there is none."""
        for i in range(rows):
            for j in range(columns):
                faint = 0.3 if lit not in (None, i) else None
                square = {"x": x + CELL * j, "y": y + CELL * i, "width": CELL, "height": CELL}
                edge = {"class_": f"{kind} to-card", "stroke_width": 2, "rx": 4}
                self.add("rect", **square, **edge, opacity=shares[j] if shares else faint)

    def badge(self, x, y, words, page):
        """Draw a small disc with the number of a chapter in it, which leads to its page."""
        self.parts.append(f'  <a href="{page}" aria-label="Chapter {words}">')
        self.add("circle", cx=x, cy=y, r=14, class_="ink")
        self.text(x, y, words, "card", bold=True)
        self.parts.append("  </a>")

    def svg(self):
        """Return the drawing as the text of a file."""
        head = f'viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" height="{self.height}"'
        look = f'class="drawing" font-family="{FONT}" text-anchor="middle" role="img"'
        card = f'<rect x="1" y="1" width="{WIDTH - 2}" height="{self.height - 2}" rx="10" '
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {head} {look}>',
                "  <!-- drawn by images/drawn/draw_diagrams.py -->",
                f"  <title>{html.escape(self.title, quote=False)}</title>",
                f"  <style>\n{style()}\n  </style>",
                f'  {card}class="in-card to-edge"/>',
                *self.parts,
                "</svg>\n",
            ]
        )
