"""Print the built book into one PDF, _build/paying-attention.pdf.

Chromium prints each page with its styles for paper (book.css of bookwork): live figures in their
starting state, code wrapped, no controls. Here the pages are joined, with a table of contents at
the front, bookmarks and page numbers.
"""

import argparse
import base64
import html
import io
from dataclasses import dataclass
from pathlib import Path

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject

from bookwork.book.book import Book
from tools import ROOT, SITE, require_book
from tools.open_chromium import open_chromium

OUT = ROOT / "_build" / "paying-attention.pdf"
A4 = {"paperWidth": 8.27, "paperHeight": 11.69}  # inches
MARGINS = {"marginTop": 0.7, "marginBottom": 0.8, "marginLeft": 0.6, "marginRight": 0.6}
READY = """async () => {
  await window.bookWidgets.ready;
  await document.fonts.ready;
  document.querySelectorAll("details").forEach((fold) => (fold.open = true));
  for (const far of document.querySelectorAll(".book-still")) {
    far.scrollIntoView(); // and wait for its frames, which are in a file
    while (far.matches(".book-still")) await new Promise((done) => setTimeout(done, 20));
  }
}"""
# Ids get the name of their page, too: several chapters have an id "summary".
NAME_PLACES = """(page) => {
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    const [old, name] = [link.hash.slice(1), `${page}-${link.hash.slice(1)}`];
    const place = document.getElementById(name) ?? document.getElementById(old || "no such place");
    if (!place) continue;
    place.id = name;
    link.setAttribute("href", `#${name}`);
  }
}"""
# The title with its number, without the link that appears beside it on hover.
TITLE = """() => [...document.querySelector(".bd-article h1").childNodes]
  .filter((part) => !part.classList?.contains("headerlink"))
  .map((part) => part.textContent).join("")"""
STYLE = """<style>
  body { margin: 0; font: 12pt/1.9 Georgia, serif; }
  h2 { margin: 0.6em 0 0; font-size: 12pt; break-after: avoid; }
  p { display: flex; justify-content: space-between; margin: 0; border-bottom: 1px dotted #999; }
  .foot { height: 10.5in; display: flex; flex-flow: column; justify-content: end; font-size: 9pt;
    line-height: 1; text-align: center; break-after: page; }
</style>"""


@dataclass(frozen=True)
class Printed:
    """A printed page of the site."""

    title: str
    address: str
    sheets: PdfReader
    part: str = ""  # of the book, if it begins here


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", default=OUT)
    parser.add_argument("--only", nargs="+", metavar="PAGE", help="pages to print, instead of all")
    options = parser.parse_args(arguments)
    require_book()
    names = options.only or Book(ROOT).names
    with open_chromium() as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 1400})
        page.set_default_timeout(0)  # however long a busy machine takes
        page.emulate_media(media="print", color_scheme="light")
        made = join(page, [print_page(page, name) for name in names])
        made.write(options.file)
    size = options.file.stat().st_size / 1e6
    print(f"{options.file.name}: {len(made.pages)} pages, {size:.1f} MB", flush=True)


def print_page(page, name):
    """Print one page of the site, once its figures and formulas are drawn."""
    path = SITE / f"{name}.html"
    page.goto(path.as_uri())
    page.evaluate(READY)
    page.evaluate(NAME_PLACES, path.stem)
    title = page.evaluate(TITLE)
    part = Book(ROOT).parts.get(name, "")
    return Printed(title, path.as_uri(), to_pdf(page, scale=0.85), part)


def to_pdf(page, **options):
    """Return the page as a PDF (Playwright's `pdf` needs the old headless mode)."""
    session = page.context.new_cdp_session(page)
    answer = session.send("Page.printToPDF", A4 | MARGINS | {"printBackground": True} | options)
    session.detach()
    return PdfReader(io.BytesIO(base64.b64decode(answer["data"])))


def from_html(page, body, **options):
    """Return an HTML text as a PDF."""
    page.goto("about:blank")
    page.set_content(STYLE + body)
    return to_pdf(page, **options)


def join(page, chapters):
    """Join all chapters, with contents at the front, bookmarks and page numbers."""
    joined = PdfWriter()
    front = len(from_html(page, contents(chapters, first=1)).pages)
    joined.append(from_html(page, contents(chapters, first=front + 1)), "Contents")
    starts = {}
    for chapter in chapters:
        starts[chapter.address] = len(joined.pages)
        joined.append(chapter.sheets, chapter.title, import_outline=False)
    lead_inside(joined, starts)
    add_numbers(joined, page)
    joined.add_metadata({"/Title": "Paying Attention"})
    joined.compress_identical_objects()
    return joined


def lead_inside(joined, starts):
    """Point links to other pages of the site at their chapters; remove those without one."""
    for sheet in joined.pages:
        for note in [each.get_object() for each in sheet.get("/Annots", ())]:
            address = note.get("/A", {}).get("/URI", "").partition("#")[0]
            if address in starts:
                target = joined.pages[starts[address]].indirect_reference
                place = ArrayObject([target, NameObject("/Fit")])
                note[NameObject("/A")] = DictionaryObject(
                    {NameObject("/S"): NameObject("/GoTo"), NameObject("/D"): place}
                )
            elif address.startswith("file:"):
                del note["/A"]


def add_numbers(joined, page):
    """Number each sheet."""
    feet = "".join(f'<div class="foot">{k}</div>' for k in range(1, len(joined.pages) + 1))
    printed = from_html(page, feet, marginBottom=0.3)
    for sheet, foot in zip(joined.pages, printed.pages, strict=False):
        sheet.merge_page(foot)


def contents(chapters, first):
    """Return the table of contents; the first chapter begins on sheet `first`."""
    lines = []
    for chapter in chapters:
        lines.append(f"<h2>{html.escape(chapter.part)}</h2>" if chapter.part else "")
        lines.append(f"<p><span>{html.escape(chapter.title)}</span><span>{first}</span></p>")
        first += len(chapter.sheets.pages)
    return "<h1>Paying Attention</h1>" + "".join(lines)


if __name__ == "__main__":
    main()
