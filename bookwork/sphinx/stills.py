"""Sphinx extension: a still picture of every live figure, for readers whose page runs no script.

A page contains the numbers of its live figures as the library computed them. Here those of the
initial state are drawn as SVG, which page/figures/widgets.js replaces with the live figure: so
there is something to see without scripts, while they load, and when they do not arrive.
"""

import base64
import json
import re
from html import escape

import numpy as np

VIEW = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-view\+json">(?P<view>[^<]*)</script>'
)
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
SAID = (
    "<noscript><style>.book-no-script { display: block !important; }</style></noscript>"
    '<p class="book-no-script" hidden>Scripts are switched off in this browser, so the figures '
    "of this page do not move, and its code cannot be run or checked here. "
    "The text is complete, and each figure is shown in its initial state.</p>\n"
)
WIDTH = 460  # of a picture
LETTER = 6.6  # the width of a letter, about
SHADES = 12
MARKS = {  # as in live/js/plane.js
    "query": "M{x:.0f} {y:.0f}m0-9 8 15h-16z",
    "output": "M{x:.0f} {y:.0f}m0-8 8 8-8 8-8-8z",
}
DASHES = ["none", "9 7", "1 8", "14 7 1 7", "4 6", "20 6"]  # as in live/js/figure.css


def setup(app):
    """Connect to Sphinx while the widgets of a page are still among its scripts."""
    app.connect("html-page-context", add_stills, priority=985)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def add_stills(app, pagename, templatename, context, doctree):
    """Put a picture in the place of each live figure, and a sentence before the text."""
    widgets = {}
    for file in context["script_files"]:
        if getattr(file, "attributes", {}).get("type") == WIDGET_STATE:
            widgets |= json.loads(file.attributes["body"])["state"]
    if widgets:
        context["body"] = SAID + VIEW.sub(
            lambda match: still_of(json.loads(match["view"]), widgets) + match[0], context["body"]
        )


def still_of(view, widgets):
    """Return the picture of the figure in a view, empty if it is not a live figure."""
    drawing = find_drawing(view["model_id"], widgets)
    if drawing is None:
        return ""
    spec, frames = drawing["state"]["spec"], base64.b64decode(drawing["buffers"][0]["data"])
    start = {array["name"]: read_start(array, spec["controls"], frames) for array in spec["arrays"]}
    pictures = "".join(draw(each, start, spec) for each in spec["views"])
    return f'<div class="book-widget book-still">{settings(spec)}{pictures}</div>'


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
    codes = np.frombuffer(frames, kind, size, array["begin"]).reshape(*counts, *shape)
    places = tuple(
        control["start"] if count > 1 else 0
        for control, count in zip(controls, counts, strict=True)
    )
    return array["low"] + codes[places] * ((array["high"] - array["low"]) / array["steps"])


def settings(spec):
    """Say what the controls are set to."""
    told = [
        f"{control['label']}: {control['texts'][control['start']]}" for control in spec["controls"]
    ]
    return f'<p class="book-still-settings">{escape(" · ".join(told))}</p>' if told else ""


def draw(view, start, spec):
    """Return one view as a picture, or in words, under its title."""
    title = f"<p>{escape(view['title'])}</p>" if view["title"] else ""
    if view["kind"] in WRITERS:
        return (
            f'<div class="book-still-words">{title}{WRITERS[view["kind"]](view, start, spec)}</div>'
        )
    size, parts = DRAWERS[view["kind"]](view, start, spec)
    name = escape(view["title"] or spec["name"])
    box = f'viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" width="{size[0]:.0f}" role="img"'
    return f'<div>{title}<svg {box} aria-label="{name}">{"".join(parts)}</svg></div>'


def text(x, y, words, kind=""):
    """Return text at a position; `kind` is "e" if it ends there, "m" if it is centred there."""
    where = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{where}>{escape(str(words))}</text>'


def path(kind, steps):
    """Return a path of a class."""
    return f'<path class="{kind}" d="{steps}"/>'


def shorten(words, room):
    """Shorten text to fit a width in pixels."""
    fits = max(2, int(room / LETTER))
    return words if len(words) <= fits else words[: fits - 1] + "…"


def printed(value, digits):
    """Return a number as the page prints it."""
    return f"{value + 0.0:,.{digits}f}" if abs(value) >= 10_000 else f"{value + 0.0:.{digits}f}"


