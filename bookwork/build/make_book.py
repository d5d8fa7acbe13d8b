"""Build the whole site into _build/html: scripts, pages, Python and what the book adds.

Each part is built only if its inputs have changed. What `bookwork_pre_steps` lists begins at once,
as it waits for the network; Python is built while the pages are written: only once they are read is
it known what their cells import. With BOOKWORK_PYTHON=0 the pages have no Python.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from bookwork.book import check_book
from bookwork.book.book import Book
from bookwork.book.faults import print_faults
from bookwork.build import build_book, build_web

PYTHON = "bookwork.build.build_python"
PARTS = {  # in _build -> in the site
    "python": "_pyodide",
    "downloads": "_offered",
}


def make(book, pages_only=False):
    """Build the site of a book, say what came of it in a last line; return 0 if all went well."""
    try:
        faults = check_book.faults_of_text(book)
        stops = book.strict
    except check_book.UnreadableError as error:
        faults, stops = [error.fault], True
    if faults and stops:
        print(f"Nothing was built: {counted(print_faults(faults), 'fault')}, told above.")
        return 1
    built, parts = build(book, pages_only)
    built = built._replace(faults=list(dict.fromkeys([*faults, *built.faults])))
    print_faults(built.faults)
    failed = parts or built.fails(book)
    if not failed:
        put_in_place(book)
    print(outcome(built, parts, built.fails(book)))
    return int(bool(failed))


def complete(book):
    """Build the other parts of a site whose pages Jupyter Book or Sphinx has just written."""
    if not run(book, *book.settings["bookwork_pre_steps"], PYTHON):
        put_in_place(book)


def build(book, pages_only):
    """Build pages and, beside them, the other parts, in order; return both results."""
    before, then = ([], []) if pages_only else (book.settings["bookwork_pre_steps"], [PYTHON])
    with ThreadPoolExecutor(1) as beside:
        begun = [beside.submit(run, book, *before)]  # it fetches
        build_web.main()
        print("Building the pages in _build/html; chapters that changed are run", flush=True)
        built = build_book.build(book, lambda: begun.append(beside.submit(run, book, *then)))
    return built, next(filter(None, (each.result() for each in begun)), 0)


def outcome(built, parts, failed):
    """Say what was written, where, and with how many warnings."""
    told = counted(len(built.faults), "fault" if failed else "warning")
    if not built.is_whole:
        return f"The build stopped: {told}, told above. The pages in _build/html are not complete."
    if failed:
        return f"The book is strict and has {told}, told above: _build/html is not finished."
    if parts:
        return "The pages are in _build/html; what belongs beside them failed, as told above."
    pages = f"{counted(built.pages, 'page')}, {built.written or 'none'} written now"
    return f"The book is in _build/html: {pages}; {told}."


def counted(count, thing):
    """Return a number of things.

    >>> counted(0, "page"), counted(1, "page"), counted(2, "page")
    ('no pages', '1 page', '2 pages')
    """
    return f"{count or 'no'} {thing}{'' if count == 1 else 's'}"


def run(book, *steps):
    """Build other parts of the site; return 0 if all went well."""
    return start(book, *steps).wait() if steps else 0


def start(book, *steps, **options):
    """Start to build the other parts of the site."""
    command = [sys.executable, "-m", "bookwork.build.steps", *steps]
    return subprocess.Popen(command, cwd=book.root, **options)


def put_in_place(book):
    """Update the copies in the site; hosts such as GitHub Pages must not skip any."""
    wanted = os.environ.get("BOOKWORK_PYTHON") != "0"
    for made, put in PARTS.items():
        if wanted:
            bring_up_to_date(book.built / made, book.site / put)
        elif stamp(book.site / put) is not None:  # or it is a folder of the book's own pages
            shutil.rmtree(book.site / put)
    (book.site / ".nojekyll").touch()


def bring_up_to_date(source, target):
    """Copy a folder that a step built, unless its copy was built from the same inputs."""
    if stamp(source) != stamp(target):
        shutil.rmtree(target, ignore_errors=True)
        if source.is_dir():
            shutil.copytree(source, target)


def stamp(folder):
    """Return what the files in a folder were built from, or None if there are none."""
    path = folder / "built-for"
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(make(Book()))
