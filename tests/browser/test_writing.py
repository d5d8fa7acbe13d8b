"""The chapter that writes, in the page: train a few steps, stop, go on, and write."""

import pytest
from book.chapters import FOLDER
from browser.test_python import Reader, open_page, text_of

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
