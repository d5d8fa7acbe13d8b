"""The book in Firefox and in WebKit: what Chromium shows and does, they show and do."""

import functools
import re
import shutil
from pathlib import Path

import pytest
from bookwork.site.serve import HTML, Handler
from browser.cells import ANSWER
from browser.conftest import NEVER_GIVE_UP, SITE, page_names, serving
from browser.engines import open_engine
from browser.shown import COME_NEAR
from given import cell_of, right_answers, wrong_answers

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
SEVEN = ["welcome", "why_attention", "attention_pooling", "positions", "looking_inside"]
SEVEN += ["summary", "teaching"]
NARROW = b"""<!doctype html><title>A phone</title><iframe width=390 height=800></iframe>"""
LOOK_NARROW = """async (address) => {
  const frame = document.querySelector("iframe");
  await new Promise((loaded) => Object.assign(frame, { onload: loaded, src: address }));
  await frame.contentWindow.bookWidgets.ready;
  const { scrollWidth, clientWidth } = frame.contentDocument.documentElement;
  return [clientWidth <= 390, scrollWidth <= clientWidth];
}"""
GROUND = "getComputedStyle(document.body).backgroundColor"


class Listening(Handler):
    """Serves pages that keep a list of what goes wrong in them."""

    def do_GET(self):
        """Answer with a page that listens, what it listens with, or any other file."""
        path = Path(self.translate_path(self.path))
        if self.path == "/listen.js":
            self.answer((LISTENER + NEVER_GIVE_UP).encode(), "text/javascript")
        elif self.path == "/narrow":
            self.answer(NARROW, HTML)
        elif path.suffix == ".html" and path.is_file():
            page = path.read_bytes().replace(HEAD, HEAD + LISTEN, 1)
            self.answer(POLICY.sub(b"", page) if self.path.endswith("?bare") else page, HTML)
        else:
            super().do_GET()


@pytest.fixture(
    scope="module",  # closed with its tests: WebKit draws by the processor, also when nobody looks
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in PROGRAMS],
)
def engine(request):
    if not shutil.which(PROGRAMS[request.param]):
        pytest.skip(f"there is no {PROGRAMS[request.param]} here; `make browsers` installs it")
    with open_engine(request.param) as engine:
        yield engine


@pytest.fixture(scope="session")
def book(site):
    with serving(functools.partial(Listening, directory=site)) as address:
        yield address


def test_every_page_is_drawn(engine, book):
    names = page_names(SITE)
    assert {name: look(engine, f"{book}/{name}") for name in names} == dict.fromkeys(names, FINE)


def look(engine, address):
    """Open a page; return what is wrong with it."""
    engine.open(address)
    return engine.call(LOOK)


def test_a_reader_moves_runs_stops_and_solves(engine, book):
    for chapter, label in [
        ("why_attention.html", "ex-fit"),
        ("queries_keys_values.html?bare", "ex-swap"),  # as in a book without a policy
    ]:
        engine.open(f"{book}/chapters/{chapter}")
        engine.call(f"() => bookWidgets.ready.then(() => {SLIDER}.focus())")
        check_changes(engine, PLACES, lambda: engine.type("Right"))
        check_a_cell_runs_and_stops(engine)
        check_an_answer_is_judged(engine, label)
        assert engine.call("() => heard") == []
    engine.click("[data-exercise=ex-row-sums] .exercise-choices label")
    engine.until("document.querySelector('[data-exercise=ex-row-sums] .book-verdict')")


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
    wrong = wrong_answers(label)[0]
    for source, status in [(wrong.source, wrong.status), (right_answers(label)[0], "correct")]:
        assert engine.call(ANSWER, [label, cell_of(label, source)])["status"] == status
    badge = f"document.querySelector('[data-exercise={label}] .exercise-badge').textContent"
    engine.until(f"{badge} === 'solved'")


@pytest.mark.rare
def test_pages_from_disk_on_a_phone_in_the_dark_searched_and_dragged(engine, book, site):
    for name in SEVEN:
        assert look(engine, (site / "chapters" / f"{name}.html").as_uri()) == FINE, name
    engine.open(f"{book}/narrow")
    for name in SEVEN:
        assert engine.call(LOOK_NARROW, f"{book}/chapters/{name}.html") == [True, True], name
    engine.open(f"{book}/search.html?q=softmax")
    engine.until("document.querySelectorAll('.book-search-results li').length > 3")
    assert look(engine, f"{book}/chapters/attention_pooling.html") == FINE
    check_changes(engine, DRAGGED, lambda: engine.click(".live-drag", by=(60, 0)))
    check_changes(engine, GROUND, lambda: engine.click(".theme-switch-button"))
    assert engine.call("() => heard") == []
