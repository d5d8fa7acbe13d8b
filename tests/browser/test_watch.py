"""A page of `bookwork serve`: it reloads when the book was built again."""

import functools

from browser.conftest import serving

from bookwork.commands.serve import Changes, ReloadingHandler


def test_a_page_of_the_book_reloads(window, site):
    changes = Changes()
    with serving(functools.partial(ReloadingHandler, changes=changes, directory=site)) as address:
        page = window().new_page()
        page.goto(f"{address}/chapters/welcome.html")
        page.evaluate("() => { window.isOld = true; }")
        changes.tell()
        page.wait_for_function("() => window.isOld === undefined && window.bookWidgets")
        page.close()
        changes.tell()  # or its request waits for it
