"""Words that are the control, lines between them, sentences with numbers, and the play button.

All tests share a page that can be touched; what figures show is what their functions return.
"""

import numpy as np
import pytest
from bookwork.live import (
    arcs,
    bars,
    heatmap,
    live,
    sentence,
    slider,
    token_buttons,
)
from bookwork.testing.shown import readout, show, to_weights
from playwright.sync_api import expect

pytestmark = pytest.mark.xdist_group("live words")  # they share a page
WORDS = ["his", "owner", "saw", "the", "dog", "and", "his", "tail", "<i>", "happily"]
LOOKS = to_weights(2 * np.random.default_rng(0).normal(size=(2, 10, 10)))
# A figure that plays stands still for less than a second: the page itself looks in time.
UNDER_WAY = """(drawing) => /^[1-5]$/.test(drawing.dataset.places) &&
  drawing.querySelector("[aria-label='Pause step']")"""
# Five steps without a rest between them; notes what a screen reader is told.
HURRY = """async (drawing) => {
  const range = drawing.closest(".live-figure").querySelector("[type=range]");
  const heard = drawing.querySelector("[aria-live=polite]");
  drawing.heard = [];
  const note = () => drawing.heard.push(heard.textContent);
  new MutationObserver(note).observe(heard, { childList: true });
  for (range.value = 1; range.value <= 5; range.value++) {
    range.dispatchEvent(new Event("input", { bubbles: true }));
    await null;
    await null;
  }
}"""
DESCRIPTIONS = "all => all.map((word) => word.getAttribute('aria-description'))"
WIDTHS = """(drawing) => [...drawing.querySelectorAll("path.live-arc")]
  .filter((line) => line.getAttribute("visibility") === "visible")
  .map((line) => Number(line.getAttribute("stroke-width")))"""


def asking(value=6):
    return token_buttons(WORDS, value=value, name="word that asks")


def test_words_are_chosen_by_mouse_touch_and_keys(desk):
    views = [kind(WORDS, at="asks", title=kind.__name__) for kind in (sentence, arcs)]
    says = "{asks} looks mostly at {word} ({value})"
    figure = live(lambda asks: LOOKS[0, asks], views, name="Words", says=says, asks=asking())
    (shown,) = show(desk, figure)
    assert shown.box.locator(".live-controls").count() == 0
    words = shown.control(0).get_by_role("radio")
    assert shown.control(0).get_attribute("aria-label") == "word that asks"
    assert words.all_text_contents() == WORDS
    moves = [
        (lambda: words.nth(1).click(), 1),
        (lambda: words.nth(4).tap(), 4),
        (lambda: words.nth(4).press("ArrowUp"), 3),
        (lambda: words.nth(3).press("End"), 9),
        (lambda: words.nth(9).press("ArrowRight"), 0),
        (lambda: words.nth(0).press("ArrowLeft"), 9),
        (lambda: words.nth(9).press("Home"), 0),
    ]
    for move, place in moves:
        move()
        desk.mouse.move(0, 0)
        assert shown.check() == [place]
        check_chosen(shown, place)
    # read without choosing
    for go in (words.nth(0).press, lambda _: words.nth(1).hover()):
        go("Control+ArrowRight")
        assert readout(shown) == f"sentence – owner: {LOOKS[0, 0, 1]:.2f}"
        assert shown.check() == [0]
    shown.page.mouse.move(0, 0)
    words.nth(1).press("Space")
    assert shown.check() == [1]
    check_a_click_between_two_words(shown)


def check_chosen(shown, place):
    """One word is chosen and has the focus; each says its weight to those who cannot see it."""
    told = [f"{weight:.2f}" for weight in LOOKS[0, place]]
    for group in shown.drawing.get_by_role("radiogroup").all():
        expect(group.get_by_role("radio", checked=True)).to_have_text(WORDS[place])
        assert group.get_by_role("radio").evaluate_all(DESCRIPTIONS) == told
        expect(group.locator("[role=radio][tabindex='0']")).to_have_text(WORDS[place])
    expect(shown.control(0).get_by_role("radio").nth(place)).to_be_focused()
    word = LOOKS[0, place].argmax()
    said = f"{WORDS[place]} looks mostly at {WORDS[word]} ({LOOKS[0, place, word]:.2f})"
    assert readout(shown) == said


def check_a_click_between_two_words(shown):
    """It chooses the nearest, and draws no frame."""
    boxes = shown.drawing.locator(".live-arc-word rect")
    one, other = (boxes.nth(j).bounding_box() for j in (3, 4))
    for right, place in [(one["x"] + one["width"] + 1, 3), (other["x"] - 1, 4)]:
        shown.page.mouse.click(right, one["y"] + 5)
        assert shown.check() == [place]
    for part in shown.drawing.locator("svg, g[role=radio]").all():
        assert part.evaluate("(part) => getComputedStyle(part).outlineStyle") == "none"


