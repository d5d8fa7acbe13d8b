"""How a page looks: nothing is cut or fades into what is behind it, and axe-core finds no fault.

That is: WCAG 2.2 up to AA, and axe-core's best practices.
"""

from pathlib import Path

from bookwork.book.files import WEB
from bookwork.testing.shown import FITS, TWO_PAINTS

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = Path(__file__).with_name("looks.js").read_text(encoding="utf-8")
UNFOLD = """() => {
  for (const fold of document.querySelectorAll("main details")) {
    fold.hidden = false;
    fold.open = true;
  }
}"""
VIOLATIONS = """async (place) => {
  const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await axe.run(place ?? document, { runOnly, resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}"""
SCROLLS_BY_KEYS = """() => [...document.querySelectorAll("main pre")]
    .filter(code => code.scrollWidth > code.clientWidth || code.scrollHeight > code.clientHeight)
    .every(code => code.tabIndex === 0 || code.querySelector("[tabindex]"))"""
NO_FADING = """(scheme) => document.documentElement.dataset.theme === scheme &&
  document.getAnimations()
    .every(each => !(each instanceof CSSTransition) || each.playState === "finished")"""


def choose_scheme(page, scheme):
    """Tell the page which scheme its reader wants; wait until it has followed."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(TWO_PAINTS)
    page.wait_for_function(NO_FADING, arg=scheme)


def check_looks(page, scheme):
    """The page follows the scheme that its reader wants, and all of it can be read."""
    choose_scheme(page, scheme)
    page.wait_for_function(FITS)
    assert page.evaluate(LOOKS) == []


def check_accessible(page):
    """Unfold all that the page folds; axe-core finds nothing, and all can be read in the dark."""
    page.evaluate(UNFOLD)
    page.wait_for_function(SCROLLS_BY_KEYS)  # the theme sees to it a moment later
    choose_scheme(page, "light")
    check_place(page)
    check_looks(page, "dark")


def check_place(page, place=None):
    """Axe-core finds nothing in what a selector names, or in the page."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(VIOLATIONS, place)
    assert not found, "\n".join(found)
