"""Exercises in the page, all that needs no Python: hints, solution, progress, files, storage.

A verdict comes from running a cell; here it is told by the same event that the cell would fire.
"""

import json

import pytest
from playwright.sync_api import Dialog, expect

CHAPTER = "chapters/orders.html"
LAYER = "chapters/guesses.html"  # a choice, then a number and a shape
LABEL = "ex-swap"
LABELS = ["ex-twice", "ex-swap", "ex-roles", "ex-share", "ex-total", "ex-cheapest"]
COUNT = len(LABELS)
TELL = """([label, status]) => {
  const detail = { label, status, message: "" };
  const cell = document.querySelector(`[data-exercise=${label}] .cell`);
  cell.dispatchEvent(new CustomEvent("book:verdict", { bubbles: true, detail }));
}"""
NO_STORAGE = """Object.defineProperty(window, "localStorage", {
    configurable: true, get() { throw new DOMException("denied", "SecurityError"); } })"""
FILL = """() => {
  for (let size = 1_000_000; size >= 1; size = Math.floor(size / 2)) {
    const text = "x".repeat(size);
    try { for (let i = 0; ; i++) localStorage.setItem(`filler ${size} ${i}`, text); } catch {}
  }
}"""
DANGER = "<img src=x onerror='window.hacked = 1'>"


@pytest.fixture
def chapter(page, server):
    return open_chapter(page, server)


def open_chapter(page, server):
    """Open the chapter; do not wait for its figures, which come last and may take long."""
    page.goto(f"{server}/{CHAPTER}", wait_until="commit")
    page.locator(".exercise-chapter button").wait_for()
    return page


def exercise(page, label=LABEL):
    return page.locator(f".book-exercise[data-exercise={label}]")


def press(place, name):
    place.get_by_role("button", name=name).click()


def tell(page, status, label=LABEL):
    page.evaluate(TELL, [label, status])


def badge(page, label=LABEL):
    return exercise(page, label).locator(".exercise-badge")


def expect_solved(page, number):
    """Of the chapter, so many exercises are solved."""
    text = f"chapter: {number} of {COUNT} solved"
    expect(page.locator(".exercise-chapter")).to_contain_text(text)


def expect_hints(page, number, label=LABEL):
    """Of the exercise, so many hints are shown."""
    expect(exercise(page, label).locator("details.book-hint:visible")).to_have_count(number)


VERDICTS = [  # told one after the other, and the badge that they end with
    ("ex-roles", ["not started"], ""),
    ("ex-twice", ["wrong shape"], "tried"),
    ("ex-swap", ["known mistake", "not yet"], "tried"),
    ("ex-cheapest", ["not yet", "correct", "not yet"], "solved"),
]


def test_hints_come_solutions_ask_first_and_verdicts_are_counted_and_all_is_kept(chapter, server):
    # hints come one at a time
    place = exercise(chapter, "ex-swap")
    expect_hints(chapter, 0, "ex-swap")
    press(place, "Show hint 1 of 2")
    expect_hints(chapter, 1, "ex-swap")
    expect(place.locator("details.book-hint").first).to_have_attribute("open", "")
    expect(place.locator("summary:focus")).to_have_text("Hint 1")
    press(place, "Show hint 2 of 2")
    expect_hints(chapter, 2, "ex-swap")
    expect(place.get_by_role("button", name="Show hint")).to_have_count(0)
    check_the_solution_asks_first(chapter, "ex-share")
    # who has solved an exercise sees its solution at once
    tell(chapter, "correct", "ex-total")
    press(exercise(chapter, "ex-total"), "Show the solution")
    expect(exercise(chapter, "ex-total").locator("details.book-solution pre")).to_be_visible()
    expect(badge(chapter, "ex-total")).to_have_text("solved")
    for label, statuses, _ in VERDICTS:
        for status in statuses:
            tell(chapter, status, label)
    check_verdicts_are_counted(chapter)
    open_chapter(chapter, server)
    check_verdicts_are_counted(chapter)
    expect_hints(chapter, 2, "ex-swap")


