"""Models in the page: one is trained and writes; another reads a sentence of the reader."""

import re

import pytest
from bookwork.testing.cells import button, cell, ended, run, write
from bookwork.testing.shown import wait_for_drawing
from built_book import FOLDER
from playwright.sync_api import expect

pytestmark = pytest.mark.python
START = """\
from attention_lib import Spelling
from attention_lib import Training, bits, measure
from attention_lib.growing import GrowingCurve
task = Spelling(["anna", "hannah", "nan", "ann", "hana"], d=8, heads=2)
"""
ON = """\
before = training.steps
learn(2, every=1)
print("went on", before > 0, training.steps - before)
"""
WRITE = """\
from attention_lib import generate
from attention_lib.models import load_writer
writer = load_writer()
begin = writer.pairs.encode("ROMEO.")
write = lambda cache: generate(writer.parameters, begin, 3, top_k=1, cache=cache).tolist()
rows = [write(cache) for cache in (False, True)]
print(rows[0] == rows[1], repr(writer.pairs.decode(rows[0])))
"""


def cell_of_training():
    """Return the cell of the chapter that makes a training run and says how to go on with it."""
    text = (FOLDER / "a_model_that_writes.md").read_text(encoding="utf-8")
    begin = text.index("training = Training(")
    return text[begin : text.index("```", begin)]


def printed(page, code):
    """Run code in the first cell of a page; return what stands below it then."""
    write(page, 1, code)
    assert run(page, 1).startswith("Done")
    return cell(page, 1).locator(".book-own").inner_text()


def test_the_page_trains_stops_goes_on_and_writes_and_fetches_weights_only_then(page, server):
    asked, page.forgiven = [], ["failed: blob:"]  # of Stop
    page.on("request", lambda request: asked.append("writer_shakespeare.npz" in request.url))
    page.goto(f"{server}/chapters/a_model_that_writes.html")
    printed(page, START + cell_of_training())
    write(page, 1, "learn(10**6, every=1)")
    button(page, "Run", 1).press("Enter")
    expect(cell(page, 1).locator(".book-own img, .book-own svg").first).to_be_visible()
    button(page, "Stop", 1).click()
    assert "Your variables are kept" in ended(page, 1)
    assert "went on True 2" in printed(page, ON)
    assert not any(asked)
    assert "True 'ROMEO." in printed(page, WRITE)
    assert any(asked)


@pytest.mark.rare  # it computes for long
def test_a_sentence_of_the_reader_is_read_by_minilm_whatever_it_is(page, server):
    page.goto(f"{server}/chapters/looking_inside.html")
    own = page.locator("div.cell.tag_fields").first
    field = own.get_by_role("textbox", name=re.compile("^text: cell"))
    hostile = '<img src=x onerror="hacked=1"> "; import js #\\ שלום 👩‍🔬'
    for text, says in {
        " \u200b ": "no words",
        "word " * 100: "at most 64 are read here",
        hostile: "[CLS] < im ##g sr ##c = x one ##rro ##r = ",
    }.items():
        field.fill(text)
        field.press("Enter")
        expect(own.locator(".cell_output")).to_contain_text(says)
        expect(own.locator(".book-status").last).to_have_text(re.compile("^(Done|Ended)"))
    figure = page.locator("#fig-own-sentence")
    expect(figure.get_by_role("radio", name="##rro", exact=True)).to_be_visible()
    wait_for_drawing(page)
    figure.get_by_role("button", name="Show as table").click()
    expect(figure.locator("table").first).to_contain_text("##rro")
    assert page.evaluate("() => window.hacked") is None
    expect(figure.locator("img, script:not([type])")).to_have_count(0)
