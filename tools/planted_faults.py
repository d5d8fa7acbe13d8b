"""The faults of tools/plant_faults.py: each a text in a file, and what to write instead."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault, and the tests that should notice it.

    `steps` are what has to be built again first: "web", "python", "lite" or "book"; or "check",
    for what make check notices.
    """

    name: str
    file: str
    old: str
    new: str
    tests: list[str]
    steps: tuple[str, ...] = ()


LIBRARY = [
    Fault(
        "scaled scores are not scaled",
        "attention_lib/scores.py",
        "return (Q / math.sqrt(d_k)) @ K.mT",
        "return (Q / 1) @ K.mT",
        ["tests/test_scores.py"],
    ),
    Fault(
        "a temperature multiplies",
        "attention_lib/weights.py",
        "np.exp((x - peak) / temperature)",
        "np.exp((x - peak) * temperature)",
        ["tests/test_weights.py"],
    ),
    Fault(
        "large scores overflow",
        "attention_lib/weights.py",
        "np.exp((x - peak) / temperature)",
        "np.exp(x / temperature)",
        ["tests/test_weights.py"],
    ),
    Fault(
        "a NaN behind the mask reaches the output",
        "attention_lib/pooling.py",
        "if not np.isfinite(output).all():",
        "if output is None:",
        ["tests/test_pooling.py"],
    ),
    Fault(
        "the gradient of the softmax has a wrong sign",
        "attention_lib/gradients.py",
        "weights * (d_weights - mean)",
        "weights * (d_weights + mean)",
        ["tests/test_gradients.py"],
    ),
    Fault(
        "blocks are divided by their largest number",
        "attention_lib/blockwise.py",
        "total = scores.sum(axis=-1, keepdims=True)",
        "total = scores.max(axis=-1, keepdims=True)",
        ["tests/test_blockwise.py"],
    ),
    Fault(
        "heads are cut across words",
        "attention_lib/multi_head.py",
        "return X.reshape(*X.shape[:-2], n, heads, d // heads).swapaxes(-2, -3)",
        "return X.reshape(*X.shape[:-2], heads, n, d // heads)",
        ["tests/test_multi_head.py"],
    ),
    Fault(
        "heads are merged in the wrong order",
        "attention_lib/multi_head.py",
        "return X.swapaxes(-2, -3).reshape(*X.shape[:-3], n, h * d_v)",
        "return X.mT.swapaxes(-2, -3).reshape(*X.shape[:-3], n, h * d_v)",
        ["tests/test_multi_head.py"],
    ),
]

FIGURES = [
    Fault(
        "a figure with two controls takes them in the wrong order",
        "attention_lib/live/js/frames.js",
        "sum * count + (count > 1 ? places[k] : 0)",
        "sum + count * (count > 1 ? places[k] : 0)",
        ["tests/browser/test_live_figures.py", "-k", "self_attention"],
        ("web",),
    ),
    Fault(
        "numbers are cut instead of rounded",
        "attention_lib/live/js/svg.js",
        "const text = value.toFixed(digits);",
        "const text = (Math.trunc(value * 10 ** digits) / 10 ** digits).toFixed(digits);",
        ["tests/browser/test_live_figures.py", "-k", "self_attention"],
        ("web",),
    ),
    Fault(
        "digits in cells cannot be read",
        "attention_lib/live/js/svg.js",
        'luminance(rgb) > 0.179 ? "#000" : "#fff"',
        'luminance(rgb) > 0.7 ? "#000" : "#fff"',
        ["tests/browser/test_live_figures.py", "-k", "self_attention"],
        ("web",),
    ),
    Fault(
        "figures have dark ink in the dark",
        "attention_lib/live/js/figure.css",
        "--live-ink: var(--pst-color-text-base, var(--jp-ui-font-color1, #1a1a1a));",
        "--live-ink: #1a1a1a;",
        ["tests/browser/test_live_figures.py", "-k", "queries_keys_values"],
        ("web",),
    ),
    Fault(
        "figures are too wide for a phone",
        "attention_lib/live/js/figure.css",
        ".live-drawing svg {\n  display: block;\n  max-width: 100%;",
        ".live-drawing svg {\n  display: block;\n  min-width: 500px;",
        ["tests/browser/test_live_figures.py", "-k", "read and queries_keys_values"],
        ("web",),
    ),
    Fault(
        "buttons do not say which is pressed",
        "attention_lib/live/js/accessible.js",
        'button.setAttribute("aria-pressed", String(Boolean(pressed)));',
        "",
        ["tests/browser/test_widgets.py", "-k", "pressed"],
        ("web",),
    ),
]

