"""Build a book into _build/html, or check it; each fault is printed in one sentence.

    python -m bookwork.site.build [folder]    builds the pages alone

Sphinx reads what has changed and runs the cells of changed chapters. It writes into _build/pages;
the site is as it was until all went well. Warnings fail the build of a strict book, of no other.
What `bookwork_pre_steps` lists begins at once, as it waits for the network; Python is built while
the pages are written: only once they are read is it known what their cells import. With
BOOKWORK_PYTHON=0 the pages have no Python.
"""

import gc
import io
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from bookwork.book.book import Book
from bookwork.book.faults import Fault, line_of, one_line, print_faults
from bookwork.book.files import files_below

WARNING = re.compile(r"(?:(.*?)(?::(\d*))?: )?(?:WARNING|ERROR|CRITICAL): (.*)", re.S)
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PLACE = re.compile(r"([^:\n]*:\d+: )?(.*)", re.S)  # of an error
PYTHON = "bookwork.site.build_python"
KIND = re.compile(r" \[[\w-]+(\.[\w-]+)?\]$")  # of a warning
NO_PICTURE = "image file not readable: "
NO_CONTENTS = "there is no such file: it lists the pages, as in the book of `bookwork new`"


class Pages(io.StringIO):
    """What a build of the pages came to: Sphinx writes its warnings into it."""

    def __init__(self, book):
        super().__init__()
        self.book = book
        self.faults = []
        self.all, self.written = set(), set()  # names of pages
        self.is_whole = True  # or Sphinx stopped before the end

    def write(self, text):
        """Take one warning as a fault; checks.py says more of a setting that is not known."""
        if "unknown config value 'book" in text:
            return
        place, line, said = WARNING.fullmatch(ANSI.sub("", text).strip()).groups()
        said, path = KIND.sub("", one_line(said)), Path(place or "")
        if path.is_relative_to(self.book.root):
            path = path.relative_to(self.book.root)
        file = self.book.root / path
        if path.suffix == ".rst" and not file.is_file():  # sphinx-exercise takes any page for one
            path = Path(self.book.file_named(path.with_suffix("").as_posix()))
        if not line and said.startswith(NO_PICTURE) and file.is_file():  # MyST leaves it out
            line = line_of(file.read_text(encoding="utf-8"), PurePosixPath(said).name, 0)
        self.faults.append(Fault(path.as_posix() if path.name else "", int(line or 0), said))

    def stop(self, error):
        """Take an error as a fault, with which the build stopped."""
        self.is_whole = False
        place, said = PLACE.fullmatch(str(error)).groups()
        if said.startswith("[etoc] "):
            line = re.search(r", line (\d+)|$", said)[1] or 1
            place, said = f"_toc.yml:{line}: ", said.removeprefix("[etoc] ")
        self.write(f"{place or ''}ERROR: {said}")

    def tell(self, chapter=None):
        """Print the faults, or those of one chapter; return how many there are."""
        name = chapter and PurePosixPath(chapter).stem
        return print_faults(
            each for each in self.faults if name in (None, PurePosixPath(each.path).stem)
        )

    @property
    def have_failed(self):
        """Whether the build counts as failed: by a warning only if the book is strict."""
        return not self.is_whole or bool(self.book.strict and self.faults)


# the commands


def build(book, chapter=None, pages_only=False):
    """Build the site of a book, say what came of it in a last line; return 0 if all went well."""
    is_alone = pages_only or chapter
    before, then = ([], []) if is_alone else (book.settings["bookwork_pre_steps"], [PYTHON])
    with ThreadPoolExecutor(1) as beside:
        begun = [beside.submit(run, book, *before)]  # it fetches
        print("Building the pages in _build/html; chapters that changed are run", flush=True)
        pages = build_pages(book, chapter, lambda: begun.append(beside.submit(run, book, *then)))
    told, failed = pages.tell(), any(each.result() for each in begun)
    if not pages.have_failed:
        publish(book)
    if not failed and not pages.have_failed:
        put_in_place(book)
    print(outcome(pages, failed, told))
    return int(bool(failed or pages.have_failed))


def complete(book):
    """Build the other parts of a site whose pages Jupyter Book or Sphinx has just written."""
    if run(book, *book.settings["bookwork_pre_steps"], PYTHON):
        raise SphinxError("what belongs beside the pages could not be made, as told above")
    put_in_place(book)


def check(book, chapter=None):
    """Tell the faults of a book, or of one chapter: a build that runs and writes nothing."""
    pages = build_pages(book, chapter, builder="dummy")
    told = pages.tell(chapter)
    if not told:
        print("No faults were found.")
    return int(told > 0)


# pages