def check_the_solution_asks_first(page, label):
    place = exercise(page, label)
    solution = place.locator("details.book-solution")
    expect(solution).to_be_hidden()
    press(place, "Show the solution")
    question = place.locator(".exercise-question")
    expect(question).to_contain_text("2 hints are still unread")
    expect(question.get_by_role("button", name="Not yet")).to_be_focused()
    press(question, "Not yet")
    expect(question).to_be_hidden()
    expect(solution).to_be_hidden()
    press(place, "Show the solution")
    press(question, "Show it")
    expect(solution.locator("pre")).to_be_visible()
    expect(solution.locator("summary")).to_be_focused()
    tell(page, "correct", label)
    expect(badge(page, label)).to_have_text("solved, solution seen")


def check_verdicts_are_counted(page):
    """One exercise is solved by the verdicts, two by the checks of solutions."""
    for label, _, text in VERDICTS:
        expect(badge(page, label)).to_have_text(text)
    expect_solved(page, 3)
    expect(page.locator(".exercise-book")).to_contain_text("3 of")


def test_two_tabs_hear_of_each_others_progress_and_undo_none(chapter, server):
    other = open_chapter(chapter.context.new_page(), server)
    tell(other, "correct")
    expect(badge(chapter)).to_have_text("solved")
    tell(chapter, "correct", "ex-cheapest")
    expect_solved(other, 2)
    for number, label in enumerate(["ex-share", "ex-twice", "ex-roles", "ex-total"]):
        tell([chapter, other][number % 2], "correct", label)
    for page in (chapter, other):
        expect_solved(page, 6)
        entries = [json.loads(text) for text in kept(page).values()]
        assert [entry["solved"] for entry in entries] == [True] * 6


def open_window(page):
    press(page.locator(".exercise-chapter"), "Your progress")
    return page.get_by_role("dialog", name="Your progress")


def save(page):
    with page.expect_download() as download:
        press(open_window(page), "Save to a file")
    assert download.value.suggested_filename == "a-small-bakery-progress.json"
    return download.value.path().read_text()


def load(page, text):
    """Load a file and close the window; return what it said."""
    window = open_window(page)
    said = window.locator("[role=status]")
    said.evaluate("(said) => { said.textContent = ''; }")  # what it said of another file
    file = {"name": "a.json", "mimeType": "application/json", "buffer": text.encode()}
    window.locator("input[type=file]").set_input_files(file)
    expect(said).not_to_be_empty()
    words = said.inner_text()
    press(window, "Close")
    return words


def file_of(exercises=None, **others):
    data = {"format": "A Small Bakery: progress", "version": 1}
    return json.dumps(data | {"exercises": exercises or {}} | others)


def kept(page):
    """Return what the book stores; the theme stores other things."""
    stored = page.evaluate("() => ({ ...localStorage })")
    return {key: text for key, text in stored.items() if key.startswith("a-small-bakery:")}


def keep(page, key, text):
    page.evaluate("both => localStorage.setItem(...both)", [key, text])


def forget(page):
    """Let the page be that of a browser which has not seen the book; the theme keeps its own."""
    page.evaluate("""() => {
      Object.keys(localStorage).filter((key) => key.startsWith("a-small-bakery"))
        .forEach((key) => localStorage.removeItem(key));
      document.dispatchEvent(new CustomEvent("book:progress"));
    }""")


