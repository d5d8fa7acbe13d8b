"""Show the book while it is being written: rebuild what changed, and reload the page in place.

`bookwork serve` and `make watch` do this.

A changed text appears after one page has been written, a changed script after the bundle, a
changed function of the library after the chapters that use it have run. Notebooks are left to
`make book`. Modules are imported once: each build is a fork of this process. The next one has
already set up Sphinx and waits for a text to change. What can follow when a page has been seen,
checks of the text and the pages' own Python, is done beside the watching.
"""

import os
import shutil
import signal
import sys
import time

from bookwork.book import check_book
from bookwork.book.book import Book
from bookwork.book.faults import print_faults
from bookwork.book.files import PACKAGE, files_below, forget, loaded, own_files
from bookwork.book.settings import packages_of
from bookwork.build import build_book, build_python, build_web, make_book, packages
from bookwork.build.forks import Fork, Waiting
from bookwork.build.secure_pages import secure
from bookwork.commands import serve

PAGES = {".md", ".ipynb", ".rst", ".txt", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"}
PAGES |= {".bib", ".csv", ".json", ".yml", ".css", ".js", ".html"}  # what pages are made of
TEXTS = {".md", ".ipynb", ".rst"}  # of these, the texts of pages
BESIDE = {"bookwork", "tests", "my-notebooks", "mutants", "dist"}  # folders that make no page
OWN = ("sphinx", "live", "exercises")  # of bookwork, where that is being changed, too
SCRIPTS = ("bookwork/page/", "bookwork/live/js/")
READERS = ("bookwork/live/", "bookwork/exercises/")  # what readers' Python gets of bookwork
PAUSE = 0.2  # seconds between two checks
LOADING = 1.0  # seconds in which a page that is open loads again, and nothing else is begun
ANEW = "The extension itself has changed: stop this with Ctrl+C, and start it again."


def watch(book, port):
    """Build a book, serve it, and show each change until Ctrl+C."""
    os.environ["BOOK_WATCH"] = "1"  # see sphinx/book_shell.py
    before, stamp = look(book), book.built / "shown"  # touched when there is something new
    make_book.make(book, pages_only=True)  # imported here, for all forks
    secure(book.site)  # so that the forks know which pages are
    stamp.touch()
    server = Fork(serve_pages, book, port, stamp)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    loop = Loop(book, stamp)
    try:
        while True:
            before = loop.turn(before)
            time.sleep(PAUSE)
    except KeyboardInterrupt:
        print()
    finally:
        loop.end()
        server.end()


def serve_pages(book, port, stamp):
    """Serve the site, with pages that reload when there is something new."""
    serve.open_server(book.site, port, stamp).serve_forever()


def difference(book, before, now):
    """Return the names of the files that differ, and whether only texts of pages do."""
    changed = [path for path in before.keys() | now if before.get(path) != now.get(path)]
    is_text = before.keys() == now.keys() and {path.suffix for path in changed} <= TEXTS
    return sorted(path.relative_to(book.root).as_posix() for path in changed), is_text


def look(book):
    """Return the files that the book is built from, each with the time of its last change."""
    files = [*pages(book.root), book.root / "conf.py"]
    files += [p for name in packages_of(book.settings) for p in files_below(book.root / name)]
    if PACKAGE.parent == book.root:
        found = [path for name in OWN for path in files_below(PACKAGE / name)]
        files += [path for path in found if not path.is_relative_to(build_web.STATIC)]
        files += build_web.sources()
    return {path: changed_at(path) for path in files}


def pages(folder):
    """Return the texts, pictures and tables of the book, wherever they are in it."""
    found = [path for path in own_files(folder) if path.suffix in PAGES]
    return [path for path in found if path.relative_to(folder).parts[0] not in BESIDE]


def changed_at(path):
    """Return when a file was changed; an editor may remove it for a moment."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


class Loop:
    """What goes on between two changes."""

    def __init__(self, book, stamp):
        self.book, self.stamp = book, stamp
        self.next = None  # the next build of pages, if it is ready
        self.since = 0.0  # when a change was shown last
        self.shown = []  # files whose changes are shown, and nothing has followed that yet
        self.beside = None  # the fork in which it follows

    def turn(self, before):
        """Show what has changed, or go on with what follows; return how the files are now."""
        now = look(self.book)
        if now != before:
            self.book = Book(self.book.root)  # its settings may have changed
            self.show(*difference(self.book, before, now))
        self.follow_up()
        return now

    def show(self, names, is_text):
        """Rebuild what depends on the changed files, then reload the pages that are open.

        Unless these are texts of pages, Sphinx has to be set up anew.
        """
        print(f"{', '.join(names)} changed", flush=True)
        start = time.monotonic()
        if not is_text:
            self.drop_next()
        if any(name.startswith("bookwork/sphinx/") for name in names):
            print(ANEW, flush=True)
            return
        if all(map(self.take, steps_for(names))):
            self.stamp.touch()
            print(f"Shown after {time.monotonic() - start:.1f} s", flush=True)
            self.shown += names
        self.drop_next()  # it has been set up with what was there before
        self.since = time.monotonic()

    def take(self, step):
        """Take a step; return whether it succeeded."""
        if step is not build_pages:
            return Fork(step, self.book).succeeded()
        build, self.next = self.next or Waiting(step, self.book), None
        return build.go()

    def drop_next(self):
        """Drop the next build, if it is ready."""
        if self.next:
            self.next.end()
        self.next = None

    def end(self):
        """End what waits, and what goes on beside the watching."""
        self.drop_next()
        if self.beside:
            self.beside.end()
        self.beside = None

    def follow_up(self):
        """Begin what follows, beside the watching: the next build, checks, the pages' Python."""
        if time.monotonic() < self.since + LOADING:
            return
        self.next = self.next or Waiting(build_pages, self.book)
        if self.beside and self.beside.is_over():
            if self.beside.succeeded():
                Fork(make_book.put_in_place, self.book).succeeded()
            self.beside = None
        if self.shown and not self.beside:
            self.beside, self.shown = Fork(follow, self.book, self.shown, nice=19), []


def follow(book, names):
    """Do what can wait until the pages have been seen."""
    own, before = packages_of(book.settings), packages.result_of(book.root)
    check_text(book)
    print_faults(packages.prepare(Book(book.root)))
    is_read = any(
        name.startswith((*READERS, *(f"{package}/" for package in own))) for name in names
    )
    if is_read or packages.result_of(book.root) != before:
        build_python.build_python(book.root)


def check_text(book):
    """Print the faults of the text as it is now; return 1 if there are any."""
    forget(loaded(packages_of(book.settings)))  # the files of checkers may have changed since
    return min(print_faults(check_book.faults_of(Book(book.root), only_text=True)), 1)


def steps_for(names):
    """Return the steps that a change of these files requires."""
    scripts = [name for name in names if name.startswith(SCRIPTS)]
    texts = len(scripts) < len(names)
    return [*([build_bundle] if scripts else []), *([build_pages] if texts else [])]


def build_bundle(book):
    """Bundle the scripts, and copy them into the site."""
    build_web.main(book)
    shutil.copytree(book.web, book.site / "_static" / "book", dirs_exist_ok=True)


def build_pages(book, wait):
    """Set up Sphinx, and wait; then write the pages that changed, or report what prevents it."""
    try:
        built = build_book.build(book, begin=wait)
    except Exception:
        wait()
        if check_text(book):
            return 1
        raise
    wait()
    print_faults(built.faults)
    return int(built.fails(book))