def draw_heatmap(view, start, spec):
    """Draw a matrix as shaded cells, with digits where they fit."""
    numbers, (low, high) = start[view["show"]], view["limits"]
    left = min(max(map(len, view["rows"])) * LETTER + 8, 150)
    cell = max(8, min(44, int((WIDTH - left) / numbers.shape[1])))
    turned = max(map(len, view["columns"])) * LETTER > cell
    top = min(max(map(len, view["columns"])), 14) * LETTER * 0.75 + 12 if turned else 18
    parts = [shaded(numbers, low, high, (left, top), cell)]
    for i, row in enumerate(view["rows"]):
        parts.append(text(left - 5, top + (i + 0.5) * cell, shorten(row, left), "e"))
    for j, column in enumerate(view["columns"]):
        x = left + (j + 0.5) * cell
        turn = f'<g transform="rotate(-45 {x:.0f} {top - 6:.0f})">' if turned else "<g>"
        label = text(x, top - 6, shorten(column, 14 * LETTER), "" if turned else "m")
        parts.append(f"{turn}{label}</g>")
    if cell >= 30:
        for (i, j), value in np.ndenumerate(numbers):
            words = printed(value, view["digits"])
            parts.append(text(left + (j + 0.5) * cell, top + (i + 0.5) * cell, words, "m"))
    lean = top if turned else 0
    return (left + cell * numbers.shape[1] + lean, top + cell * numbers.shape[0] + 2), parts


def shaded(numbers, low, high, corner, cell):
    """Return the cells of a matrix, one path for all that have the same shade."""
    span = max(abs(low), abs(high)) if low < 0 else high - low
    levels = np.rint(SHADES * (numbers - (0 if low < 0 else low)) / (span or 1)).astype(int)
    found, square = [], f"h{cell - 1}v{cell - 1}h{1 - cell}z"
    for level in np.unique(levels):
        cells = "".join(
            f"M{corner[0] + j * cell:.0f} {corner[1] + i * cell:.0f}{square}"
            for i, j in np.argwhere(levels == level)
        )
        found.append(shade(level, cells))
    return "".join(found)


def shade(level, cells):
    """Return cells in one shade."""
    drawn = path("minus" if level < 0 else "plus", cells)
    return drawn.replace("<path", f'<path opacity="{0.06 + 0.6 * abs(level) / SHADES:.2f}"')


def draw_bars(view, start, spec):
    """Draw one bar per number."""
    numbers, (low, high) = start[view["show"]], view["limits"]
    labels = labels_at_start(view["labels"], view, spec)
    left = min(max(map(len, labels)) * LETTER + 10, WIDTH / 2)
    room = WIDTH - left - len(printed(high, view["digits"])) * LETTER - 16

    def at(value):
        return left + room * (min(max(value, low), high) - low) / (high - low)

    parts = []
    for j, (label, value) in enumerate(zip(labels, numbers, strict=True)):
        begin, end = at(min(0, value)), at(max(0, value))
        parts.append(text(left - 6, 24 * j + 12, shorten(label, left), "e"))
        parts.append(path("plus", f"M{begin:.1f} {24 * j + 3}H{end:.1f}v18H{begin:.1f}z"))
        parts.append(text(end + 6, 24 * j + 12, printed(value, view["digits"])))
    parts.append(path("line", f"M{at(0):.1f} 0v{24 * len(numbers)}"))
    return (WIDTH, 24 * len(numbers) + 2), parts


def labels_at_start(labels, view, spec):
    """Return the labels of a view, those of where a control starts if one decides."""
    control = next((each for each in spec["controls"] if each["name"] == view.get("by")), None)
    return labels if control is None else labels[control["start"]]


def draw_plane(view, start, spec):
    """Draw points in the plane, each kind with its own mark."""
    low, high = view["limits"]
    size, edge = 320, 26

    def at(point):
        x, y = ((value - low) / (high - low) * (size - edge - 8) for value in point)
        return edge + x, size - edge - y

    named = "values" if view["values"] is not None else "keys"
    parts = grid((low, high), (low, high), lambda x, y: at((x, y)), (5, 5))
    parts.append(region([at(point) for point in view.get("region_points") or ()], edge, size))
    for kind, begin, end in arrows_of(view, start, named):
        line = "M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*at(begin), *at(end))
        parts.append(path(f"arrow {kind}", line))
    for kind in ("values", "keys", "query", "output"):
        for j, point in enumerate(points_of(view[kind], start)):
            x, y = at(point)
            grown = view["weights"] if kind == named else None
            radius = 6 if grown is None else 4 + 13 * np.sqrt(max(0, start[grown][j]))
            parts.append(mark(kind, x, y, radius))
            if kind == named and j < len(view["labels"]):
                parts.append(text(x + radius + 3, y, view["labels"][j]))
    return (size + 30, size), parts


