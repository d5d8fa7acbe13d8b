"""What the scripts of the page share with Python."""

import re
from typing import get_args, get_type_hints

import pytest
from bookwork.exercises import Verdict
from bookwork.site import build_web
from bookwork.sphinx.exercises import LABEL


def test_the_page_knows_the_statuses_of_a_verdict_and_the_form_of_a_label():
    script = (build_web.WEB / "exercises" / "verdict.js").read_text()
    listed = re.search(r"STATUSES = \{(.*?)\};", script, re.S)[1]
    statuses = re.findall(r'^ *"?([a-z ]+)"?: "(?:idle|wrong|right)",$', listed, re.M)
    assert statuses == list(get_args(get_type_hints(Verdict)["status"]))
    assert f"/^{LABEL.pattern}$/" in script


@pytest.mark.parametrize("version", ["", "6.5.2/"])  # as pydata-sphinx-theme has it now, and had it
def test_the_theme_s_icons_are_found_in_each_of_its_versions(tmp_path, version):
    font = tmp_path / f"theme/x/static/vendor/fontawesome/{version}webfonts/fa-solid-900.ttf"
    font.parent.mkdir(parents=True)
    font.touch()
    assert build_web.icon_font(tmp_path) == font
