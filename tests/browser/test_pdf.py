"""The book as one PDF: contents, numbers, figures in their starting state, no controls."""

import itertools
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest
from pypdf import PdfReader

from bookwork.book.book import Book
from tools import make_pdf, require_book

ROOT = Path(__file__).parents[2]
PAGES = Book(ROOT).names
# Prose, formulas, figures, exercises; the second begins a part.
FEW = ["chapters/welcome", "chapters/why_attention"]
CONTROLS = (
    *("Show as table", "Back to start", "Your progress", "Show the hint", "Show the solution"),
    *("Show the code of this figure", "Run & check"),
)
DRAWN = """() => [...document.querySelectorAll(".live-drawing")].map((figure) =>
  [...figure.querySelectorAll("svg text, .live-word")]
    .filter((text) => text.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map((text) => text.textContent.trim()))"""
SCROLLING = """() => [...document.querySelectorAll("main pre")]
  .filter((code) => getComputedStyle(code).whiteSpace !== "pre-wrap")
  .map((code) => code.textContent)"""


pytestmark = pytest.mark.xdist_group("pdf")  # one worker prints the book for all these tests


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(FEW, id="some pages"),
        pytest.param(PAGES, id="the book", marks=pytest.mark.rare),
    ],
)
def printed(site, request, tmp_path_factory):
    """Print pages, in a process of its own; return them, the sheets and what these say."""
    file, names = tmp_path_factory.mktemp("pdf") / "book.pdf", request.param
    command = [sys.executable, "-m", "tools.make_pdf", file]
    command += [] if names == PAGES else ["--only", *names]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    made = PdfReader(file)
    texts = [sheet.extract_text() for sheet in made.pages]
    places = [made.get_destination_page_number(mark) for mark in made.outline]
    return SimpleNamespace(names=names, made=made, texts=texts, places=places[1:])


def squeezed(text):
    """Return a text without spaces and ligatures: a PDF keeps places of letters, not letters."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def test_the_contents_name_every_part_and_page_and_the_sheet_where_it_begins(printed):
    head, *marks = printed.made.outline
    assert (head.title, len(marks)) == ("Contents", len(printed.names))
    contents = squeezed("".join(printed.texts[: printed.places[0]]))
    for name, mark, start in zip(printed.names, marks, printed.places, strict=True):
        part = Book(ROOT).parts.get(name, "")
        assert squeezed(f"{part}{mark.title}{start + 1}") in contents
        assert squeezed(mark.title) in squeezed(printed.texts[start])
    assert printed.places == sorted(set(printed.places))


def test_every_sheet_has_its_number(printed):
    for number, text in enumerate(printed.texts, 1):
        assert text.split()[-1] == str(number)


@pytest.mark.rare  # opens every printed page once more; a figure on paper is that of the screen
def test_figures_are_drawn_with_all_their_labels_and_captions(page, site, printed):
    page.emulate_media(media="print")
    ends = [*printed.places[1:], None]
    for name, start, end in zip(printed.names, printed.places, ends, strict=True):
        page.goto((site / f"{name}.html").as_uri())
        page.evaluate(make_pdf.READY)
        here = squeezed("".join(printed.texts[start:end]))
        captions = page.locator("main figcaption .caption-number").all_inner_texts()
        figures = page.evaluate(DRAWN)
        assert all(figures)
        drawn = [*captions, *itertools.chain(*figures)]
        assert [text for text in drawn if squeezed(text) not in here] == []
        assert page.evaluate(SCROLLING) == []


def test_there_are_no_controls_on_paper(printed):
    """The text itself may name a control, to tell readers what to press."""
    text = squeezed("".join(printed.texts))
    files = [ROOT / f"{name}.md" for name in printed.names]
    prose = squeezed("".join(file.read_text(encoding="utf-8") for file in files))
    for control in map(squeezed, CONTROLS):
        assert text.count(control) <= prose.count(control), control


def test_no_link_leads_to_a_file_of_the_machine_that_printed_it(printed):
    notes = [note.get_object() for sheet in printed.made.pages for note in sheet.get("/Annots", ())]
    addresses = [str(note.get("/A", {}).get("/URI", "")) for note in notes]
    assert [address for address in addresses if address.startswith("file:")] == []
    assert any(note.get("/A", {}).get("/S") == "/GoTo" for note in notes)


def test_what_needs_the_book_says_what_to_run(tmp_path):
    with pytest.raises(SystemExit, match="not built yet: run make book first"):
        require_book(tmp_path)