def arrows_of(view, start, named):
    """Return each arrow as its kind, where it begins and where it ends."""
    vectors = [
        (kind, (0, 0), end) for kind in view["arrows"] for end in points_of(view[kind], start)
    ]
    after = points_of(view["moves_to"], start)
    before = points_of(view[named], start)[: len(after)]
    return vectors + [("output", *ends) for ends in zip(before, after, strict=True)]


def region(corners, edge, size):
    """Return a shaded region, clipped to the picture."""
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
    side = size - edge - 8
    box = f'viewBox="{edge} 8 {side} {side}" x="{edge}" y="8" width="{side}" height="{side}"'
    return f'<svg {box}><polygon class="region" points="{points}"/></svg>' if corners else ""


def points_of(given, start):
    """Return the points of one kind: none, fixed ones, or those of an array."""
    if given is None:
        return np.empty((0, 2))
    return np.reshape(start[given] if isinstance(given, str) else given, (-1, 2))


def mark(kind, x, y, radius):
    """Return the mark of a point."""
    if kind in MARKS:
        return path(kind, MARKS[kind].format(x=x, y=y))
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'


def draw_curve(view, start, spec):
    """Draw a curve over its data points, and what the query reads from it."""
    queries = query_values(view["at"], spec)
    points = np.transpose(view["points"] or [[], []])
    across = [*view["x"], *points[:, 0], *queries[:1], *queries[-1:]]
    (left, right), (low, high) = (min(across), max(across)), view["limits"]
    width, height = WIDTH, 290

    def at(x, y):
        along = share(x, left, right, "x" in view["log"])
        up = share(min(max(y, low), high), low, high, "y" in view["log"])
        return 60 + along * (width - 72), height - 40 - up * (height - 52)

    parts = grid((left, right), (low, high), at, (5, 5), view["log"])
    parts += [mark("keys", *at(x, y), 2.5) for x, y in points]
    for k, (name, label) in enumerate(view["lines"]):
        ends = [at(x, y) for x, y in zip(view["x"], start[name], strict=True)]
        steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in ends)
        parts.append(path(f"line dash-{k % 6}" if k else "line", f"M{steps}"))
        if len(view["lines"]) > 1:
            parts.append(text(ends[-1][0], ends[-1][1] - 9, label, "e"))
    if len(queries) and view["reading"]:
        value = queries[next(c["start"] for c in spec["controls"] if c["name"] == view["at"])]
        parts.append(mark("output", *at(value, float(start[view["reading"]])), 0))
    parts.append(text((60 + width) / 2, height - 8, view["xlabel"], "m"))
    label = text(10, height / 2 - 20, view["ylabel"], "m")
    parts.append(f'<g transform="rotate(-90 10 {height / 2 - 20:.0f})">{label}</g>')
    return (width, height), parts


def query_values(name, spec):
    """Return the values of the control that moves the query."""
    control = next((control for control in spec["controls"] if control["name"] == name), None)
    return [] if control is None else control["values"]


def write_sentence(view, start, spec):
    """Write words on grounds of different strength, each with its number; the chosen is bold."""
    (low, high), chosen = view["limits"], asking_word(view, spec)
    words = []
    given = labels_at_start(view["words"], view, spec)
    for j, (word, value) in enumerate(zip(given, start[view["show"]], strict=True)):
        share = 45 * (value - min(low, 0)) / (high - min(low, 0))
        ground = f"color-mix(in srgb, var(--book-accent) {share:.0f}%, transparent)"
        said = f"<b>{escape(word)}</b>" if j == chosen else escape(word)
        number = f"<small>{printed(value, view['digits'])}</small>"
        words.append(f'<span style="background: {ground}">{said} {number}</span>')
    return f"<p>{' '.join(words)}</p>"


def write_own(view, start, spec):
    """Write the numbers of a view that the book brings itself as tables."""
    return "".join(table_of(name, start[name], view["digits"]) for name in view["names"])


def table_of(name, numbers, digits):
    """Return an array of any shape as a table."""
    rows = np.reshape(numbers, (-1, numbers.shape[-1] if numbers.ndim > 1 else 1))
    cells = [[f"<td>{printed(value, digits)}</td>" for value in row] for row in rows]
    lines = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    return f"<table><caption>{escape(name)}</caption>{lines}</table>"


def write_text(view, start, spec):
    """Write a sentence with its numbers."""
    return f"<p>{escape(''.join(say(piece, start, spec) for piece in view['pieces']))}</p>"


