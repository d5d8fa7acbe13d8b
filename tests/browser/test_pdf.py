"""The book as one PDF: contents, numbers, figures in their starting state, no controls."""

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
FEW = ["chapters/welcome", "chapters/summary"]  # prose, formulas, figures, exercises
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
        pytest.param(FEW, id="two pages"),
        pytest.param(PAGES, id="the book", marks=pytest.mark.rare),
    ],
)
def names(request):
    """Return the pages to print."""
    return request.param


@pytest.fixture(scope="module")
def made(site, names, tmp_path_factory):
    """Print the pages, in a process of its own; return the sheets."""
    file = tmp_path_factory.mktemp("pdf") / "book.pdf"
    command = [sys.executable, "-m", "tools.make_pdf", file]
    command += [] if names == PAGES else ["--only", *names]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return PdfReader(file)


@pytest.fixture(scope="module")
def starts(made, names):
    """Return the first sheet of each page of the site, and the number of sheets at the end."""
    assert made.outline[0].title == "Contents"
    places = [made.get_destination_page_number(mark) for mark in made.outline[1:]]
    assert len(places) == len(names)
    return [*places, len(made.pages)]


def squeezed(text):
    """Return a text without spaces and ligatures: a PDF keeps places of letters, not letters."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


@pytest.fixture(scope="module")
def texts(made):
    """Return the text of each sheet."""
    return [sheet.extract_text() for sheet in made.pages]


@pytest.fixture(scope="module")
def words(texts):
    return [squeezed(text) for text in texts]


def test_the_contents_name_every_page_and_the_sheet_where_it_begins(made, starts, words):
    contents = "".join(words[: starts[0]])
    for mark, start in zip(made.outline[1:], starts, strict=False):
        assert squeezed(f"{mark.title}{start + 1}") in contents
        assert squeezed(mark.title) in words[start]
    assert starts == sorted(set(starts))


def test_the_contents_say_where_a_part_begins():
    sheets = SimpleNamespace(pages=[1, 2])
    first = make_pdf.Printed("4. Scoring functions", "", sheets)
    second = make_pdf.Printed("5. Self-attention", "", sheets, part="II. The layer")
    told = re.sub("<[^>]*>", " ", make_pdf.contents([first, second], first=3))
    said = "Paying Attention 4. Scoring functions 3 II. The layer 5. Self-attention 5"
    assert " ".join(told.split()) == said
    assert Book(ROOT).parts["chapters/self_attention"] == "II. The layer"


def test_every_sheet_has_its_number(texts):
    for number, text in enumerate(texts, 1):
        assert text.split()[-1] == str(number)


@pytest.mark.rare  # opens every printed page once more; a figure on paper is that of the screen
def test_figures_are_drawn_with_all_their_labels_and_captions(page, site, names, starts, words):
    page.emulate_media(media="print")
    for place, name in enumerate(names):
        page.goto((site / f"{name}.html").as_uri())
        page.evaluate(make_pdf.READY)
        check_printed(page, "".join(words[starts[place] : starts[place + 1]]))


def check_printed(page, here):
    """Everything that a page draws is among the words of its sheets."""
    for figure in page.evaluate(DRAWN):
        assert figure
        assert [text for text in figure if squeezed(text) not in here] == []
    captions = page.locator("main figcaption .caption-number").all_inner_texts()
    assert [caption for caption in captions if squeezed(caption) not in here] == []
    assert page.evaluate(SCROLLING) == []


def test_there_are_no_controls_on_paper(words, names):
    """The text itself may name a control, to tell readers what to press."""
    text = "".join(words)
    prose = squeezed("".join((ROOT / f"{name}.md").read_text(encoding="utf-8") for name in names))
    for control in map(squeezed, CONTROLS):
        assert text.count(control) <= prose.count(control), control


def test_no_link_leads_to_a_file_of_the_machine_that_printed_it(made):
    notes = [note.get_object() for sheet in made.pages for note in sheet.get("/Annots", ())]
    addresses = [str(note.get("/A", {}).get("/URI", "")) for note in notes]
    assert [address for address in addresses if address.startswith("file:")] == []
    assert any(note.get("/A", {}).get("/S") == "/GoTo" for note in notes)


def test_what_needs_the_book_says_what_to_run(tmp_path):
    with pytest.raises(SystemExit, match="not built yet: run make book first"):
        require_book(tmp_path)
