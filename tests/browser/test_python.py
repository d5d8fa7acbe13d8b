"""The one Python of a page: starts at the first run only, stops, and survives what readers do.

`python` is a page with Python started, shared by the tests of this file; each test of a fault ends
by running something else.
"""

import re

import pytest

RUN = """async ([name, code, options]) => {
  const outputs = [];
  const onOutput = (message) => outputs.push(message);
  return { ...(await window.python.run(name, code, { ...options, onOutput })), outputs };
}"""
MAKE = """(options) => {
  window.progress = [];
  const onProgress = (report) => window.progress.push(report);
  window.python = window.bookCells.makePython({ onProgress, ...options });
}"""
REMEMBER_WORKERS = """{
  window.workers = [];
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...parts) {
      super(...parts);
      window.workers.push(this);
    }
  };
}"""
START = "() => window.python.start().then(() => null, (error) => error.message)"
STATE = "() => window.python.state"
LOOP_IN_C = "sum(range(10**13))"


class Reader:
    """Someone at a page, who runs code and presses Stop."""

    def __init__(self, context, address):
        self.context, self.asked = context, []
        self.page = context.new_page()
        self.page.add_init_script(REMEMBER_WORKERS)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)
        self.page.evaluate(MAKE, {})

    def start(self):
        """Return None, or the sentence that says why Python did not start."""
        return self.page.evaluate(START)

    def run(self, code, name="cell 1", **options):
        return self.page.evaluate(RUN, [name, code, options])

    def value(self, code):
        """Run code that must succeed; return the text of its value."""
        result = self.run(code, name="value")
        assert result["error"] is None
        return result["outputs"][-1]["bundle"]["text/plain"]

    def begin(self, code, **options):
        """Run code that takes long; wait until it says "on" and return."""
        script = f"(request) => {{ window.ended = ({RUN})(request); window.seen = null; }}"
        watched = script.replace(
            "outputs.push(message)", "{ outputs.push(message); window.seen = message; }"
        )
        self.page.evaluate(watched, ["cell 1", f'print("on")\n{code}', options])
        self.page.wait_for_function("() => window.seen !== null")

    def stop(self):
        """Press Stop; return how the run ended."""
        return self.page.evaluate("() => { window.python.stop(); return window.ended; }")


def text_of(result, kind="stdout"):
    return "".join(output["text"] for output in result["outputs"] if output["kind"] == kind)


@pytest.fixture(scope="module")
def python(browser, server):
    context = browser.new_context()
    reader = Reader(context, f"{server}/search.html")
    assert reader.start() is None
    yield reader
    context.close()
    assert [url for url in reader.asked if not url.startswith((server, "blob:"))] == []


@pytest.fixture
def newcomer(browser, server):
    context = browser.new_context()
    yield Reader(context, f"{server}/search.html")
    context.close()


# start


def test_reading_asks_for_nothing_of_python(newcomer):
    newcomer.page.wait_for_load_state("networkidle")
    assert [url for url in newcomer.asked if "_pyodide" in url or "python-worker" in url] == []
    assert newcomer.page.evaluate(STATE) == "off"


def test_the_start_tells_what_is_loading_and_how_much_of_it_has_come(newcomer):
    newcomer.page.evaluate("() => { window.python.start(); }")
    assert newcomer.page.evaluate(STATE) == "starting"
    assert newcomer.start() is None
    assert newcomer.page.evaluate(STATE) == "ready"
    reports = newcomer.page.evaluate("() => window.progress")
    assert {report["text"] for report in reports} == {"Loading Python"}
    assert [r["loaded"] for r in reports] == sorted(r["loaded"] for r in reports)
    assert reports[0]["loaded"] == 0
    assert reports[-1]["loaded"] == reports[-1]["total"] > 10e6
    assert newcomer.page.evaluate("() => window.workers.length") == 1


def test_matplotlib_and_large_data_are_fetched_only_when_a_cell_needs_them(python, server):
    def asked(what):
        return [url for url in python.asked if what in url]

    assert not asked("matplotlib")
    assert not asked("minilm_heads")
    assert python.value("import matplotlib\nmatplotlib.__version__") == "'3.10.8'"
    assert len(asked("matplotlib")) == 1
    python.value("from attention_lib.datasets import load_minilm_heads\nlen(load_minilm_heads())")
    assert asked("minilm_heads")


def test_a_copy_of_the_book_without_python_says_how_to_run_it_elsewhere(newcomer, server):
    newcomer.page.evaluate(MAKE, {"base": f"{server}/no-such-folder/"})
    assert re.search(r"built without Python in its pages.*make lab", newcomer.start())
    assert newcomer.page.evaluate(STATE) == "failed"


