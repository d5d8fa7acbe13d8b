"""Jupyter's own words in the page: widgets, Output, interact, display, as a notebook has them."""

import json
import re

import pytest
from page.reader import Reader

IMPORTS = """
import ipywidgets as widgets
from ipywidgets import interact, interact_manual, interactive, interactive_output
from IPython import get_ipython
from IPython.display import HTML, Image, Markdown, clear_output, update_display
"""


@pytest.fixture
def reader():
    reader = WidgetReader()
    yield reader
    reader.close()


class WidgetReader(Reader):
    """A reader who has imported widgets; it plays the page for them."""

    def __init__(self):
        super().__init__()
        self.ask("connect_widgets")
        self.run(IMPORTS, name="imports")

    def change(self, widget, **state):
        """Change a widget as the page does; return how that ended, and what was sent."""
        return self.hear(widget, {"method": "update", "state": state, "buffer_paths": []})

    def click(self, widget):
        """Press a button as the page does."""
        return self.hear(widget, {"method": "custom", "content": {"event": "click"}})

    def hear(self, widget, data):
        model = self.value(f"{widget}.model_id").strip("'")
        message = {"id": model, "message": "7", "data": data}
        result, sent = self.ask("deliver", json.dumps(message), [])
        return json.loads(result), sent

    def value(self, code):
        """Run code in a cell of its own, for a cell that runs again closes its widgets."""
        result = self.run(code, name="value")
        assert result["error"] is None
        return result["outputs"][-1]["bundle"]["text/plain"]

    def outputs(self, widget):
        """Return the outputs of an Output, in short."""
        found = self.run(f"import json\nprint(json.dumps({widget}.outputs))", name="value")
        text = "".join(message["text"] for message in found["outputs"])
        return [short(output) for output in json.loads(text)]


def short(output):
    """Return an output of a notebook as (kind, text)."""
    if output["output_type"] == "stream":
        return output["name"], output["text"]
    if output["output_type"] == "error":
        return "error", output["traceback"][-1].splitlines()[-1]
    return "display", output["data"].get("text/plain")


def shown(sent):
    """Return what was sent for the reader to see, in short: (kind, text)."""
    texts = {"display": lambda m: m["bundle"]["text/plain"], "error": lambda m: m["error"]["type"]}
    return [
        (message["kind"], texts.get(message["kind"], lambda m: m["text"])(message))
        for message in sent
        if message["kind"] in {"stdout", "stderr", "display", "error"}
    ]


# widgets hear the page


def test_a_widget_hears_the_page_and_what_its_functions_show_goes_to_its_cell(reader):
    reader.run(
        "s = widgets.IntSlider(value=3, max=9)\n"
        "def tell(change):\n    print('now', change.new)\n    display(change.new)\n"
        "s.observe(tell, 'value')",
        name="cell 5",
    )
    result, sent = reader.change("s", value=4)
    assert (result["cell"], result["error"]) == ("cell 5", None)
    assert shown(sent) == [("stdout", "now 4\n"), ("display", "4")]
    assert {message["cell"] for message in sent if message["kind"] != "comms"} == {"cell 5"}
    assert reader.value("s.value") == "4"
    echo = sent[0]["messages"][0]
    assert (echo["data"]["method"], echo["answers"]) == ("echo_update", "7")


def test_a_function_that_fails_is_told_with_the_readers_line_and_the_next_is_called(reader):
    reader.run(
        "b, done = widgets.Button(), []\n"
        "def fail(_):\n    1 / 0\n"
        "b.on_click(fail)\nb.on_click(done.append)",
        name="cell 2",
    )
    for times in (1, 2):
        result, sent = reader.click("b")
        assert (result["error"], reader.value("len(done)")) == (None, str(times))
        (message,) = [message for message in sent if message["kind"] == "error"]
        assert message["cell"] == "cell 2"
        assert re.search(r'"<cell 2>", line 3, in fail\n +1 / 0', message["error"]["traceback"])
        assert "ipywidgets" not in message["error"]["traceback"]


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "MemoryError"])
@pytest.mark.parametrize("where", ["alone", "in an Output"])
def test_what_ends_a_function_is_told_when_all_is_over(reader, kind, where):
    body = f"raise {kind}" if where == "alone" else f"\n    with out: raise {kind}"
    reader.run(
        "out, s = widgets.Output(), widgets.IntSlider()\n"
        f"def fail(change): {body}\ns.observe(fail, 'value')"
    )
    result, _ = reader.change("s", value=4)
    assert result["error"]["type"] == kind
    assert ("1 GB of memory" in (result["advice"] or "")) == (kind == "MemoryError")
    assert reader.value("s.value") == "4"
    reader.run("with out: print('captured')\nprint('not captured')", name="cell 2")
    assert reader.outputs("out") == [("stdout", "captured\n")]


