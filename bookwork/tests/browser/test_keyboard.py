"""A chapter without a mouse: Tab reaches all that can be used, in order, and shows where it is."""

from bookwork.testing.looks import choose_scheme
from bookwork.testing.shown import open_page

CHAPTER = "chapters/orders.html"
USABLE = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]"
COUNT = """(usable) => {
  const isShown = (el) => el.checkVisibility({ visibilityProperty: true });
  const isOneOfMany = (el) => el.type === "radio" && !el.checked && el !== first(el);
  const first = ({ form, name }) => form.querySelector(`input[type=radio][name="${name}"]`);
  window.toReach = [...document.querySelectorAll(usable)]
    .filter((el) => el.tabIndex >= 0 || el.contentEditable === "true")
    .filter((el) => !el.disabled && isShown(el) && !isOneOfMany(el));
  return window.toReach.length;
}"""
# The theme looks 300 ms after the last change which code and tables scroll, and lets Tab reach
# them; timers of a page go off in their order, so this one does after it.
SETTLED = """() => new Promise((done) => {
  let timer = setTimeout(done, 400);
  const again = () => (clearTimeout(timer), (timer = setTimeout(done, 400)));
  const all = { subtree: true, childList: true };
  new MutationObserver(again).observe(document.getElementById("main-content"), all);
})"""
STEP = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const el = document.activeElement;
  if (el === document.body) return null;
  await Promise.all(el.getAnimations().map((each) => each.finished));
  const drawn = el.querySelector(".toctree-toggle") ?? el; // all that the theme draws of a summary
  const { top, bottom, width, height } = drawn.getBoundingClientRect();
  const style = getComputedStyle(drawn);
  const ringed = (s) => s.outlineStyle !== "none" || s.boxShadow !== "none";
  return {
    place: window.toReach.indexOf(el),
    what: el.outerHTML.slice(0, 150),
    seen: width > 0 && height > 0 && bottom > 0 && top < innerHeight && style.opacity > 0.5,
    marked: ringed(style) || ringed(getComputedStyle(drawn.parentElement)),
  };
}"""
COUNT_FADES = """() => {
  window.fades = 0;
  document.addEventListener("transitionrun", () => (window.fades += 1), true);
}"""


def test_tab_reaches_everything_in_order_and_shows_where_it_is(page, server):
    page.emulate_media(reduced_motion="reduce")
    open_page(page, f"{server}/{CHAPTER}")
    walk_through(page)
    choose_scheme(page, "dark")
    assert page.evaluate("() => window.fades") == 0  # who wants no motion gets none, however short


def walk_through(page):
    """Tab reaches all that can be used on an open page, in order, and shows where it is."""
    page.evaluate(COUNT_FADES)
    page.evaluate(SETTLED)
    stops = walk(page, page.evaluate(COUNT, USABLE))
    places = [stop["place"] for stop in stops if stop["place"] >= 0]  # the theme unfolds others
    lost = [stop["what"] for stop in stops if not (stop["seen"] and stop["marked"])]
    assert not lost, "\n".join(lost)
    assert places == sorted(set(places))
    missed = "(seen) => toReach.filter((el, k) => !seen.includes(k)).map((el) => el.outerHTML)"
    never = page.evaluate(missed, places)
    assert not never, "\n".join(never)


def walk(page, most):
    """Press Tab from the top of a page to its end; return what had the focus at each stop."""
    stops = []
    for _ in range(2 * most):
        page.keyboard.press("Tab")
        stop = page.evaluate(STEP)
        if stop is None:
            return stops
        stops.append(stop)
    return stops