PAGE = [
    Fault(
        "a wrong answer counts as solved",
        "web/exercise.js",
        'kind === "right" ? { tried: true, solved: true }',
        'status !== "wrong shape" ? { tried: true, solved: true }',
        ["tests/browser/test_exercises.py", "-k", "verdicts"],
        ("web",),
    ),
    Fault(
        "a progress file undoes what is solved",
        "web/progress.js",
        "solved: one.solved || other.solved,",
        "solved: one.solved,",
        ["tests/browser/test_exercises.py", "-k", "loading_takes"],
        ("web",),
    ),
    Fault(
        "a file of another program is loaded",
        "web/progress.js",
        "if (data?.format !== FORMAT)",
        "if (!(data instanceof Object))",
        ["tests/browser/test_exercises.py", "-k", "other_files"],
        ("web",),
    ),
    Fault(
        "full storage loses progress",
        "web/store.js",
        "    memory.set(key, text);\n    tell(error);\n    return false;",
        "    tell(error);\n    return false;",
        ["tests/browser/test_exercises.py", "-k", "full_storage"],
        ("web",),
    ),
    Fault(
        "answers are not kept",
        "web/memory.js",
        "else write(this.key, text);",
        "else remove(this.key);",
        ["tests/browser/test_answers.py", "-k", "new_reader"],
        ("web",),
    ),
    Fault(
        "a hint appears by itself",
        "web/exercise.js",
        "(hint.hidden = i >= entryOf(label).hints)",
        "(hint.hidden = i > entryOf(label).hints)",
        ["tests/browser/test_exercises.py", "-k", "hints_come"],
        ("web",),
    ),
    Fault(
        "a reader's html runs with the page's origin",
        "web/outputs.js",
        'node.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox");',
        "",
        ["tests/browser/test_cells.py", "-k", "frames"],
        ("web",),
    ),
    Fault(
        "cells above do not run first",
        "web/cells.js",
        "return this.#above(cell).filter((each) => !each.ran);",
        "return this.#above(cell).filter(() => false);",
        ["tests/browser/test_cells.py", "-k", "cells_above"],
        ("web",),
    ),
    Fault(
        "a verdict that the reader's code made counts",
        "web/runtime.py",
        "if is_verdict(value):",
        "if page_display.bundle(value).get(VERDICTS):",
        ["tests", "-k", "made_up"],
        ("web",),
    ),
    Fault(
        "all figures are drawn in the place of the first",
        "web/widgets.js",
        "show(JSON.parse(marker.textContent).model_id, places[i])",
        "show(JSON.parse(marker.textContent).model_id, places[i && 0])",
        ["tests/browser/test_live_figures.py", "-k", "self_attention"],
        ("web",),
    ),
    Fault(
        "from the disk a notebook is offered that needs a server",
        "web/notebook-links.js",
        'if (location.protocol.startsWith("http"))',
        "if (location.protocol)",
        ["tests/browser/test_lite.py", "-k", "disk"],
        ("web",),
    ),
    Fault(
        "from the disk the search finds nothing",
        "web/search.js",
        "await load(page.dataset.index)",
        "await fetch(page.dataset.index).then(() => load(page.dataset.index))",
        ["tests/browser/test_search.py", "-k", "leads and file"],
        ("web",),
    ),
    Fault(
        "grey text cannot be read in the dark",
        "web/book.css",
        "--book-muted: #a2adbd;",
        "--book-muted: #4a5566;",
        ["tests/book/test_shell.py"],
    ),
    Fault(
        "code runs over the edge of a phone",
        "web/book.css",
        ".book-widget .jupyter-widgets {\n  max-width: 100%;",
        ".book-widget .jupyter-widgets {\n  min-width: 30rem;",
        ["tests/browser/test_live_figures.py", "-k", "read and queries_keys_values"],
        ("web",),
    ),
    Fault(
        "buttons are printed on paper",
        "web/book.css",
        "  .live-bar-of-buttons,\n  .live-button,\n  .book-widget .slider-container,",
        "  .book-widget .slider-container,",
        ["tests/browser/test_pdf.py", "-k", "controls"],
        ("web",),
    ),
]

