"""Exercises in the page, all that needs no Python: hints, solution, progress, files, storage.

A verdict comes from running a cell; here it is told by the same event that the cell would fire.
"""

import json

import pytest
from playwright.sync_api import expect

from attention_lib.exercises import queries_keys_values

CHAPTER = "chapters/queries_keys_values.html"
LABEL = "ex-swap"
COUNT = len(queries_keys_values.EXERCISES)
TELL = """([label, status]) => {
  const detail = { label, status, message: "" };
  const cell = document.querySelector(`[data-exercise=${label}] .cell`);
  cell.dispatchEvent(new CustomEvent("book:verdict", { bubbles: true, detail }));
}"""
NO_STORAGE = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("denied", "SecurityError"); } })"""
FAULTS_OF_THE_THEME = [  # it asks for the reader's choice of light or dark, and takes no refusal
    "page error: denied",
    "console: Got invalid theme mode: undefined. Resetting to auto.",
]
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
    page.locator(".exercise-chapter").wait_for()
    return page


def exercise(page, label=LABEL):
    return page.locator(f".book-exercise[data-exercise={label}]")


def press(place, name):
    place.get_by_role("button", name=name).click()


def tell(page, status, label=LABEL):
    page.evaluate(TELL, [label, status])


def badge(page, label=LABEL):
    return exercise(page, label).locator(".exercise-badge")


def expect_hints(page, number):
    """Of the exercise, so many hints are shown."""
    expect(exercise(page).locator("details.book-hint:visible")).to_have_count(number)


def wait_for_looks(page):
    """Wait for the style sheets and letters, without which nothing can be measured."""
    page.wait_for_load_state("load")
    page.evaluate("() => document.fonts.ready.then(() => null)")


def test_hints_come_one_at_a_time_and_stay(chapter, server):
    expect_hints(chapter, 0)
    press(exercise(chapter), "Show hint 1 of 2")
    expect_hints(chapter, 1)
    expect(exercise(chapter).locator("details.book-hint").first).to_have_attribute("open", "")
    expect(exercise(chapter).locator("summary:focus")).to_have_text("Hint 1")
    press(exercise(chapter), "Show hint 2 of 2")
    expect_hints(chapter, 2)
    expect(exercise(chapter).get_by_role("button", name="Show hint")).to_have_count(0)
    open_chapter(chapter, server)
    expect_hints(chapter, 2)


def test_the_solution_asks_first(chapter):
    solution = exercise(chapter).locator("details.book-solution")
    expect(solution).to_be_hidden()
    press(exercise(chapter), "Show the solution")
    question = exercise(chapter).locator(".exercise-question")
    expect(question).to_contain_text("2 hints are still unread")
    expect(question.get_by_role("button", name="Not yet")).to_be_focused()
    press(question, "Not yet")
    expect(question).to_be_hidden()
    expect(solution).to_be_hidden()
    press(exercise(chapter), "Show the solution")
    press(question, "Show it")
    expect(solution.locator("pre")).to_be_visible()
    expect(solution.locator("summary")).to_be_focused()
    tell(chapter, "correct")
    expect(badge(chapter)).to_have_text("solved, solution seen")


def test_who_has_solved_an_exercise_sees_its_solution_at_once(chapter):
    tell(chapter, "correct")
    press(exercise(chapter), "Show the solution")
    expect(exercise(chapter).locator("details.book-solution pre")).to_be_visible()
    expect(badge(chapter)).to_have_text("solved")


def test_verdicts_are_counted_and_kept(chapter, server):
    expected = [
        ("ex-swap", ["not started"], ""),
        ("ex-one-hot", ["wrong shape"], "tried"),
        ("ex-cosine", ["known mistake", "not yet"], "tried"),
        ("ex-row-sums", ["not yet", "correct"], "solved"),
        ("ex-approximate", ["correct", "not yet"], "solved"),
    ]
    for label, statuses, _ in expected:
        for status in statuses:
            tell(chapter, status, label)
    for _ in range(2):
        for label, _, text in expected:
            expect(badge(chapter, label)).to_have_text(text)
        expect(chapter.locator(".exercise-chapter")).to_contain_text(f"2 of {COUNT} solved")
        expect(chapter.locator(".exercise-book")).to_contain_text("2 of")
        open_chapter(chapter, server)


def test_progress_is_told_on_every_page_and_lists_every_exercise(chapter, server):
    tell(chapter, "correct")
    chapter.goto(f"{server}/chapters/notation.html")
    expect(chapter.locator(".exercise-book")).to_contain_text("1 of")
    press(chapter.locator(".exercise-book"), "Your progress")
    window = chapter.get_by_role("dialog", name="Your progress")
    expect(window.locator(".exercise-done a")).to_have_attribute(
        "href", f"queries_keys_values.html#{LABEL}"
    )
    window.locator(".exercise-done a").click()
    chapter.wait_for_url(f"**/{CHAPTER}#{LABEL}")
    expect(exercise(chapter)).to_be_in_viewport()


def test_another_tab_hears_of_progress(chapter, server):
    other = open_chapter(chapter.context.new_page(), server)
    tell(other, "correct")
    expect(badge(chapter)).to_have_text("solved")
    tell(chapter, "correct", "ex-one-hot")
    expect(other.locator(".exercise-chapter")).to_contain_text(f"2 of {COUNT} solved")


def test_two_tabs_do_not_undo_each_other(chapter, server):
    other = open_chapter(chapter.context.new_page(), server)
    for number, label in enumerate(["ex-swap", "ex-one-hot", "ex-cosine", "ex-row-sums"]):
        tell([chapter, other][number % 2], "correct", label)
    open_chapter(chapter, server)
    expect(chapter.locator(".exercise-chapter")).to_contain_text(f"4 of {COUNT} solved")


# files


def open_window(page):
    press(page.locator(".exercise-chapter"), "Your progress")
    return page.get_by_role("dialog", name="Your progress")


def save(page):
    with page.expect_download() as download:
        press(open_window(page), "Save to a file")
    assert download.value.suggested_filename == "paying-attention-progress.json"
    return download.value.path().read_text()


def load(page, text, encoding="utf-8"):
    window = open_window(page)
    file = {"name": "a.json", "mimeType": "application/json", "buffer": text.encode(encoding)}
    window.locator("input[type=file]").set_input_files(file)
    return window.locator("[role=status]")


def file_of(exercises=None, answers=None, **others):
    data = {"format": "Paying Attention: progress", "version": 1}
    return json.dumps(data | {"exercises": exercises or {}, "answers": answers or {}} | others)


def kept(page):
    """Return what the book stores; the theme stores other things."""
    stored = page.evaluate("() => ({ ...localStorage })")
    return {key: text for key, text in stored.items() if key.startswith("paying-attention:")}


def test_a_saved_file_brings_progress_and_answers_to_another_browser(chapter, window, server):
    tell(chapter, "correct")
    tell(chapter, "not yet", "ex-cosine")
    press(exercise(chapter), "Show hint 1 of 2")
    answer = chapter.evaluate("bookCells.ofExercise('ex-swap').memory.key")
    chapter.evaluate("key => localStorage.setItem(key, 'def invert(): pass')", answer)
    saved = save(chapter)
    said = "Saved 2 exercises and 1 answer to paying-attention-progress.json"
    expect(chapter.get_by_role("dialog").get_by_role("status")).to_contain_text(said)
    fresh = open_chapter(window().new_page(), server)
    expect(load(fresh, saved)).to_contain_text("Loaded 1 solved exercise and 1 answer.")
    expect(badge(fresh)).to_have_text("solved")
    expect(badge(fresh, "ex-cosine")).to_have_text("tried")
    press(fresh.get_by_role("dialog"), "Close")
    assert kept(fresh)[answer] == "def invert(): pass"
    expect(exercise(fresh).locator(".cm-content")).to_have_text("def invert(): pass")
    expect_hints(fresh, 1)


def test_a_file_that_another_program_saved_anew_is_read(chapter):
    for encoding in ("utf-16", "utf-16-be", "utf-8-sig"):
        saved = file_of({LABEL: {"solved": True}}, {f"{encoding}:1": "x = 'é'"})
        said = load(chapter, saved, encoding)
        expect(said).to_contain_text("Loaded 1 solved exercise and 1 answer.")
        assert kept(chapter)[f"paying-attention:answer:{encoding}:1"] == "x = 'é'"
        press(chapter.get_by_role("dialog"), "Close")


def test_loading_takes_nothing_back(chapter):
    tell(chapter, "correct")
    press(exercise(chapter), "Show hint 1 of 2")
    expect(load(chapter, file_of({LABEL: {"tried": True}}))).to_contain_text("Loaded 0 solved")
    expect(badge(chapter)).to_have_text("solved")
    expect_hints(chapter, 1)


def test_other_files_are_refused_with_a_sentence(chapter):
    before = kept(chapter)
    for text, sentence in (
        ("not json", "it is not JSON"),
        ("[]", "This isn't a progress file for this book"),
        (file_of(version=2), "made by a newer edition"),
        ("null", "This isn't a progress file for this book"),
        (" " * 5_000_001, "too large"),
        ('{"format": "another"}', "This isn't a progress file for this book"),
    ):
        expect(load(chapter, text)).to_contain_text(sentence)
        press(chapter.get_by_role("dialog"), "Close")
    assert kept(chapter) == before


def test_what_does_not_fit_in_a_file_is_left_out(chapter):
    exercises = {
        LABEL: {"tried": 1, "solved": "yes", "hints": -3.5, "seen": DANGER, "more": DANGER},
        "ex-one-hot": {"solved": True, "hints": 1e9},
        "ex-cosine": "solved",
        "ex-row-sums": None,
        "__proto__": {"solved": True},
        DANGER: {"solved": True},
    }
    answers = {"ex-swap:1": 7, "with space": "x", "": "x", "long": "x" * 50_001, "ok:1": DANGER}
    expect(load(chapter, file_of(exercises, answers))).to_contain_text("Loaded 1 solved")
    stored = kept(chapter)
    nothing = {"tried": False, "solved": False, "hints": 0, "seen": False}
    solved = {"tried": True, "solved": True, "hints": 9, "seen": False}
    assert json.loads(stored.pop(f"paying-attention:progress:{LABEL}")) == nothing
    assert json.loads(stored.pop("paying-attention:progress:ex-one-hot")) == solved
    assert stored == {
        "paying-attention:answer:ok:1": DANGER,
        "paying-attention:marks:ok:1": "file",
    }


def test_a_hostile_file_runs_nothing(chapter, server):
    answers = {f"{LABEL}:{DANGER.replace(' ', '/')}": DANGER, "queries_keys_values:1": DANGER}
    said = load(chapter, file_of({DANGER: {"solved": True, "title": DANGER}}, answers))
    expect(said).to_contain_text("Loaded 0 solved exercises and 2 answers.")
    open_chapter(chapter, server)
    open_window(chapter)
    assert chapter.evaluate("window.hacked") is None
    assert chapter.locator("img[src=x]").count() == 0


def test_hostile_storage_runs_nothing(page, server):
    page.goto(f"{server}/{CHAPTER}")
    texts = [json.dumps({"hints": DANGER, "solved": DANGER}), "[", '"x"', "7", "null", DANGER]
    labels = ["ex-swap", "ex-one-hot", "ex-cosine", "ex-row-sums", "ex-approximate", DANGER]
    for label, text in zip(labels, texts, strict=True):
        page.evaluate(
            "both => localStorage.setItem(...both)", [f"paying-attention:progress:{label}", text]
        )
    open_chapter(page, server)
    open_window(page)
    expect(page.locator(".exercise-chapter")).to_contain_text(f"0 of {COUNT} solved")
    expect_hints(page, 0)
    assert page.evaluate("window.hacked") is None


def test_everything_is_forgotten_after_a_second_press(chapter):
    tell(chapter, "correct")
    chapter.evaluate("localStorage.setItem('paying-attention:answer:a:1', 'x')")
    chapter.evaluate("localStorage.setItem('of another book', 'x')")
    chapter.evaluate("localStorage.setItem('paying-attention-place', 'where I was')")
    chapter.evaluate("bookCells.ofExercise('ex-swap').code = 'mine'")
    exercise(chapter).get_by_role("button", name="Edit").click()
    editor = exercise(chapter).locator(".cm-content")
    expect(editor).to_have_text("mine")
    window = open_window(chapter)
    press(window, "Forget everything")
    expect(badge(chapter)).to_have_text("solved")
    press(window, "Really forget everything?")
    expect(badge(chapter)).to_have_text("")
    assert kept(chapter) == {}
    assert chapter.evaluate("localStorage.getItem('of another book')") == "x"
    chapter.locator("section[id] > h2").last.scroll_into_view_if_needed()
    chapter.evaluate("dispatchEvent(new Event('pagehide'))")  # it is not kept again by leaving
    assert chapter.evaluate("localStorage.getItem('paying-attention-place')") is None
    expect(editor).to_contain_text('check("ex-swap"')  # the book's code again
    press(window, "Undo")
    expect(badge(chapter)).to_have_text("solved")
    expect(editor).to_have_text("mine")


# storage


def expect_all_works(page):
    press(exercise(page), "Show hint 1 of 2")
    expect_hints(page, 1)
    tell(page, "correct")
    expect(badge(page)).to_have_text("solved")
    expect(page.locator(".exercise-chapter")).to_contain_text(f"1 of {COUNT} solved")
    assert json.loads(save(page))["exercises"][LABEL]["solved"]


def test_a_browser_that_stores_nothing_is_told_of_once_and_all_works(page, server):
    page.add_init_script(NO_STORAGE)
    page.forgiven += FAULTS_OF_THE_THEME
    open_chapter(page, server)
    expect(page.get_by_text("This browser stores nothing for the book")).to_have_count(1)
    expect_all_works(page)
    expect(page.get_by_text("This browser stores nothing for the book")).to_have_count(1)


def test_full_storage_is_told_of_once_and_all_works(chapter, server):
    chapter.evaluate(FILL)
    open_chapter(chapter, server)
    expect(chapter.get_by_text("storage for the book is full")).to_have_count(0)
    expect_all_works(chapter)
    expect(chapter.get_by_text("storage for the book is full")).to_have_count(1)


# the frame


def test_without_scripts_hints_and_solution_are_plain_dropdowns(window, server):
    page = window(java_script_enabled=False).new_page()
    page.goto(f"{server}/{CHAPTER}")
    parts = exercise(page).locator("details")
    assert [part.inner_text().strip() for part in parts.all()] == ["Hint 1", "Hint 2", "Solution"]
    parts.last.locator("summary").click()
    expect(parts.last.locator("pre")).to_be_visible()
    expect(page.locator(".exercise-line")).to_have_count(0)


def test_from_the_disk_exercises_work_too(page, site):
    page.goto(f"{site.as_uri()}/{CHAPTER}")
    press(exercise(page), "Show hint 1 of 2")
    tell(page, "correct")
    expect(page.locator(".exercise-chapter")).to_contain_text(f"1 of {COUNT} solved")


def test_badge_and_minutes_stay_in_the_title(chapter):
    wait_for_looks(chapter)
    tell(chapter, "correct")
    beyond = """title => [...title.querySelectorAll(".exercise-badge, .book-effort")].map((part) =>
      part.getBoundingClientRect().bottom - title.getBoundingClientRect().bottom)"""
    for width in (1280, 390):
        chapter.set_viewport_size({"width": width, "height": 844})
        measured = exercise(chapter).locator(".admonition-title").first.evaluate(beyond)
        assert [distance <= 0 for distance in measured] == [True, True], width


def test_escape_closes_the_window(chapter):
    window = open_window(chapter)
    chapter.keyboard.press("Escape")
    expect(window).to_be_hidden()


def test_the_window_fits_a_phone_with_its_actions_on_top_and_opens_at_the_chapter(chapter):
    wait_for_looks(chapter)
    for width, scheme in ((390, "light"), (390, "dark"), (1280, "light")):
        chapter.set_viewport_size({"width": width, "height": 700})
        chapter.emulate_media(color_scheme=scheme)
        window = open_window(chapter)
        box = window.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        expect(window.locator(".exercise-here h3")).to_be_in_viewport(ratio=1)
        window.locator("a").last.scroll_into_view_if_needed()
        for name in ("Save to a file", "Load from a file", "Forget everything", "Close"):
            expect(window.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        window.get_by_role("button", name="Close").click()
        expect(window).to_be_hidden()


def test_a_solved_exercise_leads_on_and_the_first_page_back(chapter, server):
    following = exercise(chapter).get_by_role("link", name="Next exercise: Who is calling?")
    expect(following).to_be_hidden()
    tell(chapter, "correct")
    expect(following).to_have_attribute("href", "#ex-roles")
    last = exercise(chapter, "ex-search-engine").locator(".exercise-next")
    assert last.get_attribute("href").startswith("attention_pooling.html#ex-")
    link = exercise(chapter).get_by_title("Link to this exercise")
    expect(link).to_have_attribute("href", f"#{LABEL}")
    expect(chapter.locator(".book-time")).to_contain_text("minutes to read, and 70 for the")
    chapter.get_by_role("heading", name="The look-up is a sum").scroll_into_view_if_needed()
    chapter.goto(f"{server}/chapters/welcome.html")
    line = chapter.locator(".book-continue")
    expect(line).to_contain_text("Queries, keys and values › ")
    line.get_by_role("link").click()
    chapter.wait_for_url(f"**/{CHAPTER}#*")
    for text in ('{"path": "https://evil.example/x.html", "words": ["x"]}', "[", '{"words": 7}'):
        chapter.goto(f"{server}/chapters/notation.html")
        chapter.evaluate("text => localStorage.setItem('paying-attention-place', text)", text)
        chapter.goto(f"{server}/chapters/welcome.html")
        chapter.locator(".exercise-book").wait_for()
        expect(line).to_have_count(0)
