"""Sphinx extension: reports each fault of a chapter in one sentence, with its file and line.

build/build_book.py prints what is collected here and nothing else. A cell that fails is reported
with its own line in the chapter and the last line of the exception; the consequences (figures
without a number, labels that point nowhere) are not reported. A label that does not exist is
reported with the most similar one that does. The next build reads the pages at fault again, because
it would otherwise miss the fault.
"""

import logging as plain_logging
import re
from pathlib import Path, PurePosixPath

from docutils.utils import get_source_line
from sphinx.util import logging

from bookwork.book.faults import Fault, line_of, no_label, one_line
from bookwork.book.myst import labels_in
from bookwork.sphinx.pages import notes_of

logger = logging.getLogger(__name__)
SUPPRESSED = [
    *("mystnb.exec", "mystnb.stderr", "ref.ref"),  # said better by report_outputs, report_missing
    "mystnb.unknown_mime_type",  # of verdicts, which are shown as text, too
]
FAILED = "bookwork failed"  # the note of a page: whether a cell of it failed
ACCEPTED = ("show", "remove", "remove-warn")  # what a book may say of what cells write to stderr
NO_TITLE = "what the label {0} marks has no title: say what to call it, as in {{ref}}`words <{0}>`"
NO_PICTURE = "image file not readable: "
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def setup(app):
    """Connect each step to Sphinx."""
    app.book_faults = Collector(app)
    plain_logging.getLogger(logging.NAMESPACE).addHandler(app.book_faults)
    app.connect("config-inited", suppress_warnings)
    app.connect("env-get-outdated", read_again)
    app.connect("env-before-read-docs", forget_old)
    app.connect("warn-missing-reference", report_missing)


def suppress_warnings(app, config):
    """Suppress warnings of Sphinx that are no faults, or are reported here."""
    config.suppress_warnings = [*config.suppress_warnings, *SUPPRESSED]


def forget_old(app, env, docnames):
    """Forget all pages that will be read again: a label that moved would seem to be there twice."""
    for docname in docnames:
        app.emit("env-purge-doc", env, docname)
        env.clear_doc(docname)


class Collector(plain_logging.Handler):
    """Collects warnings and errors as faults, and remembers the pages that have any."""

    def __init__(self, app):
        super().__init__(plain_logging.WARNING)
        self.addFilter(logging.WarningSuppressor(app))
        self.addFilter(logging.WarningLogRecordTranslator(app))
        self.root, self.found, self.at_fault = Path(app.srcdir), [], set()
        self.record = Path(app.outdir).parent / "pages-at-fault"

    def emit(self, record):
        """Handle one log record."""
        message = plain_logging.LogRecord.getMessage(record)
        self.found.append(self.as_fault(str(record.location or ""), message))
        self.at_fault.add(self.found[-1].path.rpartition(".")[0])

    def as_fault(self, location, message):
        """Turn a message of Sphinx into a fault."""
        match = re.fullmatch(r"(.*?)(?::(\d*))?", location)
        path = Path(match[1])
        if path.is_absolute() and path.is_relative_to(self.root):
            path = path.relative_to(self.root)
        name = path.as_posix() if match[1] else ""
        sentence = re.sub(r" \[[\w-]+(\.[\w-]+)?\]$", "", one_line(message))  # without its kind
        return Fault(name, int(match[2] or 0) or self.line_of_picture(name, sentence), sentence)

    def line_of_picture(self, name, sentence):
        """Return the line that names a picture that is missing, which MyST leaves out; or 0."""
        picture = PurePosixPath(sentence.removeprefix(NO_PICTURE)).name
        is_told = sentence.startswith(NO_PICTURE) and (self.root / name).is_file()
        return line_of((self.root / name).read_text(encoding="utf-8"), picture, 0) if is_told else 0

    def end(self):
        """Save the pages at fault for the next build; return the faults."""
        self.record.parent.mkdir(parents=True, exist_ok=True)
        self.record.write_text("".join(f"{page}\n" for page in sorted(self.at_fault)))
        return list(dict.fromkeys(self.found))


def read_again(app, env, added, changed, removed):
    """Read again the pages that were at fault in the last build."""
    record = app.book_faults.record
    pages = set(record.read_text().splitlines()) if record.is_file() else set()
    return env.found_docs if "" in pages else pages & env.found_docs


# cells that fail


def report_outputs(notebook, path, docname, lines, config):
    """Report cells that failed or wrote to stderr; `lines` are the lines of the cells.

    The settings of the book may allow the one and the other. A notebook of Jupyter has no lines.
    """
    text = path.read_text(encoding="utf-8")
    allowed = {"error": config.execution_allow_errors, "stream": config.output_stderr in ACCEPTED}
    for cell, line in zip(notebook.cells, lines, strict=True):
        start = first_line(text, line, cell.source)
        for output in cell.get("outputs", ()):
            what = None if allowed.get(output.output_type) else sentence_for(cell, output)
            if what and path.suffix == ".ipynb":
                logger.warning(f"in cell {cell.execution_count}, {what[1]}", location=docname)
            elif what:
                logger.warning(what[1], location=(docname, start + what[0] - 1))


def first_line(text, fence, source):
    """Return the line of a chapter at which the code of a cell begins."""
    lines, code = text.splitlines(), source.splitlines()
    places = range(fence - 1, len(lines))
    return next((k + 1 for k in places if lines[k : k + len(code)] == code), fence)


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
    name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
    return f"the figure {name}" if name else "the cell"


# labels that do not exist


def report_missing(app, domain, node):
    """Report a label that does not exist, unless it belongs to a figure whose cell failed."""
    page, target, failed_labels = node["refdoc"], node["reftarget"], labels_of_failed(app.env)
    if target in failed_labels:
        app.book_faults.at_fault.add(page)
    else:
        known = known_labels(app.env) | failed_labels
        line = line_of(read(app.env, page), target, get_source_line(node)[1] or 1)
        said = NO_TITLE.format(target) if target in known else no_label(target, known)
        logger.warning(said, location=(page, line))
    return True


def labels_of_failed(env):
    """Return the labels of chapters whose cells failed: their figures are missing."""
    failed = [page for page, has_failed in notes_of(env, FAILED).items() if has_failed]
    return {label for page in failed for label in labels_in(read(env, page))}


def known_labels(env):
    """Return every label, equation and page that can be referenced."""
    standard = env.get_domain("std")
    equations = env.get_domain("math").equations
    return {*standard.labels, *standard.anonlabels, *equations, *env.found_docs}


def read(env, page):
    """Return the text of a page."""
    return Path(env.doc2path(page)).read_text(encoding="utf-8")
