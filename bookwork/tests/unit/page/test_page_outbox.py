"""What waits to go to the page: order is kept, and what is outdated is left out."""

import json
import signal

import pytest
from checks import load
from reader import WEB

page_outbox = load(WEB / "page_outbox.py")


@pytest.fixture
def sent():
    return []


@pytest.fixture
def outbox(sent):
    outbox = page_outbox.Outbox()
    outbox.post = lambda text: sent.append(json.loads(text))
    return outbox


def update(name, value):
    return {"kind": "update", "bundle": {"text/plain": str(value)}, "display_id": name}


def text(line):
    return {"kind": "stdout", "text": line}


def test_what_waits_is_joined_text_and_the_last_change_of_each_display(outbox, sent):
    fault, other, again = {"kind": "stderr", "text": "f"}, update("b", 3), update("a", 4)
    for each in (text("a"), text("b"), fault, text("c"), text("d")):
        outbox.add(each)
    for each in (update("a", 1), other, text("x"), update("a", 2)):
        outbox.add(each)
    outbox.add({**again, "kind": "display"})  # under the same name
    outbox.add(again)
    outbox.flush()
    texts = [text("ab"), fault, text("cd")]
    changes = [update("a", 2), other, text("x"), {**again, "kind": "display"}, again]
    assert sent == texts + changes


def test_a_flood_goes_out_in_a_few_parcels_and_its_end_arrives(outbox, sent):
    for i in range(8_000):
        outbox.put(update("a", i))
        outbox.put(text(f"{i}\n"))
    outbox.flush()
    assert len(sent) < 4_000
    printed = "".join(message["text"] for message in sent if message["kind"] == "stdout")
    assert printed == "".join(f"{i}\n" for i in range(8_000))
    assert [m for m in sent if m["kind"] == "update"][-1] == update("a", 7_999)


def test_stop_waits_until_what_is_on_its_way_has_arrived(outbox, sent):
    def post(text):
        signal.raise_signal(signal.SIGINT)
        sent.append(json.loads(text)["text"])

    outbox.post = post
    outbox.waiting = [text("a"), {"kind": "stderr", "text": "b"}]
    before = signal.signal(signal.SIGINT, page_outbox.HOLD.interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            outbox.put(text("c"))
        assert sent == ["a", "b", "c"]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
