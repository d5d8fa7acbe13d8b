"""Sphinx extension: what a cell or a reference does wrong is one warning, with its file and line.

A cell that fails is told with its own line in the chapter and the last line of the exception; a
label that does not exist, with the most similar one that does.
"""

import re

from docutils.utils import get_source_line
from sphinx.util import logging

from bookwork.book.faults import did_you_mean, line_of, one_line
from bookwork.sphinx.pages import notes_of, text_of

logger = logging.getLogger(__name__)
SUPPRESSED = [  # what is told here, and what is no fault: the verdict of an exercise is text, too
    *("mystnb.exec", "mystnb.stderr", "mystnb.unknown_mime_type", "ref.ref"),
    "myst-nb.lexer",  # of cells that were not run
]
FIGURES = "bookwork figures"  # the note of a page: the names of figures that its cells draw
ACCEPTED = ("show", "remove", "remove-warn")  # what a book may say of what cells write to stderr
NO_TITLE = "what the label {0} marks has no title: say what to call it, as in {{ref}}`words <{0}>`"
NOT_DRAWN = "the figure {} is not there: its cell failed, was not run, or drew nothing"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("config-inited", suppress_warnings)
    app.connect("env-before-read-docs", forget_old)
    app.connect("warn-missing-reference", tell_of_label)


def suppress_warnings(app, config):
    """Suppress warnings of Sphinx that are no faults, or are told here."""
    config.suppress_warnings = [*config.suppress_warnings, *SUPPRESSED]


def forget_old(app, env, docnames):
    """Forget all pages that will be read again: a label that moved would seem to be there twice."""
    for docname in docnames:
        app.emit("env-purge-doc", env, docname)
        env.clear_doc(docname)


# cells that fail


def tell_of_cell(page, cell, line, sentence):
    """Warn of a line of a cell, by its note; a notebook of Jupyter has no lines."""
    if cell["line"]:
        logger.warning(sentence, location=(page, cell["line"] + line - 1))
    else:
        logger.warning(f"in cell {cell['index'] + 1}, {sentence}", location=page)


def tell_of_outputs(notebook, page, cells, config):
    """Warn of cells that failed or wrote to stderr, unless the settings of the book allow it."""
    allowed = {"error": config.execution_allow_errors, "stream": config.output_stderr in ACCEPTED}
    for noted in cells:
        cell = notebook.cells[noted["index"]]
        for output in cell.outputs:
            if not allowed.get(output.output_type) and (told := sentence_for(cell, output)):
                tell_of_cell(page, noted, *told)


def sentence_for(cell, output):
    """Return the line within its cell and the sentence for an output that is a fault, or None."""
    if output.output_type == "error":
        trace = ANSI.sub("", "\n".join(output.traceback))
        said = re.sub(r" \(\S+, line \d+\)$", "", output.evalue)  # of a SyntaxError
        what = one_line(f"{name_of(cell)} fails: {output.ename}: {said}").removesuffix(":")
        lines = re.findall(rf"Cell In\[{cell.execution_count}\], line (\d+)", trace)
        return int(lines[-1]) if lines else 1, what
    if output.output_type == "stream" and output.name == "stderr":
        warned = re.search(r"(?:ipykernel_\d+/\d+\.py:(\d+): )?(\w*Warning: .*)", output.text)
        line, said = warned.groups() if warned else (None, output.text)
        verb = "warns" if warned else "writes to stderr"
        return int(line or 1), one_line(f"{name_of(cell)} {verb}: {said}")
    return None


def name_of(cell):
    """Name the figure that a cell draws, or just the cell."""
    name = figure_name(cell)
    return f"the figure {name}" if name else "the cell"


def figure_name(cell):
    """Return the label of the figure that a cell draws, or an empty text."""
    found = cell.metadata
    for key in ("mystnb", "figure", "name"):
        found = found.get(key, "") if isinstance(found, dict) else ""
    return found


# labels that do not exist


def tell_of_label(app, domain, node):
    """Warn of a label that does not exist."""
    page, target = node["refdoc"], node["reftarget"]
    figures = {name for own in notes_of(app.env, FIGURES).values() for name in own}
    if target in figures and app.builder.name == "dummy":
        return True  # no cell was run
    standard, equations = app.env.get_domain("std"), app.env.get_domain("math").equations
    labels = {*standard.labels, *standard.anonlabels, *equations, *app.env.found_docs}
    known = labels | figures
    if node.get("reftype") == "doc":
        said = f"there is no page {target}{did_you_mean(target, app.env.found_docs)}"
    elif target in figures:
        said = NOT_DRAWN.format(target)
    elif target in known:
        said = NO_TITLE.format(target)
    else:
        said = f"there is no label {target}{did_you_mean(target, known)}"
    line = line_of(text_of(app.env, page), target, get_source_line(node)[1] or 1)
    logger.warning(said, location=(page, line))
    return True
