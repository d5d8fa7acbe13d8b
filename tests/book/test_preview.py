"""What other sites show of a page: its title, what it is about, and a picture that is there."""

import hashlib
import html
import re
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

from docutils import nodes
from docutils.utils import new_document
from PIL import Image

from bookwork.sphinx import preview

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
TAG = re.compile(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)" />')
BESIDE = {"_static", "lite"}  # folders with pages of others


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


def test_a_book_that_is_told_its_address_names_the_picture_by_it(monkeypatch, tmp_path):
    monkeypatch.setenv("BOOK_URL", "https://example.org/book")
    config = SimpleNamespace(html_baseurl="", html_extra_path=["LICENSE"])
    (tmp_path / "images").mkdir()
    picture = tmp_path / preview.PICTURE
    picture.write_bytes(b"a picture")
    preview.read_address(SimpleNamespace(srcdir=tmp_path), config)
    assert config.html_baseurl == "https://example.org/book/"
    assert config.html_extra_path == ["LICENSE", "images/preview.png"]
    address = preview.shown(picture, config.html_baseurl, "A cat")["og:image"]
    assert address.startswith("https://example.org/book/preview.png?v=")


def test_without_a_picture_nothing_is_said_of_one(monkeypatch, tmp_path):
    monkeypatch.delenv("BOOK_URL", raising=False)
    config = SimpleNamespace(html_baseurl="", html_extra_path=[])
    preview.read_address(SimpleNamespace(srcdir=tmp_path), config)
    assert (config.html_baseurl, config.html_extra_path) == ("", [])
    assert preview.shown(tmp_path / preview.PICTURE, "../", "A cat") == {}


GOALS = "After this chapter you can"


def test_goals_that_are_too_long_end_after_one_of_them():
    page = new_document("page")
    page += nodes.paragraph("", GOALS)
    goals = nodes.bullet_list()
    for goal in ("do this;", f"do {'more and ' * 30};", "do that."):
        goals += nodes.list_item("", nodes.paragraph("", goal))
    page += goals
    assert preview.about(page, GOALS) == "After this chapter you can do this."
    assert preview.about(None, GOALS) == ""  # what the book says of itself is said then


def test_a_page_without_a_list_of_goals_is_described_by_the_book():
    page = new_document("page")
    page += nodes.paragraph("", GOALS)
    assert preview.about(page, GOALS) == ""
    page += nodes.paragraph("", "read on.")
    assert preview.about(page, GOALS) == ""


def test_the_entrance_is_told_once_however_often_the_book_is_built(monkeypatch, tmp_path):
    monkeypatch.delenv("BOOK_URL", raising=False)
    entrance = tmp_path / "index.html"
    entrance.write_text('<meta http-equiv="Refresh" content="0; url=chapters/welcome.html" />\n')
    says = {"bookwork_about": "On cats", "bookwork_picture": "A cat"}
    config = SimpleNamespace(project="A book", html_baseurl="", **says)
    app = SimpleNamespace(srcdir=tmp_path, outdir=tmp_path, config=config)
    app.builder = SimpleNamespace(format="html")
    for address in ("", "https://example.org/"):
        config.html_baseurl = address
        (tmp_path / "images").mkdir(exist_ok=True)
        (tmp_path / preview.PICTURE).write_bytes(b"a picture")
        preview.describe_entrance(app, None)
        assert entrance.read_text().count("og:title") == 1
        assert tags_of(entrance)["og:image"].startswith(f"{address}preview.png")
    assert entrance.read_text().startswith("<meta http-equiv")


def test_quotes_in_a_title_stay_within_their_tag():
    assert preview.tag("og:title", 'a "b" <c>').endswith('content="a &quot;b&quot; &lt;c&gt;" />')