EXERCISES = [
    Fault(
        "only in the page right answers count as wrong",
        "attention_lib/exercises/engine/outputs.py",
        "if got.shape != right.shape:",
        'if got.shape != right.shape or __import__("sys").platform[:3] == "ems":',
        ["tests/exercises/test_answers_in_pyodide.py"],
        ("python",),
    ),
    Fault(
        "rough answers count as right",
        "attention_lib/exercises/engine/outputs.py",
        "(3e-5, 1e-5, 1e-7) if single(got) else (1e-5, 2e-6, 1e-12)",
        "(1e-1, 1e-1, 1e-1)",
        ["tests/exercises"],
    ),
    Fault(
        "a known mistake is no longer known",
        "attention_lib/exercises/engine/checkers.py",
        'raises="truth value of an array"',
        'raises="truth values of arrays"',
        ["tests/exercises"],
    ),
    Fault(
        "an answer that is left open is judged",
        "attention_lib/exercises/engine/checkers.py",
        "return answer is ... or answer is None or answer is NotImplemented",
        "return answer is ... or answer is NotImplemented",
        ["tests/exercises"],
    ),
    Fault(
        "what a reader writes is taken for markup",
        "attention_lib/exercises/engine/verdicts.py",
        r'r"([\\`*_{}\[\]<>#|$~^&])"',
        r'r"([\\`*_{}\[\]#|$~^&])"',
        ["tests/exercises/test_check.py"],
    ),
]

BUILD = [
    Fault(
        "a wheel that was tampered with is taken",
        "tools/build_python.py",
        "if found != digest:",
        "if not found:",
        ["tests/test_build_python.py", "-k", "tampered"],
    ),
    Fault(
        "webassembly is served as something else",
        "tools/serve.py",
        '".wasm": "application/wasm"',
        '".wasm": "application/octet-stream"',
        ["tests/test_commands.py"],
    ),
    Fault(
        "the wheel lacks the scripts of figures",
        "pyproject.toml",
        '"data/*", "live/static/*"',
        '"data/*"',
        ["tests/test_dist.py"],
    ),
    Fault(
        "notebooks show the code of figures",
        "tools/notebooks.py",
        "if HIDING & set(tags):",
        "if HIDING & set():",
        ["tests/test_notebooks.py"],
    ),
    Fault(
        "a changed copy of a notebook is overwritten",
        "tools/notebooks.py",
        "    if is_ours(path, written):\n        if not path",
        "    if name in written:\n        if not path",
        ["tests/test_notebooks.py"],
    ),
    Fault(
        "notebooks in the browser ask for a kernel that is not there",
        "tools/notebooks.py",
        '"language": "python", "name": "python"}',
        '"language": "python", "name": "julia"}',
        ["tests/browser/test_lite.py", "-k", "opens"],
        ("lite",),
    ),
    Fault(
        "notebooks in the browser fetch packages from elsewhere",
        "tools/build_lite.py",
        '"disablePyPIFallback": True',
        '"disablePyPIFallback": False',
        ["tests/test_build_lite.py"],
    ),
    Fault(
        "sheets of the PDF are numbered from 0",
        "tools/make_pdf.py",
        "for k in range(1, len(joined.pages) + 1))",
        "for k in range(len(joined.pages)))",
        ["tests/browser/test_pdf.py", "-k", "number"],
    ),
    Fault(
        "links of the PDF lead to files of this machine",
        "tools/make_pdf.py",
        "elif address.startswith(",
        "elif not address.startswith(",
        ["tests/browser/test_pdf.py", "-k", "link"],
    ),
    Fault(
        "an exercise loses its starter",
        "_ext/exercises.py",
        "node.parent[node.parent.index(node) + 1 :]",
        "node.parent[node.parent.index(node) + 2 :]",
        ["tests/book/test_exercises.py"],
    ),
    Fault(
        "the policy of a page names another hash",
        "tools/policy.py",
        "hashlib.sha256(",
        "hashlib.sha3_256(",
        ["tests/book/test_safety.py"],
    ),
]