def test_a_saved_file_brings_all_to_another_browser_and_loading_takes_nothing_back(chapter, server):
    tell(chapter, "correct")
    tell(chapter, "known mistake", "ex-share")
    tell(chapter, "not yet", "ex-share")
    press(exercise(chapter), "Show hint 1 of 2")
    chapter.evaluate("bookCells.ofExercise('ex-swap').code = 'def invert(): pass'")
    saved = save(chapter)
    assert len(json.loads(saved)["exercises"]["ex-share"]["met"]) == 1
    said = "Saved 1 solved exercise and 1 answer to a-small-bakery-progress.json"
    expect(chapter.get_by_role("dialog").get_by_role("status")).to_contain_text(said)
    forget(chapter)
    open_chapter(chapter, server)
    assert kept(chapter) == {}
    # a saved file brings progress and answers
    assert "Loaded 1 solved exercise and 1 answer." in load(chapter, saved)
    expect(badge(chapter)).to_have_text("solved")
    expect(badge(chapter, "ex-share")).to_have_text("tried")
    expect(exercise(chapter).locator(".cm-content")).to_have_text("def invert(): pass")
    expect_hints(chapter, 1)
    # loading takes nothing back
    tell(chapter, "correct", "ex-total")
    press(exercise(chapter, "ex-total"), "Show hint 1 of 2")
    assert load(chapter, file_of({"ex-total": {"tried": True}})).startswith("Loaded 0 solved")
    expect(badge(chapter, "ex-total")).to_have_text("solved")
    expect_hints(chapter, 1, "ex-total")


NAMES = ["ex-swap", "ex-total", "ex-share", "ex-twice", "ex-cheapest", DANGER]


def test_other_files_are_refused_and_hostile_ones_run_nothing(chapter, server):
    tell(chapter, "correct")
    before = kept(chapter)
    for text, sentence in REFUSED:
        assert sentence in load(chapter, text)
    assert kept(chapter) == before
    check_a_hostile_file_and_hostile_storage_run_nothing(chapter, server)


SOLVED = {"ex-share": {"solved": True}}
DAMAGED = "This progress file is damaged, so nothing of it was loaded."
REFUSED = [
    ("not json", "it is not JSON"),
    (file_of(version=2), "made by a newer edition"),
    (" " * 5_000_001, "too large"),
    (file_of(SOLVED | {"ex-roles": {"solved": "yes"}}), DAMAGED),
    (file_of(SOLVED | {"ex-roles": {"hints": 1.5}}), DAMAGED),
    (file_of(SOLVED | {"ex-roles": {"answer": [7]}}), DAMAGED),
    (file_of(SOLVED | {"ex-roles": {"verdict": {"status": DANGER, "message": ""}}}), DAMAGED),
    (file_of(SOLVED | {DANGER: {}}), DAMAGED),  # there is a space in it
    (file_of(SOLVED, texts={"chapters/welcome:1": 7}), DAMAGED),
    (file_of([SOLVED]), DAMAGED),
]


def check_a_hostile_file_and_hostile_storage_run_nothing(page, server):
    verdict = {"status": "correct", "message": DANGER}
    entry = {"solved": True, "title": DANGER, "answer": DANGER, "verdict": verdict}
    odd = {LABEL: entry, "__proto__": {"tried": True}, "übung:1": {}}
    assert "Loaded 1 solved exercise and 1 answer." in load(page, file_of(odd))
    expect(exercise(page).locator(".cm-content")).to_have_text(DANGER)
    texts = [json.dumps({"hints": DANGER, "solved": DANGER}), "[", '"x"', "7", "null", DANGER]
    for label, text in zip(NAMES, texts, strict=True):
        keep(page, f"a-small-bakery:progress:{label}", text)
    open_chapter(page, server)
    open_window(page)
    expect_solved(page, 0)
    expect_hints(page, 0)
    assert page.evaluate("window.hacked") is None
    expect(page.locator("img[src=x]")).to_have_count(0)


def check_all_works_and_is_told_of_once(page, words):
    press(exercise(page), "Show hint 1 of 2")
    expect_hints(page, 1)
    tell(page, "correct")
    expect(badge(page)).to_have_text("solved")
    expect_solved(page, 1)
    assert json.loads(save(page))["exercises"][LABEL]["solved"]
    expect(page.get_by_text(words)).to_have_count(1)


