"""Fixtures for tests that open the built book in Chromium.

server    address of a local server over it, below a sub-path
browser   Chromium, one per worker
window    a function that opens a fresh profile of it
page      a page of one, which fails its test if anything was asked of another host or any error was
          logged, except for faults that contain one of the words in its list `forgiven`
desk      a page that the tests of a file share: each puts its own figures there

What computes nothing has half a minute. Tests with the mark `python` wait for Python in a page, of
which several may share a busy machine: they have three times as long, and so has that Python.
"""

import contextlib
import functools
import json
import threading
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from bookwork.site.serve import Handler, Server
from bookwork.testing.chromium import open_chromium

SUB_PATH = "some/where"
VIEWPORT = {"width": 1280, "height": 900}
PATIENCE = 30_000  # milliseconds: being slow is no fault, so only what never comes fails
LONG = 90_000  # where Python computes: several of them may share a busy machine
# A page of a test lives for seconds: to compile Python's functions twice would be half its work.
COMPILE_LESS = "--js-flags=--wasm-tiering-budget=1300000000"
# Python in a page gives up after a while too: here, after as long as a test would.
NEVER_GIVE_UP = """{
  let cells;
  const times = { patience: PATIENCE, grace: PATIENCE, limit: PATIENCE };
  Object.defineProperty(window, "bookCells", {
    configurable: true,
    get: () => cells,
    set(value) {
      cells = value;
      const { makePython } = cells;
      cells.makePython = (options) => makePython({ ...times, ...options });
    },
  });
}""".replace("PATIENCE", str(LONG))
# Without motion, so that nobody sees figures on their way; test_motion.py is about that way.
PLAIN = {
    "media": "null",
    "forced_colors": "null",
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
LOCAL = {"data", "blob", "about"}  # addresses that ask nothing of anyone


# Playwright would ask at every frame, and a page that is asked so has to be drawn each time.
Page.wait_for_function = functools.partialmethod(Page.wait_for_function, polling=50)


def page_names(site):
    """List the pages of the present build; the folder may hold older ones."""
    data = (
        (site / "searchindex.js")
        .read_text(encoding="utf-8")
        .removeprefix("Search.setIndex(")
        .removesuffix(")")
    )
    return [f"{name}.html" for name in json.loads(data)["docnames"]]


@pytest.fixture(scope="session")
def server(site, tmp_path_factory):
    """Serve the book below a sub-path: a page must not count on a host of its own."""
    host = tmp_path_factory.mktemp("host")
    place = host / SUB_PATH
    place.parent.mkdir()
    place.symlink_to(site)
    with serving(functools.partial(Handler, directory=host)) as address:
        yield f"{address}/{SUB_PATH}"


@contextlib.contextmanager
def serving(handler):
    """Serve what a handler answers; yield the address."""
    server = Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="session")
def browser():
    with open_chromium(COMPILE_LESS) as browser:
        yield browser


def open_context(browser, patience=PATIENCE, **options):
    """Open a fresh profile, without motion unless a test is about that."""
    context = browser.new_context(viewport=VIEWPORT, **{"reduced_motion": "reduce"} | options)
    context.set_default_timeout(patience)
    context.add_init_script(NEVER_GIVE_UP)
    return context


@pytest.fixture(autouse=True)
def patience(request):
    """Return how long a test waits, in milliseconds."""
    waits = LONG if request.node.get_closest_marker("python") else PATIENCE
    expect.set_options(timeout=waits)
    return waits


@pytest.fixture
def window(browser, patience):
    with contextlib.ExitStack() as opened:

        def open_window(**options):
            return opened.enter_context(open_context(browser, patience, **options))

        yield open_window


@pytest.fixture
def page(window, server):
    page = watched(window().new_page(), server)
    yield page
    check_faults(page)


@pytest.fixture(scope="module")
def table(browser, server):
    """A page without figures that can be touched, for all tests of a file."""
    with open_context(browser, has_touch=True) as context:
        page = watched(context.new_page(), server)
        page.goto(f"{server}/search.html")
        page.evaluate("() => bookWidgets.ready")
        yield page


@pytest.fixture
def desk(table):
    """The page that the tests of a file share, cleared."""
    table.evaluate("() => document.querySelectorAll('.added').forEach((each) => each.remove())")
    table.set_viewport_size(VIEWPORT)
    table.emulate_media(**PLAIN)
    table.mouse.move(0, 0)
    yield table
    check_faults(table)


def watched(page, server):
    """Let a page keep a list of what goes wrong in it."""
    page.faults, page.forgiven = [], []
    page.on("request", lambda request: page.faults.extend(outside(request.url, server)))
    page.on("console", lambda message: page.faults.extend(console_fault(message)))
    page.on("pageerror", lambda error: page.faults.append(f"page error: {error}"))
    page.on("requestfailed", lambda request: page.faults.extend(failed(request)))
    page.on("response", lambda response: page.faults.extend(missing(response)))
    return page


def check_faults(page):
    """Fail over what went wrong in a page since the last look, and was not forgiven."""
    faults = [text for text in page.faults if not any(word in text for word in page.forgiven)]
    page.faults.clear()
    assert not faults, "\n".join(faults)


def outside(url, server):
    parts = urlsplit(url)
    is_near = url.startswith(server) or (parts.scheme == "file" and not parts.netloc)
    return [] if is_near or parts.scheme in LOCAL else [f"asked another host: {url}"]


def console_fault(message):
    return [f"console: {message.text}"] if message.type == "error" else []


def failed(request):
    """A request that ends because the reader went on to another page has not failed."""
    return [] if request.failure == "net::ERR_ABORTED" else [f"failed: {request.url}"]


def missing(response):
    return [f"{response.status}: {response.url}"] if response.status >= 400 else []
