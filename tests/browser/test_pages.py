"""Pages in light and dark, on a screen and on a phone; the search; nothing asked of another host.

The fixture `page` sees to it that nothing is asked of another host and that no error is logged.
"""

from pathlib import Path

import pytest
from browser.shown import TWO_PAINTS, open_page

LOOKS = Path(__file__).with_name("looks.js").read_text()
TOO_WIDE = """() => {
  const edge = document.documentElement.clientWidth;
  const clips = (el) => /auto|scroll|hidden/.test(getComputedStyle(el).overflowX);
  const isClipped = (el) => el !== null && (clips(el) || isClipped(el.parentElement));
  return [...document.querySelectorAll(".bd-article-container :not(svg *)")]
    .filter((el) => el.getBoundingClientRect().right > edge + 1 && !isClipped(el.parentElement))
    .map((el) => el.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize(("width", "schemes"), [(390, "dark light"), (1280, "light dark")])
def test_a_page_fits_the_screen_and_can_be_read_in_light_and_dark(
    page, server, name, width, schemes
):
    """The page follows the reader's scheme, from the start and when it changes."""
    first, second = schemes.split()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=first)
    open_page(page, f"{server}/{name}")
    check_looks(page, first)
    page.emulate_media(color_scheme=second)
    check_looks(page, second)


def check_looks(page, scheme):
    page.evaluate(TWO_PAINTS)
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(LOOKS) == []


@pytest.fixture(params=["http", "file"])
def root(request, server, site):
    return server if request.param == "http" else site.as_uri()


def test_search_finds_a_word_that_the_book_explains(page, root):
    open_page(page, f"{root}/search.html?q=query")
    page.locator("#search-results li a").first.wait_for()
    # The summary is written after the last result.
    page.locator(".search-summary").filter(has_text="found").wait_for()


def test_the_fixture_notices_another_host_and_a_missing_file(page, server):
    page.goto("about:blank")  # where no policy forbids it
    page.evaluate("() => fetch('http://192.0.2.1/').catch(() => null)")
    page.goto(f"{server}/search.html")
    page.evaluate("() => fetch('no-such-file')")
    assert "asked another host: http://192.0.2.1/" in page.faults
    assert f"404: {server}/no-such-file" in page.faults
    page.faults.clear()
