"""A page of `bookwork serve`: it reloads when the book was built again."""

import functools

import pytest
from browser.conftest import serving
from browser.shown import wait_until

from bookwork.commands.serve import Changes, ReloadingHandler


@pytest.fixture
def served(site):
    """Serve the book as `bookwork serve` does; yield the address and what tells of changes."""
    changes = Changes()
    with serving(functools.partial(ReloadingHandler, changes=changes, directory=site)) as address:
        yield address, changes
        changes.tell()  # or the server waits for it


def test_a_page_of_the_book_reloads(window, served):
    address, changes = served
    page = window().new_page()
    page.goto(f"{address}/chapters/welcome.html")
    page.evaluate("() => { window.isOld = true; }")
    changes.tell()
    page.wait_for_function("() => window.isOld === undefined && window.bookWidgets")


def test_a_change_that_comes_before_the_page_listens_is_heard(window, served):
    address, changes = served
    page, seen = window().new_page(), []

    def change_first(route):
        seen.append(route)
        if len(seen) == 1:
            changes.tell()
        route.continue_()

    page.route("**/changes*", change_first)
    page.goto(f"{address}/chapters/welcome.html", wait_until="commit")
    wait_until(page, lambda: len(seen) == 2)  # by the page that was reloaded
