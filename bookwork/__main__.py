"""The command ``bookwork``: new, serve, build, check, report.

A book is the nearest folder, from the current one upwards, that has a _config.yml or a conf.py.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bookwork import __version__
from bookwork.exercises import command as report_command

INSTALL = 'this command needs more of bookwork: pip install "bookwork[book]" ({} is missing)'


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that `report … | head` ends quietly
    options = read_command(arguments)
    try:
        code: int | None = options.run(options)
    except ModuleNotFoundError as error:
        if str(error.name).startswith("bookwork"):
            raise
        print(INSTALL.format(error.name), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return code or 0


def read_command(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command, and the function that runs it."""
    parser = argparse.ArgumentParser(prog="bookwork", description="Books with live figures.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(name: str, run: Callable[[argparse.Namespace], Any], about: str) -> Any:
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
    build.add_argument("--pages-only", action="store_true", help="pages and Python, nothing else")
    check = add("check", check_book, "report faults: labels, cells, exercises, links, policy")
    check.add_argument("--text", action="store_true", help="read the text only, run nothing")
    report = add("report", report_class, "print who solved what, from progress files")
    report_command.add_options(report)
    return parser.parse_args(arguments)


def make_new(options: argparse.Namespace) -> int:
    """Write a skeleton."""
    from bookwork.commands.new import write_book  # noqa: PLC0415  each command loads its own

    return write_book(options.folder, options.title, options.theme)


def in_book() -> Path:
    """Go to the folder of the book, or end with a sentence."""
    from bookwork.book.files import CONFIGURATIONS, ROOT  # noqa: PLC0415

    if not any((ROOT / name).is_file() for name in CONFIGURATIONS):
        sys.exit(f"{Path.cwd()} has no book: go to one, or write one with bookwork new FOLDER")
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    if fault := import_module("bookwork.book.settings").fault_of(ROOT):
        sys.exit(fault)
    return ROOT


def serve_book(options: argparse.Namespace) -> int | None:
    """Build, serve, watch."""
    in_book()
    watch = import_module("bookwork.commands.watch")
    return watch.main([f"--port={options.port}"])


def build_book(options: argparse.Namespace) -> int:
    """Build the site."""
    in_book()
    make_book = import_module("bookwork.build.make_book")
    failed = make_book.main(["--pages-only"] if options.pages_only else [])
    if not failed:
        print("The book is in _build/html. Look at it: bookwork serve")
    return int(bool(failed))


def check_book(options: argparse.Namespace) -> int:
    """Report the faults of the text and, if it is built, of the site."""
    root = in_book()
    found: int = import_module("bookwork.book.check_book").main(["text"] * options.text)
    site = root / "_build" / "html"
    if not found and not options.text and site.is_dir():
        found = import_module("bookwork.build.check_site").main(site)
    if not found:
        print("No faults were found.")
    return found


def report_class(options: argparse.Namespace) -> int:
    """Print the report."""
    root = in_book()
    settings = import_module("bookwork.book.settings").settings_of(root)
    outline = import_module("bookwork.exercises.outline").outline_of(root)
    return report_command.print_report(options, outline, settings["title"])


if __name__ == "__main__":
    sys.exit(main())
