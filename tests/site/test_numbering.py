"""Chapters have numbers, and what is numbered in them has theirs: in pages and in notebooks."""

import json
import re
from pathlib import Path

import yaml

from images.drawn.draw_diagrams import NUMBERS

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "_build" / "html" / "chapters"
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
SHOWN = re.compile(r'caption-number">(?:Figure|Exercise|Table) ([\d.]+)|eqno">\(([\d.]+)\)')


def page_of(name):
    return (PAGES / f"{Path(name).name}.html").read_text(encoding="utf-8")


def title_of(name):
    text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
    return re.search("^# (.*)", text, re.M)[1]


PARTS = [part for part in TOC["parts"] if part.get("numbered")]
NUMBERED = [str(k) for k in range(1, 1 + sum(len(part["chapters"]) for part in PARTS))]


def test_the_chapters_of_numbered_parts_have_numbers_and_the_other_pages_have_none():
    assert list(NUMBERS.values()) == NUMBERED
    for name in ("welcome", "in_twenty_minutes", "notation", "teaching"):
        assert '<h1><span class="section-number"' not in page_of(name)


def test_the_sidebar_has_the_chapters_in_parts_and_numbers_them_through():
    links = re.search(r'<nav class="bd-links.*?</nav>', page_of("welcome"), re.S)[0]
    seen = re.findall(
        r'caption-text">([^<]+)<|href="[^"]*?(?:chapters/)?(\w+)\.html">\s*([^<]+)<', links
    )
    titles = [caption or title for caption, _, title in seen]
    parts = [part["caption"] for part in TOC["parts"]]
    assert [title for title in titles if title in parts] == parts
    assert parts[:2] == ["Begin here", "I. The idea"]
    seen = [title.split(".")[0] for title in titles if re.match(r"\d+\. ", title)]
    assert seen == NUMBERED
    place = titles.index("II. The layer")
    assert titles[place - 1 : place + 2] == [
        *("4. Scoring functions", "II. The layer", "5. Self-attention"),
    ]


def test_a_figure_is_called_so_in_captions_and_references():
    page = page_of("scoring_functions")
    assert 'caption-number">Figure 4.1 </span>' in page
    assert '<span class="std std-numref">Figure 4.1</span></a>' in page
    assert "Fig. " not in page


def test_title_sidebar_and_progress_say_the_number_of_a_chapter():
    for name, number in NUMBERS.items():
        page, title = page_of(name), title_of(name)
        assert f'<h1><span class="section-number">{number}. </span>{title}' in page
        assert f">{number}. {title}</a></li>" in page_of("welcome")
        listed = re.search(r'id="book-exercises"[^>]*>(.*?)</script>', page_of("welcome"))[1]
        assert f"{number}. {title}" in [chapter["title"] for chapter in json.loads(listed)]


def test_what_is_numbered_in_a_chapter_begins_with_the_number_of_the_chapter():
    for name, number in NUMBERS.items():
        shown = [one or other for one, other in SHOWN.findall(page_of(name))]
        assert shown
        assert {text.split(".")[0] for text in shown} == {number}


def test_a_notebook_begins_with_the_number_and_the_title_of_its_chapter():
    for name, number in NUMBERS.items():
        file = f"{int(number):02d}-{Path(name).name.replace('_', '-')}.py"
        text = (PAGES.parent / "notebooks" / file).read_text(encoding="utf-8")
        assert f"\n# # {number}. {title_of(name)}\n" in text


def test_a_reference_to_another_chapter_says_its_number():
    page, notation = page_of("looking_inside"), page_of("notation")
    assert re.search(
        r'copying model of <a [^>]*href="how_att[^>]*><span[^>]*>chapter 9</span>', page
    )
    assert re.search(
        r"<p><a [^>]*><span[^>]*>Chapter 4</span></a>\.", notation
    )  # begins a sentence
    assert f"chapter {NUMBERS['chapters/looking_inside']}" not in page
    assert "hapter 1<" not in page_of("welcome")