def test_a_cell_that_runs_again_closes_its_widgets_and_no_others(reader):
    reader.run("from ipywidgets import Widget\nother = widgets.IntSlider()", name="cell 8")
    for _ in range(2):
        reader.run("mine = widgets.IntSlider()", name="cell 9")
        there = "[w.model_id in Widget.widgets for w in (other, mine)]"
        assert reader.value(there) == "[True, True]"
    count = reader.value("len(Widget.widgets)")
    reader.run("mine = widgets.IntSlider()", name="cell 9")
    assert reader.value("len(Widget.widgets)") == count


def test_a_loop_that_moves_a_slider_sends_little_and_its_end(reader):
    result = reader.run(
        "s = widgets.IntSlider(max=10**6)\nfor i in range(8_000): s.value = i", name="cell 1"
    )
    messages = [m for o in result["outputs"] if o["kind"] == "comms" for m in o["messages"]]
    states = [m["data"]["state"] for m in messages if m["data"].get("method") == "update"]
    assert len(states) < 2_000
    assert states[-1] == {"value": 7_999}


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_number_that_no_page_takes_is_refused(reader, value):
    error = reader.run(f"widgets.FloatText(float('{value}'))")["error"]
    assert error["message"] == "a widget cannot send nan or inf to the page"


def test_a_widget_that_is_too_large_for_a_page_is_refused(reader):
    error = reader.run("widgets.HTML('x' * 11_000_000)")["error"]
    assert error["message"] == "a widget cannot send 11.0 MB to the page: at most 10 MB"


def test_a_function_that_shows_too_much_is_cut_and_the_rest_is_counted(reader):
    reader.run(
        "s = widgets.IntSlider()\ndef flood(_):\n    print('x' * 10**6)\n"
        "    for i in range(300): display(i)\ns.observe(flood, 'value')"
    )
    result, _ = reader.change("s", value=4)
    assert (result["dropped"], result["unshown"]) == (900_001, 100)


# Output


def test_an_output_takes_what_is_printed_shown_and_raised(reader):
    result = reader.run(
        "import sys\nout = widgets.Output()\n"
        "with out:\n    print('a')\n    print('b')\n    print('c', file=sys.stderr)\n"
        "    display(1, 2)\n    {}['key']\n    print('never')\n"
        "print('outside', len(out.outputs))"
    )
    assert result["ok"]
    assert shown(result["outputs"]) == [("stdout", "outside 5\n")]
    assert reader.outputs("out") == [
        ("stdout", "a\nb\n"),
        ("stderr", "c\n"),
        ("display", "1"),
        ("display", "2"),
        ("error", "KeyError: 'key'"),
    ]


def test_outputs_within_each_other_take_each_their_own(reader):
    reader.run(
        "a, b = widgets.Output(), widgets.Output()\n"
        "with a:\n    print(1)\n    with b:\n        print(2)\n"
        "        clear_output()\n        print(3)\n    print(4)"
    )
    assert reader.outputs("a") == [("stdout", "1\n4\n")]
    assert reader.outputs("b") == [("stdout", "3\n")]


def test_an_output_is_cleared_at_once_or_by_what_comes_next(reader):
    reader.run("out = widgets.Output()\nwith out: print('old')")
    reader.run("with out: clear_output(wait=True)", name="cell 2")
    assert reader.outputs("out") == [("stdout", "old\n")]
    reader.run("with out: print('new')", name="cell 2")
    assert reader.outputs("out") == [("stdout", "new\n")]
    reader.run("out.clear_output()", name="cell 2")
    assert reader.outputs("out") == []
    reader.run(
        "@out.capture(clear_output=True, wait=True)\ndef f(x): print(x)\nf(1)\nf(2)", name="cell 2"
    )
    assert reader.outputs("out") == [("stdout", "2\n")]


