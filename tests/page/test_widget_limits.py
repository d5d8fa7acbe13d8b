"""Widgets that would freeze the page become a sentence: a large one, and many small ones."""

import json
import subprocess
from pathlib import Path

import pytest

from bookwork.build.build_web import NODE

SCRIPT = Path(__file__).with_name("widget-limits.mjs")
MANY, LONG = ["x"] * 3_001, "word " * 20_001
TOO_LARGE = {
    "options of a combobox": {"_model_name": "ComboboxModel", "options": MANY},
    "options of a list": {"_model_name": "SelectModel", "_options_labels": MANY},
    "colours": {"_model_name": "ColorsInputModel", "value": ["red"] * 201},
    "numbers": {"_model_name": "IntsInputModel", "value": list(range(201))},
    "allowed tags": {"_model_name": "TagsInputModel", "allowed_tags": ["x"] * 201},
    "titles": {"_model_name": "TabModel", "titles": MANY},
    "names of styles": {"_model_name": "ButtonModel", "_dom_classes": MANY},
    "a long option": {"_model_name": "DropdownModel", "_options_labels": ["x", LONG]},
    "a long description": {"_model_name": "IntSliderModel", "description": LONG},
    "a long width": {"_model_name": "LayoutModel", "width": "(" * 5_001},
    "a long colour": {"_model_name": "ButtonStyleModel", "button_color": "r" * 5_001},
}
HARMLESS = [
    {"_model_name": "DropdownModel", "_options_labels": ["option"] * 3_000},
    {"_model_name": "TagsInputModel", "value": ["x"] * 200},
    {"_model_name": "HTMLModel", "value": LONG},  # drawn as other HTML is
    {"_model_name": "AnyModel", "_esm": LONG, "data": MANY},  # it draws itself
    {"_model_name": "OutputModel", "outputs": [{"output_type": "stream", "text": LONG}]},
    {"_model_name": "LayoutModel", "grid_template_columns": "1fr " * 100},
]
LABEL, BOX = {"value": "x"}, {"children": [0] * 300}
LIST = {"_options_labels": ["option"] * 3_000}
FULL = "the page shows as many widgets as it can take"


def refused(states=(), steps=(), opened=False):
    command = [NODE / "bin" / "node", SCRIPT]
    given = json.dumps({"states": states, "steps": steps, "type": "comm_open" if opened else ""})
    told = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


@pytest.mark.parametrize("what", TOO_LARGE)
def test_a_widget_with_too_much_in_any_of_its_values_is_refused_with_a_sentence(what):
    (fault,) = refused([TOO_LARGE[what]])["faults"]
    assert "not shown" in fault
    assert "the page takes at most" in fault


def test_harmless_widgets_are_shown():
    assert refused(HARMLESS)["faults"] == [None] * len(HARMLESS)


def test_widgets_are_shown_while_there_is_room_and_again_when_some_are_gone():
    steps = [["take", LIST]] * 7
    *_, last, refusal = refused(steps=steps)["room"]
    assert last == "done"
    assert refusal.startswith(FULL)
    *_, refusal, gone, next_one = refused(steps=[*steps, ["give", LIST], ["take", LIST]])["room"]
    assert refusal.startswith(FULL)
    assert (gone, next_one) == ("done", "done")


@pytest.mark.parametrize("values", [LABEL, BOX, {"value": "<b>x</b>" * 1_900}, {"value": LONG}])
def test_however_light_a_widget_is_there_is_no_room_for_two_thousand(values):
    assert refused(steps=[["take", values]] * 2_000)["room"][-1].startswith(FULL)


def test_a_picture_in_html_is_weighed_by_its_bytes_and_what_is_too_large_alone_is_told_so():
    picture = {"value": f'<img src="data:image/png;base64,{"A" * 900_000}">'}
    assert refused(steps=[["take", picture]] * 5)["room"] == ["done"] * 5
    (told,) = refused(steps=[["take", {"value": "word " * 500_000}]])["room"]
    assert told == "it is larger than all widgets together may be: show a part of it"


def test_a_widget_that_is_told_in_its_place_is_not_told_in_a_notice():
    state = TOO_LARGE["a long description"]
    assert refused([state], opened=True)["faults"] == [None]


def test_widgets_are_shown_thirty_deep():
    told = refused(steps=[["take", LABEL, depth] for depth in (30, 31)])["room"]
    assert told == ["done", "the page shows widgets nested at most 30 deep"]


def test_what_is_shown_may_grow_while_there_is_room():
    html = {"_model_name": "HTMLModel", "value": ""}
    pages = [{**html, "number": number} for number in range(12)]
    grow = [["change", page, {"value": "<b>x</b>" * 1_900}] for page in pages]
    told = refused(steps=[["take", page] for page in pages] + grow)["room"]
    assert told[: len(pages)] == ["done"] * len(pages)
    assert told[len(pages)] is True
    assert told[-1] is False
    unseen = refused(steps=grow)["room"]
    assert unseen == [True] * len(pages)
