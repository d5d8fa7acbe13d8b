"""Take the pictures of the book that others see: images/preview.png and images/welcome.gif.

Both show the figure of the first page as Chromium draws it, so the book must be built. The first is
what other sites show beside a link (preview.py of bookwork). The second stands at the top of the
README and moves: one word of the sentence after the other asks.
"""

import io
import os
import shutil

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

from tools import ROOT, SITE, require_book

FIGURE = "#fig-welcome .live-figure"
WORDS = '[aria-pressed], [role="radio"], [role="option"]'  # the control: one of the words asks
PREVIEW = {"width": 1200, "height": 630}  # what og:image wants
FRAME = {"width": 760, "height": 600}
PAUSE = 1100  # milliseconds
COLOURS = 96
READY = """async () => {
  await window.bookWidgets.ready;
  await document.fonts.ready;
}"""
# The figure alone on the page, without its buttons; for a preview below the title of the book.
ALONE = """([figure, title, words]) => {
  const body = document.querySelector(figure);
  const heading = title && Object.assign(document.createElement("h1"), { textContent: title });
  const below = title && Object.assign(document.createElement("p"), { textContent: words });
  const style = Object.assign(document.createElement("style"), { textContent: `
    .live-buttons { display: none !important; }
    body { margin: 0; padding: ${title ? "36px 60px" : "10px"}; background: var(--book-page); }
    body > h1 { margin: 0; font: 600 76px var(--book-serif); }
    body > p { margin: 8px 0 40px; font: 32px var(--book-sans); color: var(--book-muted); }
    body > h1 ~ div { zoom: 1.45; }` });
  document.body.replaceChildren(style, ...[heading, below].filter(Boolean), body.parentElement);
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def main():
    """Take both pictures."""
    require_book()
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = shutil.which("chromium")  # else it is Playwright's own
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        take_preview(browser, ROOT / "images" / "preview.png")
        take_frames(browser, ROOT / "images" / "welcome.gif")


def open_figure(browser, size, title="", words=""):
    """Open the first page with nothing but its figure."""
    page = browser.new_page(viewport=size, color_scheme="light", bypass_csp=True)
    page.goto((SITE / "chapters" / "welcome.html").as_uri())
    page.evaluate(READY)
    page.evaluate(ALONE, [FIGURE, title, words])
    page.evaluate(PAINTED)
    return page


def take_preview(browser, file):
    """Take the picture for other sites."""
    words = "An interactive textbook on the attention mechanism"
    page = open_figure(browser, PREVIEW, "Paying Attention", words)
    file.write_bytes(page.screenshot())
    page.close()


def take_frames(browser, file):
    """Let each word ask in turn, and join the pictures to one that moves."""
    page = open_figure(browser, FRAME)
    frames = []
    for word in page.locator(WORDS).all():
        if any(letter.isalpha() for letter in word.text_content()):
            word.click()
            page.mouse.move(0, 0)
            page.evaluate(PAINTED)
            frames.append(Image.open(io.BytesIO(page.locator(".live-figure").screenshot())))
    page.close()
    join(frames, file)


def join(frames, file):
    """Write one GIF; all frames share their colours, so that nothing flickers."""
    plain = [frame.convert("RGB") for frame in frames]
    stacked = Image.fromarray(np.concatenate([np.asarray(frame) for frame in plain]))
    palette = stacked.quantize(COLOURS)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in plain]
    small[0].save(file, save_all=True, append_images=small[1:], duration=PAUSE, loop=0)


if __name__ == "__main__":
    main()
