"""A live figure that was saved as one file works from a disk and asks for nothing."""

import numpy as np
from browser.conftest import check_faults, watched
from playwright.sync_api import expect

from bookwork.live import bars, custom_view, live, slider

MOST = 150_000  # bytes of a small figure


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
    drawn.get_by_role("slider").focus()
    page.keyboard.press("End")
    expect(drawn).to_contain_text("0.67")
    assert asked == ["file"]
    assert path.stat().st_size <= MOST
    check_faults(page)


OWN = """export default function dial(options, { svg, print }) {
  const element = svg("svg", { width: 100, height: 20 });
  const bar = svg("rect", { height: 20, fill: "currentColor" });
  element.append(bar);
  let value;
  return {
    element,
    draw(frame) {
      value = frame.result[0];
      if (value > 2.5) throw new Error("too far");
      bar.setAttribute("width", options.scale * value);
    },
    summary: () => `It is ${print(value)}.`,
  };
}
"""


def test_a_view_of_the_book_s_own_is_saved_with_the_figure_and_may_fail_in_a_sentence(
    site, window, tmp_path
):
    (tmp_path / "dial.js").write_text(OWN)
    view = custom_view(tmp_path / "dial.js", scale=10, title="A dial")
    figure = live(lambda k: np.array([float(k)]), view, name="Dial", k=slider(1, 3, 1))
    page = watched(window().new_page(), "file:")
    page.goto(figure.save(tmp_path / "figure.html").as_uri())
    page.evaluate("() => window.bookWidgets.ready")
    drawn = page.locator(".live-figure")
    expect(drawn).to_contain_text("It is 1.00.")
    drawn.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(drawn).to_contain_text("It is 2.00.")
    assert round(float(drawn.locator("rect").get_attribute("width")), 2) == 20
    expect(drawn.get_by_role("img", name="A dial")).to_be_visible()
    check_faults(page)
    page.keyboard.press("ArrowRight")
    expect(drawn.get_by_role("alert")).to_have_text("The view dial.js failed: too far")
    drawn.get_by_role("button", name="Show as table").click()
    expect(drawn.locator("td").last).to_have_text("3.00")
    drawn.get_by_role("button", name="Back to start").click()
    expect(drawn.locator("rect")).to_be_visible()
    expect(drawn).to_contain_text("It is 1.00.")