def test_lines_are_as_wide_as_their_weights(desk):
    names = ["head one", "head two"]
    heads = arcs(WORDS, at="asks", kinds=names)
    one, two = show(
        desk,
        live(lambda asks: LOOKS[0, asks], arcs(WORDS, at="asks"), name="One", asks=asking()),
        live(lambda asks: LOOKS[:, asks], heads, name="Two", says="{kind}: {word}", asks=asking()),
    )
    weights = LOOKS[0, 6]
    drawn = [0.8 + 7.2 * weight for weight in weights if weight >= 0.02]
    assert len(drawn) < len(weights)
    assert one.drawing.evaluate(WIDTHS) == pytest.approx(drawn, abs=0.02)
    digits = one.drawing.locator(".live-arc-digits").all_text_contents()
    assert digits == [f"{weight:.2f}" if weight >= 0.02 else "" for weight in weights]
    check_switches(two, names)


def check_switches(two, names):
    two.check()
    head, word = np.unravel_index(LOOKS[:, 6].argmax(), (2, 10))
    assert readout(two) == f"{names[head]}: {WORDS[word]}"
    counts = [(LOOKS[h, 6] >= 0.02).sum() for h in range(2)]
    first = two.drawing.get_by_role("button", name="head one")
    assert len(two.drawing.evaluate(WIDTHS)) == sum(counts)
    first.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "false")
    assert len(two.drawing.evaluate(WIDTHS)) == counts[1]
    assert readout(two) == f"{names[1]}: {WORDS[LOOKS[1, 6].argmax()]}"  # not of what is off
    two.drawing.get_by_role("radio").nth(4).hover()
    assert readout(two) == f"his, dog: head two {LOOKS[1, 6, 4]:.2f}"
    first.tap()
    expect(first).to_have_attribute("aria-pressed", "true")
    dashes = two.drawing.locator(".live-switch path").evaluate_all(
        "all => all.map((line) => getComputedStyle(line).strokeDasharray)"
    )
    assert len(set(dashes)) == 2


def test_words_that_a_control_brings_move_nothing_below_them(desk):
    words = [["a"] * 8, ["abcdefghijklmnopqrst"] * 8]
    view = sentence(words, "v", by="step", limits=(0, 1))
    figure = live(lambda step: {"v": np.full(8, 0.5)}, view, name="Grows", step=slider(0, 1, 1))
    (shown,) = show(desk, figure)
    height = shown.drawing.bounding_box()["height"]
    shown.control(0).get_by_role("slider").press("End")
    assert shown.check() == [1]
    assert shown.drawing.bounding_box()["height"] == height


def moving(step):
    return {"guess": step / 7, "v": np.array([step / 10, 0.25]), "M": np.eye(2) * 0.0}


def test_sentences_say_numbers_and_screen_readers_hear_only_the_last(desk):
    view = bars(list("ab"), "v")
    says = "{label} is largest ({value}); it reads {guess:.1f} after {step} steps, {guess:.0%}"
    matrix = heatmap(list("ab"), list("cd"), "M")
    said, silent = show(
        desk,
        live(moving, view, name="Said", says=says, step=slider(0, 6, 1, value=3)),
        live(moving, [view, matrix], name="Silent", step=slider(0, 6, 1)),
    )
    said.drawing.evaluate(HURRY)
    last = "a is largest (0.50); it reads 0.7 after 5 steps, 71%"
    expect(said.drawing.locator("[aria-live=polite]")).to_have_text(last)
    assert said.drawing.evaluate("(drawing) => drawing.heard") == [last]
    assert said.check() == [5]
    assert readout(silent) == ""
    silent.drawing.locator("svg").nth(1).press("ArrowDown")
    assert readout(silent) == "a, c: 0.00"


def test_ties_are_told_together(desk):
    ties = {"two": [0.4, 0.2, 0.4, 0.0, 0.0], "all": np.full(5, 0.2)}
    first, all_of_them = show(
        desk,
        live(lambda: ties, bars(list("abcde"), "two"), name="Two", says="{label}: {value:.1f}"),
        live(lambda: ties, bars(list("abcde"), "all"), name="All", says="{label}: {value:.1f}"),
    )
    assert readout(first) == "a and c: 0.4"
    assert readout(all_of_them) == "several: 0.2"


def test_play_steps_to_the_end_and_stops_when_the_reader_moves(desk):
    step = slider(0, 6, 1, value=4)
    desk.emulate_media(reduced_motion="no-preference")
    (shown,) = show(desk, live(moving, bars(list("ab"), "v"), name="P", play="step", step=step))
    back = shown.drawing.get_by_role("button", name="Back to start")
    expect(back).to_be_hidden()
    play = shown.drawing.get_by_role("button", name="Play step")
    expect(play).to_have_text("Play")
    play.press("Enter")
    expect(shown.drawing).to_have_attribute("data-places", "6")
    expect(play).to_be_focused()
    assert shown.check() == [6]
    play.tap()  # from the end it begins again
    desk.wait_for_function(UNDER_WAY, arg=shown.drawing.element_handle())
    shown.control(0).get_by_role("slider").press("Home")
    expect(play).to_be_visible()
    assert shown.check() == [0]
    desk.emulate_media(reduced_motion="reduce")
    for place in (1, 2):
        shown.drawing.get_by_role("button", name="Next step").click()
        assert shown.check() == [place]
    back.press("Enter")
    assert shown.check() == [4]
    expect(shown.drawing.get_by_role("button", name="Hide the table")).to_be_focused()
    desk.emulate_media(media="print")
    expect(shown.drawing.get_by_role("button")).to_have_count(0)
