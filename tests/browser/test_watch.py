"""A page of `make watch`: it reloads when the book was built again, and stays where it was."""

import functools
import os

import pytest
from browser.conftest import serving
from browser.shown import open_page, wait_until

from bookwork.commands.serve import ReloadingHandler

TOP = """() => document.querySelector("main section section section, main section section")
    .getBoundingClientRect().top"""


@pytest.fixture
def watched(site, tmp_path):
    """Serve the book as `make watch` does; yield the address and the file that tells of changes."""
    stamp = tmp_path / "shown"
    stamp.touch()
    handler = functools.partial(ReloadingHandler, stamp=stamp, directory=site)
    with serving(handler) as address:
        yield address, stamp


def touch(stamp):
    """Tell of a change, a second later than the last one."""
    time = stamp.stat().st_mtime_ns + 10**9
    os.utime(stamp, ns=(time, time))


def test_a_page_of_the_book_reloads_where_its_reader_was(window, watched):
    address, stamp = watched
    page = window().new_page()
    open_page(page, f"{address}/chapters/welcome.html")
    page.evaluate("() => { window.isOld = true; scrollTo({ top: 700, behavior: 'instant' }); }")
    before = page.evaluate(TOP)
    touch(stamp)
    page.wait_for_function("() => window.isOld === undefined && window.bookWidgets")
    page.evaluate("() => window.bookWidgets.ready")
    page.wait_for_function(f"(top) => Math.abs(({TOP})() - top) < 3", arg=before)


def test_a_change_that_comes_before_the_page_listens_is_heard(window, watched):
    address, stamp = watched
    page, seen = window().new_page(), []

    def change_first(route):
        seen.append(route)
        if len(seen) == 1:
            touch(stamp)
        route.continue_()

    page.route("**/changes*", change_first)
    page.goto(f"{address}/chapters/welcome.html", wait_until="commit")
    wait_until(page, lambda: len(seen) == 2)  # by the page that was reloaded


def test_nothing_is_kept_in_the_cache(window, watched):
    address, _ = watched
    page = window().new_page()
    for path in ("", "chapters/welcome.html", "_static/book/book.js"):
        answer = page.request.get(f"{address}/{path}")
        assert (answer.ok, answer.headers["cache-control"]) == (True, "no-store")
