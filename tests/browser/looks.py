"""How a page looks: nothing is cut, leaves the screen or fades into what is behind it."""

from pathlib import Path

from browser.shown import TWO_PAINTS

LOOKS = Path(__file__).with_name("looks.js").read_text()
TOO_WIDE = """() => {
  const edge = document.documentElement.clientWidth;
  const clips = (el) => /auto|scroll|hidden/.test(getComputedStyle(el).overflowX);
  const isClipped = (el) => el !== null && (clips(el) || isClipped(el.parentElement));
  return [...document.querySelectorAll(".bd-article-container :not(svg *)")]
    .filter((el) => el.getBoundingClientRect().right > edge + 1 && !isClipped(el.parentElement))
    .map((el) => el.outerHTML.slice(0, 120));
}"""


def check_looks(page, scheme):
    """Tell the page which scheme its reader wants; it follows, and all of it can be read."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate(TWO_PAINTS)
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(LOOKS) == []
