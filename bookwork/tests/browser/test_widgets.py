"""Widgets that come as their state: names and keys of controls, what is not drawn or run."""

import functools
import json

import anywidget
import ipywidgets
import pytest
import traitlets
from bookwork.testing.shown import add_widgets
from ipywidgets.embed import embed_data
from playwright.sync_api import expect


class Echo(anywidget.AnyWidget):
    """Shows the value of a control, as a live figure does."""

    _esm = """
    function initialize() {
      window.begun = (window.begun ?? 0) + 1;
    }
    async function render({ model, el }) {
      const id = model.get("control").replace("IPY_MODEL_", "");
      const control = await model.widget_manager.get_model(id);
      const line = el.appendChild(document.createElement("output"));
      const draw = () => { line.textContent = `value ${control.get("value")}`; };
      control.on("change:value", draw);
      draw();
      return () => control.off(null, draw);
    }
    export default { initialize, render };
    """
    control = traitlets.Any().tag(sync=True, **ipywidgets.widget_serialization)


SHOW_TWICE = """async (id) => {
  const host = () => document.querySelector("main").appendChild(document.createElement("div"));
  const hosts = [host(), host()];
  const [first] = [await bookWidgets.show(id, hosts[0]), await bookWidgets.show(id, hosts[1])];
  window.twice = hosts.map((each) => each.querySelector("output"));
  first.remove();
  return window.twice.map((output) => output.textContent);
}"""


@pytest.fixture
def show(page, server):
    """Open a page that brings the script of an Echo; show widgets there."""
    views = [Echo(control=ipywidgets.IntSlider())]
    brought = embed_data(views=views, drop_defaults=False)["manager_state"]
    kind = "application/vnd.jupyter.widget-state+json"
    data = json.dumps(brought).replace("<", "\\u003c")
    end = f'<script type="{kind}">{data}</script></body>'

    def bring(route):
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("</body>", end))

    page.route("**/search.html", bring)
    page.goto(f"{server}/search.html")
    page.evaluate("() => bookWidgets.ready")
    return functools.partial(add_widgets, page)


def test_controls_say_their_names_values_and_what_is_pressed_and_failures_are_explained(page, show):
    check_a_slider_is_named_by_its_description_and_moved_by_keys(page, show)
    # a selection slider says the word and toggles what is pressed
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
    # a model begins once and a view that is gone hears nothing
    slider = ipywidgets.IntSlider(description="shared", max=9)
    echo = Echo(control=slider)
    page.evaluate("window.begun = 0")
    show(slider, echo)
    shown = page.evaluate(SHOW_TWICE, echo.model_id)
    page.get_by_role("slider", name="shared").press("End")
    assert page.evaluate("window.begun") == 1
    texts = page.evaluate("window.twice.map((output) => output.textContent)")
    assert (shown, texts) == (["value 0", "value 0"], ["value 0", "value 9"])
    # controls that nothing follows say so
    show(ipywidgets.IntSlider(description="alone"))
    added = page.locator(".added").last
    expect(added).to_contain_text("If they call Python, run the code in JupyterLab.")
    show(ipywidgets.Label("only words"))
    expect(page.locator(".added").last).to_have_text("only words")
    # a widget of another kind says so and the next is drawn
    page.forgiven.append("could not be drawn")
    interact = ipywidgets.VBox([ipywidgets.IntSlider(), ipywidgets.Output()])
    assert show(interact, ipywidgets.IntSlider(description="whole")) == [False, True]
    reason = "the widget Output works in JupyterLab, not in this page"
    sentence = f"This figure could not be drawn: {reason}."
    expect(page.locator(".book-widget-error")).to_have_text(sentence)
    expect(page.get_by_role("slider", name="whole")).to_be_visible()
    check_a_script_that_the_build_did_not_bring_is_not_run(page, show)


def check_a_slider_is_named_by_its_description_and_moved_by_keys(page, show):
    slider = ipywidgets.FloatSlider(value=1, min=0.5, max=2, step=0.5, description="temperature")
    assert show(ipywidgets.VBox([slider, Echo(control=slider)])) == [True]
    handle = page.get_by_role("slider", name="temperature", exact=True)
    handle.focus()
    page.keyboard.press("ArrowRight")
    output = page.locator(".added").last.locator("output")
    expect(output).to_have_text("value 1.5")
    expect(handle).to_have_attribute("aria-valuetext", "1.50")
    page.keyboard.press("End")
    expect(output).to_have_text("value 2")


def check_a_script_that_the_build_did_not_bring_is_not_run(page, show):
    """Whatever widget names it, as its own script or its sheet."""

    class Script(anywidget.AnyWidget):
        _esm = "window.injected = 1; export default { render() {} }"

    class Sheet(Echo):
        _css = "body { display: none }"

    shown = show(Script(), Sheet(control=ipywidgets.IntSlider()))
    assert shown == [False, False]
    assert page.evaluate("window.injected") is None
    expect(page.get_by_role("main")).to_be_visible()
    expect(page.locator(".added").last).to_contain_text("a script of its own draws it")
