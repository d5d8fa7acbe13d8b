"""Show the book while it is being written: rebuild what changed, and reload the page in place.

    python -m bookwork.commands.watch --port 8000

A changed text appears after one page has been written, a changed script after the bundle, a
changed function of the library after the chapters that use it have run. Notebooks and JupyterLite
are left to `make book`. Modules are imported once: each build is a fork of this process.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback

from bookwork.commands import build_book, build_python, build_web, check_book, make_book
from bookwork.commands.settings import settings_of
from bookwork.commands.steps import PACKAGE, ROOT, files_below, own_files

PAGES = {".md", ".ipynb", ".rst", ".txt", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"}
PAGES |= {".bib", ".csv", ".json", ".yml", ".css", ".js", ".html"}  # what pages are made of
BESIDE = {"bookwork", "tests", "my-notebooks", "mutants", "dist"}  # folders that make no page
LIBRARY = settings_of(ROOT)["bookwork_package"]
OWN = ("sphinx", "page", "live", "exercises")  # of bookwork, where that is being changed, too
SCRIPTS = ("bookwork/page/", "bookwork/live/js/")
CODE = (f"{LIBRARY or 'bookwork'}/", "bookwork/live/", "bookwork/exercises/")  # for readers' Python
PAUSE = 0.2  # seconds between two checks
STAMP = make_book.BUILT / "shown"  # touched when there is something new


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    os.environ["BOOK_WATCH"] = "1"  # see sphinx/book_shell.py
    before = look()
    make_book.main(["--pages-only"])  # imported here, for all forks
    STAMP.touch()
    command = [
        sys.executable,
        "-m",
        "bookwork.commands.serve",
        make_book.SITE,
        f"--port={options.port}",
    ]
    server = subprocess.Popen([*command, f"--reload-after={STAMP}"], cwd=ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        watch(before)
    finally:
        server.terminate()


def watch(before):
    """Watch for changes and show them, until Ctrl+C."""
    try:
        while True:
            now = look()
            changed = {path for path in before.keys() | now if before.get(path) != now.get(path)}
            before = now
            if changed:
                show(sorted(path.relative_to(ROOT).as_posix() for path in changed))
            time.sleep(PAUSE)
    except KeyboardInterrupt:
        print()


def look():
    """Return the files that the book is built from, each with the time of its last change."""
    files = [*pages(ROOT), *library(), ROOT / "conf.py"]
    if PACKAGE.parent == ROOT:
        files += [path for name in OWN for path in files_of(PACKAGE / name)]
    return {path: changed_at(path) for path in files}


def pages(folder):
    """Return the texts, pictures and tables of the book, wherever they are in it."""
    found = [path for path in own_files(folder) if path.suffix in PAGES]
    return [path for path in found if path.relative_to(folder).parts[0] not in BESIDE]


def library():
    """Return the files of the book's package."""
    return files_below(ROOT / LIBRARY) if LIBRARY else []


def files_of(folder):
    """Return the source files of a folder of bookwork: no npm packages and no bundles."""
    if folder.name == "page":
        return [path for path in folder.iterdir() if path.is_file()]
    return [path for path in files_below(folder) if not path.is_relative_to(build_web.STATIC)]


def changed_at(path):
    """Return when a file was changed; an editor may remove it for a moment."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def show(names):
    """Rebuild what depends on the changed files, then reload the pages that are open."""
    print(f"{', '.join(names)} changed", flush=True)
    start = time.monotonic()
    if any(name.startswith("bookwork/sphinx/") for name in names):
        begin_anew()
    if not all(in_a_fork(step) for step in steps_for(names)):
        return
    STAMP.touch()
    print(f"Shown after {time.monotonic() - start:.1f} s", flush=True)
    in_a_fork(check_book.main, ["text"])
    if any(name.startswith(CODE) for name in names):
        in_a_fork(build_python_of_pages)


def steps_for(names):
    """Return the steps that a change of these files requires."""
    scripts = [name for name in names if name.startswith(SCRIPTS)]
    texts = len(scripts) < len(names)
    return [*([build_bundle] if scripts else []), *([build_pages] if texts else [])]


def build_bundle():
    """Bundle the scripts, and copy them into the site."""
    build_web.main()
    shutil.copytree(build_web.OUT, make_book.SITE / "_static" / "book", dirs_exist_ok=True)


def build_pages():
    """Write the pages that changed; report faults that prevent a page."""
    try:
        return build_book.main()
    except Exception:
        if check_book.main(["text"]):
            return 1
        raise


def begin_anew():
    """Restart this program and read every page: an extension may have changed any of them."""
    shutil.rmtree(make_book.BUILT / ".doctrees", ignore_errors=True)
    os.execv(sys.executable, sys.orig_argv)


def build_python_of_pages():
    """Update the library in the pages' Python."""
    build_python.main()
    make_book.put_in_place()


def in_a_fork(step, *arguments):
    """Run a step in a fork, with everything imported here; return whether it succeeded."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = step(*arguments) or 0
        except SystemExit as end:
            print(end.code)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
    try:
        return os.waitpid(child, 0)[1] == 0
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise


if __name__ == "__main__":
    main()
