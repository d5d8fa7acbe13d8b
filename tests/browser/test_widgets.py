"""Widgets of a page: those added later, names and keys of controls, failures."""

import functools

import anywidget
import ipywidgets
import pytest
import traitlets
from browser.shown import add_widgets
from playwright.sync_api import expect

from bookwork.live import bars, live


class Echo(anywidget.AnyWidget):
    """Shows the value of a control, as a live figure does."""

    _esm = """
    async function render({ model, el }) {
      const id = model.get("control").replace("IPY_MODEL_", "");
      const control = await model.widget_manager.get_model(id);
      const line = el.appendChild(document.createElement("output"));
      const draw = () => { line.textContent = `value ${control.get("value")}`; };
      control.on("change:value", draw);
      draw();
      return () => control.off("change:value", draw);
    }
    export default { render };
    """
    control = traitlets.Instance(ipywidgets.Widget).tag(
        sync=True, **ipywidgets.widget_serialization
    )


@pytest.fixture
def show(page, server):
    """Open a page and show widgets there, each in an element of its own."""
    page.goto(f"{server}/search.html")
    page.evaluate("() => bookWidgets.ready")
    return functools.partial(add_widgets, page)


def test_controls_say_their_names_values_and_what_is_pressed_and_failures_are_explained(page, show):
    check_a_slider_is_named_by_its_description_and_moved_by_keys(page, show)
    check_a_selection_slider_says_the_word_and_toggles_what_is_pressed(page, show)
    check_a_selection_slider_still_says_the_word_where_it_moves_no_further(page, show)
    check_a_log_slider_still_says_its_value_where_it_moves_no_further(page, show)
    check_a_control_that_is_off_or_waits_for_the_end_of_a_move(page, show)
    check_only_a_widget_of_another_kind_brings_the_manager(page, show)
    check_a_button_has_its_icon(page, show)
    check_a_widget_that_is_closed_as_it_is_shown_is_no_fault(page, show)
    check_a_widget_that_fails_says_so_in_its_place(page, show)
    check_a_model_that_the_page_lacks_is_explained(page)


def check_a_slider_is_named_by_its_description_and_moved_by_keys(page, show):
    slider = ipywidgets.FloatSlider(
        value=1, min=0.5, max=2, step=0.5, description=r"temperature \(\tau\)"
    )
    assert show(ipywidgets.VBox([slider, Echo(control=slider)])) == [True]
    handle = page.get_by_role("slider", name="temperature tau", exact=True)
    handle.focus()
    page.keyboard.press("ArrowRight")
    output = page.locator(".added").last.locator("output")
    expect(output).to_have_text("value 1.5")
    expect(handle).to_have_attribute("aria-valuetext", "1.50")
    page.keyboard.press("End")
    expect(output).to_have_text("value 2")


def check_a_selection_slider_says_the_word_and_toggles_what_is_pressed(page, show):
    words, scores = ["the", "dog", "runs"], ["dot", "scaled"]
    show(
        ipywidgets.SelectionSlider(options=words, description="word"),
        ipywidgets.ToggleButtons(options=scores, description="score"),
    )
    page.get_by_role("slider", name="word").press("ArrowRight")
    expect(page.get_by_role("slider", name="word")).to_have_attribute("aria-valuetext", "dog")
    group = page.get_by_role("group", name="score")
    group.get_by_role("button", name="scaled").click()
    for place, pressed in enumerate(["false", "true"]):
        expect(group.get_by_role("button").nth(place)).to_have_attribute("aria-pressed", pressed)


def check_a_selection_slider_still_says_the_word_where_it_moves_no_further(page, show):
    show(ipywidgets.SelectionSlider(options=["the", "dog"], value="dog", description="ending"))
    handle = page.get_by_role("slider", name="ending")
    for key, word in [("End", "dog"), ("ArrowRight", "dog"), ("Home", "the"), ("Home", "the")]:
        handle.press(key)
        expect(handle).to_have_attribute("aria-valuetext", word)