def say(piece, start, spec):
    """Return what a piece of a sentence stands for at the start."""
    if isinstance(piece, str):
        return piece
    if "control" in piece:
        control = next(each for each in spec["controls"] if each["name"] == piece["control"])
        return control["texts"][control["start"]]
    value, percent = float(start[piece["array"]]), piece.get("percent")
    return (
        printed(100 * value, piece["digits"]) + "%" if percent else printed(value, piece["digits"])
    )


def asking_word(view, spec):
    """Return the number of the word that is chosen at the start, None if words are no control."""
    control = next((each for each in spec["controls"] if each["name"] == view["at"]), None)
    return None if control is None else view["asks"][control["start"]]


def draw_arcs(view, start, spec):
    """Draw a list of words with lines beside it, dashed in its own way for each head."""
    words, (low, high), chosen = view["words"], view["limits"], asking_word(view, spec)
    askers = range(len(words)) if chosen is None else [chosen]
    heads = view["heads"] or [""]
    numbers = np.reshape(start[view["show"]], (len(heads), len(askers), len(words)))
    has_digits = chosen is not None and not view["heads"]
    left = max(map(len, words)) * LETTER + 10
    edge = left + (42 if has_digits else 6)
    parts = [
        text(left, 24 * j + 12, word, "e b" if j == chosen else "e") for j, word in enumerate(words)
    ]
    for (h, i, j), value in np.ndenumerate(numbers):
        if value < view["least"]:
            continue
        parts.append(arc(edge, askers[i], j, len(words), (value - low) / (high - low), h))
        if has_digits:
            parts.append(text(edge - 6, 24 * j + 12, printed(value, view["digits"]), "e"))
    for h, head in enumerate(view["heads"]):
        y = 24 * (len(words) + h) + 12
        parts.append(
            f'<path class="arc" stroke-dasharray="{DASHES[h % 6]}" stroke-width="4" d="M4 {y}h34"/>'
        )
        parts.append(text(46, y, head))
    return (edge + 130, 24 * (len(words) + len(view["heads"])) + 4), parts


def arc(edge, i, j, count, share, head):
    """Return the line from word i to word j, in strength and width by its share."""
    here, there = 24 * i + 12 + 3 * head, 24 * j + 12 + 3 * head
    if i == j:
        here, there = here - 5, there + 5
    out = edge + (24 if i == j else 24 + 140 * np.sqrt(abs(i - j) / max(1, count - 1)))
    strength = f'stroke-width="{0.8 + 7 * share:.1f}" opacity="{0.3 + 0.6 * share:.2f}"'
    dashes = f'stroke-dasharray="{DASHES[head % 6]}"' if head else ""
    line = f"M{edge:.0f} {here}C{out:.0f} {here} {out:.0f} {there} {edge:.0f} {there}"
    return f'<path class="arc" {strength} {dashes} d="{line}"/>'


def share(value, low, high, log):
    """Return how far a value lies between two limits."""
    low, high, value = np.log10([low, high, value]) if log else (low, high, value)
    return (value - low) / (high - low)


