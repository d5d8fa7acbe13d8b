"""HTML is weighed before a page draws it: never at less than half of what a browser would create.

The oracle is html5lib, which builds the same tree as a browser.
"""

import json
import random
import subprocess
from pathlib import Path

import pytest
from bleach._vendor import html5lib

from bookwork.build.build_web import NODE

SCRIPT = Path(__file__).with_name("weigh.mjs")
TAGS = ["p", "b", "i", "a", "code", "div", "span", "td", "tr", "table", "li", "ul", "h1", "br"]
TAGS += ["x", "u", "em", "font", "section", "button"]
OPEN_STYLES = "".join(f"<b a{i}>" for i in range(57))
BOMB = '<svg><g id="&#97;0"><path/></g>' + "".join(
    f'<g id="a{i + 1}">' + f'<use href="&#35;a{i}"/>' * 9 + "</g>" for i in range(8)
)
HOSTILE = {  # and how many elements are counted, at least
    "ends of paragraphs": ("x" + "</p>" * 20_000, 20_000),
    "ends of lines": ("x" + "</br>" * 20_000, 20_000),
    "styles that go on": (f"<p>{OPEN_STYLES}x</p>" + "<p>x" * 900, 50_000),
    "digits in disguise": ("<table>" + "<tr><td colspan=&#49;000 rowspan=&#54;5534>" * 40, 10**7),
    "attributes after slashes": ('<td/colspan="1000"/rowspan="65534">' * 4, 10**7),
    "names in disguise": (BOMB, 10**7),
}
TABLE = "<table><tr>" + "<td><b>1.25</b></td>" * 20 + "</tr></table>"
HARMLESS = ["<p>one <b>word</b>, <i>more</i></p>" * 500, TABLE * 100, "<div><p>x</p></div>" * 900]


def weigh(texts):
    command, given = [NODE / "bin" / "node", SCRIPT], json.dumps(texts)
    told = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


def created(text):
    return sum(isinstance(each.tag, str) for each in html5lib.parseFragment(text).iter()) - 1


def any_tags(rng):
    pieces = [f"<{t}{a}>" for t in TAGS for a in ("", " q", " r", " s")]
    return "".join(rng.choices([*pieces, *(f"</{t}>" for t in TAGS), "x", "x"], k=40))


def test_no_mixture_of_tags_becomes_more_than_twice_what_is_counted():
    rng = random.Random(0)
    texts = [any_tags(rng) for _ in range(150)]
    light = [t for t, f in zip(texts, weigh(texts), strict=True) if 2 * f["elements"] < created(t)]
    assert not light


@pytest.mark.parametrize("what", HOSTILE)
def test_what_a_browser_adds_by_itself_is_counted(what):
    text, least = HOSTILE[what]
    (found,) = weigh([text])
    assert found["elements"] >= least
    assert "elements, and the page shows at most 10,000" in found["says"]


def test_harmless_html_is_shown():
    for text, found in zip(HARMLESS, weigh(HARMLESS), strict=True):
        assert found["says"] is None, text[:60]
        assert found["elements"] <= 2 * created(text)


REPEATED = {"elements": "<b>x</b>" * 9_000, "letters": "x" * 900_000, "little": "<p>x"}


@pytest.mark.parametrize("what", REPEATED)
def test_what_is_drawn_in_several_places_is_no_heavier_than_one_output_may_be(what):
    (found,) = weigh([REPEATED[what]])
    assert found["places"] == 1 or found["places"] * found["elements"] <= 10_000
    assert (found["places"] > 50) == (what == "little")
