"""Sphinx extension: reports each fault of a chapter in one sentence, with its file and line.

build/build_book.py prints what is collected here and nothing else. A cell that fails is reported
with its own line in the chapter and the last line of the exception; the consequences (figures
without a number, labels that point nowhere) are not reported. A label that does not exist is
reported with the most similar one that does. A page that cannot be read shows a sentence in its
place, so that all others are built.

What is found is kept: the next build tells it again of pages that it does not look at. If anything
in the book has changed, it reads the pages at fault again, since that may have mended them. Those
with a cell that failed are read again in any case: what was missing may be installed by now.
"""

import contextlib
import json
import logging as plain_logging
import re
from pathlib import Path, PurePosixPath

import nbformat
from docutils.utils import get_source_line
from sphinx.util import logging

from bookwork.book.faults import (
    Fault,
    UnreadableError,
    did_you_mean,
    line_of,
    no_label,
    one_line,
)
from bookwork.book.myst import labels_in
from bookwork.book.pages import Page, page_of
from bookwork.sphinx.pages import notes_of

logger = logging.getLogger(__name__)
SUPPRESSED = ["mystnb.exec", "mystnb.stderr", "ref.ref"]  # report_outputs, report_missing say more
UNKNOWN_TYPE = "mystnb.unknown_mime_type"
VERDICT = "skipping unknown output mime type: application/vnd.book.verdict"  # shown as text, too
FAILED = "bookwork failed"  # the note of a page: whether a cell of it failed
ACCEPTED = ("show", "remove", "remove-warn")  # what a book may say of what cells write to stderr
NO_TITLE = "what the label {0} marks has no title: say what to call it, as in {{ref}}`words <{0}>`"
NOT_RUN = "the figure {} is not there: its cell was not run, or drew nothing"
NO_PICTURE = "image file not readable: "
UNREACHED = re.compile(r" not fetchable due to <class '[\w.]*?(\w+)'>.*")
NO_PAGE = "# This page could not be built\n\n{}\n"  # what readers see in its place
GATE = re.compile(r"\{(?:exercise|solution)-(?:start|end)\}")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def setup(app):
    """Connect each step to Sphinx."""
    app.book_faults = Collector(app)
    plain_logging.getLogger(logging.NAMESPACE).addHandler(app.book_faults)
    app.connect("config-inited", suppress_warnings)
    app.connect("env-get-outdated", read_again)
    app.connect("env-before-read-docs", forget_old)
    app.connect("source-read", set_aside, priority=100)  # before others look at the text
    app.connect("doctree-resolved", note_written)
    app.connect("warn-missing-reference", report_missing)


def suppress_warnings(app, config):
    """Suppress warnings of Sphinx that are no faults, or are reported here."""
    more = [UNKNOWN_TYPE] if config.book_alone else []  # where no Collector tells verdicts apart
    config.suppress_warnings = [*config.suppress_warnings, *SUPPRESSED, *more]


def forget_old(app, env, docnames):
    """Forget all pages that will be read again: a label that moved would seem to be there twice."""
    app.book_faults.seen.update(docnames)
    for docname in docnames:
        app.emit("env-purge-doc", env, docname)
        env.clear_doc(docname)


def note_written(app, doctree, docname):
    """Note that a page is written in this build."""
    app.book_faults.seen.add(docname)
    app.book_faults.written.add(docname)


class Suppressor(logging.WarningSuppressor):
    """Leaves out what a book suppresses, and counts nothing: Sphinx counts its warnings itself."""

    def filter(self, record):
        """Return whether a record is to be collected."""
        count = self.app._warncount
        is_wanted = super().filter(record)
        self.app._warncount = count
        return is_wanted


class Collector(plain_logging.Handler):
    """Collects warnings and errors as faults, and remembers the pages that have any."""

    def __init__(self, app):
        super().__init__(plain_logging.WARNING)
        self.addFilter(Suppressor(app))
        self.addFilter(logging.WarningLogRecordTranslator(app))
        self.app, self.root = app, Path(app.srcdir)
        self.found = []  # (page, fault)
        self.seen, self.written = set(), set()  # pages that this build reads or writes
        self.again = set()  # pages that the next build reads in any case
        self.broken = {}  # page -> the error with which it could not be read
        self.record = Path(app.outdir).parent / "faults.json"
        kept = json.loads(self.record.read_text(encoding="utf-8")) if self.record.is_file() else {}
        self.read_anyway = set(kept.get("again", ()))
        self.earlier = [(page, Fault(*fault)) for page, *fault in kept.get("found", ())]

    def emit(self, record):
        """Handle one log record, once: Sphinx holds some back, and hands them on again."""
        message = plain_logging.LogRecord.getMessage(record)
        if hasattr(record, "is_collected") or message.startswith(VERDICT):
            return
        record.is_collected = True
        fault = self.as_fault(str(record.location or ""), message)
        page, env = fault.path.rpartition(".")[0], self.env
        current = env.temp_data.get("docname", "") if env else ""
        self.found.append((page if env and page in env.found_docs else current, fault))

    @property
    def env(self):
        """Sphinx's environment, which is not there from the start."""
        return getattr(self.app, "env", None)

    def as_fault(self, location, message):
        """Turn a message of Sphinx into a fault."""
        match = re.fullmatch(r"(.*?)(?::(\d*))?", location)
        path = Path(match[1])
        if path.is_absolute() and path.is_relative_to(self.root):
            path = path.relative_to(self.root)
        name = path.as_posix() if match[1] else ""
        sentence = re.sub(r" \[[\w-]+(\.[\w-]+)?\]$", "", one_line(message))  # without its kind
        sentence = UNREACHED.sub(r" cannot be fetched (\1)", sentence)
        return Fault(name, int(match[2] or 0) or self.line_of_picture(name, sentence), sentence)

    def line_of_picture(self, name, sentence):
        """Return the line that names a picture that is missing, which MyST leaves out; or 0."""
        picture = PurePosixPath(sentence.removeprefix(NO_PICTURE)).name
        is_told = sentence.startswith(NO_PICTURE) and (self.root / name).is_file()
        return line_of(text_of(self.root / name), picture, 0) if is_told else 0

    def end(self):
        """Keep the faults for the next build; return them."""
        pages = self.env.found_docs if self.env else set()
        for page, fault in self.earlier:
            if (page in pages and page not in self.seen) or not (page or self.seen):
                self.found.append((page, fault))
        self.again.update(failed_pages(self.env) if pages else ())
        found = [[page, *fault] for page, fault in dict.fromkeys(self.found)]
        kept = {"again": sorted(self.again), "found": found}
        self.record.parent.mkdir(parents=True, exist_ok=True)
        self.record.write_text(json.dumps(kept), encoding="utf-8")
        return list(dict.fromkeys(fault for _, fault in self.found))


