"""The book in Firefox and in WebKit: what Chromium shows and does, they show and do.

One visit of Firefox belongs to every run; all else is rare.
"""

import functools
import re
import shutil
from pathlib import Path

import pytest
from bookwork.site.serve import HTML, Handler
from bookwork.testing.cells import ANSWER
from bookwork.testing.pages import NEVER_GIVE_UP, page_names, serving
from bookwork.testing.shown import COME_NEAR
from browser.cells import RIGHT, WRONG
from browser.engines import open_engine

PROGRAMS = {"firefox": "firefox-esr", "webkit": "WebKitWebDriver"}  # of Debian
HEAD = b'<meta charset="utf-8" />'
POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy"[^>]*>|data-policy="strict"')
LISTEN = b'<script src="/listen.js"></script>'
LISTENER = """window.heard = [];
const isHarmless = (text) => text.startsWith("ResizeObserver loop"); // a size comes a frame later
const hear = (...words) => isHarmless(words.join(" ")) || heard.push(words.join(" "));
addEventListener("error", ({ message, target }) => hear(message ?? `no ${target.src}`), true);
addEventListener("unhandledrejection", ({ reason }) => hear(reason));
document.addEventListener("securitypolicyviolation", ({ blockedURI }) => hear("no", blockedURI));
console.error = hear;
"""
LOOK = """async () => {
  await bookWidgets.ready;
  await document.fonts.ready;
  await (COME_NEAR)();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const texts = (selector) => all(selector).map((each) => each.textContent);
  const drawn = all(".book-widget").filter((each) => each.offsetHeight);
  return {
    heard: globalThis.heard ?? [], // not from disk
    notices: texts(".book-notice p"),
    unset: texts("main .math:not(:has(.katex math))"),
    undrawn: texts(".book-widget-error"),
    missing: all('script[type$="widget-view+json"]').length - drawn.length,
    wide: document.documentElement.scrollWidth > innerWidth,
  };
}""".replace("COME_NEAR", COME_NEAR)
FINE = {"heard": [], "notices": [], "unset": [], "undrawn": [], "missing": 0, "wide": False}
CELL = "div.cell:has([aria-label='Run: cell 1'])"
STATUS = f"""document.querySelector("{CELL} [role=status]").textContent"""
SLIDER = "document.querySelector('.live-figure input[type=range]')"
PLACES = f"{SLIDER}.closest('.live-figure').querySelector('.live-drawing').dataset.places"
DRAGGED = "document.querySelector('.live-drawing:has(.live-drag)').dataset.places"
GROUND = "getComputedStyle(document.body).backgroundColor"


class Listening(Handler):
    """Serves pages that keep a list of what goes wrong in them."""

    def do_GET(self):
        """Answer with a page that listens, what it listens with, or any other file."""
        path = Path(self.translate_path(self.path))
        if self.path == "/listen.js":
            self.answer((LISTENER + NEVER_GIVE_UP).encode(), "text/javascript")
        elif path.suffix == ".html" and path.is_file():
            page = path.read_bytes().replace(HEAD, HEAD + LISTEN, 1)
            self.answer(POLICY.sub(b"", page) if self.path.endswith("?bare") else page, HTML)
        else:
            super().do_GET()


@pytest.fixture(
    scope="module",  # closed with its tests: WebKit draws by the processor, also when nobody looks
    params=[
        pytest.param("firefox", marks=pytest.mark.xdist_group("firefox")),
        pytest.param("webkit", marks=[pytest.mark.xdist_group("webkit"), pytest.mark.rare]),
    ],
)
def engine(request):
    if not shutil.which(PROGRAMS[request.param]):
        pytest.skip(f"there is no {PROGRAMS[request.param]} here; `make test` installs it")
    with open_engine(request.param) as engine:
        yield engine


@pytest.fixture(scope="session")
def book(site):
    with serving(functools.partial(Listening, directory=site)) as address:
        yield address


@pytest.mark.rare
def test_every_page_is_drawn(engine, book, site):
    names = page_names(site)
    assert {name: look(engine, f"{book}/{name}") for name in names} == dict.fromkeys(names, FINE)


def look(engine, address):
    """Open a page; return what is wrong with it."""
    engine.open(address)
    return engine.call(LOOK)


def test_a_reader_moves_runs_stops_and_solves(engine, book):
    for chapter in ("orders.html", "orders.html?bare"):  # the second as in a book without a policy
        engine.open(f"{book}/chapters/{chapter}")
        engine.call(f"() => bookWidgets.ready.then(() => {SLIDER}.focus())")
        check_changes(engine, PLACES, lambda: engine.type("Right"))
        check_a_cell_runs_and_stops(engine)
        check_an_answer_is_judged(engine, "ex-swap")
        assert engine.call("() => heard") == []
        engine.call("() => localStorage.clear()")
    engine.click("[data-exercise=ex-twice] .exercise-choices label")
    engine.until("document.querySelector('[data-exercise=ex-twice] .book-verdict')")


def check_changes(engine, what, act):
    """What a page shows is another thing after a reader has done something."""
    before = engine.call(f"() => {what}")
    act()
    engine.until(f"{what} !== '{before}'")


def check_a_cell_runs_and_stops(engine):
    """The first one, as the book has it and as a reader changes it."""
    engine.press(f"{CELL} [aria-label^='Run:']")
    engine.until(f"{STATUS}.startsWith('Done')")
    engine.press(f"{CELL} [aria-label^=Edit]")
    engine.until("document.activeElement.matches('.cm-content')")
    engine.type("a", "Control")
    engine.type("print('on');\ue007while True: pass")  # \ue007 is Enter
    engine.press(f"{CELL} [aria-label^='Run:']")
    engine.until(f"""document.querySelector("{CELL} .book-own")?.textContent.includes("on")""")
    engine.press(f"{CELL} [aria-label^=Stop]")
    engine.until(f"{STATUS}.startsWith('Stopped')")
    engine.press(f"{CELL} [aria-label^='Start over']")


def check_an_answer_is_judged(engine, label):
    for source, is_right in [(WRONG[label], False), (RIGHT[label], True)]:
        assert (engine.call(ANSWER, [label, source])["status"] == "correct") == is_right
    badge = f"document.querySelector('[data-exercise={label}] .exercise-badge').textContent"
    engine.until(f"{badge} === 'solved'")


@pytest.mark.rare
def test_pages_from_disk_in_the_dark_searched_and_dragged(engine, book, site):
    for name in page_names(site):
        assert look(engine, (site / name).as_uri()) == FINE, name
    engine.open(f"{book}/search.html?q=bread")
    engine.until("document.querySelectorAll('.book-search-results li').length > 3")
    assert look(engine, f"{book}/chapters/figures.html") == FINE
    check_changes(engine, DRAGGED, lambda: engine.click(".live-drag", by=(60, 0)))
    check_changes(engine, GROUND, lambda: engine.click(".theme-switch-button"))
    assert engine.call("() => heard") == []
