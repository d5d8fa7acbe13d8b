"""The drawn diagrams in Chromium: no word is cut or lies on another, and themes are followed."""

import io

from bookwork.testing.shown import TWO_PAINTS
from PIL import Image

from images.drawn.draw_diagrams import DIAGRAMS
from images.drawn.drawing import DARK, LIGHT, WIDTH

# Words that leave the drawing, that are wider than the box around them, or that lie on each other.
FAULTS = """() => {
  const within = (a, b, gap) => a.x >= b.x + gap && a.x + a.width <= b.x + b.width - gap;
  const holds = (b, x, y) => x > b.x && x < b.x + b.width && y > b.y && y < b.y + b.height;
  const boxOf = (el) => el.getBBox();
  const texts = [...document.querySelectorAll("text")].map((el) => [el.textContent, boxOf(el)]);
  const drawn = [...document.querySelectorAll('rect:not([fill=none], [class="in-weight"])')];
  const boxes = drawn.map(boxOf).filter((box) => box.height > 30);
  const faults = [];
  for (const [words, at] of texts) {
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    const [tight] = boxes.filter((b) => holds(b, x, y)).sort((a, b) => a.width - b.width);
    if (!tight || !within(at, tight, 2)) faults.push(`${words}: cut`);
  }
  for (const [k, [words, a]] of texts.entries())
    for (const [others, b] of texts.slice(k + 1))
      if (a.x < b.x + b.width && b.x < a.x + a.width && Math.abs(a.y - b.y) < 0.6 * a.height)
        faults.push(`${words} on ${others}`);
  return faults;
}"""
FAMILY = "(element) => getComputedStyle(element).fontFamily"
EXAMPLE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100">
  <rect width="200" height="100"/><rect x="60" y="20" width="80" height="40"/>
  <text x="100" y="45" text-anchor="middle">far too many words</text>
  <text x="20" y="90">one</text><text x="30" y="92">two</text></svg>"""


def test_no_word_of_a_drawing_is_cut_or_lies_on_another(page):
    page.set_content(EXAMPLE)
    assert page.evaluate(FAULTS) == ["far too many words: cut", "one on two"]
    for name, draw in DIAGRAMS.items():
        page.set_content(draw().svg())
        assert page.evaluate(FAULTS) == [], name


def test_a_drawing_follows_the_theme_of_the_page_and_fills_a_phone(page, server):
    page.emulate_media(color_scheme="dark")  # what the system wants is not what the reader chose
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{server}/chapters/why_attention.html")
    drawing = page.locator("#fig-bottleneck .drawing")
    assert drawing.get_attribute("width") == str(WIDTH)
    assert drawing.bounding_box()["width"] >= 343
    assert "Source Sans" in drawing.locator("text").first.evaluate(FAMILY)
    for theme, palette in (("light", LIGHT), ("dark", DARK)):
        page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        assert ground_of(page, drawing) == palette["card"]
    page.emulate_media(media="print")
    assert ground_of(page, drawing) == LIGHT["card"]


def ground_of(page, drawing):
    """Return the colour of a drawing near its corner, as it is painted."""
    page.evaluate(TWO_PAINTS)
    shot = Image.open(io.BytesIO(drawing.screenshot())).convert("RGB")
    return "#{:02x}{:02x}{:02x}".format(*shot.getpixel((12, 12)))
