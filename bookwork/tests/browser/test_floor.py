"""The oldest browsers that the book promises to work in, and those that lack what others have.

The floor is Chromium 111, Firefox 115 and Safari 16.4: what one of them has not is taken away here.
"""

import re

import pytest
from bookwork.testing.cells import ANSWER, run, write
from bookwork.testing.shown import check_drawn, wait_for_drawing
from browser.cells import RIGHT
from playwright.sync_api import expect

pytestmark = pytest.mark.rare
LACKING = """for (const path of `AbortSignal.any URL.canParse URL.parse Promise.withResolvers
  Promise.try Array.fromAsync Object.groupBy Map.groupBy RegExp.escape Error.captureStackTrace
  Error.isError
  Uint8Array.fromBase64 Atomics.waitAsync Intl.Segmenter Intl.DurationFormat ReadableStream.from
  WebAssembly.Suspending WebAssembly.promising WebAssembly.JSTag CSS.highlights Float16Array
  Highlight Iterator scheduler navigation requestIdleCallback DisposableStack CloseWatcher
  Iterator.prototype.map Iterator.prototype.filter Iterator.prototype.some Iterator.prototype.find
  Iterator.prototype.toArray Iterator.prototype.reduce Iterator.prototype.every
  Iterator.prototype.forEach Iterator.prototype.take Iterator.prototype.drop
  Iterator.prototype.flatMap Set.prototype.union Set.prototype.intersection
  Set.prototype.difference Set.prototype.isSubsetOf Set.prototype.isSupersetOf
  Set.prototype.isDisjointFrom Set.prototype.symmetricDifference String.prototype.isWellFormed
  String.prototype.toWellFormed ArrayBuffer.prototype.transfer ArrayBuffer.prototype.resize
  Uint8Array.prototype.toBase64 Uint8Array.prototype.toHex Response.prototype.bytes
  Blob.prototype.bytes Headers.prototype.getSetCookie URLSearchParams.prototype.size
  ReadableStream.prototype.values Element.prototype.checkVisibility
  Element.prototype.setHTMLUnsafe Element.prototype.moveBefore HTMLElement.prototype.popover
  HTMLElement.prototype.showPopover HTMLElement.prototype.togglePopover
  HTMLDialogElement.prototype.requestClose Document.prototype.startViewTransition
  Document.prototype.caretPositionFromPoint`.split(/\\s+/).reverse()) {
  const parts = path.split(".");
  const last = parts.pop();
  const owner = parts.reduce((place, part) => place?.[part], globalThis);
  if (owner) delete owner[last];
}
if (globalThis.ReadableStream) delete ReadableStream.prototype[Symbol.asyncIterator];
if (globalThis.HTMLElement) {
  const known = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "contentEditable");
  const set = function (value) {
    if (value === "plaintext-only") throw new DOMException(value, "SyntaxError");
    known.set.call(this, value);
  };
  Object.defineProperty(HTMLElement.prototype, "contentEditable", { ...known, set });
}
for (const { prototype } of [globalThis.Element, globalThis.Document].filter(Boolean)) {
  for (const name of ["querySelector", "querySelectorAll", "matches", "closest"]) {
    const plain = prototype[name];
    prototype[name] = function (selector) {
      if (selector.includes(":has(")) throw new DOMException(selector, "SyntaxError");
      return plain.call(this, selector);
    };
  }
}
"""
NEWER = re.compile(  # styles that one of them does not know, and would drop with all beside it
    r"light-dark\(|@starting-style|@scope\b|@property\b|@position-try|:popover-open|:state\("
    r"|\b(?:rgb|hsl|oklch|color)\(from\b|[{;}]\s*&|\bif\("
)
FIGURE = """from bookwork.live import bars, live, slider
live(lambda k: [k, 2.0], bars(["a", "b"]), name="Mine", k=slider(0, 2, 1))"""
PAGES = {"orders": "ex-swap", "guesses": "ex-split"}


def test_figures_cells_and_exercises_work_in_the_oldest_browsers(page, server):
    page.add_init_script(LACKING)
    page.route("**/python-worker.js*", take_away)
    for chapter, label in PAGES.items():
        page.goto(f"{server}/chapters/{chapter}.html")
        assert page.evaluate("[typeof AbortSignal.any, typeof Iterator]") == ["undefined"] * 2
        wait_for_drawing(page)
        check_drawn(page)
        assert run(page, 1).startswith("Done")
        assert page.evaluate(ANSWER, [label, RIGHT[label]])["status"] == "correct"
    write(page, 1, FIGURE)
    assert run(page, 1).startswith("Done")
    expect(page.locator(".book-own .live-bars svg")).to_be_visible()
    expect(page.locator(".book-notice")).to_have_count(0)


def take_away(route):
    answer = route.fetch()
    route.fulfill(response=answer, body=LACKING + answer.text())


def test_no_style_is_newer_than_the_oldest_browsers(site):
    sheets = (site / "_static" / "book").glob("*.css")
    assert [sheet.name for sheet in sheets if NEWER.search(sheet.read_text())] == []


def test_an_older_browser_is_told_so_once(page, server):
    page.add_init_script("delete Array.prototype.toSorted")
    page.forgiven.append("")
    page.route("**/book/book.js*", lambda route: route.fulfill(body="class { #syntax in new }"))
    page.goto(f"{server}/chapters/orders.html")
    notice = page.get_by_role("complementary", name="Notice").get_by_role("paragraph")
    expect(notice).to_contain_text(["too old for the figures and cells of this book"])
    expect(page.locator(".book-still table").first).to_be_visible()