def test_an_output_takes_what_is_given_to_it(reader):
    reader.run(
        "out = widgets.Output()\nout.append_stdout('a')\nout.append_stderr('b')\n"
        "out.append_display_data(HTML('<i>c</i>'))"
    )
    assert reader.outputs("out")[:2] == [("stdout", "a"), ("stderr", "b")]
    assert reader.value("out.outputs[2]['data']['text/html']") == "'<i>c</i>'"
    reader.run("out.outputs = ()", name="cell 2")
    assert reader.outputs("out") == []


def test_who_watches_an_output_may_print(reader):
    result = reader.run(
        "out = widgets.Output()\nout.observe(lambda change: print('seen'), 'outputs')\n"
        "with out: print('a')"
    )
    assert shown(result["outputs"]) == [("stdout", "seen\n")]
    assert reader.outputs("out") == [("stdout", "a\n")]


# interact

FORMS = {
    "a function": ("interact(f, x=5);", 5),
    "a decorator": ("interact(x=(0, 10))(f);", 5),
    "a decorator without arguments": ("@interact\ndef g(x=5): return f(x)", 5),
    "a widget": ("interact(f, x=widgets.IntText(5));", 5),
    "a list": ("interact(f, x=[5, 6, 7]);", 5),
    "a text": ("interact(f, x='5');", "5"),
}


