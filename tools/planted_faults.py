"""The faults of tools/plant_faults.py, each a line of a file and what to write instead.

A group begins with a file, the tests that should notice its faults, and what has to be built again
first: web, python, lite or book; or check, for what make book notices before it builds. A fault is
its name, the old text (-) and, unless that is only left out, the new one (+).

What mutation covers (`make mutate`) is not here: the mathematics of the library.
"""

import shlex
from typing import NamedTuple


class Fault(NamedTuple):
    """A fault, and the tests that should notice it."""

    name: str
    file: str
    old: str
    new: str
    tests: list[str]
    steps: list[str]


def read_group(group):
    """Return the faults of a file."""
    head, *lines = group.splitlines()
    file, tests, *steps = head.split(" | ")
    starts = [k for k, line in enumerate(lines) if line[:2] not in ("- ", "+ ")]
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        name, *changes = lines[start:end]
        old, new = ("\n".join(c[2:] for c in changes if c[0] == sign) for sign in "-+")
        yield Fault(name, file, old, new, shlex.split(tests), steps)


FIGURES = r"""
bookwork/live/js/frames.js | tests/browser/test_live_figures.py -k test_figures_show | web
a figure with two controls takes them in the wrong order
- sum * count + (count > 1 ? places[k] : 0)
+ sum + count * (count > 1 ? places[k] : 0)

bookwork/live/js/frames.js | tests/browser/test_live_controls.py | web
a slider shows one number and draws another
-   if (!holds(control, model, place)) moveTo(control, model, place);

bookwork/live/js/svg.js | tests/browser/test_live_figures.py -k test_figures_show | web
numbers are cut instead of rounded
- const text = value.toFixed(digits);
+ const text = (Math.trunc(value * 10 ** digits) / 10 ** digits).toFixed(digits);

bookwork/live/js/colours.js | tests/browser/test_live_figures.py -k test_figures_show | web
digits in cells cannot be read
- luminance(rgb) > 0.179 ? "#000" : "#fff"
+ luminance(rgb) > 0.7 ? "#000" : "#fff"

bookwork/live/js/figure.css | tests/browser/test_live_figures.py -k queries_keys_values | web
figures have dark ink in the dark
- --live-ink: var(--pst-color-text-base, var(--jp-ui-font-color1, #1a1a1a));
+ --live-ink: #1a1a1a;
figures are too wide for a phone
- .live-drawing svg {
-   display: block;
-   max-width: 100%;
+ .live-drawing svg {
+   min-width: 500px;

bookwork/live/js/accessible.js | tests/browser/test_widgets.py -k pressed | web
buttons do not say which is pressed
- button.setAttribute("aria-pressed", String(Boolean(pressed)));

bookwork/page/figures/widgets.js | tests/browser/test_live_figures.py -k test_figures_show | web
all figures are drawn in the place of the first
- showSoon(JSON.parse(marker.textContent).model_id, places[i])
+ showSoon(JSON.parse(marker.textContent).model_id, places[i && 0])
"""

PAGE = r"""
bookwork/page/exercises/exercise.js | tests/browser/test_exercises.py -k "verdicts or hints" | web
a wrong answer counts as solved
- kind === "right" ? { tried: true, solved: true }
+ status !== "wrong shape" ? { tried: true, solved: true }
a hint appears by itself
- (hint.hidden = i >= entryOf(label).hints)
+ (hint.hidden = i > entryOf(label).hints)

bookwork/page/exercises/progress.js | tests/browser/test_exercises.py | web
a progress file undoes what is solved
- solved: one.solved || other.solved,
+ solved: one.solved,
a file of another program is loaded
- if (data?.format !== FORMAT)
+ if (!(data instanceof Object))

bookwork/page/site/store.js | tests/browser/test_exercises.py -k full_storage | web
full storage loses progress
-     memory.set(key, text);
-     tell(error);
+     tell(error);

bookwork/page/cells/memory.js | tests/browser/test_kept_text.py -k survives | web
answers are not kept
- else write(this.key, text);
+ else remove(this.key);

bookwork/page/cells/cells.js | tests/browser/test_cells.py -k cells_above | web
cells above do not run first
- return this.#above(cell).filter((each) => !each.ran);
+ return this.#above(cell).filter(() => false);

bookwork/page/cells/python.js | tests/browser/test_python.py -k break | web
a crash is reported by its first line
-     .at(-1)
+     .at(0)

bookwork/page/outputs/outputs.js | tests/browser/test_safety.py -k only_looked_at | web
a reader's html runs with the page's origin
- node.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox");

bookwork/page/outputs/safe-html.js | tests/browser/test_safety.py -k only_looked_at | web
html of a widget leads the reader away
- FORBID_TAGS: ["form",
+ FORBID_TAGS: [

bookwork/page/python/page_outbox.py | tests/page/test_page_outbox.py
old values of a widget win over new ones
- "state": {**old["data"]["state"], **state},
+ "state": {**state, **old["data"]["state"]},

bookwork/page/python/page_widgets.py | tests/page/test_page_widgets.py
an Output is cleared before its next output is there
- if message["kind"] == "clear" and message["wait"]:
+ if message["kind"] == "clear" and message["wait"] is None:

bookwork/page/site/guard.js | tests/browser/test_missing_files.py -k does_not_come | web | book
a missing script is not reported
- notify(MISSING, {
+ notify("", {

bookwork/page/site/notebook-links.js | tests/browser/test_lite.py -k disk | web
from the disk a notebook is offered that needs a server
- if (location.protocol.startsWith("http"))
+ if (location.protocol)

bookwork/page/search/results.js | tests/browser/test_search.py -k "leads and file" | web
from the disk the search finds nothing
-   await addScript(address);
+   await fetch(address.href);
+   await addScript(address);

bookwork/page/site/book.css | tests/book/test_shell.py
grey text cannot be read in the dark
- --book-muted: #a2adbd;
+ --book-muted: #4a5566;

bookwork/page/site/book.css | tests/browser/test_pdf.py -k controls | web
buttons are printed on paper
- :is(.live-bar-of-buttons, .live-button, .book-widget .slider-container,
+ :is(.book-widget .slider-container,
"""

