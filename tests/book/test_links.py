"""Every link inside the built book leads somewhere."""

import functools
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from book.chapters import FOLDER

from bookwork.book.contents import files_of

ROOT = FOLDER.parent
SITE = ROOT / "_build" / "html"
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
FILES = files_of(TOC)


class Links(HTMLParser):
    """Collects where the links of a page lead, and the places that can be led to."""

    def __init__(self):
        super().__init__()
        self.links, self.places = [], set()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.places.update(filter(None, (attrs.get("id"), attrs.get("name"))))
        self.links += [attrs[key] for key in ("href", "src") if attrs.get(key)]


@functools.cache
def read(path):
    parser = Links()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def broken(file, links):
    """List those links of one page that lead nowhere."""
    found = []
    for link in links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (SITE / file).parent / unquote(parts.path) if parts.path else SITE / f"{file}.html"
        if not target.resolve().exists():
            found.append(link)
        elif parts.fragment and target.suffix == ".html":
            places = read(target.resolve()).places
            found += [] if parts.fragment in places else [link]
    return found


@pytest.mark.parametrize("file", FILES)
def test_every_link_inside_the_book_leads_to_a_place(file):
    assert broken(file, read((SITE / f"{file}.html").resolve()).links) == []