@pytest.mark.parametrize("form", FORMS)
def test_interact_shows_what_its_function_prints_and_returns(reader, form):
    code, first = FORMS[form]
    result = reader.run(f"def f(x):\n    print('x is', x)\n    return [x]\n{code}")
    assert result["error"] is None
    (bundle,) = [o["bundle"] for o in result["outputs"] if o["kind"] == "display"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
    box = "(f if hasattr(f, 'widget') else g).widget"
    expected = [("stdout", f"x is {first}\n"), ("display", f"[{first!r}]")]
    assert reader.outputs(f"{box}.children[-1]") == expected
    key = "index" if form == "a list" else "value"
    new = {"a list": 2, "a text": "7"}.get(form, 7)
    reader.change(f"{box}.children[0]", **{key: new})
    assert reader.outputs(f"{box}.children[-1]")[0][1] == "x is 7\n"


def test_an_interact_function_that_fails_shows_why_and_recovers(reader):
    reader.run("def f(x=0): return 6 / x\nbox = interactive(f)")
    assert reader.outputs("box.out") == [("error", "ZeroDivisionError: division by zero")]
    result, sent = reader.change("box.children[0]", value=1)
    assert (result["error"], shown(sent)) == (None, [])
    reader.run("@interact\ndef g(x=2): return 6 / x", name="cell 2")
    for value, expected in [(0, ("error", "ZeroDivisionError: division by zero"))] * 2 + [
        (3, ("display", "2.0"))
    ]:
        reader.change("g.widget.children[0]", value=value)
        assert reader.outputs("g.widget.out")[-1] == expected


def test_interact_manual_waits_for_its_button_and_interactive_output_needs_no_box(reader):
    reader.run("@interact_manual\ndef f(x=5): print(x)")
    assert reader.outputs("f.widget.out") == []
    reader.click("f.widget.manual_button")
    assert reader.outputs("f.widget.out") == [("stdout", "5\n")]
    reader.run(
        "a = widgets.IntSlider()\nout = interactive_output(lambda a: print(a), {'a': a})", "cell 2"
    )
    reader.change("a", value=3)
    assert reader.outputs("out") == [("stdout", "3\n")]


def test_an_interact_function_may_draw_with_or_without_show(reader):
    for show in ("", "plt.show()"):
        reader.run(
            "import matplotlib.pyplot as plt\n@interact\ndef f(x=5):\n"
            f"    plt.plot([0, x])\n    {show}\n    print(x)"
        )
        for _ in range(2):
            kinds = [kind for kind, _ in reader.outputs("f.widget.out")]
            assert sorted(kinds) == ["display", "stdout"]
            reader.change("f.widget.children[0]", value=6)
    reader.run("s = widgets.IntSlider()\ns.observe(lambda _: plt.plot([1, 2]), 'value')", "cell 2")
    _, sent = reader.change("s", value=1)
    assert "image/svg+xml" in sent[-1]["bundle"]


# display


def test_what_is_displayed_under_a_name_can_be_replaced(reader):
    result = reader.run(
        "out = widgets.Output()\nplace = display('a', display_id=True)\nplace.update('b')\n"
        "with out: display('c', display_id='mine')\nupdate_display('d', display_id='mine')"
    )
    first, second, third = [o for o in result["outputs"] if o["kind"] in {"display", "update"}]
    assert [m["kind"] for m in (first, second, third)] == ["display", "update", "update"]
    assert first["display_id"] == second["display_id"] != third["display_id"] == "mine"
    assert second["bundle"] == {"text/plain": "'b'"}
    assert reader.outputs("out") == [("display", "'d'")]
    result = reader.run("display('a', display_id=1);")
    assert result["outputs"][-1]["display_id"] == "1"
    error = reader.run("update_display('e')")["error"]
    assert error["message"] == "display_id required for update_display"


def test_a_cell_can_be_cleared_again_and_again_and_counts_anew(reader):
    result = reader.run("for i in range(500):\n    clear_output(wait=True)\n    display(i)")
    kinds = [message["kind"] for message in result["outputs"]]
    assert kinds[-2:] == ["clear", "display"]
    assert shown(result["outputs"])[-1] == ("display", "499")
    assert result["unshown"] == 0


def test_what_the_text_of_a_page_glues_is_shown_or_kept_quiet(reader):
    result = reader.run("from myst_nb import glue\nglue('a', 41)\nglue('b', 42, display=False)")
    assert shown(result["outputs"]) == [("display", "41")]


def test_plotly_finds_the_version_of_nbformat_without_which_it_shows_no_figure(reader):
    assert shown(reader.run("import nbformat\nnbformat.__version__")["outputs"]) == [
        ("display", "'5.0'")
    ]


def test_objects_of_ipython_are_shown(reader):
    picture = "b'\\x89PNG and so on'"
    reader.run("from IPython.display import *\nfrom IPython.core.display_functions import display")
    for code, form, data in [
        ("HTML('<b>x</b>')", "text/html", "<b>x</b>"),
        ("Markdown('**x**')", "text/markdown", "**x**"),
        ("Math('$x$')", "text/latex", "$\\displaystyle x$"),
        ("Latex('so $x$')", "text/latex", "so $x$"),
        ("JSON({'a': [1]})", "text/plain", '{\n  "a": [\n    1\n  ]\n}'),
        ("JSON('[1]')", "text/plain", "[\n  1\n]"),
        ("Pretty('*x*')", "text/plain", "*x*"),
        ("Audio('x.wav')", "text/plain", "Audio is shown in JupyterLab, not in this page."),
        ("display_markdown('*x*', raw=True)", "text/markdown", "*x*"),
        ("display_png(b'x', raw=True)", "image/png", "eA=="),
        (f"Image(data={picture})", "image/png", "iVBORyBhbmQgc28gb24="),
    ]:
        bundle = reader.run(code)["outputs"][-1]["bundle"]
        assert bundle[form] == data
    sized = f"Image(data={picture}, width=30, height=20)"
    bundle = reader.run(sized)["outputs"][-1]["bundle"]
    assert bundle["application/vnd.book.size+json"] == {"width": 30, "height": 20}
    raw = reader.run("display({'text/plain': 'as it is'}, raw=True)")["outputs"][-1]["bundle"]
    assert raw == {"text/plain": "as it is"}
    error = reader.run("Image(data=b'no picture')")["error"]
    assert error["message"] == "a picture is the bytes of a PNG, JPEG or GIF file"
    error = reader.run("HTML(url='https://example.org')")["error"]
    assert "pass the data itself" in error["message"]


def test_a_value_may_show_itself_or_come_as_tex(reader):
    code = "class Own:\n    def _ipython_display_(self): print('own')\ndisplay(Own())\nOwn()"
    assert [output["text"] for output in reader.run(code)["outputs"]] == ["own\n", "own\n"]
    assert reader.value("Own") == "__main__.Own"
    reader.run("class Tex:\n    def _repr_latex_(self): return '$x$', {}")
    assert reader.run("Tex()")["outputs"][-1]["bundle"]["text/latex"] == "$x$"


def test_there_is_a_shell_with_the_readers_names(reader):
    reader.run("mine = 3\nget_ipython().run_line_magic('matplotlib', 'inline')")
    assert reader.value("get_ipython().user_ns['mine']") == "3"
    error = reader.run("get_ipython().run_line_magic('bash', 'ls')")["error"]
    assert error["message"] == "%bash works in Jupyter only: this page runs plain Python"
