"""What waits to go to the page: order is kept, and what is outdated is left out."""

import json
import signal

import pytest
from checks import load
from page.reader import WEB

page_outbox = load(WEB / "page_outbox.py")


def values(widget, **state):
    data = {"method": "update", "state": state, "buffer_paths": []}
    return {"kind": "comm", "type": "comm_msg", "id": widget, "data": data}


def custom(widget, content):
    data = {"method": "custom", "content": content}
    return {"kind": "comm", "type": "comm_msg", "id": widget, "data": data}


def made(widget):
    return {"kind": "comm", "type": "comm_open", "id": widget, "data": {"state": {}}}


def update(name, value):
    return {"kind": "update", "bundle": {"text/plain": str(value)}, "display_id": name}


def text(line):
    return {"kind": "stdout", "text": line}


def thinned(*messages):
    return [message for message, _ in page_outbox.without_outdated([(m, []) for m in messages])]


def test_messages_of_widgets_come_in_rows_and_in_order():
    messages = [*(custom("a", number) for number in range(3)), text("x"), custom("a", 3)]
    sent = [message for message, _ in page_outbox.together([(m, []) for m in messages])]
    rows = [each.get("messages", "text") for each in sent]
    assert [len(row) for row in rows] == [3, 4, 1]
    numbers = [each["data"]["content"] for row in rows if row != "text" for each in row]
    assert numbers == list(range(4))


def test_text_that_waits_goes_out_as_one_as_far_as_nothing_comes_between():
    fault, elsewhere = {"kind": "stderr", "text": "f"}, {**text("e"), "cell": "cell 2"}
    messages = [text("a"), text("b"), fault, text("c"), text("d"), elsewhere, elsewhere]
    sent = [message for message, _ in page_outbox.together([(m, []) for m in messages])]
    assert sent == [text("ab"), fault, text("cd"), {**elsewhere, "text": "ee"}]


def test_of_the_values_that_a_widget_takes_the_last_ones_are_kept():
    assert thinned(values("a", x=1, y=1), values("b", x=5), values("a", x=2)) == [
        values("a", x=2, y=1),
        values("b", x=5),
    ]


def test_of_the_changes_of_a_display_the_last_one_is_kept():
    one, two, other = update("a", 1), update("a", 2), update("b", 3)
    assert thinned(one, other, text("x"), two) == [two, other, text("x")]
    again = {**two, "kind": "display"}
    assert thinned(one, again, two) == [one, again, two]


@pytest.mark.parametrize("border", [custom("a", 1), made("c")], ids=["custom", "made"])
def test_values_do_not_overtake_a_message_that_they_may_depend_on(border):
    messages = [values("a", x=1), border, values("a", x=2)]
    assert thinned(*messages) == messages


def test_messages_of_other_kinds_keep_their_order():
    messages = [custom("a", 1), custom("b", 2), text("x"), custom("a", 3)]
    assert thinned(*messages) == messages


def test_bytes_go_with_the_value_that_they_belong_to():
    first, second, third = values("a", p=None, q=None), values("a", q=None), values("a", r=3)
    first["data"]["buffer_paths"] = [["p"], ["q"]]
    second["data"]["buffer_paths"] = [["q"]]
    waiting = [(first, [b"p1", b"q1"]), (second, [b"q2"]), (third, [])]
    [(message, buffers)] = page_outbox.without_outdated(waiting)
    assert message["data"]["state"] == {"p": None, "q": None, "r": 3}
    assert (message["data"]["buffer_paths"], buffers) == ([["p"], ["q"]], [b"p1", b"q2"])


def test_a_flood_goes_out_in_a_few_parcels_and_its_end_arrives():
    sent = []
    outbox = page_outbox.Outbox()
    outbox.post = lambda text, buffers: sent.append((json.loads(text), buffers))
    for i in range(8_000):
        outbox.put(values("a", x=i))
        outbox.put(custom("b", i), [b"beside"])
    outbox.flush()
    assert len(sent) < 2_000
    messages = [message for parcel, _ in sent for message in parcel["messages"]]
    contents = [m["data"]["content"] for m in messages if m["id"] == "b"]
    assert contents == list(range(8_000))
    assert sum(len(buffers) for _, buffers in sent) == 8_000
    assert [m["data"]["state"] for m in messages if m["id"] == "a"][-1] == {"x": 7_999}


def test_the_first_messages_of_a_run_are_sent_at_once():
    sent = []
    outbox = page_outbox.Outbox()
    outbox.post = lambda text, _buffers: sent.append(json.loads(text))
    for i in range(page_outbox.EAGER):
        outbox.put(text(str(i)))
        assert sent[-1]["text"] == str(i)


def test_stop_waits_until_what_is_on_its_way_has_arrived():
    sent = []
    outbox = page_outbox.Outbox()

    def post(text, _buffers):
        signal.raise_signal(signal.SIGINT)
        sent.append(json.loads(text)["kind"])

    outbox.post = post
    outbox.waiting = [(made("a"), []), (text("b"), []), (made("c"), [])]
    before = signal.signal(signal.SIGINT, page_outbox.HOLD.interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            outbox.put(text("d"))
        assert sent == ["comms", "stdout", "comms", "stdout"]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