def read_again(app, env, added, changed, removed):
    """Read pages again that may be mended, and all whose cells failed."""
    collector = app.book_faults
    pages = set(collector.read_anyway)
    if added or removed or any(is_newer(env, page) for page in changed):
        pages.update(page for page, _ in collector.earlier)
    return pages & env.found_docs


def is_newer(env, page):
    """Return whether a page, or a file that it includes, has changed since it was read.

    Sphinx also reads pages again of which a file is missing.
    """
    files = [Path(env.doc2path(page)), *(Path(env.srcdir, f) for f in env.dependencies[page])]
    times = [file.stat().st_mtime_ns for file in files if file.is_file()]
    return max(times, default=0) // 1000 > env.all_docs.get(page, 0)


def failed_pages(env):
    """Return the pages of which a cell failed."""
    return {page for page, has_failed in notes_of(env, FAILED).items() if has_failed}


# pages that cannot be read


def set_aside(app, docname, source):
    """Put a sentence in place of the text of a page that cannot be read."""
    path = Path(app.env.doc2path(docname))
    fault = fault_of_page(app, docname, Page(path.relative_to(app.srcdir).as_posix(), source[0]))
    if fault is None:
        return
    logger.warning(fault.sentence, location=(docname, fault.line))
    text = NO_PAGE.format(fault.sentence.translate(str.maketrans("`{}", "'()")))
    if path.suffix == ".ipynb":
        cells = [nbformat.v4.new_markdown_cell(text)]
        text = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    source[0] = text


def fault_of_page(app, docname, page):
    """Return why a page cannot be read by myst-nb or by sphinx-exercise, or None."""
    if error := app.book_faults.broken.get(docname):
        try:
            page_of(page.path, page.text)
        except UnreadableError as unreadable:
            return unreadable.fault
        return page.fault(1, f"this page cannot be read: {one_line(error)}")
    with contextlib.suppress(UnreadableError):  # of what MyST can read
        return next(page.open_gates(), None) if GATE.search(page.text) else None
    return None


# cells that fail


def report_outputs(notebook, path, docname, lines, config):
    """Report cells that failed or wrote to stderr; `lines` are the lines of the cells.

    The settings of the book may allow the one and the other. A notebook of Jupyter has no lines.
    """
    text = text_of(path)
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
        app.book_faults.again.add(page)
    else:
        known = known_labels(app.env) | failed_labels
        line = line_of(read(app.env, page), target, get_source_line(node)[1] or 1)
        said = NO_TITLE.format(target) if target in known else no_label(target, known)
        if node.get("reftype") == "doc":
            said = f"there is no page {target}{did_you_mean(target, app.env.found_docs)}"
        elif is_figure(app.env, target):
            said = NOT_RUN.format(target)
        logger.warning(said, location=(page, line))
    return True


def labels_of_failed(env):
    """Return the labels of chapters whose cells failed: their figures are missing."""
    return {label for page in failed_pages(env) for label in labels_in(read(env, page))}


def is_figure(env, label):
    """Return whether a cell of the book has this name for its figure."""
    named = re.compile(rf"^ *name: *[\"']?{re.escape(label)}[\"']? *$", re.M)
    return any(named.search(read(env, page)) for page in env.found_docs)


def known_labels(env):
    """Return every label, equation and page that can be referenced."""
    standard = env.get_domain("std")
    equations = env.get_domain("math").equations
    return {*standard.labels, *standard.anonlabels, *equations, *env.found_docs}


def read(env, page):
    """Return the text of a page."""
    return text_of(Path(env.doc2path(page)))


def text_of(path):
    """Return the text of a file; Sphinx tells of characters that are not UTF-8."""
    return path.read_text(encoding="utf-8", errors="replace")
