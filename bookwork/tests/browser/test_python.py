"""The one Python of a page: starts at the first run only, stops, and survives what readers do.

A start costs seconds, so most tests share one Python, each with variables of its own.
What needs no browser is in unit/page.
"""

import ast
import gzip
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
  const workers = (window.top.workers ??= []); // a frame in the page starts them
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...parts) {
      super(...parts);
      workers.push(this);
    }
  };
}"""
START = "() => window.python.start().then(() => null, (error) => error.message)"
STATE = "() => window.python.state"
TIMES = ("patience", "grace", "limit")
LOOP_IN_C = "sum(range(10**13))"


class Reader:
    """Someone at a page, who runs code and presses Stop.

    Python gets all the time it may need to start, run, stop or answer, so that a busy machine
    changes nothing; tests of one that never does so give it less.
    """

    def __init__(self, page, **options):
        self.page, self.asked = page, []
        page.on("request", lambda request: self.asked.append(request.url))
        self.make(**options)

    def make(self, **options):
        """Make a Python that has not started."""
        self.page.evaluate(MAKE, {**dict.fromkeys(TIMES, 600_000), **options})

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

    def begin(self, code):
        """Run code that takes long; wait until it says "on" and return."""
        script = f"(request) => {{ window.ended = ({RUN})(request); window.seen = null; }}"
        watched = script.replace(
            "outputs.push(message)", "{ outputs.push(message); window.seen = message; }"
        )
        request = ["cell 1", f'print("on")\n{code}', {}]
        self.page.evaluate(watched, request)
        self.page.wait_for_function("() => window.seen !== null")

    def stop(self):
        """Press Stop; return how the run ended."""
        return self.page.evaluate("() => { window.python.stop(); return window.ended; }")


def text_of(result, kind="stdout"):
    return "".join(output["text"] for output in result["outputs"] if output["kind"] == kind)


def open_page(context, address):
    page = context.new_page()
    page.set_default_timeout(600_000)
    page.add_init_script(REMEMBER_WORKERS)
    page.goto(address)
    return page


@pytest.fixture(scope="module")
def context(browser):
    """What the tests share: where one Python has been, another starts sooner."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture(scope="module")
def python(context, server):
    """A reader whose Python has started, for all tests that leave it as it was."""
    reader = Reader(open_page(context, f"{server}/search.html"))
    assert reader.start() is None
    yield reader
    assert [url for url in reader.asked if not url.startswith((server, "blob:"))] == []


@pytest.fixture
def hasty(python):
    """The same reader, whose Python is given up soon after Stop or the limit."""
    python.page.evaluate("() => { window.python.grace = 200; }")
    yield python
    python.page.evaluate("() => { window.python.grace = 600_000; }")


@pytest.fixture
def idle(context, server):
    """A reader whose Python has not started."""
    reader = Reader(open_page(context, f"{server}/search.html"))
    yield reader
    reader.page.close()


@pytest.fixture
def newcomer(browser, server):
    """A reader who has loaded nothing yet."""
    context = browser.new_context()
    yield Reader(open_page(context, f"{server}/search.html"))
    context.close()


def test_python_starts_once_tells_its_progress_and_fetches_the_rest_when_it_is_needed(newcomer):
    check_one_start_and_its_progress(newcomer)
    # what can be run without the network
    newcomer.page.route("**/*", lambda route: route.abort())  # as without a network
    assert newcomer.value("from shop import shares\nshares([1, 1])") == ("array([0.5, 0.5])")
    told = "matplotlib could not be loaded: the server does not respond. Your variables are kept."
    assert newcomer.run("import matplotlib")["error"]["message"].startswith(told)
    assert "prices.npy could not be loaded" in newcomer.run(OPEN_DATA)["error"]["message"]
    told = newcomer.run("import numpy as np\nnp.polynomial")["error"]["message"]
    assert "numpy.whl could not be loaded" in told
    assert newcomer.value("1 + 1") == "2"  # which does not need what the last cell lacked
    newcomer.page.unroute("**/*")
    check_what_is_needed_is_fetched_once(newcomer)


