"""Take every live figure of the built book, on a screen and a phone, light and dark.

    python -m tools.contact_sheet [--out FOLDER] [CHAPTER ...]

Writes one picture per page into _build/contact: a row per figure, a column per size and scheme.
"""

import argparse
import io
from pathlib import Path

from PIL import Image

from tools import ROOT
from tools.open_chromium import open_chromium

SITE = ROOT / "_build" / "html"
SIZES = {"screen": 1280, "phone": 390}
SCHEMES = ("light", "dark")
TALL = 1600
READY = "() => window.bookWidgets.ready"
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
PATIENCE = 180_000  # milliseconds
EDGE, SHRINK = 12, 0.6


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapters", nargs="*", help="such as self_attention; default: all")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "contact")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    with open_chromium() as browser:
        for path in pages(given.chapters):
            rows = take_page(browser, path)
            if rows:
                join(rows).save(given.out / f"{path.stem}.png", optimize=True)
                print(f"{path.stem}: {len(rows)} figures", flush=True)


def pages(names):
    """Return the pages that may hold figures."""
    found = sorted((SITE / "chapters").glob("*.html"))
    return [path for path in found if not names or path.stem in names]


def take_page(browser, path):
    """Return a list of pictures for each figure of a page, one for each size and scheme."""
    columns = []
    for width in SIZES.values():
        for scheme in SCHEMES:
            columns.append(take(browser, path, width, scheme))
    return list(zip(*columns, strict=True))


def take(browser, path, width, scheme):
    """Return the pictures of all figures of a page at one size, in one scheme."""
    page = open_still(browser, path.as_uri(), width, scheme)
    found = [picture_of(figure) for figure in page.locator(".live-figure").all()]
    page.context.close()
    return found


def open_still(browser, address, width, scheme):
    """Open a page on which nothing moves by itself."""
    context = browser.new_context(
        viewport={"width": width, "height": TALL},
        color_scheme=scheme,
        device_scale_factor=1,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(address)
    page.evaluate(READY)
    page.evaluate("() => { document.documentElement.style.scrollbarWidth = 'none'; }")
    page.evaluate("() => document.fonts.ready.then(() => null)")
    page.evaluate(PAINTED)
    return page


def picture_of(figure):
    """Return one figure as a picture."""
    taken = figure.screenshot(animations="disabled", caret="hide")
    return Image.open(io.BytesIO(taken)).convert("RGB")


def join(rows):
    """Put pictures into rows and columns, each column as wide as its widest."""
    small = [[picture.resize(shrunk(picture)) for picture in row] for row in rows]
    widths = [max(picture.width for picture in column) for column in zip(*small, strict=True)]
    heights = [max(picture.height for picture in row) for row in small]
    size = (sum(widths) + EDGE * (len(widths) + 1), sum(heights) + EDGE * (len(heights) + 1))
    sheet = Image.new("RGB", size, "#888")
    y = EDGE
    for row, height in zip(small, heights, strict=True):
        x = EDGE
        for picture, width in zip(row, widths, strict=True):
            sheet.paste(picture, (x, y))
            x += width + EDGE
        y += height + EDGE
    return sheet


def shrunk(picture):
    """Return the size of a picture on the sheet."""
    return max(1, round(SHRINK * picture.width)), max(1, round(SHRINK * picture.height))


if __name__ == "__main__":
    main()
