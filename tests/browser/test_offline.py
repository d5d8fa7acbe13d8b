"""Every page, over http and from the disk, light and dark, wide and narrow, with no other host.

The fixture `page` sees to it that nothing is asked of another host and that no error is logged.
"""

import pytest

READY = "() => window.bookWidgets.ready"
VIEWS = 'script[type="application/vnd.jupyter.widget-view+json"]'
TOO_WIDE = """() => {
  const edge = document.documentElement.clientWidth;
  const clips = (el) => /auto|scroll|hidden/.test(getComputedStyle(el).overflowX);
  const isClipped = (el) => el !== null && (clips(el) || isClipped(el.parentElement));
  return [...document.querySelectorAll(".bd-article-container :not(svg *)")]
    .filter((el) => el.getBoundingClientRect().right > edge + 1 && !isClipped(el.parentElement))
    .map((el) => el.outerHTML.slice(0, 120));
}"""


@pytest.fixture(params=["http", "file"])
def root(request, server, site):
    return server if request.param == "http" else site.as_uri()


def open_page(page, address):
    page.goto(address)
    page.evaluate(READY)
    page.evaluate("() => window.MathJax?.startup.promise")


def test_every_page_is_drawn_and_asks_no_other_host(page, root, name):
    open_page(page, f"{root}/{name}")
    assert page.locator("main .math:not(:has(mjx-container))").all_inner_texts() == []
    assert page.locator(".book-widget-error").all_inner_texts() == []
    assert page.locator(".book-widget").count() == page.locator(VIEWS).count()
    assert all(
        page.locator(".book-widget").evaluate_all("all => all.map((el) => el.offsetHeight > 0)")
    )


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_the_screen(page, server, name, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, f"{server}/{name}")
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(TOO_WIDE) == []


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
