"""Flows, arrows and several lines show what was computed, by mouse, touch and keys."""

import re

import numpy as np
import pytest
from bookwork.live import bars, curve, flow, heatmap, live, plane, slider, stage, token_buttons
from bookwork.testing.looks import check_accessible
from bookwork.testing.shown import readout, show, to_weights
from browser.test_live_pictures import CALM
from playwright.sync_api import expect

pytestmark = pytest.mark.xdist_group("live views")  # they share a page
ROWS = ["the", "dog", "saw"]
X = 0.3 * np.arange(12.0).reshape(3, 4) - 1  # (n, d)
Q, K, V = X[:, :2], X[:, 1:3], X[:, 2:]  # (n, 2) each
PLACES = r"""(all) => all
    .map((el) => el.getAttribute("transform").match(/[-\d.]+/g).slice(0, 2).map(Number))"""
BOXES = """(all) => all.map((el) => {
  const { x, y, width, height } = el.getBBox();
  return el.getAttribute("visibility") === "hidden" ? null : [x, y, width, height];
})"""


def layer(asks, sharpness):
    scores = sharpness * Q @ K.T  # (n, n)
    weights = to_weights(scores)
    made = {"scores": scores, "weights": weights, "output": weights @ V}
    return {"X": X, "Q": Q, "K": K, "V": V, **made}


STAGES = [
    stage("X"),
    stage("Q", after="X", colour="blue", says="The query of {row} is {values}."),
    stage("K", after="X", colour="orange"),
    stage("V", after="X", colour="green"),
    stage("scores", after={"Q": "row", "K": "all"}, columns=ROWS),
    stage("weights", after="scores", columns=ROWS),
    stage("output", after={"weights": "row", "V": "all"}, colour="purple"),
]


def test_cells_of_a_heatmap_print_their_numbers_and_are_read_by_a_tap(desk):
    view = heatmap(ROWS, list("abcd"), limits=(-2, 3))
    (shown,) = show(desk, live(lambda k: k * X, view, name="Tapped", k=slider(1, 2, 1)))
    read = shown.read()
    ((_, numbers),) = read["tables"]
    least = 0.05 * 2 * X.max()  # of what is drawn at any place
    assert read["digits"] == [[text if abs(float(text)) > least else "" for text in numbers]]
    shown.drawing.locator(".live-heatmap rect").nth(6).tap()
    assert readout(shown).startswith("dog, c: ")


def make_flow():
    controls = {"asks": token_buttons(ROWS, value=1, name="asks"), "sharpness": slider(1, 3, 1)}
    return live(layer, flow(STAGES, rows=ROWS, at="asks"), name="A layer", **controls)


def make_moves():
    points = np.array([[1.0, 2.0], [-2.0, 0.5], [-2.2, 0.4]])
    view = plane(points=points, moves_to="after", labels=["p", "quite long", "also long"])
    function = lambda t: {"after": points * (1 - t)}  # noqa: E731
    return live(function, view, name="Moves", t=slider(0, 1, 0.25, value=0.5))


def make_lines():
    x = np.array([1.0, 10.0, 100.0, 1000.0])
    view = curve(x, {"a": "slow", "b": "fast"}, log="xy", at="q", reading="r", xlabel="tokens")
    says = "At {q} it reads {r}."
    function = lambda q, t: {"a": x, "b": x**t, "r": q**t}  # noqa: E731
    return live(function, view, name="Lines", says=says, q=slider(1, 1000, 9), t=slider(1, 2, 0.5))


def lit(shown):
    """Return the outline in each stage: None, or the box it stands around."""
    return shown.drawing.locator(".live-lit").evaluate_all(BOXES)


