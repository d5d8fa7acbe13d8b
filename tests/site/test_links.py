"""Every link inside the built book leads somewhere, and nothing comes from another host."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from built_book import FOLDER, SITE
from chapters.page import all_pages

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
NOT_LOADED = {"canonical", "next", "prev", "author", "license"}  # kinds of links in the head


class Links(HTMLParser):
    """The `links` and `anchors` of a page, and the addresses from which it `loads` files."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.loads = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        address = given.get(LOADING.get(tag))
        if address and given.get("rel") not in NOT_LOADED:
            self.loads.add(address)
        if tag == "a" and given.get("href"):
            self.links.add(given["href"])


def read_pages():
    pages = [p for p in SITE.rglob("*.html") if p.relative_to(SITE).parts[0] != "_static"]
    return {path: Links(path.read_text(encoding="utf-8")) for path in pages}


def faults_of(path, pages):
    """Yield the faults of a page: links that lead nowhere, files from other hosts."""
    for address in pages[path].links | pages[path].loads:
        parts = urlsplit(address)
        if parts.netloc and address in pages[path].loads:
            yield f"{path.name} loads a file from {parts.netloc}"
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        target = target / "index.html" if target.is_dir() else target
        if not target.is_file():
            yield f"the link {address} of {path.name} leads to no file"
        elif parts.fragment and not has_place(pages.get(target), unquote(parts.fragment)):
            yield f"the link {address} of {path.name} leads to a page without this place"


def has_place(page, name):
    """Return whether a page has a place of this name; files that are no pages are not read."""
    return page is None or name in page.anchors


def test_every_link_leads_somewhere_and_nothing_comes_from_another_host():
    pages = read_pages()
    assert len(pages) > 20, "the book is not built: run make book first"
    assert [fault for path in pages for fault in faults_of(path, pages)] == []


def test_the_first_page_lists_every_chapter():
    first, *others = all_pages(FOLDER.parent)
    labels = [re.search(r"^\((.+)\)=$", p.text, re.M)[1] for p in others if p.is_notebook]
    assert [label for label in labels if f"{{ref}}`{label}`" not in first.text] == []
