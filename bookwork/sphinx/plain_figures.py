"""Sphinx extension: the numbers of every live figure, for readers whose page runs no script.

A page contains the numbers of its live figures as Python computed them. Those of the initial state
are written into the page as tables, the same that a figure shows on request. They are seen where
there are no scripts, and where a figure could not be drawn; until it is drawn, there is a space of
about its height, so that the text hardly moves.
"""

import base64
import json
import math
import re
from html import escape

import numpy as np

from bookwork.sphinx.book_shell import widgets_in

VIEW = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-view\+json">(?P<view>[^<]*)</script>'
)
SAID = (
    "<noscript><style>.book-no-script, .book-numbers { display: block !important; } "
    ".book-still { --book-height: auto !important; }</style></noscript>"
    '<p class="book-no-script" hidden>Scripts are switched off in this browser, so the figures '
    "of this page are tables of the numbers that they show at first, and its code cannot be run "
    "or checked here. The text is complete.</p>\n"
)
MOST = (24, 12)  # rows and columns of a table
WIDE = ("sentence", "arcs", "text", "flow")  # views that stand alone
COLUMN = 660  # the width of a page's text, in pixels
TALLEST = (430, 310)  # of the cells of a view that is the only one, or one of several, in pixels
HEIGHTS = {  # of a view of some width, of which no more than `tallest` is cells, in pixels, about
    "heatmap": lambda view, width, tallest: (
        52
        + min(
            len(view["rows"]) * min(40, (width - 150) // len(view["columns"])),
            max(tallest, 14 * len(view["rows"])),
        )
    ),
    "bars": lambda view, *_: 27 + 24 * len(view["labels"][0] if "by" in view else view["labels"]),
    "plane": lambda view, width, _: min(width, 440) + 45,
    "curve": lambda view, width, _: max(220, 0.55 * width) + 25,
    "sentence": lambda view, width, _: 45 + 36 * lines_of(view, width),
    "arcs": lambda *_: 190,
    "text": lambda *_: 40,
    "field": lambda view, width, _: width - 135,
    "flow": lambda *_: 509,
}


def setup(app):
    """Connect to Sphinx while the widgets of a page are still among its scripts."""
    app.connect("html-page-context", add_tables, priority=985)


def add_tables(app, pagename, templatename, context, doctree):
    """Put tables in the place of each live figure, and a sentence before the text."""
    if widgets := widgets_in(context):
        context["body"] = SAID + VIEW.sub(
            lambda match: plain_figure(json.loads(match["view"]), widgets) + match[0],
            context["body"],
        )


def plain_figure(view, widgets):
    """Return the tables of the figure in a view, empty if it is not a live figure."""
    drawing = find_drawing(view["model_id"], widgets)
    if drawing is None:
        return ""
    spec, frames = drawing["state"]["spec"], base64.b64decode(drawing["buffers"][0]["data"])
    start = {array["name"]: read_start(array, spec["controls"], frames) for array in spec["arrays"]}
    tables = "".join(table_of(each, v, spec, start) for v in spec["views"] for each in v["tables"])
    return (
        f'<div class="book-widget book-still" style="--book-height: {height_of(spec)}px">'
        f'<div class="book-numbers"><p>{escape(settings(spec))}</p>{tables}</div></div>'
    )


def find_drawing(name, widgets):
    """Return the drawn part of a live figure: the widget itself, or one inside it."""
    model = widgets.get(name, {"state": {}})
    if "spec" in model["state"] and "frames" not in model["state"]:
        return model
    inside = [child.removeprefix("IPY_MODEL_") for child in model["state"].get("children", ())]
    return next(filter(None, (find_drawing(child, widgets) for child in inside)), None)


def read_start(array, controls, frames):
    """Return an array, packed by bookwork.live.frames, at the initial control values."""
    counts, shape = array["counts"], array["shape"]
    kind = "<u2" if array["steps"] < 2**16 else "<u4"
    size = int(np.prod([*counts, *shape]))
    codes = np.frombuffer(frames, kind, size, array["begin"]).reshape((*counts, *shape))
    places = tuple(
        control["start"] if count > 1 else 0
        for control, count in zip(controls, counts, strict=True)
    )
    return array["low"] + codes[places] * ((array["high"] - array["low"]) / array["steps"])


def settings(spec):
    """Say what the figure is called and what its controls are set to."""
    told = (f"{each['label']}: {each['texts'][each['start']]}" for each in spec["controls"])
    return " · ".join([spec["name"], *told])


def table_of(table, view, spec, start):
    """Return an array as a table, of rows and columns as many as can be read."""
    rows, columns = (labels_of(table[side], view, spec) for side in ("rows", "columns"))
    array = start[table["array"]]
    numbers = array.reshape(-1, len(columns) or array.shape[-1])
    down, across = (some(count, most) for count, most in zip(numbers.shape, MOST, strict=True))
    head = "".join(f'<th scope="col">{label_at(columns, j)}</th>' for j in across)
    digits = table.get("digits", view.get("digits"))
    lines = [
        f'<tr><th scope="row">{label_at(rows, i)}</th>'
        + "".join(f"<td>{printed(numbers[i, j], digits)}</td>" for j in across)
        + "</tr>"
        for i in down
    ]
    title = escape((table.get("title") or table["array"]) + left_out(numbers.shape))
    return f"<table><caption>{title}</caption><tr><td></td>{head}</tr>{''.join(lines)}</table>"


def labels_of(given, view, spec):
    """Return labels that are given as a list, or by the name of an option of the view."""
    labels = view[given] if isinstance(given, str) else given
    if isinstance(given, str) and "by" in view:
        control = next(each for each in spec["controls"] if each["name"] == view["by"])
        labels = labels[control["start"]]
    return [printed(label, 2) if isinstance(label, float) else label for label in labels]


def label_at(labels, k):
    """Return a label, or a number for one that is missing."""
    return escape(labels[k]) if k < len(labels) and labels[k] else str(k + 1)


def some(count, most):
    """Return all places, or `most` that are spread evenly.

    >>> some(3, 24), some(9, 3)
    ([0, 1, 2], [0, 4, 8])
    """
    return np.linspace(0, count - 1, min(count, most)).round().astype(int).tolist()


def left_out(shape):
    """Say how much of a table is shown, if not all.

    >>> left_out((101, 2))
    ' (24 of 101 rows)'
    """
    sides = zip(("rows", "columns"), shape, MOST, strict=True)
    said = [f"{most} of {count} {side}" for side, count, most in sides if count > most]
    return f" ({', '.join(said)})" if said else ""


def printed(value, digits):
    """Return a number as the page prints it."""
    return f"{value + 0.0:,.{digits}f}" if abs(value) >= 10_000 else f"{value + 0.0:.{digits}f}"


def height_of(spec):
    """Estimate the height of a figure: its controls, its views in two columns, what it says."""
    tallest = TALLEST[len(spec["views"]) > 1]
    alone = [[view] for view in spec["views"] if view["kind"] in WIDE]
    beside = [view for view in spec["views"] if view["kind"] not in WIDE]
    lines = alone + [beside[k : k + 2] for k in range(0, len(beside), 2)]
    tops = [max(height_in(COLUMN // len(line), view, tallest) for view in line) for line in lines]
    controls = 34 * (len(spec["controls"]) - len(spec["held"]) + bool(spec["play"]))
    return round(controls + 63 + sum(tops) + 16 * (len(tops) - 1))


def height_in(width, view, tallest):
    """Estimate the height of a view of some width."""
    return HEIGHTS.get(view["kind"], lambda *_: 320)(view, width, tallest)


def lines_of(view, width):
    """Estimate how many lines the words of a sentence take."""
    words = view["words"][0] if "by" in view else view["words"]
    return math.ceil(sum(8 * len(word) + 22 for word in words) / width)
