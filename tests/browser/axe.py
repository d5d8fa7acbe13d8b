"""What axe-core finds wrong in an open page: WCAG 2.2 up to AA, and its best practices."""

from pathlib import Path

from browser.looks import check_looks, choose_scheme

AXE = Path(__file__).parents[2] / "bookwork" / "page" / "node_modules" / "axe-core" / "axe.min.js"
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
