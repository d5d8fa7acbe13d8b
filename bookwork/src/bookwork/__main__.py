"""The command ``bookwork``: new, serve, build, check, report.

A book is the nearest folder, from the current one upwards, that has a _config.yml or a conf.py.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from bookwork import __version__
from bookwork.exercises import report as report_command

INSTALL = 'this command needs more of bookwork: pip install "bookwork[book]" ({} is missing)'


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that `report … | head` ends quietly
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal may lack some signs: none is a fault
            stream.reconfigure(errors="backslashreplace")
    options = read_command(arguments)
    try:
        code: int | None = options.run(options)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("bookwork"):
            raise
        print(INSTALL.format(error.name), file=sys.stderr)  # also of Jupyter Book 2
        return 1
    except KeyboardInterrupt:
        return 130
    return code or 0


def read_command(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command, and the function that runs it."""
    parser = argparse.ArgumentParser(prog="bookwork", description="Books with live figures.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(name: str, run: Callable[[argparse.Namespace], int | None], about: str) -> Any:
        command = commands.add_parser(name, help=about, description=about)
        command.set_defaults(run=run)
        return command

    new = add("new", make_new, "write a small book into a new folder")
    new.add_argument("folder", type=Path)
    new.add_argument("--title", default="", help="the title of the book")
    new.add_argument("--theme", choices=["book", "furo"], default="book", help="how pages look")
    serve = add("serve", serve_book, "build the book, serve it, and show each change")
    serve.add_argument("--port", type=int, default=8000)
    build = add("build", build_book, "build the book into _build/html")
    build.add_argument("--pages", action="store_true", help="only the pages, not Python for them")
    check = add("check", check_book, "tell faults: labels, cells, exercises; run nothing")
    for command in (build, check):
        command.add_argument("chapter", nargs="?", help="only this one, such as chapters/first.md")
    report = add("report", report_class, "print who solved what, from progress files")
    report_command.add_options(report)
    return parser.parse_args(arguments)


def make_new(options: argparse.Namespace) -> int:
    """Write a skeleton."""
    new = import_module("bookwork.site.new")  # each command loads its own
    return int(new.write_book(options.folder, options.title, options.theme))


def this_book() -> Any:
    """Return the book that the current folder belongs to, or end with a sentence."""
    book = import_module("bookwork.book.book").Book()
    if not book.configuration[0]:
        sys.exit(f"{Path.cwd()} has no book: go to one, or write one with bookwork new FOLDER")
    os.chdir(book.root)
    sys.path.insert(0, str(book.root))
    if fault := import_module("bookwork.book.settings").fault_of(book.root):
        sys.exit(fault)
    return book


def serve_book(options: argparse.Namespace) -> None:
    """Build, serve, watch."""
    import_module("bookwork.site.serve").serve(this_book(), options.port)


def build_book(options: argparse.Namespace) -> int:
    """Build the site, or one page."""
    build = import_module("bookwork.site.build").build
    return int(build(*book_and_page(options.chapter), options.pages))


def check_book(options: argparse.Namespace) -> int:
    """Tell the faults of the book, or of one chapter."""
    return int(import_module("bookwork.site.build").check(*book_and_page(options.chapter)))


def book_and_page(named: str | None) -> tuple[Any, str | None]:
    """Return this book, and the file of a page that is named, with or without its ending."""
    here, book = Path.cwd(), this_book()
    for file in (here / named, book.root / named) if named else ():
        page = book.file_named(os.path.relpath(file, book.root))
        if (book.root / page).is_file():
            return book, page
    return (book, None) if not named else sys.exit(f"the book has no page {named}")


def report_class(options: argparse.Namespace) -> int:
    """Print the report, or say what is lacking for it."""
    here, book = Path.cwd(), this_book()
    os.chdir(here)  # from which the files are named
    try:
        outline = report_command.outline_of(book.root)
    except ValueError as error:
        sys.exit(str(error))
    return report_command.print_report(options, outline, book.settings["title"])


if __name__ == "__main__":
    sys.exit(main())
