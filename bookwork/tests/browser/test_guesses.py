"""A reader guesses by choosing, typing and dragging, sees the truth, and finds the guess again."""

import re

from bookwork.testing.shown import wait_for_drawing
from browser.cells import FAKE
from browser.test_exercises import fault, load, save
from playwright.sync_api import expect

CHAPTER = "chapters/guesses.html"


def answer(box):
    return box.locator("details .sd-card-body")


def guess_in(page, name):
    """Begin a guess in a figure; return its box, and the figure."""
    box = page.locator(f"#{name}")
    box.get_by_role("button", name="Guess in Figure").click()
    return box, page.locator(f"#{box.get_attribute('data-figure')}")


def test_a_guess_is_chosen_typed_or_dragged_and_kept(page, server):
    page.goto(f"{server}/{CHAPTER}")
    wait_for_drawing(page)
    before = page.locator(".exercise-chapter").inner_text()
    veiled = page.locator("#guess-bill + .cell .cell_output").get_by_text("26.0")
    check_a_veil_hides_the_output_from_readers_alone(page, veiled)
    # a choice by keys opens nothing until enter
    box = page.locator("#guess-heat")
    box.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    expect(answer(box)).to_be_hidden()
    page.keyboard.press("Enter")
    expect(answer(box)).to_contain_text("It becomes flat")
    expect(mark_in(box, "It becomes flat.")).to_have_accessible_name("right")
    box.get_by_text("It becomes a straight line").click()
    expect(mark_in(box, "It becomes a straight line")).to_have_accessible_name("not right")
    expect(mark_in(box, "It becomes flat.")).to_have_accessible_name("right")
    box.get_by_text("It becomes flat.").first.click()
    expect(box.get_by_role("img")).to_have_count(1)
    check_nonsense_gets_a_sentence_and_a_number_the_answer(page)
    expect(veiled).to_be_visible()
    check_bars_are_moved_by_keys_and_the_truth_is_drawn_beside_them(page)
    check_a_point_is_dragged(page)
    counted = page.locator(".exercise-chapter")
    expect(counted).to_have_text(before, use_inner_text=True)  # nowhere
    text = save(page)
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.reload()
    wait_for_drawing(page)
    check_all_is_there(page)
    page.evaluate("localStorage.clear()")
    page.reload()
    wait_for_drawing(page)
    expect(page.locator("#guess-heat :checked")).to_have_count(0)
    load(page, text)
    check_all_is_there(page)


def mark_in(box, text):
    return box.locator("label", has_text=text).get_by_role("img")


def check_a_veil_hides_the_output_from_readers_alone(page, veiled):
    """Paper shows it, and so does a page without scripts: styles alone hide it."""
    expect(veiled).to_be_hidden()
    page.emulate_media(media="print")
    expect(veiled).to_be_visible()
    page.emulate_media(media="screen")
    page.evaluate(FAKE)
    run = page.locator("#guess-bill + .cell").get_by_role("button", name=re.compile("^Run:"))
    run.press("Enter")
    expect(page.locator("#guess-bill + .cell .book-own")).to_be_visible()
    page.locator("#guess-bill + .cell").get_by_role("button", name="Start over").press("Enter")
    expect(veiled).to_be_hidden()


def check_nonsense_gets_a_sentence_and_a_number_the_answer(page):
    box = page.locator("#guess-bill")
    field = box.get_by_role("textbox", name="the bill, in coins")
    field.fill("a lot")
    field.press("Enter")
    assert fault(field).startswith("This field takes a number")
    expect(answer(box)).to_be_hidden()
    field.fill("65/2")
    field.press("Enter")
    expect(answer(box)).to_contain_text("more than anyone has")
    expect(box.locator(".exercise-wrong")).to_have_text("✗ 26")


def check_bars_are_moved_by_keys_and_the_truth_is_drawn_beside_them(page):
    box, figure = guess_in(page, "guess-shares")
    first = figure.get_by_role("slider", name="Your guess: Ann")
    expect(first).to_be_focused()
    start = float(first.get_attribute("aria-valuenow"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(first).to_have_attribute("aria-valuetext", f"{start + 0.1:.2f}")
    # the figure stays and the focus goes to its words
    bar = figure.locator(".guess-bar")
    before = bar.bounding_box()["y"]
    bar.get_by_role("button", name="Show the answer").press("Enter")
    expect(bar.get_by_text("Outlined, your guess")).to_be_focused()
    assert abs(bar.bounding_box()["y"] - before) < 2
    expect(answer(box)).to_contain_text("two thirds")
    said = f"{start + 0.1:.2f}; the figure: {2 / 15:.2f}"
    expect(first).to_have_attribute("aria-valuetext", said)
    first.focus()
    page.keyboard.press("ArrowRight")  # what was guessed stays
    expect(first).to_have_attribute("aria-valuetext", said)
    figure.get_by_role("button", name="Back to start").click()
    expect(first).to_be_hidden()  # there the guess means nothing


def check_a_point_is_dragged(page):
    box, figure = guess_in(page, "guess-place")
    point = figure.get_by_role("slider", name="Your guess: sum")
    place = point.bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    page.mouse.move(place["x"] + 60, place["y"] - 40)
    page.mouse.up()
    box.locator("summary").click()
    expect(point).to_have_attribute("aria-valuetext", re.compile(r"figure: \(5\.00, 5\.00\)$"))


def check_all_is_there(page):
    expect(page.locator("#guess-heat :checked")).to_have_value("It becomes flat.")
    expect(mark_in(page.locator("#guess-heat"), "flat")).to_have_accessible_name("right")
    expect(page.locator("#guess-bill input")).to_have_value("65/2")
    for name in ("guess-heat", "guess-bill", "guess-shares"):
        expect(answer(page.locator(f"#{name}"))).to_be_visible()
    page.locator("#guess-shares").get_by_role("button", name="Compare in Figure").click()
    outline = page.get_by_role("slider", name="Your guess: Ann")
    expect(outline).to_have_attribute("aria-valuetext", "0.30; the figure: 0.13")


def test_a_row_of_weights_is_guessed_in_a_heatmap(page, server):
    page.goto(f"{server}/{CHAPTER}")
    wait_for_drawing(page)
    check_who_moved_nothing_keeps_the_place(page, *guess_in(page, "guess-row"))
    box, figure = guess_in(page, "guess-row")
    outline = figure.get_by_role("slider", name="Your guess: morning")
    # keys go far and leave the page where it is
    place = page.evaluate("scrollY")
    for key, value in (("End", "1.00"), ("PageDown", "0.75"), ("Home", "0.00"), ("PageUp", "0.25")):
        page.keyboard.press(key)
        expect(outline).to_have_attribute("aria-valuetext", value)
    assert page.evaluate("scrollY") == place
    page.keyboard.press("ArrowUp")
    box.locator("summary").click()
    expect(outline).to_have_attribute("aria-valuetext", "0.30; the figure: 1.00")


def check_who_moved_nothing_keeps_the_place(page, box, figure):
    before = figure.bounding_box()["y"]
    figure.get_by_role("button", name="Show the answer").press("Enter")
    expect(box.get_by_role("button", name="Guess in Figure")).to_be_focused()
    assert abs(figure.bounding_box()["y"] - before) < 2
    box.locator("summary").click()
