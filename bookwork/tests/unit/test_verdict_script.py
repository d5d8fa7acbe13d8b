"""What the scripts of the page share with Python."""

import re
from typing import get_args, get_type_hints

from bookwork.exercises import Verdict
from bookwork.site import build_web
from bookwork.sphinx.exercises import LABEL


def test_the_page_knows_the_statuses_of_a_verdict_and_the_form_of_a_label():
    script = (build_web.WEB / "exercises" / "verdict.js").read_text()
    listed = re.search(r"STATUSES = \{(.*?)\};", script, re.S)[1]
    statuses = re.findall(r'^ *"?([a-z ]+)"?: "(?:idle|wrong|right)",$', listed, re.M)
    assert statuses == list(get_args(get_type_hints(Verdict)["status"]))
    assert f"/^{LABEL.pattern}$/" in script