def check_one_start_and_its_progress(newcomer):
    begin = "() => { window.python.start(); return window.python.state; }"
    assert newcomer.page.evaluate(begin) == "starting"
    assert newcomer.start() is None
    assert newcomer.page.evaluate(STATE) == "ready"
    reports = newcomer.page.evaluate("() => window.progress")
    assert {report["text"] for report in reports} == {"Loading Python"}
    assert [r["loaded"] for r in reports] == sorted(r["loaded"] for r in reports)
    assert reports[0]["loaded"] == 0
    assert reports[-1]["loaded"] == reports[-1]["total"] > 10e6
    assert newcomer.page.evaluate("() => window.workers.length") == 1
    assert [url for url in newcomer.asked if "/snapshot-" in url]
    later = "matplotlib|prices|stdlib|numpy|anywidget|ipywidgets|traitlets|psygnal|comm-"
    assert [url for url in newcomer.asked if re.search(later, url)] == []
    assert newcomer.value("import shop, bookwork.live\n1") == "1"
    assert [url for url in newcomer.asked if re.search(later, url)] == []


def check_what_is_needed_is_fetched_once(newcomer):
    newcomer.asked.clear()

    def asked(what):
        return [url for url in newcomer.asked if what in url]

    assert newcomer.value("import netrc\nnp.polynomial.Polynomial([1, 2])(3)") == "np.float64(7.0)"
    assert newcomer.value("import colorsys, numpy.testing, psygnal.utils\n1") == "1"
    assert [len(asked(name)) for name in ("stdlib", "numpy-", "psygnal-")] == [1, 1, 1]
    result = newcomer.run("import matplotlib.pyplot as plt\nplt.plot([1, 2]);")
    assert "<svg" in result["outputs"][-1]["bundle"]["image/svg+xml"]
    assert len(asked("matplotlib")) == 1
    newcomer.value("from shop import old_prices\nlen(old_prices())")
    assert asked("prices.npy")


LOG_IN = {"body": "<html>Please log in</html>", "content_type": "text/html"}
LOST = "could not be loaded: the server responds with 404"
DAMAGED = "could not be loaded: it arrived damaged"
BAD_STARTS = [
    ("index.json", LOG_IN, "sends something else instead of its files"),
    ("pyodide.asm.wasm", {"status": 404}, f"pyodide.asm.wasm {LOST}"),
    ("numpy-*", {"body": "PK"}, f"numpy {DAMAGED}"),
]
SNAPSHOT = "**/_pyodide/snapshot-*"
WITHOUT = """document.body.insertAdjacentHTML("beforeend",
  '<script type="application/json" id="book-cells" data-python="none"></script>')"""


def answering(**answer):
    return lambda route: route.fulfill(**answer)


def test_a_start_that_fails_says_why_and_the_next_one_works(idle, server):
    idle.make(base=f"{server}/no-such-folder/")  # as while the site is built again
    assert "Check your connection, then press Run again" in idle.start()
    idle.page.evaluate(WITHOUT)
    assert "built without Python in its pages" in idle.start()
    idle.page.evaluate("document.querySelector('#book-cells').remove()")
    assert idle.page.evaluate(STATE) == "failed"
    idle.make(patience=300)
    # a worker that never answers is given up
    idle.page.route("**/python-worker.js*", answering(content_type="text/javascript", body=""))
    idle.page.evaluate("() => { window.last = window.python.start().catch((e) => e.message); }")
    ended = "Promise.race([window.last, new Promise((r) => setTimeout(r, 600_000, 'no end'))])"
    assert re.search("nothing has arrived.*press Run again", idle.page.evaluate(ended))
    assert idle.page.evaluate(STATE) == "failed"
    idle.page.unroute("**/python-worker.js*")
    idle.page.evaluate("() => { window.python.patience = 600_000; }")
    # stop ends a start
    at_once = """() => {
      const last = window.python.start().catch((error) => error.message);
      window.python.stop();
      return last;
    }"""
    assert "stopped while it was starting" in idle.page.evaluate(at_once)
    idle.page.route(SNAPSHOT, answering(status=404))
    for file, answer, sentence in BAD_STARTS:
        check_a_file_that_does_not_arrive_is_named(idle, file, answering(**answer), sentence)
    assert idle.value("1 + 1") == "2"


