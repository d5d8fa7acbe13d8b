"""Frames in files of their own: fetched as the reader comes near, from a server and from a disk."""

import functools
import json
import re

import pytest
from bookwork.site.serve import Handler
from bookwork.sphinx.lazy_frames import FOLDER, put_in_files
from bookwork.testing.pages import check_faults, serving, watched
from bookwork.testing.shown import COME_NEAR, Shown, wait_for_drawing
from browser.made import made
from playwright.sync_api import expect

CHAPTER = "figures"
NAMED = re.compile(r'"frames": \{"inFile": "([^"]+)"\}')
STATE = re.compile(r'(widget-state\+json">)(.*?)(?=</script>)', re.S)


@pytest.fixture
def copy(site, tmp_path):
    """A copy of the site in which one chapter has all its frames in files."""
    copy = tmp_path / "site"
    for part in (".", "_static", "chapters"):
        (copy / part).mkdir()
        for path in (site / part).iterdir():
            if path.name not in ("_static", "chapters", f"{CHAPTER}.html"):
                (copy / part / path.name).symlink_to(path)
    text = (site / "chapters" / f"{CHAPTER}.html").read_text(encoding="utf-8")
    tag, body = STATE.search(text).groups()
    page = json.loads(body)
    put_in_files(page["state"], 0, copy, "a page")
    apart = text.replace(tag + body, tag + json.dumps(page).replace("</", "<\\/"))
    (copy / "chapters" / f"{CHAPTER}.html").write_text(apart, encoding="utf-8")
    return copy


@pytest.fixture
def address(copy):
    with serving(functools.partial(Handler, directory=copy)) as address:
        yield address


def test_a_page_has_no_frames_and_its_figures_are_drawn_as_one_comes_near(window, address, copy):
    page = watched(window().new_page(), address)
    asked = []
    page.on("request", lambda request: asked.extend(re.findall(rf"{FOLDER}/([\w/]+)", request.url)))
    check_near_and_far(page, f"{address}/chapters/{CHAPTER}.html", asked)
    text = (copy / "chapters" / f"{CHAPTER}.html").read_text(encoding="utf-8")
    assert sorted(asked) == sorted(NAMED.findall(text))  # each once
    assert '["frames"]' not in text
    check_faults(page)


def check_near_and_far(page, address, asked=None):
    """Only what is near is fetched; each figure then shows what the library returns."""
    page.goto(address)
    wait_for_drawing(page)
    figures = made(CHAPTER)
    if asked is not None:
        assert len(asked) < len(figures)
    page.evaluate(COME_NEAR)
    expect(page.locator(".book-still")).to_have_count(0)
    for number, figure in enumerate(figures):
        Shown(page, figure, number).check()


def test_frames_that_do_not_arrive_are_told_and_a_reload_brings_them(window, address):
    page = watched(window().new_page(), address)
    page.forgiven += ["book-frames", "could not be drawn", "ERR_FAILED"]
    page.route("**/book-frames/**", lambda route: route.abort())
    page.goto(f"{address}/chapters/{CHAPTER}.html")
    wait_for_drawing(page)
    page.locator(".book-still").first.scroll_into_view_if_needed()
    told = page.locator(".book-widget-error").first
    expect(told).to_contain_text("its numbers did not arrive; check your connection and reload")
    expect(page.locator(".book-numbers").first).to_be_visible()
    page.unroute("**/book-frames/**")
    page.reload()
    expect(page.locator(".live-drawing").first).to_be_visible()
    check_faults(page)
