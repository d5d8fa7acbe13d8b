"""A live figure without scripts: the numbers of its start, as the library computed them."""

import base64
import json
import re
import subprocess

import numpy as np
from bookwork.live import arcs, bars, curve, heatmap, live, plane, slider, token_buttons
from bookwork.live.script import FOLDER
from bookwork.site.node import NODE
from bookwork.sphinx.figures import find_drawing
from bookwork.sphinx.plain_figures import plain_figure, printed


def plain(function, view, **options):
    """Return a figure as a page without scripts holds it: a drawing inside a box."""
    figure = live(function, view, name="A <figure>", **options)
    buffer = {"data": base64.b64encode(figure.drawing.frames).decode()}
    widgets = {
        "box": {"state": {"children": ["IPY_MODEL_row", "IPY_MODEL_drawing"]}},
        "row": {"state": {"children": []}},
        "drawing": {"state": {"spec": figure.drawing.spec}, "buffers": [buffer]},
    }
    return plain_figure(find_drawing("box", widgets))


def tables(page):
    """Return each table as its caption and its rows of texts."""
    found = []
    for table in re.findall("<table>(.*?)</table>", page):
        caption = re.search("<caption>(.*?)</caption>", table)[1]
        rows = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]
        found.append((caption, rows))
    return found


def test_each_view_is_a_table_of_what_the_function_returns_at_the_start():
    def function(t):
        return {"grid": np.array([[0.1, 0.2], [0.3, 0.4]]) * t, "row": np.array([1.0, -1.0]) * t}

    views = [heatmap(["a", "b"], ["c", "<d>"], "grid", title="The grid"), bars(["e", "f"], "row")]
    page = plain(function, views, t=slider(0, 3, 1, value=2, name="times"))
    assert "<p>A &lt;figure&gt; · times: 2</p>" in page
    assert tables(page) == [
        ("The grid", [["", "c", "&lt;d&gt;"], ["a", "0.20", "0.40"], ["b", "0.60", "0.80"]]),
        ("row", [["", "value"], ["e", "2.00"], ["f", "-2.00"]]),
    ]


def test_labels_follow_the_control_that_decides_and_numbers_stand_for_others():
    lists = bars([["a", "b"], ["c", "d"]], by="k")
    page = plain(lambda k: [k, 1.0], lists, k=slider(0, 1, 1, value=1))
    assert tables(page) == [("A &lt;figure&gt;", [["", "value"], ["c", "1.00"], ["d", "1.00"]])]
    points = plane(rings="at", handle=[0, 1], called={"rings": "holes"})
    page = plain(lambda: {"at": np.eye(2)}, points)
    assert tables(page) == [
        ("holes", [["", "across", "up"], ["1", "1.00", "0.00"], ["2", "0.00", "1.00"]])
    ]


def test_of_long_tables_there_is_what_can_be_read():
    (long,) = tables(plain(lambda: np.arange(93.0), curve(np.arange(93.0))))
    assert long[0] == "curve (24 of 93 rows)"
    assert [row[0] for row in long[1][1:4]] == ["0.00", "4.00", "8.00"]
    assert long[1][-1] == ["92.00", "92.00"]
    (wide,) = tables(plain(lambda: np.ones((60, 30)), heatmap(range(60), range(30))))
    assert wide[0] == "A &lt;figure&gt; (24 of 60 rows, 12 of 30 columns)"
    assert (wide[1][1][0], wide[1][-1][0]) == ("0", "59")
    words = list("abc")
    view = arcs(words, at="k", kinds=["x", "y"])
    (lines,) = tables(plain(lambda k: np.ones((2, 3)), view, k=token_buttons(words)))
    assert [row[0] for row in lines[1]] == ["", "x", "y"]


def test_a_table_without_scripts_prints_as_the_page_does():
    """It printed -0.00, and 2 for 2.5, where the page has 0.00 and 3."""
    given = [[2.5, 0], [-2.5, 0], [-0.001, 2], [0.125, 2], [12345.5, 1], [-1e7, 0], [2.675, 2]]
    script = (FOLDER / "svg.js").as_uri()
    run = (
        f"import({json.dumps(script)}).then(({{ printer }}) => console.log(JSON.stringify("
        f"{given}.map(([value, digits]) => printer(digits)(value)))))"
    )
    told = subprocess.run([NODE, "-e", run], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == [printed(*each) for each in given]