def build_pages(book, chapter=None, begin=lambda: None, builder="html"):
    """Build the pages of a book, or of all that have changed only one; return what came of it.

    When all pages are read, and before they are written, `begin` is called.
    """
    pages, app = Pages(book), None
    site = book.built / ("pages" if builder == "html" else ".checked")
    trees = book.built / ".doctrees" if builder == "html" else site / "doctrees"
    gc.set_threshold(100_000, 50, 100)  # Sphinx keeps millions of objects, and makes little garbage
    try:
        with patch_docutils(), docutils_namespace():
            places = {"srcdir": book.root, "outdir": site, "doctreedir": trees}
            settings = configured(book, builder)
            app = Sphinx(**places, **settings, buildername=builder, status=None, warning=pages)
            app.connect("doctree-resolved", lambda app, tree, name: pages.written.add(name))
            app.connect("env-updated", lambda app, env: begin(), priority=900)
            if chapter:  # the next build of the whole book compares with the last of these
                known = dict(vars(app.env).get("bookwork", {}))
                app.connect("env-updated", lambda _, env: setattr(env, "bookwork", known), 999)
            app.build(filenames=[str(book.root / chapter)] if chapter else ())
    except SphinxError as error:
        pages.stop(error)
    if app and app.env:
        pages.all = app.env.found_docs
        read_again(app.env, pages.faults, trees)
    return pages


def read_again(env, faults, trees):
    """Let the next build read the pages at fault again, which tells their faults again."""
    names = {env.path2doc(env.srcdir / fault.path) for fault in faults}
    pages = names & env.found_docs or ({env.config.root_doc} if faults else set())
    for name in pages:
        Path(trees, f"{name}.doctree").unlink(missing_ok=True)


def configured(book, builder):
    """Return how Sphinx is configured: by _config.yml of Jupyter Book, or by its own conf.py."""
    # in a strict book, a missing target of code that others document is a fault, too
    ours = {"book_alone": False} | ({"nitpicky": True} if book.strict else {})
    ours |= {} if builder == "html" else {"nb_execution_mode": "off"}
    if not (book.root / "_config.yml").is_file():
        return {"confdir": book.root, "confoverrides": ours}
    contents = book.root / "_toc.yml"
    if not contents.is_file() or not contents.stat().st_size:
        raise SphinxError(f"{contents}:1: {NO_CONTENTS}")
    ours |= {"external_toc_path": "_toc.yml", "latex_individualpages": False}
    from jupyter_book.config import get_final_config  # noqa: PLC0415  not for plain Sphinx

    settings, _ = get_final_config(
        user_yaml=book.root / "_config.yml", cli_config=ours, sourcedir=book.root, validate=False
    )
    own = [*settings.get("templates_path", ())]  # or the theme appends to a list that builds share
    return {"confdir": None, "confoverrides": settings | {"templates_path": own}}


# the site


def outcome(pages, parts, told):
    """Say what was written, where, and with how many warnings."""
    if not pages.is_whole:
        return "The build stopped, as told above. The site in _build/html is as it was."
    if pages.have_failed:
        return "The book is strict, and faults are told above: _build/html is as it was."
    if parts:
        return "The pages are in _build/html; what belongs beside them failed, as told above."
    count = f"Pages: {len(pages.all)}, written now: {len(pages.written)}; warnings: {told}."
    return f"The book is in _build/html. {count}"


def run(book, *steps):
    """Run modules that make other parts of the site, until one fails; return 0 if none does."""
    codes = (subprocess.call([sys.executable, "-m", step], cwd=book.root) for step in steps)
    return next(filter(None, codes), 0)


def publish(book):
    """Bring the site up to date with its pages, once all of them are written."""
    made, noted = book.built / "pages", book.built / "published"
    files = {path.relative_to(made).as_posix(): path for path in files_below(made)}
    for name, path in files.items():
        target = book.site / name
        if not target.is_file() or written(target) != written(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    before = noted.read_text(encoding="utf-8").splitlines() if noted.is_file() else ()
    for name in set(before) - set(files):  # other steps write into the site, too
        book.site.joinpath(name).unlink(missing_ok=True)
    noted.write_text("\n".join(files), encoding="utf-8")


def written(path):
    """Return the time and the size of a file."""
    return path.stat().st_mtime, path.stat().st_size


def put_in_place(book):
    """Update Python in the site; hosts such as GitHub Pages must not skip any of it."""
    source, target = book.built / "python", book.site / "_pyodide"
    made, there = [path / "built-for" for path in (source, target)]
    wanted = os.environ.get("BOOKWORK_PYTHON") != "0" and made.is_file() and made.read_bytes()
    if wanted != (there.is_file() and there.read_bytes()):  # built from other inputs
        shutil.rmtree(target, ignore_errors=True)
        if wanted:
            shutil.copytree(source, target)
    (book.site / ".nojekyll").touch()


if __name__ == "__main__":
    made = Book(*sys.argv[1:])
    built = build_pages(made)
    built.tell()
    if not built.have_failed:
        publish(made)
    sys.exit(built.have_failed)
