"""A live figure that was saved as one file works from a disk and asks for nothing."""

import numpy as np
from browser.conftest import check_faults, watched
from playwright.sync_api import expect

from bookwork.live import bars, live, slider


def test_a_saved_figure_moves_and_loads_no_other_file(site, window, tmp_path):
    figure = live(
        lambda third: np.array([2.0, 3.0, third]) / (5 + third),
        bars(["first", "second", "third"]),
        name="Shares </title><b>of</b> bread",
        third=slider(0, 10, 1, value=5),
    )
    path = figure.save(tmp_path / "figure.html")
    assert [file.name for file in tmp_path.iterdir()] == ["figure.html"]
    page, asked = watched(window().new_page(), "file:"), []
    page.on("request", lambda request: asked.append(request.url.partition(":")[0]))
    page.goto(path.as_uri())
    page.evaluate("() => window.bookWidgets.ready")
    expect(page).to_have_title("Shares </title><b>of</b> bread")
    drawn = page.locator(".live-figure")
    expect(drawn).to_contain_text("0.50")
    drawn.locator("[role=slider]").first.focus()
    page.keyboard.press("End")
    expect(drawn).to_contain_text("0.67")
    assert (asked[0], set(asked[1:])) == ("file", {"blob"})
    check_faults(page)