def check_a_log_slider_still_says_its_value_where_it_moves_no_further(page, show):
    """Not the exponent, which the slider itself writes."""
    show(ipywidgets.FloatLogSlider(value=10, max=1, description="width", readout_format=".3g"))
    handle = page.get_by_role("slider", name="width")
    for _ in range(2):
        handle.press("End")
        expect(handle).to_have_attribute("aria-valuetext", "10.0")


def check_a_control_that_is_off_or_waits_for_the_end_of_a_move(page, show):
    show(ipywidgets.IntSlider(description="still", disabled=True))
    expect(page.get_by_role("slider", name="still")).to_be_disabled()
    patient = ipywidgets.IntSlider(max=9, description="patient", continuous_update=False)
    show(ipywidgets.VBox([patient, Echo(control=patient)]))
    slider = page.get_by_role("slider", name="patient")
    slider.evaluate("(range) => { range.value = 5; range.dispatchEvent(new Event('input')); }")
    output = page.locator(".added").last.locator("output")
    expect(output).to_have_text("value 0")
    slider.dispatch_event("change")
    expect(output).to_have_text("value 5")


def check_only_a_widget_of_another_kind_brings_the_manager(page, show):
    """And it draws what is inside, live figures too, as it draws those of readers."""
    assert page.evaluate("typeof bookManager") == "undefined"
    figure = live(lambda k: [k, 2.0], bars(["a", "b"]), name="Inside", k=(0, 2))
    assert show(ipywidgets.Accordion([figure, ipywidgets.IntSlider()], selected_index=0)) == [True]
    expect(page.locator(".added .widget-accordion .live-bars svg")).to_be_visible()
    assert page.evaluate("typeof bookManager") == "object"


def check_a_button_has_its_icon(page, show):
    """One that the book itself does not show, from a font that comes with it."""
    show(ipywidgets.Button(icon="snowflake"))
    style = "(icon) => { const { content, font } = getComputedStyle(icon, '::before'); "
    told = page.locator(".added .fa-snowflake").evaluate(f"{style} return content + font; }}")
    assert (told[1], '"All icons"' in told) == ("\uf2dc", True)
    page.wait_for_function("() => document.fonts.check('16px \"All icons\"', '\uf2dc')")


def check_a_widget_that_is_closed_as_it_is_shown_is_no_fault(page, show):
    """Its layout comes later than its end."""
    progress = ipywidgets.IntProgress()
    show(progress)
    page.evaluate(SHOW_AND_REMOVE, progress.model_id)


def check_a_widget_that_fails_says_so_in_its_place(page, show):
    """And the next one is drawn."""
    page.forgiven += ["NoSuchView", "Could not create a view"]
    broken = ipywidgets.IntProgress(description="broken")  # which the manager draws
    broken._view_name = "NoSuchView"
    assert show(broken, ipywidgets.IntSlider(description="whole")) == [True, True]
    reason = "the widget NoSuchView of @jupyter-widgets/controls is not part of this book"
    sentences = [f"This figure could not be drawn: {reason}."]
    expect(page.locator(".book-widget-error")).to_have_text(sentences)
    expect(page.get_by_role("slider", name="whole")).to_be_visible()


def check_a_model_that_the_page_lacks_is_explained(page):
    page.forgiven.append("could not be drawn")
    page.evaluate(SHOW_MISSING)
    sentence = "This figure could not be drawn: its data is not in the page."
    expect(page.locator("section.lacking .book-widget-error")).to_have_text(sentence)


SHOW_AND_REMOVE = """async (id) => {
  const place = document.querySelector("main").appendChild(document.createElement("div"));
  (await bookWidgets.show(id, place)).remove();
  await new Promise((done) => setTimeout(done, 100)); // after all that was set off by showing it
}"""
SHOW_MISSING = """() => {
  const place = Object.assign(document.createElement("section"), { className: "lacking" });
  document.querySelector("main").append(place);
  return bookWidgets.show("missing", place);
}"""
