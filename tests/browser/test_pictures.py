"""The pictures of the first page's figure: taken from the real one, small, and moving."""

import itertools

import pytest
from PIL import Image, ImageChops, ImageSequence

from tools import take_pictures

KEPT = take_pictures.ROOT / "images"


def check_pictures(folder):
    """The preview has the size that others want; in the other picture each frame is a new one."""
    with Image.open(folder / "preview.png") as preview:
        assert preview.size == (1200, 630)
        assert len(preview.convert("RGB").getcolors(1_000_000)) > 50  # not an empty page
    file = folder / "welcome.gif"
    assert file.stat().st_size < 500_000
    with Image.open(file) as moving:
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(moving)]
        assert moving.info["duration"] >= 1000
    assert len(frames) > 10
    for one, next_one in itertools.pairwise(frames):
        assert ImageChops.difference(one, next_one).getbbox() is not None


@pytest.mark.rare  # the figure that they show is looked at by other tests
def test_the_pictures_that_are_kept_and_those_that_are_taken_now(site, browser, tmp_path):
    check_pictures(KEPT)
    take_pictures.take_preview(browser, tmp_path / "preview.png")
    take_pictures.take_frames(browser, tmp_path / "welcome.gif")
    check_pictures(tmp_path)


def test_the_readme_shows_the_moving_picture_and_says_what_it_shows():
    text = (take_pictures.ROOT / "README.md").read_text(encoding="utf-8")
    assert "](images/welcome.gif)" in text.split("## ")[0]
    assert "one word after the other asks" in text
