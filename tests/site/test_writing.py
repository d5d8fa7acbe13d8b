"""Models in the page: one is trained and writes; another reads a sentence of the reader."""

import re

import pytest
from browser.shown import wait_for_drawing
from browser.test_fields import HOSTILE, cell, ended, field, press
from browser.test_python import Reader, open_page, text_of
from built_book import FOLDER
from playwright.sync_api import expect

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


@pytest.fixture
def reader(browser, server):
    context = browser.new_context()
    yield Reader(open_page(context, f"{server}/chapters/a_model_that_writes.html"))
    context.close()


def cell_of_training():
    """Return the cell of the chapter that makes a training run and says how to go on with it."""
    text = (FOLDER / "a_model_that_writes.md").read_text(encoding="utf-8")
    begin = text.index("training = Training(")
    return text[begin : text.index("```", begin)]


def test_the_page_trains_stops_goes_on_and_writes_and_fetches_weights_only_then(reader):
    def weights():
        return [url for url in reader.asked if "writer_shakespeare.npz" in url]

    reader.page.wait_for_load_state("networkidle")
    assert reader.start() is None
    assert reader.run(START + cell_of_training())["error"] is None
    reader.begin("learn(10**6, every=1)")
    reader.page.wait_for_function("() => window.seen.text !== 'on\\n'")  # a step is drawn or told
    assert reader.stop()["stopped"]
    result = reader.run(ON)
    assert result["error"] is None
    assert text_of(result).splitlines()[-1] == "went on True 2"
    assert len(text_of(result).splitlines()) == 3
    assert weights() == []
    assert text_of(reader.run(WRITE)).startswith("True 'ROMEO.")
    assert len(set(weights())) == 1  # where it takes long, it is asked for again


# MiniLM, on a sentence of the reader

WEIGHTS = "**/minilm_whole_int8.npz*"


@pytest.mark.python
@pytest.mark.rare  # it computes for long
def test_a_sentence_of_the_reader_is_read_whatever_it_is_and_whatever_fails(page, server):
    page.forgiven += ["minilm_whole", "Failed to load", "ERR_INTERNET", "failed: blob:"]  # of Stop
    page.goto(f"{server}/chapters/looking_inside.html")
    page.route(WEIGHTS, lambda route: None)  # nothing ever comes
    field(page, "text").fill("A doctor met a nurse.")
    field(page, "text").press("Enter")
    loading = cell(page).locator(".book-progress")
    told = re.compile("g (for )?minilm_whole_int8.npz 0.0 of 21.0 MB$")
    expect(loading).to_have_text(told)
    press(page, "Stop")
    assert "Your variables are kept" in ended(page)
    page.unroute(WEIGHTS)
    check_read(page, HOSTILE, "[CLS] < im ##g sr ##c = x one ##rro ##r = ")
    page.context.set_offline(True)
    check_read(page, " \u200b ", "no words")
    check_read(page, "word " * 100, "at most 64 are read here")
    check_read(page, f"{HOSTILE} <script>hacked=1</script>", "##rro")
    page.context.set_offline(False)
    figure = page.locator("#fig-own-sentence")
    expect(figure.get_by_role("radio", name="##rro", exact=True)).to_be_visible()
    wait_for_drawing(page)
    figure.get_by_role("button", name="Show as table").click()
    expect(figure.locator("table").first).to_contain_text("##rro")
    assert page.evaluate("() => window.hacked") is None
    expect(figure.locator("img, script:not([type])")).to_have_count(0)


def check_read(page, text, says):
    """Type a sentence; the cell shows this in the end."""
    field(page, "text").fill(text)
    field(page, "text").press("Enter")
    expect(cell(page).locator(".cell_output")).to_contain_text(says)
    ended(page)
