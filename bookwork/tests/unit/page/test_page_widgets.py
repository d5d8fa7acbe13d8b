"""What a notebook shows beyond values, in the page: widgets as their state, display and IPython."""

import json

import pytest
from reader import Reader

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
IMPORTS = """
import ipywidgets as widgets
from IPython import get_ipython
from IPython.display import HTML, Image, Markdown, clear_output, update_display
"""


@pytest.fixture
def reader():
    reader = Reader()
    reader.run(IMPORTS, name="imports")
    yield reader
    reader.close()


def shown(sent):
    """Return what was sent for the reader to see, in short: (kind, text)."""
    texts = {"display": lambda m: m["bundle"]["text/plain"], "error": lambda m: m["error"]["type"]}
    return [
        (message["kind"], texts.get(message["kind"], lambda m: m["text"])(message))
        for message in sent
        if message["kind"] in {"stdout", "stderr", "display", "error"}
    ]


# widgets


def states(reader, code):
    """Run a cell that shows a widget; return its id and the states that come with it."""
    bundle = reader.run(code)["outputs"][-1]["bundle"]
    return bundle[VIEW]["model_id"], json.loads(bundle[STATE])["state"]


def test_a_widget_comes_as_its_state_as_it_is_when_it_is_shown(reader):
    top, found = states(reader, "s = widgets.IntSlider()\ns.value = 5\nwidgets.VBox([s])")
    (inside,) = found[top]["state"]["children"]
    slider = found[inside.removeprefix("IPY_MODEL_")]
    assert (slider["model_name"], slider["state"]["value"]) == ("IntSliderModel", 5)


def test_a_live_figure_comes_without_the_script_that_the_page_has(reader):
    reader.run("from bookwork.live import bars, live, slider", name="more imports")
    code = "live(lambda k: [k, 2.0], bars(['a', 'b']), name='Two', k=slider(0, 2, 1))"
    top, found = states(reader, code)
    (drawing,) = [each for each in found.values() if each["model_name"] == "AnyModel"]
    assert top in found
    assert drawing["state"]["_esm"] == drawing["state"]["_css"] == ""
    assert drawing["buffers"][0]["path"] == ["frames"]


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_number_that_no_page_takes_is_refused(reader, value):
    error = reader.run(f"widgets.FloatText(float('{value}'))")["error"]
    assert error["message"] == "a widget cannot show nan or inf in the page"


def test_what_functions_of_widgets_print_while_the_cell_runs_is_its_output(reader):
    result = reader.run("print('kept')\nwidgets.interact(lambda x: print('x is', x), x=5);")
    assert "".join(text for kind, text in shown(result["outputs"])[:4]).startswith("kept\nx is 5\n")
    assert [each for each in result["outputs"] if each["kind"] == "clear"] == []
    result = reader.run("s = widgets.IntSlider()\ns.observe(print, 'value')\ns.value = 4")
    assert "'new': 4" in "".join(output["text"] for output in result["outputs"])


def test_a_cell_that_runs_again_closes_its_widgets_and_no_others(reader):
    reader.run("from ipywidgets import Widget\nother = widgets.IntSlider()", name="cell 8")
    for _ in range(3):
        reader.run("mine = widgets.IntSlider()", name="cell 9")
        there = "[w.model_id in Widget.widgets for w in (other, mine)], len(Widget.widgets)"
        assert reader.value(there) == "([True, True], 6)"


# display


def test_what_is_displayed_under_a_name_can_be_replaced(reader):
    result = reader.run(
        "place = display('a', display_id=True)\nplace.update('b')\n"
        "update_display('d', display_id='mine')"
    )
    first, second, third = result["outputs"]
    assert [m["kind"] for m in (first, second, third)] == ["display", "update", "update"]
    assert first["display_id"] == second["display_id"] != third["display_id"] == "mine"
    assert second["bundle"] == {"text/plain": "'b'"}


def test_a_cell_can_be_cleared_again_and_again_and_counts_anew(reader):
    result = reader.run("for i in range(500):\n    clear_output(wait=True)\n    display(i)")
    kinds = [message["kind"] for message in result["outputs"]]
    assert kinds[-2:] == ["clear", "display"]
    assert shown(result["outputs"])[-1] == ("display", "499")
    assert result["unshown"] == 0


def test_objects_of_ipython_are_shown(reader, tmp_path):
    picture, drawing = "b'\\x89PNG and so on'", tmp_path / "x.svg"
    drawing.write_text("<svg/>")
    reader.run("from IPython.display import *\nfrom IPython.core.display_functions import display")
    for code, form, data in [
        ("HTML('<b>x</b>')", "text/html", "<b>x</b>"),
        ("Math('$x$')", "text/latex", "$\\displaystyle x$"),
        ("JSON({'a': [1]})", "text/plain", "{'a': [1]}"),
        (f"Image(data={picture})", "image/png", "iVBORyBhbmQgc28gb24="),
        (f"Image({str(drawing)!r})", "image/svg+xml", "<svg/>"),
        (
            "import IPython.display\nIPython.display.Audio('x.wav')",
            "text/plain",
            "Audio is shown in JupyterLab, not in this page.",
        ),
    ]:
        bundle = reader.run(code)["outputs"][-1]["bundle"]
        assert bundle[form] == data
    error = reader.run("Image(data=b'no picture')")["error"]
    assert error["message"] == "a picture is the contents of a PNG, JPEG, GIF or SVG file"
    error = reader.run("HTML(url='https://example.org')")["error"]
    assert "pass the data itself" in error["message"]


def test_a_value_may_show_itself_or_come_as_tex(reader):
    code = "class Own:\n    def _ipython_display_(self): print('own')\ndisplay(Own())\nOwn()"
    assert "".join(output["text"] for output in reader.run(code)["outputs"]) == "own\nown\n"
    reader.run("class Tex:\n    def _repr_latex_(self): return '$x$', {}")
    assert reader.run("Tex()")["outputs"][-1]["bundle"]["text/latex"] == "$x$"


def test_there_is_a_shell_with_the_readers_names(reader):
    reader.run("mine = 3\nget_ipython().run_line_magic('matplotlib', 'inline')")
    assert reader.value("get_ipython().user_ns['mine']") == "3"
