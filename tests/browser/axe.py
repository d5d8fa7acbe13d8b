"""What axe-core finds wrong in an open page: WCAG 2.2 up to AA, and its best practices."""

from pathlib import Path

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
UNFOLD = """() => {
  for (const fold of document.querySelectorAll("main details")) {
    fold.hidden = false;
    fold.open = true;
  }
}"""
RULES = """async (rules) => {
  const kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const runOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: kinds };
  const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}"""


def check_accessible(page):
    """Unfold all that the page folds; axe-core finds nothing, in light and in dark."""
    page.evaluate(UNFOLD)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.emulate_media(color_scheme="light")
    assert page.evaluate(RULES, None) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(RULES, ["color-contrast"]) == []  # all that colours can spoil
