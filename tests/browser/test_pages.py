"""Pages on a phone; nothing asked of another host.

The fixture `page` sees to it that nothing is asked of another host and that no error is logged.
How pages look on a screen, test_live_figures.py checks in the same visit as their figures.
"""

from browser.looks import check_looks
from browser.shown import open_page


def test_a_page_fits_a_phone_and_can_be_read_in_dark_and_light(page, server, name):
    """The page follows the reader's scheme, from the start and when it changes."""
    page.set_viewport_size({"width": 390, "height": 900})
    page.emulate_media(color_scheme="dark")
    open_page(page, f"{server}/{name}")
    check_looks(page, "dark")
    check_looks(page, "light")


def test_the_fixture_notices_another_host_and_a_missing_file(page, server):
    page.forgiven += ["192.0.2.1", "no-such-file", "status of 404", "ERR_"]
    page.goto("about:blank")  # where no policy forbids it
    page.evaluate("() => void fetch('http://192.0.2.1/').catch(() => null)")  # waits for no answer
    page.goto(f"{server}/search.html")
    with page.expect_response("**/no-such-file"):
        page.evaluate("() => fetch('no-such-file')")
    assert "asked another host: http://192.0.2.1/" in page.faults
    assert f"404: {server}/no-such-file" in page.faults