CHAPTERS = [
    Fault(
        "a number in a sentence is wrong",
        "chapters/self_attention.md",
        "*Owner* 0.47, *tail* 0.22",
        "*Owner* 0.48, *tail* 0.22",
        ["tests/book/test_numbers_self_attention.py"],
        ("check",),
    ),
    Fault(
        "a solution belongs to another exercise",
        "chapters/queries_keys_values.md",
        ":::{solution} ex-row-sums",
        ":::{solution} ex-swap",
        ["tests/book/test_exercises.py"],
        ("check",),
    ),
    Fault(
        "a printed solution is wrong",
        "chapters/queries_keys_values.md",
        '```python\nanswer = "b"\ncheck("ex-row-sums"',
        '```python\nanswer = "c"\ncheck("ex-row-sums"',
        ["tests/book/test_exercises.py"],
    ),
    Fault(
        "one page is too wide for a phone",
        "chapters/notation.md",
        "# Notation",
        '# Notation\n\n<div style="width: 40rem">wide</div>',
        ["tests/browser/test_live_figures.py", "-k", "read and notation"],
        ("book",),
    ),
    Fault(
        "a cell says something else in the page",
        "chapters/self_attention.md",
        "print(X_dog.shape, Q.shape, np.abs(weights - head).max() < 0.01)",
        'print(X_dog.shape, Q.shape, __import__("sys").platform)',
        ["tests/browser/test_answers.py", "-k", "self_attention"],
        ("book",),
    ),
]

# Bugs that the book once had.
RETURNED = [
    Fault(
        "a slider shows one number and draws another",
        "attention_lib/live/js/frames.js",
        "  if (!holds(control, model, place)) moveTo(control, model, place);\n",
        "",
        ["tests/browser/test_live_controls.py"],
        ("web",),
    ),
    Fault(
        "a curve is moved by a control without numbers",
        "attention_lib/live/figure.py",
        "        check_moves(view, axes)\n",
        "",
        ["tests/live/test_figure.py"],
    ),
    Fault(
        "labels that are not texts leave a figure blank",
        "attention_lib/live/views.py",
        "    labels = list(map(str, given))\n",
        "    labels = list(given)\n",
        ["tests/live/test_figure.py"],
    ),
    Fault(
        "a figure over its budget is computed first",
        "attention_lib/live/figure.py",
        "    check_budget(2 * numbers * count_positions(axes), axes, budget)\n",
        "",
        ["tests/live/test_figure.py"],
    ),
    Fault(
        "no memory is held in reserve",
        "web/page_memory.py",
        "while len(self.blocks) < 2 * BLOCKS:",
        "while len(self.blocks) < 0 * BLOCKS:",
        ["tests/page"],
    ),
    Fault(
        "a crash is reported by its first line",
        "web/python.js",
        '.split("\\n")\n    .at(-1)',
        '.split("\\n")\n    .at(0)',
        ["tests/browser/test_python.py", "-k", "break"],
        ("web",),
    ),
    Fault(
        "a Gaussian is 0 far away",
        "attention_lib/pooling.py",
        "if kernel is gaussian_kernel:",
        "if kernel is None:",
        ["tests/test_pooling.py"],
    ),
    Fault(
        "a tuple is taken for an array",
        "attention_lib/gradients.py",
        "if isinstance(result, tuple):",
        "if isinstance(result, tuple) and not result:",
        ["tests/test_gradients.py"],
    ),
    Fault(
        "one mask per head is taken for a batch",
        "attention_lib/_shapes.py",
        "if array.ndim >= len(shape):",
        "if array.ndim > len(shape):",
        ["tests/test_multi_head.py"],
    ),
    Fault(
        "the loss of an impossible answer is not a number",
        "attention_lib/training.py",
        "peak = logits.max(axis=-1, keepdims=True, initial=np.finfo(logits.dtype).min)",
        "peak = logits.max(axis=-1, keepdims=True)",
        ["tests/test_training.py"],
    ),
    Fault(
        "an exercise that was renamed is never credited",
        "tools/check_exercises.py",
        "if called and called[0] != label:",
        "if called and not label:",
        ["tests/book/test_faults.py"],
    ),
]