EXERCISES = r"""
bookwork/exercises/outputs.py | tests/exercises/test_answers_in_pyodide.py | python
only in the page right answers count as wrong
- if got.shape != right.shape or decimals_lost(got, right):
+ if got.shape != right.shape or __import__("sys").platform[:3] == "ems":

bookwork/exercises/outputs.py | tests/exercises
rough answers count as right
- (3e-5, 1e-5, 1e-7) if single(got) else (1e-5, 2e-6, 1e-12)
+ (1e-1, 1e-1, 1e-1)

bookwork/exercises/checkers.py | tests/exercises
a known mistake is no longer known
- raises="truth value of an array"
+ raises="truth values of arrays"
an answer that is left open is judged
- return answer is ... or answer is None or answer is NotImplemented
+ return answer is ... or answer is NotImplemented

bookwork/exercises/verdicts.py | tests/exercises/test_check.py
what a reader writes is taken for markup
- r"([\\`*_{}\[\]<>#|$~^&])"
+ r"([\\`*_{}\[\]#|$~^&])"

bookwork/exercises/names.py | tests/exercises/test_engine.py
the library may answer in the reader's place
- if used.__globals__ is not function.__globals__:
+ if used.__globals__ is None:

bookwork/exercises/report.py | tests/exercises/test_report.py
a file name controls a teacher's terminal
- character if character.isprintable() else "?"
+ character

attention_lib/training.py | tests/test_training.py
the loss of an impossible answer is not a number
- peak = logits.max(axis=-1, keepdims=True, initial=np.finfo(logits.dtype).min)
+ peak = logits.max(axis=-1, keepdims=True)
"""

BUILD = r"""
bookwork/build/wheels.py | tests/test_build_python.py -k tampered
a wheel that was tampered with is taken
- if found != digest:
+ if not found:

bookwork/pyproject.toml | tests/test_dist.py
the wheel lacks the scripts of figures
-     "live/static/*",

tools/notebooks.py | tests/test_notebooks.py
notebooks show the code of figures
- if HIDING & set(tags):
+ if HIDING & set():
a changed copy of a notebook is overwritten
-     if is_ours(path, written):
-         if not path
+     if name in written:
+         if not path

tools/notebooks.py | tests/browser/test_lite.py -k opens | lite
notebooks in the browser ask for a kernel that is not there
- "language": "python", "name": "python"}
+ "language": "python", "name": "julia"}

tools/build_lite.py | tests/test_build_lite.py
notebooks in the browser fetch packages from elsewhere
- "disablePyPIFallback": True
+ "disablePyPIFallback": False

tools/make_pdf.py | tests/browser/test_pdf.py -k link
links of the PDF lead to files of this machine
- elif address.startswith(
+ elif not address.startswith(

bookwork/sphinx/preview.py | tests/book/test_preview.py | book
a shared chapter shows no picture
- app.config.html_baseurl or "../" * depth
+ app.config.html_baseurl

bookwork/sphinx/exercises.py | tests/book/test_exercises.py
an exercise loses its starter
- node.parent[node.parent.index(node) + 1 :]
+ node.parent[node.parent.index(node) + 2 :]

bookwork/book/check_exercises.py | tests/book/test_faults.py
an exercise that was renamed is never credited
- if called and called[0] != label:
+ if called and not label:

bookwork/book/files.py | tests/test_steps.py tests/book/test_author_loop.py
what is made of a file is kept after the file has changed
-         if before == state:
+         if before:

bookwork/commands/watch.py | tests/test_watch.py tests/book/test_author_loop.py
after a change of the settings, pages are built with the old ones
-         if not is_text:
-             self.drop_next()

bookwork/build/policy.py | tests/book/test_safety.py
the policy of a page names another hash
- hashlib.sha256(
+ hashlib.sha3_256(
"""

CHAPTERS = r"""
chapters/self_attention.md | tests/book/test_check_numbers.py -k self_attention
a number in a sentence is wrong
- *Owner* 0.47, *tail* 0.22
+ *Owner* 0.48, *tail* 0.22

chapters/queries_keys_values.md | tests/book/test_exercises.py | check
a solution belongs to another exercise
- :::{solution} ex-row-sums
+ :::{solution} ex-swap

chapters/queries_keys_values.md | tests/book/test_exercises.py
a printed solution is wrong
- answer = "b"
- check("ex-row-sums"
+ answer = "c"
+ check("ex-row-sums"

chapters/multi_head_attention.md | tests/book/test_cells_in_pyodide.py | book
a cell says something else in the page
- print(weights.shape, np.allclose(output, end_to_end @ W_o))
+ print(weights.shape, end_to_end.shape, __import__("sys").platform)
"""

TEXTS = (FIGURES, PAGE, EXERCISES, BUILD, CHAPTERS)
GROUPS = [group for text in TEXTS for group in text.strip().split("\n\n")]
FAULTS = [fault for group in GROUPS for fault in read_group(group)]
