"""Chapters have numbers, and what is numbered in them has theirs: in pages and in notebooks."""

import json
import re
from pathlib import Path

import pytest
import yaml
from built_book import FOLDER, built

from images.drawn.draw_diagrams import NUMBERS

TOC = yaml.safe_load((FOLDER.parent / "_toc.yml").read_text(encoding="utf-8"))
PARTS = [part for part in TOC["parts"] if part.get("numbered")]
NUMBERED = [str(k) for k in range(1, 1 + sum(len(part["chapters"]) for part in PARTS))]
SHOWN = re.compile(r'caption-number">(?:Figure|Exercise|Table) ([\d.]+)|eqno">\(([\d.]+)\)')


def page_of(name):
    return built(f"chapters/{Path(name).name}.html")


def test_the_sidebar_has_the_chapters_in_parts_and_numbers_them_through():
    links = re.search(r'<nav class="bd-links.*?</nav>', page_of("welcome"), re.S)[0]
    link = r'caption-text">([^<]+)<|href="[^"]*?(?:chapters/)?(\w+)\.html">\s*([^<]+)<'
    titles = [caption or title for caption, _, title in re.findall(link, links)]
    parts = [part["caption"] for part in TOC["parts"]]
    assert [title for title in titles if title in parts] == parts
    numbers = [title.split(".")[0] for title in titles if re.match(r"\d+\. ", title)]
    assert numbers == [*NUMBERS.values()] == NUMBERED
    place = titles.index("II. The layer")
    assert titles[place - 1] == "4. Scoring functions"
    assert titles[place + 1] == "5. Self-attention"
    for name in ("welcome", "in_twenty_minutes", "notation", "teaching"):
        assert '<h1><span class="section-number"' not in page_of(name)


@pytest.mark.parametrize(("name", "number"), NUMBERS.items())
def test_a_chapter_says_its_number_wherever_it_is_named_and_numbered(name, number):
    page, first = page_of(name), page_of("welcome")
    title = re.search("^# (.*)", (FOLDER.parent / f"{name}.md").read_text(encoding="utf-8"), re.M)[
        1
    ]
    assert f'<h1><span class="section-number">{number}. </span>{title}' in page
    assert f">{number}. {title}</a></li>" in first
    listed = re.search(r'id="book-exercises"[^>]*>(.*?)</script>', first)[1]
    assert f"{number}. {title}" in [chapter["title"] for chapter in json.loads(listed)]
    shown = {(one or other).split(".")[0] for one, other in SHOWN.findall(page)}
    assert shown == {number}
    script = built(f"notebooks/{int(number):02d}-{Path(name).name.replace('_', '-')}.py")
    assert f"\n# # {number}. {title}\n" in script


def test_references_say_the_number_of_a_figure_or_another_chapter():
    page, inside = page_of("scoring_functions"), page_of("looking_inside")
    assert '<span class="std std-numref">Figure 4.1</span></a>' in page
    assert "Fig. " not in page
    chapter = r'copying model of <a [^>]*href="how_att[^>]*><span[^>]*>chapter 9</span>'
    assert re.search(chapter, inside)
    first = r"<p><a [^>]*><span[^>]*>Chapter 4</span></a>\."  # begins a sentence
    assert re.search(first, page_of("notation"))
    assert f"chapter {NUMBERS['chapters/looking_inside']}" not in inside