def test_a_flow_lights_what_a_row_is_made_of(desk):
    """By keys, mouse, buttons and touch."""
    (shown,) = show(desk, make_flow())
    picture = shown.drawing.locator(".live-flow > svg")
    assert shown.check() == [1, 0]
    names = shown.drawing.locator(".live-stage-name").all_text_contents()
    assert names == ["X", "Q", "K", "V", "scores", "weights", "output"]
    shapes = shown.drawing.locator(".live-flow .live-quiet").all_text_contents()
    assert shapes == ["3 × 4", "3 × 2", "3 × 2", "3 × 2", "3 × 3", "3 × 3", "3 × 2"]
    assert shown.drawing.locator(".live-arrow").count() == 8
    assert None not in lit(shown)
    for _ in range(2):
        shown.drawing.get_by_role("button", name="Next").click()
    said = shown.drawing.locator(".live-flow-bar .live-flow-says")  # in sight, as the buttons are
    expect(said).to_have_text(f"Stage 2 of 7, Q. The query of dog is {Q[1, 0]:.2f}, {Q[1, 1]:.2f}.")
    assert [box is not None for box in lit(shown)] == [True, True, *5 * [False]]
    for _ in range(3):
        picture.press("ArrowRight")
    boxes = lit(shown)
    assert [box is not None for box in boxes] == [False, True, True, False, True, False, False]
    assert boxes[2][3] > 2 * boxes[1][3]  # one row of Q, all rows of K
    picture.press("ArrowDown")
    assert shown.check() == [2, 0]
    scores = ", ".join(f"{v:.2f}" for v in layer(2, 1)["scores"][2])
    expect(said).to_have_text(f"Stage 5 of 7, scores. saw: {scores}")
    shown.drawing.locator(".live-stage").nth(5).locator("rect").nth(2).click()
    assert shown.check() == [0, 0]
    row = [f"{weight:.2f}" for weight in layer(0, 1)["weights"][0]]
    expect(said).to_have_text(f"Stage 6 of 7, weights. the: {', '.join(row)}")
    shown.drawing.get_by_role("button", name="Back to start").click()
    assert shown.check() == [1, 0]
    assert None not in lit(shown)
    shown.drawing.locator(".live-stage").nth(1).locator("rect").nth(5).tap()
    assert shown.check() == [2, 0]


def test_a_flow_prints_its_numbers_and_runs_downwards_on_a_phone(desk):
    (shown,) = show(desk, make_flow())
    assert shown.drawing.locator(".live-flow .live-digits").count() == 0
    shown.drawing.get_by_role("button", name="Numbers").click()
    for width, is_below in ((1280, False), (390, True)):
        shown.page.set_viewport_size({"width": width, "height": 900})
        read = shown.read()
        tables = dict(read["tables"])
        printed = [text for stage_ in STAGES for text in tables[stage_["name"]]]
        assert read["digits"][0] == printed
        first, last = (lit(shown)[k] for k in (0, -1))
        assert (last[1] > first[1] + 100) == is_below
        assert shown.drawing.locator(".live-flow > svg").bounding_box()["width"] <= width
    shown.check()
    shown.drawing.locator(".live-flow > svg").press("ArrowDown")
    assert lit(shown)[0][1] > first[1]  # a row of its own, without a control


def make_heads():
    """Return a flow whose first stage is small pictures, 6 blocks of 2 heads each."""

    def block(block, head):
        weights = to_weights((block + 1) * X @ X.T + head)
        return {"weights": np.round(np.tril(weights), 2), "X": X + block}

    steps = [
        stage("weights", tiles=("block", "head"), label="heads", causal=True, says="Press a head."),
        stage("bets", bars=[["tail", "tails"], ["cat", "hat"], ["a", "b"]], after="heads"),
        stage("X", opens="heads", link="orders.html#numbers", of=64, by_frame=True),
        stage("weights", after="X", columns=ROWS, causal=True, says="{row} looks at {largest}."),
    ]
    functions = [block, lambda: {"bets": np.array([[0.9, 0.1], [0.6, 0.3], [0.5, 0.4]])}]
    controls = {"block": slider(0, 5, 1), "head": slider(0, 1, 1), "asks": token_buttons(ROWS)}
    return live(functions, flow(steps, rows=ROWS, at="asks"), name="Heads", **controls)


