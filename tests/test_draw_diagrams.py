"""The drawn diagrams: as their script draws them, readable in both palettes and on a phone."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from checks import contrast

from images.drawn import draw_diagrams
from images.drawn.drawing import DARK, LIGHT, ROLES, WIDTH

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("*.md"))
PHONE = 343  # pixels: a drawing beside the margins of a phone that is 390 wide
SMALLEST = 10  # pixels
FIGURE = re.compile(
    r"^```\{figure\} \.\./images/(?P<name>[\w-]+)\.svg\n"
    r"(?P<options>(?::[^\n]*\n)+)\n(?P<caption>.+?)^```",
    re.M | re.S,
)


@pytest.mark.parametrize("name", draw_diagrams.DIAGRAMS)
def test_drawing_again_gives_the_same_bytes_which_can_be_read_on_a_phone(name):
    file, drawn = ROOT / "images" / f"{name}.svg", draw_diagrams.DIAGRAMS[name]().svg()
    again = "python -m images.drawn.draw_diagrams"
    assert file.read_bytes() == drawn.encode(), f"{file.name} is out of date: {again}"
    sizes = [float(e.get("font-size")) for e in ET.fromstring(drawn).iter() if e.get("font-size")]
    assert len(sizes) >= drawn.count("<text") > 5
    assert min(sizes) * PHONE / WIDTH >= SMALLEST


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_all_text_stands_out_from_what_is_behind_it(palette):
    behind = {"ink": ["card", "paper", "weight"], "on": ROLES, "card": ["ink"]}
    behind |= {"muted": ["card"], "back": ["card"]}
    for ink, grounds in behind.items():
        for ground in grounds:
            assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)


def test_every_numbered_chapter_and_the_first_page_have_a_drawing_that_is_told_in_words():
    figures = {path.stem: list(FIGURE.finditer(path.read_text("utf-8"))) for path in CHAPTERS}
    numbered = draw_diagrams.NUMBERS
    for name in ["welcome", *(Path(page).name for page in numbered)]:
        assert figures[name], name
    shown = [figure for found in figures.values() for figure in found]
    assert sorted(figure["name"] for figure in shown) == sorted(draw_diagrams.DIAGRAMS)
    for figure in shown:
        alt = re.search(r"^:alt: (.+)", figure["options"], re.M)[1]
        assert len(alt.split()) > 25
        assert ":class: dark-light" in figure["options"]  # or the theme would change its colours
