"""How a page looks: nothing is cut, leaves the screen or fades into what is behind it."""

from pathlib import Path

from browser.shown import FITS, TWO_PAINTS

LOOKS = Path(__file__).with_name("looks.js").read_text()
LAYOUT = Path(__file__).with_name("layout.js").read_text()
TOO_WIDE = """() => {
  const edge = document.documentElement.clientWidth;
  const clips = (el) => /auto|scroll|hidden/.test(getComputedStyle(el).overflowX);
  const isClipped = (el) => el !== null && (clips(el) || isClipped(el.parentElement));
  return [...document.querySelectorAll(".bd-article-container :not(svg *)")]
    .filter((el) => el.getBoundingClientRect().right > edge + 1 && !isClipped(el.parentElement))
    .map((el) => el.outerHTML.slice(0, 120));
}"""
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
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(LOOKS) == []
    assert page.evaluate(LAYOUT) == []