def test_a_head_is_chosen_by_its_picture_and_what_is_pointed_at_is_said(desk):
    (shown,) = show(desk, make_heads())
    drawing, said = shown.drawing, shown.drawing.locator(".live-flow-says")
    assert shown.check() == [0, 0, 0]
    tiles = drawing.locator("image")
    tiles.scroll_into_view_if_needed()
    box = tiles.bounding_box()
    first = tiles.get_attribute("href")
    assert first.startswith("data:image/png")
    desk.mouse.move(box["x"] + box["width"] * 4.5 / 6, box["y"] + box["height"] * 1.5 / 2)
    expect(said).to_have_text("block 4, head 1")
    desk.mouse.down()
    desk.mouse.up()
    assert shown.check() == [4, 1, 0]
    assert tiles.get_attribute("href") == first  # it shows all heads at any time
    bets = drawing.locator(".live-stage").nth(1).locator("text")
    assert bets.all_text_contents()[2:] == ["tail", "0.90", "tails", "0.10"]
    weights = drawing.locator(".live-stage").nth(3)
    assert weights.locator("rect").count() == 6 + 2  # none right of the diagonal; two outlines
    weights.locator("rect").nth(3).hover()
    value = float(shown.figure.frame(block=4, head=1)["weights"][2, 0])
    expect(said).to_have_text(f"weights: saw, the: {value:.2f}")
    weights.locator("rect").nth(3).click()
    assert shown.check() == [4, 1, 2]
    assert bets.all_text_contents()[2:] == ["a", "0.50", "b", "0.40"]
    link = drawing.locator("a.live-stage-link")
    assert link.evaluate("(a) => a.href.baseVal") == "orders.html#numbers"
    assert link.text_content() == "X"
    more = drawing.get_by_role("link", name="How it is made")
    expect(more).to_have_count(0)  # of the stage of weights
    drawing.get_by_role("button", name="← Back").click()
    expect(more).to_have_attribute("href", "orders.html#numbers")
    assert drawing.locator(".live-stage").nth(2).locator(".live-quiet").text_content() == "3 × 64"
    desk.set_viewport_size({"width": 390, "height": 900})
    shown.check()
    assert tiles.bounding_box()["width"] < 358


def test_the_stages_of_a_flow_are_played(desk):
    (shown,) = show(desk, make_flow())
    desk.emulate_media(reduced_motion="no-preference")
    play = shown.drawing.get_by_role("button", name="Play the stages")
    play.click()
    expect(shown.drawing.locator(".live-flow-says")).to_contain_text("Stage 1 of 7")
    shown.drawing.get_by_role("button", name="Pause the stages").click()
    desk.emulate_media(reduced_motion="reduce")
    expect(play).to_have_count(0)  # Next makes a step, too


def test_numbers_in_the_cells_keep_the_lit_stage_in_sight(desk):
    """It was far below, where the last of eight stages went as they came to stand one by one."""
    desk.set_viewport_size({"width": 600, "height": 500})
    (shown,) = show(desk, make_flow())
    for _ in STAGES:
        shown.drawing.get_by_role("button", name="Next").click()
    shown.drawing.get_by_role("button", name="Numbers").click()
    last, bar = (shown.drawing.locator(part) for part in (".live-now.live-stage", ".live-flow-bar"))
    box = last.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= bar.bounding_box()["y"]


def test_the_buttons_of_a_tall_flow_stay_in_sight_and_cover_nothing_at_its_end(desk):
    desk.set_viewport_size({"width": 390, "height": 400})
    (shown,) = show(desk, make_flow())
    shown.drawing.get_by_role("button", name="Numbers").click()
    picture, button = (shown.drawing.locator(part) for part in (".live-flow > svg", ".live-step"))
    picture.evaluate("(picture) => scrollTo(0, picture.getBoundingClientRect().top + scrollY)")
    box, bar = picture.bounding_box(), shown.drawing.locator(".live-flow-bar")
    assert box["y"] + box["height"] > 400  # it goes on below the screen
    expect(button.nth(1)).to_be_in_viewport(ratio=1)
    button.nth(1).click()
    expect(bar).to_contain_text("Stage 1 of 7")
    assert picture.bounding_box() == box  # nobody had to scroll for it
    bar.evaluate("(bar) => scrollTo(0, bar.parentElement.getBoundingClientRect().bottom + scrollY)")
    box = picture.bounding_box()
    assert bar.bounding_box()["y"] >= box["y"] + box["height"]


def test_arrows_lead_where_points_move(desk):
    (moves,) = show(desk, make_moves())
    assert moves.check() == [2]
    picture = moves.drawing.locator(".live-plane > svg")
    begins = picture.locator(".live-vector").evaluate_all(
        "all => all.map((el) => ['x1', 'y1'].map((name) => Number(el.getAttribute(name))))"
    )
    tips = picture.locator(".live-mark.live-purple").evaluate_all(PLACES)
    dots = picture.locator(".live-mark.live-green").evaluate_all(PLACES)
    assert begins == [pytest.approx(dot, abs=0.2) for dot in dots]
    middle = np.array(dots) + (np.array(tips) - np.array(dots)) * 2  # where all would meet
    np.testing.assert_allclose(middle - middle[0], 0, atol=1)


