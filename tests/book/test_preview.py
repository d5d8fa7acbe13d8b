"""What other sites show of a page: its title, what it is about, and a picture that is there."""

import hashlib
import html
import re
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from book.chapters import SITE
from docutils import nodes
from docutils.utils import new_document
from PIL import Image

from bookwork.sphinx import preview

TAG = re.compile(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)" />')
BESIDE = {"_static"}  # folders with pages of others


def tags_of(path):
    return {key: html.unescape(text) for key, text in TAG.findall(path.read_text("utf-8"))}


def test_every_page_leads_to_the_picture_and_names_no_host():
    pages = [p for p in SITE.rglob("*.html") if not BESIDE & set(p.relative_to(SITE).parts)]
    assert len(pages) > 25
    for path in pages:
        said = tags_of(path)
        address = urlsplit(said["og:image"])
        assert (address.scheme, address.netloc) == ("", "")
        file = path.parent / address.path
        assert address.query == "v=" + hashlib.sha256(file.read_bytes()).hexdigest()[:8]
        with Image.open(file) as picture:
            size = (int(said["og:image:width"]), int(said["og:image:height"]))
            assert picture.size == size == (1200, 630)
        assert said["og:image:alt"]
        assert said["twitter:card"] == "summary_large_image"


def test_a_chapter_is_told_by_its_title_and_its_goals():
    said = tags_of(SITE / "chapters" / "self_attention.html")
    assert said["og:title"] == "5. Self-attention"
    assert said["og:description"].startswith("After this chapter you can ")
    assert 40 < len(said["og:description"]) <= 200
    assert said["og:description"].endswith(".")
    assert "interactive textbook" in tags_of(SITE / "chapters" / "welcome.html")["og:description"]


@pytest.fixture
def app(tmp_path):
    """A book with a picture, whose first page is elsewhere."""
    entrance = '<meta http-equiv="Refresh" content="0; url=chapters/welcome.html" />\n'
    (tmp_path / "index.html").write_text(entrance)
    (tmp_path / "images").mkdir()
    (tmp_path / preview.PICTURE).write_bytes(b"a picture")
    says = {"bookwork_about": "On cats", "bookwork_picture": "A cat", "project": 'A "book"'}
    config = SimpleNamespace(html_baseurl="", html_extra_path=["LICENSE"], **says)
    return SimpleNamespace(srcdir=tmp_path, outdir=tmp_path, config=config)


@pytest.mark.parametrize("address", ["", "https://example.org/book"])
def test_the_entrance_is_told_once_and_names_the_picture_by_the_book_s_address(
    app, monkeypatch, address
):
    monkeypatch.setenv("BOOK_URL", address)
    preview.read_address(app, app.config)
    assert app.config.html_extra_path == ["LICENSE", "images/preview.png"]
    for _ in range(2):
        preview.describe_entrance(app)
    text = (app.outdir / "index.html").read_text()
    assert text.startswith("<meta http-equiv")
    assert text.count("og:title") == 1
    said = tags_of(app.outdir / "index.html")
    assert said["og:title"] == 'A "book"'
    assert said["og:image"].startswith(f"{address}/preview.png?v=".lstrip("/"))


def test_without_a_picture_nothing_is_said_of_one(app):
    (app.srcdir / preview.PICTURE).unlink()
    preview.read_address(app, app.config)
    assert app.config.html_extra_path == ["LICENSE"]
    assert "og:image" not in preview.tags_of(app, "A title", "", 0)


GOALS = "After this chapter you can"


def test_goals_that_are_too_long_end_after_one_of_them_and_a_page_may_have_none():
    page = new_document("page")
    assert preview.about(None, GOALS) == preview.about(page, GOALS) == ""
    page += nodes.paragraph("", GOALS)
    assert preview.about(page, GOALS) == ""  # what the book says of itself is said then
    texts = ("do this;", f"do {'more and ' * 30};", "do that.")
    items = [nodes.list_item("", nodes.paragraph("", goal)) for goal in texts]
    page += nodes.bullet_list("", *items)
    assert preview.about(page, GOALS) == "After this chapter you can do this."
