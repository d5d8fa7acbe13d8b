"""The numbers of a live figure as a table, for readers whose page runs no script.

The numbers of the initial state are written into the page as tables, the same that a figure shows
on request. They are seen where there are no scripts, and where a figure could not be drawn; until
it is drawn, there is a space of about its height, so that the text hardly moves.
"""

import base64
from decimal import ROUND_HALF_UP, Context, Decimal
from html import escape

import numpy as np

SAID = (
    "<noscript><style>.book-no-script, .book-numbers { display: block !important; } "
    ".book-still { --book-height: auto !important; }</style></noscript>"
    '<p class="book-no-script" hidden>Scripts are switched off in this browser, so the figures '
    "of this page are tables of the numbers that they show at first, and its code cannot be run "
    "or checked here. The text is complete.</p>\n"
)
MOST = (24, 12)  # rows and columns of a table
ROW, TALLEST = 30, 320  # of a view that may stand beside another: a bar or row, and all of it
AROUND = (34, 63, 16)  # the heights of a control, of what a figure says, and between views


def plain_figure(drawing):
    """Return the tables of a live figure, whose widget `drawing` is."""
    spec, frames = drawing["state"]["spec"], base64.b64decode(drawing["buffers"][0]["data"])
    start = {array["name"]: read_start(array, spec["controls"], frames) for array in spec["arrays"]}
    tables = "".join(table_of(each, v, spec, start) for v in spec["views"] for each in v["tables"])
    return (
        f'<div class="book-widget book-still" style="--book-height: {height_of(spec)}px">'
        f'<div class="book-numbers"><p>{escape(settings(spec))}</p>{tables}</div></div>'
    )


def read_start(array, controls, frames):
    """Return an array, packed by bookwork.live.frames, at the initial control values."""
    counts, shape = array["counts"], array["shape"]
    kind = {2**8 - 1: "<u1", 2**16 - 1: "<u2"}.get(array["steps"], "<u4")
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
    """Return a number as web/live/svg.js prints it: halves go up, and no zero is negative.

    >>> printed(2.5, 0), printed(-0.001, 2), printed(12345.5, 1)
    ('3', '0.00', '12,345.5')
    """
    last = Decimal(1).scaleb(-digits)
    rounded = Decimal(value).quantize(last, ROUND_HALF_UP, Context(prec=400)) or last * 0
    return f"{rounded:,}" if abs(value) >= 10_000 else f"{rounded:f}"


def height_of(spec):
    """Estimate the height of a figure: its controls, its views in two columns, what it says."""
    control, said, between = AROUND
    alone = [view["wide"] for view in spec["views"] if view["wide"]]
    beside = [height_in(view) for view in spec["views"] if not view["wide"]]
    lines = [*alone, *[max(beside[k : k + 2]) for k in range(0, len(beside), 2)]]
    controls = control * (len(spec["controls"]) - len(spec["held"]) + bool(spec["play"]))
    return controls + said + sum(lines) + between * (len(lines) - 1)


def height_in(view):
    """Estimate the height of a view: with its rows or bars, if it has such."""
    rows = view.get("rows") or view.get("labels") or ()
    rows = rows[0] if rows and "by" in view else rows
    return min(TALLEST, 50 + ROW * len(rows)) if rows else TALLEST