def test_lines_are_told_apart_and_switched_off(desk):
    (lines,) = show(desk, make_lines())
    assert lines.check() == [0, 0]
    paths = lines.drawing.locator(".live-curve svg[role] path.live-line")
    buttons = lines.drawing.locator(".live-curve button")
    assert buttons.all_text_contents() == ["slow", "fast"]
    assert [b.get_attribute("aria-pressed") for b in buttons.all()] == ["true", "true"]
    dashes = paths.evaluate_all("all => all.map((el) => getComputedStyle(el).strokeDasharray)")
    assert len(set(dashes)) == 2
    steps = [float(x) for x in re.findall(r"[ML ]*([\d.]+) [\d.]+", paths.first.get_attribute("d"))]
    np.testing.assert_allclose(np.diff(steps), steps[1] - steps[0], atol=0.3)  # equal factors
    for button in (buttons.first, buttons.last):  # one of them stays
        button.press("Space")
        assert [path.is_visible() for path in paths.all()] == [False, True]
    lines.drawing.locator(".live-drag").press("ArrowRight")
    assert lines.check() == [1, 0]
    assert readout(lines) == "At 10 it reads 10.00."


def test_numbers_that_stand_for_words_have_no_scale(desk):
    words = {0: "hidden", 0.3: "seen earlier", 1: "seen now"}
    view = heatmap(ROWS, list("ab"), words=words, reads="{column} is {value}")
    function = lambda: [[0, 1], [0.3, 0], [1, 1]]  # noqa: E731
    (shown,) = show(desk, live(function, view, name="Mask"))
    shown.check()
    legend = shown.drawing.locator(".live-heatmap .live-legend span")
    assert legend.all_text_contents() == list(words.values())
    assert shown.drawing.locator(".live-digits, .live-frame").count() == 0
    shown.drawing.locator(".live-heatmap rect").nth(2).tap()
    assert readout(shown) == "a is seen earlier"


def test_bars_dots_and_names_stand_where_they_should(desk):
    points = np.array([[1.0, 2.0], [-2.0, 0.5]])
    ends = plane(points=points, moves_to=points[::-1] / 2, labels=["p", "q"], ends=["to p", ""])
    far, dots, names = show(
        desk,
        live(lambda: [20.0, 50.0], bars(list("ab"), limits=(10, 50)), name="Far from zero"),
        live(lambda: [1.0, 3.0, 2.0], curve(range(3), dots=True), name="Dots"),
        live(lambda: 1.0, ends, name="Ends"),
    )
    axis, bar = (far.drawing.locator(part).first for part in (".live-axis", ".live-bar"))
    assert float(axis.get_attribute("x1")) == pytest.approx(float(bar.get_attribute("x")), abs=0.1)
    assert dots.drawing.locator(".live-dots").get_attribute("d").count("M") == 3
    texts = names.drawing.locator(".live-plane .live-mark text").all_text_contents()
    assert texts == ["p", "q", "to p"]


def test_an_axis_has_more_than_one_number_on_a_phone(desk):
    desk.set_viewport_size({"width": 390, "height": 900})
    view = curve([0, 1], limits=(2.5, 5.5), xlabel="step", ylabel="bits")
    (shown,) = show(desk, live(lambda: [5.0, 3.0], view, name="Bits"))
    upright = shown.drawing.locator(".live-curve .live-end")
    assert upright.all_text_contents() == ["3", "4", "5"]


def test_who_cannot_see_is_told_what_there_is(desk):
    all_shown = show(desk, make_flow(), make_moves(), make_lines())
    told = [
        picture.get_attribute("aria-label")
        for shown in all_shown
        for picture in shown.drawing.locator("svg:is([role=img], [role=application])").all()
    ]
    assert told == [
        "A layer. Arrow keys to the side go from stage to stage, up and down from row to row.",
        "Moves",
        "Lines. Arrow keys move the q.",
    ]
    desk.evaluate(CALM)
    check_accessible(desk)
