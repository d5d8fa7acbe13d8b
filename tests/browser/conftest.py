"""Fixtures for tests that open the built book in Chromium.

site      folder of the built book
server    address of a local server over it, below a sub-path
browser   Chromium, one per worker
window    a function that opens a fresh profile of it
page      a page that fails its test if anything was asked of another host or any error was logged,
          except for faults that contain one of the words in its list `forgiven`. Other tests have
          used its tab, which is emptied in between: what is opened there is as new, and sooner.
          A tab keeps scripts that are added to it: tests that do so are marked with own_tab
pages     the pages of the book, as paths in the site

All of these, and Python in their pages, have the patience that a busy machine may need. With
SLOWNESS=6 in the environment pages run six times slower: what is read too early is then seen to be.
"""

import contextlib
import functools
import json
import os
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from bookwork.commands.serve import Handler, Server
from tools.open_chromium import open_chromium

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
SUB_PATH = "some/where"
VIEWPORT = {"width": 1280, "height": 900}
PATIENCE = 40_000  # milliseconds: being slow is no fault, so only what never comes fails
# A page of a test lives for seconds: to compile Python's functions twice would be half its work.
COMPILE_LESS = "--js-flags=--wasm-tiering-budget=1300000000"
SLOWNESS = int(os.environ.get("SLOWNESS", "1"))  # how many times slower pages should run
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
}""".replace("PATIENCE", str(PATIENCE))
EMPTY = Path(__file__).with_name("empty.html")  # a page that asks for nothing, not even an icon
CLEAR = "() => { try { localStorage.clear(); sessionStorage.clear(); } catch {} }"
# Without motion, so that nobody sees figures on their way; test_motion.py is about that way.
PLAIN = {
    "media": "null",
    "forced_colors": "null",
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
LOCAL = {"data", "blob", "about"}  # addresses that ask nothing of anyone


expect.set_options(timeout=PATIENCE)
# Playwright would ask at every frame, and a page that is asked so has to be drawn each time.
Page.wait_for_function = functools.partialmethod(Page.wait_for_function, polling=50)


def page_names(site):
    """List the pages of the present build; the folder may hold older ones."""
    index = site / "searchindex.js"
    if not index.is_file():
        return []
    data = index.read_text().removeprefix("Search.setIndex(").removesuffix(")")
    return [f"{name}.html" for name in json.loads(data)["docnames"]]


def pytest_generate_tests(metafunc):
    """Run a test that asks for `name` once for each page of the book."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", some_rarely(page_names(SITE) or ["index.html"]))


def some_rarely(names):
    """Leave to `test-all` the pages of the reference, alike and without cells, except for one."""
    rest = [name for name in names if name.startswith("reference/")][1:]
    return [*(name for name in names if name not in rest), *map(rarely, rest)]


def rarely(name):
    return pytest.param(name, marks=pytest.mark.rare)


@pytest.fixture(scope="session")
def site():
    if not page_names(SITE):
        pytest.fail("the book is not built: run make book first")
    return SITE


@pytest.fixture(scope="session")
def pages(site):
    return page_names(site)


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
        if SLOWNESS > 1:
            slow_down(browser)
        yield browser


def slow_down(browser):
    """Let every page of a browser run as on a slow machine, where races come to light."""
    open_context = browser.new_context

    def slow_page(page):
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWNESS})

    def new_context(**options):
        context = open_context(**options)
        context.on("page", slow_page)
        return context

    browser.new_context = new_context


@pytest.fixture
def window(browser):
    contexts = []

    def open_window(**options):
        given = {"reduced_motion": "reduce"} | options
        contexts.append(browser.new_context(viewport=VIEWPORT, **given))
        contexts[-1].set_default_timeout(PATIENCE)
        contexts[-1].add_init_script(NEVER_GIVE_UP)
        return contexts[-1]

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def table(browser, server):
    """A page without figures that can be touched, for all tests of a file."""
    context = browser.new_context(viewport=VIEWPORT, has_touch=True)
    page = watched(context.new_page(), server)
    page.goto(f"{server}/search.html")
    page.evaluate("() => bookWidgets.ready")
    yield page
    context.close()


@pytest.fixture
def desk(table):
    """The page that the tests of a file share, cleared: each puts its own figures there."""
    table.evaluate("() => document.querySelectorAll('.added').forEach((each) => each.remove())")
    table.set_viewport_size(VIEWPORT)
    table.emulate_media(**PLAIN)
    table.mouse.move(0, 0)
    yield table
    check_faults(table)


@pytest.fixture(scope="session")
def profile(browser):
    """A profile that has the book's scripts compiled already: a page opens twice as fast there."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture(scope="session")
def used():
    """The tab that tests of this worker use in turn, once there is one."""
    return []


@pytest.fixture
def page(profile, server, used, request):
    own = request.node.get_closest_marker("own_tab")
    page = used.pop() if used and not own else new_tab(profile, server)
    page.faults, page.forgiven = [], []
    page.set_viewport_size(VIEWPORT)
    page.emulate_media(**PLAIN)
    yield page
    for other in profile.pages:
        if other not in (page, *used):
            other.close()
    is_spent = own or page.url.startswith("file:")  # what a file stores, only a new tab forgets
    page.unroute_all(behavior="ignoreErrors")
    forget_all(page, server)
    page.close() if is_spent else used.append(page)
    check_faults(page)


def new_tab(profile, server):
    return watched(profile.new_page(), server)


def forget_all(page, server):
    """Leave a page and remove whatever it has stored, but not the scripts that were compiled.

    What the browser is told may come before the last that a page wrote, as it was left; what is
    said by a page of the same origin comes after it.
    """
    if page.url.startswith("file:"):
        page.goto(EMPTY.as_uri())
        page.evaluate(CLEAR)
    empty = f"{server}/empty"
    page.route(empty, lambda route: route.fulfill(path=EMPTY))
    page.goto(empty)
    page.evaluate(CLEAR)
    page.unroute(empty)
    page.goto("about:blank")
    session = page.context.new_cdp_session(page)
    for origin in (server.removesuffix(f"/{SUB_PATH}"), "file://"):
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})


def watched(page, server):
    """Let a page keep a list of what goes wrong in it."""
    page.set_default_timeout(PATIENCE)
    page.add_init_script(NEVER_GIVE_UP)
    page.faults, page.forgiven = [], []
    page.on("request", lambda request: page.faults.extend(outside(request.url, server)))
    page.on("console", lambda message: page.faults.extend(console_fault(message)))
    page.on("pageerror", lambda error: page.faults.append(f"page error: {error}"))
    page.on("requestfailed", lambda request: page.faults.extend(failed(request)))
    page.on("response", lambda response: page.faults.extend(missing(response)))
    return page


def check_faults(page):
    """Fail over what went wrong in a page and was not forgiven."""
    faults = [text for text in page.faults if not any(word in text for word in page.forgiven)]
    assert not faults, "\n".join(faults)


def outside(url, server):
    parts = urlsplit(url)
    local = (
        parts.scheme in LOCAL
        or url.startswith(server)
        or (parts.scheme == "file" and not parts.netloc)
    )
    return [] if local else [f"asked another host: {url}"]


def console_fault(message):
    return [f"console: {message.text}"] if message.type == "error" else []


def failed(request):
    """A request that ends because the reader went on to another page has not failed."""
    return [] if request.failure == "net::ERR_ABORTED" else [f"failed: {request.url}"]


def missing(response):
    return [f"{response.status}: {response.url}"] if response.status >= 400 else []