def test_a_package_that_does_not_arrive_is_named_and_the_next_start_works(newcomer):
    newcomer.page.route("**/numpy-*", lambda route: route.abort())
    assert re.search(r"could not start: numpy could not be loaded", newcomer.start())
    newcomer.page.unroute("**/numpy-*")
    assert newcomer.value("1 + 1") == "2"


def test_a_page_from_the_disk_says_that_it_must_be_served(browser, site):
    context = browser.new_context()
    reader = Reader(context, (site / "search.html").as_uri())
    assert re.search("opened from the disk: serve the folder", reader.start())
    context.close()


def test_a_worker_that_never_answers_is_given_up_and_the_next_start_works(newcomer):
    newcomer.page.route(
        "**/python-worker.js", lambda route: route.fulfill(content_type="text/javascript", body="")
    )
    newcomer.page.evaluate(MAKE, {"patience": 300})
    newcomer.page.evaluate("() => { window.last = window.python.start().catch((e) => e.message); }")
    ended = "Promise.race([window.last, new Promise((r) => setTimeout(r, 10_000, 'no end'))])"
    assert re.search("nothing was heard of it.*press Run again", newcomer.page.evaluate(ended))
    assert newcomer.page.evaluate(STATE) == "failed"
    newcomer.page.unroute("**/python-worker.js")
    newcomer.page.evaluate("() => { window.python.patience = 60_000; }")
    assert newcomer.value("1 + 1") == "2"


def test_stop_while_python_is_loading_ends_the_start(newcomer):
    newcomer.page.evaluate("() => { window.last = window.python.start().catch((e) => e.message); }")
    newcomer.page.evaluate("() => window.python.stop()")
    assert "stopped while it was starting" in newcomer.page.evaluate("() => window.last")
    assert newcomer.value("2 + 2") == "4"


# run


def test_values_text_and_variables_come_back_in_order(python):
    result = python.run(
        "import sys\nx = 2\nprint('first')\ndisplay(x)\nprint('then', file=sys.stderr)\nx + 1"
    )
    kinds = [(o["kind"], o.get("text") or o["bundle"]["text/plain"]) for o in result["outputs"]]
    assert kinds == [
        ("stdout", "first\n"),
        ("display", "2"),
        ("stderr", "then\n"),
        ("display", "3"),
    ]
    assert result["ok"]
    assert python.value("x") == "2"
    assert python.run("x;")["outputs"] == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("list(range(5))", "[0, 1, 2, 3, 4]"),
        ("{'a': 'x' * 40, 'b': 'y' * 40}", f"{{'a': '{'x' * 40}',\n 'b': '{'y' * 40}'}}"),
        ("import numpy as np\nnp.eye(2), 1", "(array([[1., 0.],\n        [0., 1.]]),\n 1)"),
        ("(1,)", "(1,)"),
        ("{3, 1}", "{1, 3}"),
        ("import numpy as np\nnp.ndarray", "numpy.ndarray"),
        ("def f(x, y=1): ...\nf", "<function __main__.f(x, y=1)>"),
    ],
)
def test_values_are_printed_as_in_a_notebook(python, code, text):
    assert python.value(code) == text


def test_figures_come_as_svg_once_each(python):
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2]);\nplt.show()\nplt.plot([2, 1]);"
    images = [o["bundle"] for o in python.run(code)["outputs"] if o["kind"] == "display"]
    assert ["<svg" in image["image/svg+xml"] for image in images] == [True, True]
    assert text_of(python.run(code), "stderr") == ""


def test_an_error_points_at_the_readers_line_and_hides_ours(python):
    error = python.run("def f(x):\n    return 1 / x\n\nf(0)", name="cell 7")["error"]
    assert (error["type"], error["line"]) == ("ZeroDivisionError", 2)
    assert error["traceback"].splitlines()[1] == '  File "<cell 7>", line 4, in <module>'
    assert "runtime.py" not in error["traceback"]


def test_an_error_in_the_library_shows_the_readers_call_and_the_librarys_reason(python):
    code = "from attention_lib import attention\nattention([1, 2], [[1]], [[1]])"
    error = python.run(code)["error"]
    assert error["line"] == 2
    assert "one vector per row" in error["message"]
    assert len(error["traceback"].splitlines()) < 12


def test_html_that_the_reader_makes_is_only_handed_on(python):
    code = 'class Evil:\n    def _repr_html_(self): return "<b>x</b>"\nEvil()'
    (output,) = python.run(code)["outputs"]
    assert output["bundle"]["text/html"] == "<b>x</b>"


def test_runs_asked_for_at_once_take_turns(python):
    texts = python.page.evaluate(
        """async () => {
          const outputs = [];
          const onOutput = ({ text }) => outputs.push(text);
          const run = (name) => window.python.run(name, `print("${name}")`, { onOutput });
          await Promise.all([run("a"), run("b"), run("c")]);
          return outputs;
        }"""
    )
    assert texts == ["a\n", "b\n", "c\n"]