def grid(across, up, at, counts, log=""):
    """Return pale lines at round numbers, with the numbers at the edges."""
    parts = []
    for x in factors(*across) if "x" in log else ticks(*across, counts[0]):
        parts.append(
            path("grid", "M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*at(x, up[0]), *at(x, up[1])))
        )
        parts.append(text(at(x, up[0])[0], at(x, up[0])[1] + 13, f"{x:g}", "m"))
    for y in factors(*up) if "y" in log else ticks(*up, counts[1]):
        ends = (*at(across[0], y), *at(across[1], y))
        parts.append(path("grid", "M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*ends)))
        parts.append(text(ends[0] - 5, ends[1], f"{y:,g}", "e"))
    return parts


def factors(low, high):
    """Return round numbers on an axis that grows by factors.

    >>> factors(1.0, 1000.0)
    [1.0, 10.0, 100.0, 1000.0]
    """
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.floor(np.log10(high)) + 1)
    found = [float(power) for power in powers if power >= low * (1 - 1e-9)]
    return found if len(found) > 2 else [low, high]


def ticks(low, high, count):
    """Return round numbers between two limits.

    >>> ticks(0.0, 1.0, 5).tolist()
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    power = 10.0 ** np.floor(np.log10((high - low) / count))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * count >= high - low)
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return (np.arange(first, last + 1) * step).round(12) + 0.0  # no negative zero


def draw_field(view, start, spec):
    """Draw the maps beside each other, each with its points and the query."""
    titles = view["titles"] or [""]
    maps = np.reshape(start[view["show"]], (len(titles), len(view["y"]), len(view["x"])))
    across = min(len(titles), 3)
    side = (WIDTH - 20 * across) / across
    parts = []
    for k, (title, numbers) in enumerate(zip(titles, maps, strict=True)):
        corner = (k % across * (side + 20), k // across * (side + 26) + 20)
        parts.append(text(corner[0], corner[1] - 8, title))
        parts += draw_map(view, numbers, corner, side, start, spec)
    return (WIDTH, -(-len(titles) // across) * (side + 26) + 4), parts


def draw_map(view, numbers, corner, side, start, spec):
    """Draw one map from its corner at the top."""
    (left, right), (low, high) = ((ends[0], ends[-1]) for ends in (view["x"], view["y"]))
    cells = (side / numbers.shape[1], side / numbers.shape[0])
    parts = [bands(numbers[::-1], view["limits"], corner, cells)]

    def at(x, y):
        return (
            corner[0] + side * (x - left) / (right - left),
            corner[1] + side * (high - y) / (high - low),
        )

    for j, point in enumerate(points_of(view["keys"], start)):
        parts.append(mark("keys", *at(*point), 4))
        parts += [
            text(at(*point)[0] + 7, at(*point)[1], name) for name in view["labels"][j : j + 1]
        ]
    if view["at"]:
        parts.append(mark("query", *at(*(start_value(name, spec) for name in view["at"])), 0))
    return parts


def bands(numbers, limits, corner, cells):
    """Return shaded cells; those of one shade that stand side by side are drawn as one."""
    low, high = limits
    span = max(abs(low), abs(high)) if low < 0 else high - low
    levels = np.rint(SHADES * (numbers - (0 if low < 0 else low)) / (span or 1)).astype(int)
    runs = {}
    for i, row in enumerate(levels):
        ends = [*np.flatnonzero(np.diff(row)) + 1, len(row)]
        for begin, end in zip([0, *ends], ends, strict=False):
            x, y = corner[0] + begin * cells[0], corner[1] + i * cells[1]
            box = f"M{x:.0f} {y:.0f}H{corner[0] + end * cells[0]:.0f}V{y + cells[1]:.0f}H{x:.0f}z"
            runs[row[begin]] = runs.get(row[begin], "") + box
    return "".join(shade(level, boxes) for level, boxes in sorted(runs.items()))


def start_value(name, spec):
    """Return the number that a control starts at."""
    control = next(control for control in spec["controls"] if control["name"] == name)
    return control["values"][control["start"]]


def draw_flow(view, start, spec):
    """Draw the matrices from left to right, those of one depth below each other."""
    boxes, x, cell = [None] * len(view["stages"]), 0, 10
    for depth in range(1 + max(stage["depth"] for stage in view["stages"])):
        level = [k for k, stage in enumerate(view["stages"]) if stage["depth"] == depth]
        y = 0
        for k in level:
            stage = view["stages"][k]
            boxes[k] = (x, y + 32, stage["size"][1] * cell, stage["size"][0] * cell)
            y += 48 + boxes[k][3]
        x += 30 + max(max(boxes[k][2], len(view["stages"][k]["name"]) * LETTER) for k in level)
    bottom = max(y + height for _, y, _, height in boxes) + 12
    parts = []
    for stage, box in zip(view["stages"], boxes, strict=True):
        for source, _ in stage["after"]:
            far = stage["depth"] - view["stages"][source]["depth"] > 1
            parts.append(join_boxes(boxes[source], box, bottom if far else None))
        shape = stage["shape"] or " × ".join(map(str, stage["size"]))
        parts += [text(box[0], box[1] - 21, stage["name"]), text(box[0], box[1] - 8, shape)]
        parts.append(bands(start[stage["show"]], stage["limits"], box[:2], (cell, cell)))
    return (x - 26, bottom + 4), parts


def join_boxes(source, box, bottom):
    """Return a line from the right of one box to the left of another, or below all others."""
    begin, end = source[0] + source[2] + 3, box[0] - 4
    way = f"M{begin:.0f} {source[1] + source[3] / 2:.0f}"
    way += f"h5V{bottom:.0f}" if bottom else ""
    return path("line", f"{way}H{end - 12:.0f}V{box[1] + box[3] / 2:.0f}H{end:.0f}m-5 -4l5 4-5 4")


DRAWERS = {
    "heatmap": draw_heatmap,
    "bars": draw_bars,
    "plane": draw_plane,
    "curve": draw_curve,
    "arcs": draw_arcs,
    "field": draw_field,
    "flow": draw_flow,
}
WRITERS = {"sentence": write_sentence, "text": write_text, "own view": write_own}