def test_a_browser_that_stores_nothing_is_told_of_once_and_all_works(page, server):
    page.add_init_script(NO_STORAGE)
    open_chapter(page, server)
    page.get_by_role("button", name="Color mode").first.click()
    expect(page.locator("html")).to_have_attribute("data-mode", "dark")
    check_all_works_and_is_told_of_once(page, "This browser stores nothing for the book")


def test_full_storage_is_told_of_once_and_all_works(page, server):
    page.goto(f"{server}/search.html")  # where the theme stores what it wants to
    page.evaluate(FILL)
    open_chapter(page, server)
    expect(page.get_by_text("storage for the book is full")).to_have_count(0)
    check_all_works_and_is_told_of_once(page, "storage for the book is full")


def test_from_the_disk_hints_come_and_choices_and_numbers_are_judged_at_once(page, site):
    other = page.context.new_page()
    for tab in (other, page):
        tab.goto(f"{site.as_uri()}/{LAYER}")
    press(exercise(page, "ex-split"), "Show hint 1 of 2")
    expect_hints(page, 1, "ex-split")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    # a choice by keyboard
    place = exercise(page, "ex-one-oven")
    radios = place.get_by_role("group", name="Choose one:").get_by_role("radio")
    press(place, "Check")  # the browser asks for a choice
    expect(badge(page, "ex-one-oven")).to_have_text("")
    radios.nth(0).focus()
    page.keyboard.press("ArrowDown")
    expect(radios.nth(1)).to_be_checked()
    expect(badge(page, "ex-one-oven")).to_have_text("")  # choosing is not checking
    page.keyboard.press("Enter")
    expect(place.locator(".book-verdict")).to_contain_text("Known mistake: the oven can be as")
    expect(badge(page, "ex-one-oven")).to_have_text("tried")
    place.get_by_text("It has one heat for all").click()
    expect(badge(page, "ex-one-oven")).to_have_text("solved")
    expect(radios.nth(0).locator("..").get_by_role("img", name="right")).to_be_visible()
    check_numbers_and_shapes_as_people_type_them(page, "ex-trays")
    assert page.evaluate("bookCells.python") is None
    assert asked == []
    # what another tab hears of has left the page: what reads it next may be another process
    expect(badge(other, "ex-trays")).to_have_text("solved")
    page.reload()
    expect(badge(page, "ex-one-oven")).to_have_text("solved")
    expect(exercise(page, "ex-one-oven").get_by_role("radio", checked=True)).to_have_value("a")
    expect(exercise(page, "ex-one-oven").locator(".book-verdict")).to_contain_text("Correct")
    expect(exercise(page, "ex-trays").get_by_label("shape")).to_have_value("10, 512")
    expect(exercise(page, "ex-trays").locator(".book-verdict")).to_contain_text("Correct")


def fault(field):
    """Return what the browser says at a field when its form is sent."""
    return field.evaluate("field => field.validationMessage")


def check_numbers_and_shapes_as_people_type_them(page, label):
    place = exercise(page, label)
    number, shape = place.get_by_label("loaves"), place.get_by_label("shape")
    number.focus()
    page.keyboard.type("a million")
    assert fault(number).startswith("This field takes a number, as in 1,048,576")
    number.fill("")
    page.keyboard.type("4/2 * 2^19")  # with the slash that opens the search elsewhere
    page.keyboard.press("Enter")
    expect(shape).to_be_focused()  # by the browser, which asks for what is missing
    page.keyboard.type("10 x 64")
    press(place, "Check")
    expect(place.locator(".book-verdict")).to_contain_text("this is the shape of one tray")
    shape.fill("many")
    shape.press("Enter")
    assert fault(shape).startswith("This field takes a shape")
    expect(place.locator(".book-verdict")).to_have_count(0)  # on what is no longer there
    shape.fill("10, 512")
    shape.press("Enter")
    expect(badge(page, label)).to_have_text("solved")
    expect(place.locator(".cell")).to_be_hidden()