def check_a_file_that_does_not_arrive_is_named(idle, name, answer, sentence):
    pattern = f"**/_pyodide/**{name}*"
    idle.page.route(pattern, answer)
    assert sentence in idle.start()
    idle.page.unroute(pattern)


@pytest.mark.parametrize("damage", ["cut off", "of another layout", "of another book"])
def test_a_snapshot_that_does_not_fit_is_not_used_and_nobody_notices(idle, site, damage):
    (path,) = (site / "_pyodide").glob("snapshot-*")
    whole = gzip.decompress(path.read_bytes())
    if damage == "cut off":
        spoilt = path.read_bytes()[:1_000_000]
    elif damage == "of another layout":
        spoilt = gzip.compress(whole.replace(b'"layout":"', b'"layout":"1', 1), 1)
    else:
        old, new = "def describe".encode("utf-16-le"), "def DESCRIBE".encode("utf-16-le")
        assert old in whole  # the runtime's source: as Python holds it
        spoilt = gzip.compress(whole.replace(old, new), 1)
    idle.page.route(SNAPSHOT, answering(body=spoilt))
    assert idle.value("import numpy as np\nint(np.arange(1000).sum())") == "499500"
    assert [url for url in idle.asked if "stdlib" in url]


STATES = """import random, time
import numpy as np
(random.random(), np.random.random(), np.random.default_rng().random()), time.tzname"""


def test_two_starts_share_no_random_numbers_and_have_the_readers_time_zone(browser, server):
    context = browser.new_context(timezone_id="Asia/Kolkata", user_agent="Mozilla/5.0 (iPhone)")
    readers = [Reader(open_page(context, f"{server}/search.html")) for _ in range(2)]
    (one, zone), (two, _) = (ast.literal_eval(reader.value(STATES)) for reader in readers)
    assert len({*one, *two}) == 6
    assert zone == ("UTC+0530", "UTC+0530")
    assert readers[0].value("time.timezone, time.localtime(0).tm_hour") == "(-19800, 5)"
    for reader in readers:  # iOS calls functions in C in another way
        assert [url for url in reader.asked if "stdlib" in url] == []
    context.close()


DATA = "**/prices.npy*"
OPEN_DATA = """import pathlib, shop
path = pathlib.Path(shop.__file__).parent / "data" / "prices.npy"
path.open("rb").read(2)"""
LOADING = "(title) => window.progress.some(({ text }) => text === `Loading ${title}`)"
WAITS = {"matplotlib": "import matplotlib", "prices.npy": OPEN_DATA}


def test_what_a_run_waits_for_can_be_stopped_fail_or_come_late_and_nothing_is_lost(idle):
    page = idle.page
    assert idle.value("kept = 41\nkept") == "41"
    for title, code in WAITS.items():
        page.route(f"**/{title}*", lambda route: None)
        page.evaluate(f"(request) => {{ window.ended = ({RUN})(request); }}", ["cell 1", code, {}])
        page.wait_for_function(LOADING, arg=title)
        result = idle.stop()
        assert (result["stopped"], result["restarted"]) == (True, False)
        check_nothing_is_lost(idle)
    for answer, sentence in [({"status": 404}, LOST), (LOG_IN, DAMAGED)]:
        page.route(DATA, answering(**answer))
        result = idle.run(OPEN_DATA)
        assert f"prices.npy {sentence}" in result["error"]["message"]
        assert "Your variables are kept" in result["error"]["message"]
        check_nothing_is_lost(idle)
    assert idle.value(OPEN_DATA) == r"b'\x93N'"


def check_nothing_is_lost(python):
    """Whatever has not arrived, and may arrive from now on."""
    python.page.unroute_all()
    assert python.value("kept + 1") == "42"


def test_a_page_from_the_disk_says_that_it_must_be_served(browser, site):
    context = browser.new_context()
    reader = Reader(open_page(context, (site / "search.html").as_uri()))
    assert re.search("opened from disk: serve the folder", reader.start())
    context.close()


# Stop, the limit and Restart