SEEN = [  # what the tests of safety, files that fail, notebooks' words and reports must notice
    Fault(
        "the library may answer in the reader's place",
        "attention_lib/exercises/engine/watch.py",
        'if event == "call" and name in names and _in_library(frame):',
        'if event == "return" and name in names and not _in_library(frame):',
        ["tests/exercises/test_engine.py"],
    ),
    Fault(
        "long errors are cut within a word",
        "attention_lib/exercises/engine/running.py",
        "kept.rpartition(' ')[0] or kept",
        "kept",
        ["tests/exercises/test_engine.py"],
    ),
    Fault(
        "a file name controls a teacher's terminal",
        "attention_lib/exercises/engine/report.py",
        'character if character.isprintable() else "?"',
        "character",
        ["tests/exercises/test_report.py"],
    ),
    Fault(
        "a report takes files of any edition",
        "attention_lib/exercises/engine/report.py",
        'if type(data.get("version")) is not int or data["version"] != VERSION:',
        'if type(data.get("version")) is not int:',
        ["tests/exercises/test_report.py"],
    ),
    Fault(
        "the page on the library lists what is private",
        "tools/reference_text.py",
        'isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_")',
        "isinstance(node, ast.FunctionDef | ast.ClassDef)",
        ["tests/test_reference_text.py"],
    ),
    Fault(
        "two builds count as the same whatever is in them",
        "tools/compare_builds.py",
        "if one.get(name) != other.get(name)",
        "if (name in one) != (name in other)",
        ["tests/test_compare_builds.py"],
    ),
    Fault(
        "old values of a widget win over new ones",
        "web/page_outbox.py",
        '"state": {**old["data"]["state"], **state},',
        '"state": {**state, **old["data"]["state"]},',
        ["tests/page/test_page_outbox.py"],
    ),
    Fault(
        "an Output is cleared before its next output is there",
        "web/page_widgets.py",
        'if message["kind"] == "clear" and message["wait"]:',
        'if message["kind"] == "clear" and message["wait"] is None:',
        ["tests/page/test_page_widgets.py"],
    ),
    Fault(
        "a search finds the names of properties",
        "web/ranking.js",
        "if (word === keyword) return 2;",
        "if (word === keyword || keyword in {}) return 2;",
        ["tests/book/test_search.py"],
    ),
    Fault(
        "html of a widget leads the reader away",
        "web/safe-html.js",
        '"script, meta, base,',
        '"script, base,',
        ["tests/browser/test_safety.py", "-k", "html_of_a_widget"],
        ("web",),
    ),
    Fault(
        "a missing script is not reported",
        "web/guard.js",
        'notify(loss, { label: "Try again"',
        'notify("", { label: "Try again"',
        ["tests/browser/test_missing_files.py", "-k", "without_its_script"],
        ("web", "book"),
    ),
    Fault(
        "a widget that was closed is shown",
        "web/widgets.js",
        "if (!element.isConnected || model._closed)",
        "if (!element.isConnected)",
        ["tests/browser/test_words.py", "-k", "closed"],
        ("web",),
    ),
    Fault(
        "a widget may offer any number of entries",
        "web/limits.js",
        "entries.length <= most) return null;",
        "entries.length >= 0) return null;",
        ["tests/browser/test_python.py", "-k", "too_much"],
        ("web",),
    ),
    Fault(
        "the place to continue from is never forgotten",
        "web/progress.js",
        "const OWN = [PROGRESS, ANSWER, MARKS, PLACE];",
        "const OWN = [PROGRESS, ANSWER, MARKS];",
        ["tests/browser/test_exercises.py", "-k", "forgotten"],
        ("web",),
    ),
]

FAULTS = [*LIBRARY, *FIGURES, *PAGE, *EXERCISES, *BUILD, *CHAPTERS, *RETURNED, *SEEN]