def test_titles_and_the_window_fit_it_closes_and_all_is_forgotten_when_sure(chapter):
    chapter.wait_for_load_state("load")  # of styles and letters, without which nothing is measured
    chapter.evaluate("() => document.fonts.ready.then(() => null)")
    check_a_badge_stays_in_the_title_and_moves_nothing(chapter)
    for width, scheme in ((390, "light"), (390, "dark"), (1280, "light")):
        chapter.set_viewport_size({"width": width, "height": 700})
        chapter.emulate_media(color_scheme=scheme)
        check_the_window_fits_with_its_actions_on_top_and_opens_at_the_chapter(chapter, width)
    check_everything_is_forgotten_when_the_reader_is_sure(chapter)


def check_a_badge_stays_in_the_title_and_moves_nothing(page):
    """Or the choices would go from under a finger that was about to tap them."""
    heights = """() => [...document.querySelectorAll(".exercise > .admonition-title")]
      .map((title) => title.getBoundingClientRect().height)"""
    beyond = """title => [...title.querySelectorAll(".exercise-badge, .book-effort")].map((part) =>
      part.getBoundingClientRect().bottom - title.getBoundingClientRect().bottom)"""
    for width in (1280, 390):
        forget(page)
        page.set_viewport_size({"width": width, "height": 844})
        before = page.evaluate(heights)
        for status in ("not yet", "correct"):
            tell(page, status)
            assert page.evaluate(heights) == before, (width, status)
        measured = exercise(page).locator(".admonition-title").first.evaluate(beyond)
        assert [distance <= 0 for distance in measured] == [True, True], width


def check_the_window_fits_with_its_actions_on_top_and_opens_at_the_chapter(page, width):
    window = open_window(page)
    box = window.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    expect(window.locator(".exercise-here h3")).to_be_in_viewport(ratio=1)
    window.locator("a").last.scroll_into_view_if_needed()
    for name in ("Save to a file", "Load from a file", "Forget everything", "Close"):
        expect(window.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(window).to_be_hidden()


def check_everything_is_forgotten_when_the_reader_is_sure(page):
    """Of a page whose exercise `LABEL` is solved."""
    keep(page, "a-small-bakery:text:a:1", "x")
    keep(page, "of another book", "x")
    page.evaluate("bookCells.ofExercise('ex-swap').code = 'mine'")
    press(exercise(page), "Edit")
    editor = exercise(page).locator(".cm-content")
    expect(editor).to_have_text("mine")
    window = open_window(page)
    for answer in (Dialog.dismiss, Dialog.accept):
        expect(badge(page)).to_have_text("solved")
        page.once("dialog", answer)
        press(window, "Forget everything")
    expect(badge(page)).to_have_text("")
    assert kept(page) == {}
    assert page.evaluate("localStorage.getItem('of another book')") == "x"
    expect(editor).to_contain_text('check("ex-swap"')  # the book's code again
    press(window, "Undo")
    expect(badge(page)).to_have_text("solved")
    expect(editor).to_have_text("mine")


def test_every_page_tells_progress_and_leads_to_every_exercise(chapter, server):
    page = chapter
    expect(page.locator(".book-time")).to_contain_text("minutes to read, and 20 for the")
    onward = page.get_by_role("link", name="Next exercise: ")
    expect(onward).to_have_count(0)
    for label in LABELS:
        tell(page, "correct", label)
    expect(onward).to_have_count(COUNT)
    expect(onward.last).to_have_attribute("href", "guesses.html#ex-one-oven")
    page.goto(f"{server}/chapters/welcome.html", wait_until="commit")
    expect(page.locator(".exercise-book")).to_contain_text(f"{COUNT} of")
    expect(page.get_by_role("img", name="all exercises solved")).to_have_count(1)
    press(page.locator(".exercise-book"), "Your progress")
    done = page.get_by_role("dialog", name="Your progress").locator(".exercise-done a").nth(1)
    expect(done).to_have_attribute("href", f"orders.html#{LABEL}")
    done.click()
    page.wait_for_url(f"**/{CHAPTER}#{LABEL}")
    expect(exercise(page)).to_be_in_viewport()