OUT_OF_REACH = "import js\n[hasattr(js, n) for n in ('postMessage', 'close', 'Worker')]"


def test_stop_keeps_the_variables(python):
    python.run("kept = 7")
    for code in ("while True: pass", "import time\ntime.sleep(600)", "while True: print(1)"):
        python.begin(code)
        assert python.page.evaluate(STATE) == "running"
        result = python.stop()
        assert (result["ok"], result["stopped"], result["restarted"]) == (False, True, False)
        assert python.value("kept") == "7"


def test_the_limit_keeps_the_variables_and_code_cannot_speak_for_the_worker(python):
    assert python.value(OUT_OF_REACH) == "[False, False, False]"
    python.run("kept = 5")
    result = python.run("while True: pass", limit=2_000)
    assert (result["error"]["type"], result["stopped"]) == ("TimeoutError", False)
    assert "stopped after 2 seconds" in result["error"]["message"]
    assert result["error"]["line"] == 1
    assert python.value("kept") == "5"


def test_restart_drops_the_variables_and_ends_what_runs(python):
    assert python.value("kept = 7\nkept") == "7"
    python.page.evaluate("() => window.python.restart()")
    assert python.run("kept")["error"]["type"] == "NameError"
    assert python.value("len([1])") == "1"
    python.begin("while True: pass")
    twice = """() => {
      window.python.restart();
      window.python.restart(); // it is starting: nothing to drop
      return window.ended;
    }"""
    result = python.page.evaluate(twice)
    assert (result["stopped"], result["restarted"]) == (True, True)
    assert python.value("1 + 1") == "2"
    assert python.page.evaluate("() => window.workers.length") >= 3


# faults: what was there before is still there after them


def test_a_fault_becomes_a_sentence_and_keeps_the_variables(python):
    python.run("import numpy as np\nkept = 7")
    assert python.run("def f(): f()\nf()")["error"]["type"] == "RecursionError"
    error = python.run("np.ones((10**4, 2 * 10**4))")["error"]
    assert (error["type"], "allocate" in error["message"]) == ("MemoryError", True)
    for size in ("np.zeros(10**10)", "np.ones((10**5, 10**5))", "[0] * 10**10"):
        assert "too large for Python in a page" in python.run(size)["advice"]
    take = "x = []\ntry:\n    while True: x.append(bytearray(10**8))\nexcept MemoryError: pass\n"
    assert 3 <= int(python.value(f"{take}blocks = len(x)\ndel x\nblocks")) <= 10  # of 1 GiB
    assert python.value("kept") == "7"


# what ends Python: the next run has a new one

GONE = "Your variables are gone; your text, outputs and progress are kept."


def check_new(reader):
    assert reader.run("kept")["error"]["type"] == "NameError"
    assert reader.value("1 + 1") == "2"


RUN_AFTER_A_DEATH = """async () => {
  window.workers.at(-1).terminate();
  window.python.patience = 200; // for this run, not for the start that follows it
  const ended = window.python.run("cell 1", "1");
  await new Promise((resolve) => setTimeout(resolve));
  window.python.patience = 600_000;
  return ended;
}"""


def test_a_worker_that_died_is_replaced_at_the_next_run(hasty):
    result = hasty.page.evaluate(RUN_AFTER_A_DEATH)
    assert result["restarted"]
    assert "nothing has arrived for a while" in result["error"]["message"]
    assert result["error"]["message"].endswith(f"Python had to be restarted. {GONE}")
    assert hasty.value("kept = 7\nkept") == "7"


def test_code_that_hears_nothing_is_ended(hasty):
    hasty.run("kept = 7")
    hasty.begin(LOOP_IN_C)
    result = hasty.stop()
    assert (result["ok"], result["stopped"], result["restarted"]) == (False, True, True)
    check_new(hasty)


def test_a_break_down_says_what_broke(python):
    python.run("kept = 7\nimport runtime\nruntime.CHANNEL.begin = None")
    message = python.run("1")["error"]["message"]
    reason = "TypeError: 'NoneType' object is not callable"
    assert message == f"Python crashed ({reason}) and was restarted. {GONE}"
    check_new(python)