# widgets and exercises

LIVE = """
import numpy as np
from attention_lib import softmax
from attention_lib.live import bars, live, slider
live(
    lambda temperature: softmax(np.array([1.0, 2.0, 3.0]), temperature=temperature),
    bars(["a", "b", "c"]),
    name="Weights",
    temperature=slider(0.5, 2, 0.5, value=1),
)
"""
SHOW = """(id) => {
  const place = document.body.appendChild(document.createElement("div"));
  return window.bookWidgets.show(id, place).then(() => null);
}"""


def show(python, code, name="cell 1"):
    """Run code that ends in a widget and draw it; return its id."""
    bundle = python.run(code, name)["outputs"][-1]["bundle"]
    model_id = bundle["application/vnd.jupyter.widget-view+json"]["model_id"]
    python.page.evaluate(SHOW, model_id)
    return model_id


def test_a_live_figure_of_the_readers_is_drawn_and_moves(python):
    show(python, LIVE)
    drawing = python.page.locator(".live-drawing").last
    before = drawing.inner_html()
    python.page.locator(".live-figure").last.locator(".noUi-handle").press("ArrowRight")
    python.page.wait_for_function(
        "([box, before]) => box.innerHTML !== before", arg=[drawing.element_handle(), before]
    )


def test_a_widget_and_python_hear_each_other(python):
    show(python, "from ipywidgets import IntSlider\ns = IntSlider(value=3, max=9)\ns")
    handle = python.page.locator(".widget-hslider .noUi-handle").last
    handle.press("ArrowRight")
    python.page.wait_for_function("() => true")
    assert python.value("s.value") == "4"
    python.run("s.value = 8", name="cell 2")
    python.page.wait_for_function(
        "(handle) => Number(handle.getAttribute('aria-valuenow')) === 8",
        arg=handle.element_handle(),
    )


def test_a_cell_that_runs_again_closes_its_widgets_and_no_others(python):
    kept = show(python, "from ipywidgets import IntSlider\nother = IntSlider()\nother", "cell 8")
    first = show(python, LIVE, "cell 9")
    count = "from ipywidgets import Widget\nlen(Widget.widgets)"
    before = python.value(count)
    second = show(python, LIVE, "cell 9")
    assert python.value(count) == before
    there = "(id) => window.bookWidgets.manager.has_model(id)"
    assert [python.page.evaluate(there, id) for id in (kept, first, second)] == [True, False, True]


def test_a_verdict_is_the_books_whatever_the_reader_calls_check(python):
    code = 'check = lambda *answer: "fooled"\ncheck("ex-row-sums", ...)'
    verdict = python.run(code, exercise="ex-row-sums")["verdict"]
    assert (verdict["label"], verdict["status"]) == ("ex-row-sums", "not started")


def test_a_verdict_that_a_reader_made_up_does_not_count(python):
    mime = "application/vnd.book.verdict+json"
    code = f"class Mine:\n    def _repr_mimebundle_(self, **_): return {{{mime!r}: 1}}\nMine()"
    result = python.run(code, exercise="ex-row-sums")
    assert result["verdict"] is None
    assert mime not in result["outputs"][-1]["bundle"]


# faults: after each, the next run works

