"""Build the whole site into _build/html: scripts, pages, Python and what the book adds.

Each part is built only if its inputs have changed. What `bookwork_before` lists begins at once, as
it waits for the network; Python, and what `bookwork_beside` lists, are built while the chapters run
and the pages are written, to use two cores. With PAGE_PYTHON=0 the pages have no Python; earlier
builds of it are kept for another time.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from bookwork.book import check_book
from bookwork.book.faults import print_faults
from bookwork.book.files import ROOT
from bookwork.book.settings import settings_of
from bookwork.build import build_book, build_web
from bookwork.build.stamp_pages import stamp_pages

BUILT = ROOT / "_build"
SITE = BUILT / "html"
PARTS = {"python": "_pyodide", "notebooks": "notebooks", "lite": "lite"}  # in _build -> in the site
NEED_PYTHON = ("python", "lite")
LATER = ("notebooks", "lite")  # folders of the site that open_book.py builds after the pages


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages-only", action="store_true", help="pages and Python, nothing else")
    options = parser.parse_args(arguments)
    faults = check_book.faults_of(ROOT, only_text=True)
    if faults and check_book.stops(ROOT):
        return min(print_faults(faults), 1)
    pages, parts = build(settings_of(ROOT), options.pages_only)
    failed = pages or parts
    if not failed or is_shown(parts):
        put_in_place()
        stamp_pages(SITE)
    return min(print_faults(faults), 1) or failed


def build(settings, pages_only):
    """Build pages, and beside them the other parts, in order; return whether either failed."""
    more = [] if pages_only else settings["bookwork_beside"]
    with ThreadPoolExecutor(1) as beside:
        before = beside.submit(run, *settings["bookwork_before"])  # it fetches: begin early
        build_web.main()
        print("Building the pages in _build/html; chapters that changed are run", flush=True)
        parts = beside.submit(run, "bookwork.build.build_python", *more)
        pages = build_book.main()
    return pages, before.result() or parts.result()


def run(*steps):
    """Build other parts of the site; return 0 if all went well."""
    return start(*steps).wait()


def is_shown(failed):
    """Return whether pages with faults are shown all the same: not those of a strict book."""
    there = (SITE / "index.html").is_file()
    return there and not failed and not settings_of(ROOT)["bookwork_strict"]


def start(*steps, **options):
    """Start to build the other parts of the site."""
    commands = [f"{sys.executable} -m {step}" for step in steps]
    return subprocess.Popen(["sh", "-c", " && ".join(commands)], cwd=ROOT, **options)


def put_in_place():
    """Update the copies in the site; hosts such as GitHub Pages must not skip any."""
    wanted = os.environ.get("PAGE_PYTHON") != "0"
    for made, put in PARTS.items():
        if made in NEED_PYTHON and not wanted:
            shutil.rmtree(SITE / put, ignore_errors=True)
        else:
            bring_up_to_date(BUILT / made, SITE / put)
    (SITE / ".nojekyll").touch()


def bring_up_to_date(source, target):
    """Copy a folder that a step built, unless its copy was built from the same inputs."""
    if stamp(source) != stamp(target):
        shutil.rmtree(target, ignore_errors=True)
        if source.is_dir():
            shutil.copytree(source, target)


def stamp(folder):
    """Return what the files in a folder were built from, or None if there are none."""
    path = folder / "built-for"
    return path.read_text() if path.is_file() else None


if __name__ == "__main__":
    failed = main()
    sys.exit(failed or print("The book is in _build/html. Look at it: make serve"))