FAULTS = {
    "a syntax error": ("x = (", "SyntaxError", "never closed"),
    "input()": ("input('name?')", "RuntimeError", "write the value into the cell"),
    "exit()": ("exit()", "SystemExit", "your variables are kept"),
    "deep recursion": ("def f(): f()\nf()", "RecursionError", "recursion"),
    "a high recursion limit": (
        "import sys\nsys.setrecursionlimit(10**6)",
        "ValueError",
        "at most 3000",
    ),
    "a memory hog": ("x = []\nwhile True: x.append(bytearray(10**8))", "MemoryError", ""),
    "one large array": (
        "import numpy as np\nnp.ones((10**4, 2 * 10**4))",
        "MemoryError",
        "allocate",
    ),
    "an unknown module": ("import no_such_module", "ModuleNotFoundError", "no_such_module"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_becomes_a_sentence(python, fault):
    code, kind, message = FAULTS[fault]
    python.run("kept = 7")
    result = python.run(code)
    assert (result["ok"], result["error"]["type"]) == (False, kind)
    assert message in result["error"]["message"]
    assert not result["restarted"]
    assert python.value("x = None\nkept") == "7"


def test_memory_is_refused_beyond_one_gibibyte(python):
    take = "x = []\ntry:\n    while True: x.append(bytearray(10**8))\nexcept MemoryError: pass\n"
    assert 3 <= int(python.value(f"{take}blocks = len(x)\ndel x\nblocks")) <= 10
    assert python.value("1 + 1") == "2"


def test_a_million_prints_are_cut_and_counted(python):
    result = python.run("for i in range(1_000_000): print(i)")
    assert result["ok"]
    assert len(text_of(result)) == 100_000
    assert result["dropped"] == len("".join(f"{i}\n" for i in range(1_000_000))) - 100_000
    assert python.value("1 + 1") == "2"


@pytest.mark.parametrize("code", ["'x' * 10**7", "[['y' * 100] * 99] * 99"])
def test_a_huge_value_is_cut(python, code):
    text = python.value(code)
    assert len(text) < 20_100
    assert text.endswith("more characters)")
    assert python.value("1 + 1") == "2"


def test_a_long_list_is_shown_by_its_first_thousand_items(python):
    assert python.value("list(range(10**6))").endswith(" 998,\n 999,\n ...]")


def test_many_figures_are_cut(python):
    result = python.run("for i in range(1000): display(i)")
    assert len(result["outputs"]) == 200
    assert result["dropped"] == 800


@pytest.mark.parametrize(
    "code", ["while True: pass", "import time\ntime.sleep(60)", "for x in iter(int, 1): print(x)"]
)
def test_stop_ends_a_run_and_keeps_the_variables(python, code):
    python.run("kept = 7")
    python.begin(code)
    assert python.page.evaluate(STATE) == "running"
    result = python.stop()
    assert (result["ok"], result["stopped"], result["restarted"]) == (False, True, False)
    assert python.value("kept") == "7"


def test_a_loop_that_never_ends_is_stopped_at_the_limit(python):
    result = python.run("kept = 5\nwhile True:\n    pass", limit=500)
    assert (result["error"]["type"], result["stopped"]) == ("TimeoutError", False)
    assert "stopped after 0.5 seconds" in result["error"]["message"]
    assert result["error"]["line"] in {2, 3}
    assert python.value("kept") == "5"


@pytest.mark.parametrize(
    "code", [LOOP_IN_C, "while True:\n    try:\n        while True: pass\n    except: pass"]
)
def test_code_that_hears_nothing_is_ended_and_python_started_anew(python, code):
    python.run("kept = 7")
    python.begin(code)
    result = python.stop()
    assert (result["ok"], result["stopped"], result["restarted"]) == (False, True, True)
    assert python.run("kept")["error"]["type"] == "NameError"
    assert python.value("1 + 1") == "2"


def test_python_that_breaks_down_is_started_anew(python):
    result = python.run("x = []\nfor _ in range(100_000): x = [x]\nrepr(x)")  # too deep for C
    assert (result["ok"], result["restarted"]) == (False, True)
    assert re.match(r"Python broke down \(.+\) and was started anew", result["error"]["message"])
    assert python.value("1 + 1") == "2"


def test_a_loop_in_c_is_ended_after_the_limit(python):
    result = python.run(LOOP_IN_C, limit=500)
    assert (result["error"]["type"], result["restarted"]) == ("TimeoutError", True)
    assert python.value("1 + 1") == "2"


def test_a_worker_that_died_during_a_run_is_replaced_at_stop(python):
    python.begin("while True: pass")
    python.page.evaluate("() => window.workers.at(-1).terminate()")
    assert python.stop()["restarted"]
    assert python.value("1 + 1") == "2"


def test_a_worker_that_died_between_runs_is_replaced_at_the_next(python):
    python.page.evaluate("() => window.workers.at(-1).terminate()")
    result = python.run("1")
    assert result["restarted"]
    assert "started anew" in result["error"]["message"]
    assert python.value("1 + 1") == "2"


def test_a_page_that_lost_the_network_runs_what_it_has_and_names_what_it_lacks(newcomer):
    assert newcomer.start() is None
    newcomer.context.set_offline(True)
    assert newcomer.value("from attention_lib import softmax\nsoftmax([0.0, 0.0])") == (
        "array([0.5, 0.5])"
    )
    error = newcomer.run("import matplotlib")["error"]
    assert re.search(r"matplotlib could not be loaded\. Is the network there", error["message"])
    newcomer.context.set_offline(False)
    assert newcomer.value("import matplotlib\n1") == "1"


def test_a_reader_who_replaces_what_we_use_breaks_only_their_own_code(python):
    code = "import ast, builtins, json, sys, traceback\nkept = builtins.compile, builtins.eval\n"
    code += "json.dumps = builtins.compile = builtins.eval = ast.walk = print = sys.stdout = None"
    assert python.run(code)["ok"]
    assert python.value("1 + 1") == "2"
    assert python.run("1 / 0")["error"]["type"] == "ZeroDivisionError"
    python.run("builtins.compile, builtins.eval = kept\ndel print")
