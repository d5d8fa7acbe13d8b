"""Text that waits for no script, and addresses with a digest of the content.

The book's own scripts are deferred. In the house style all others are, too (page_scripts.py), and
what is not needed of the theme's is left out: the script of all its icons, which its style sheet
draws as well, and its search, as ours is on a page of its own. Pictures load when a reader comes
near; their place is kept free until then.
Each file that a page loads has a digest of its content in its address, so that a browser never uses
one of an earlier build.
"""

import hashlib
import os
import re
from functools import partial
from pathlib import Path

from bookwork.build.secure_pages import written_pages
from bookwork.sphinx.book_shell import is_adapted
from bookwork.sphinx.elsewhere import link_instead

LOADED = re.compile(
    r'(?P<tag><(?:script|link|img)\b[^>]*?\s(?:src|href)=")(?P<path>[^"?#:]+)(?:\?[^"#]*)?(?=")'
)
IMPORTED = re.compile(r'(?P<tag>@import ")(?P<path>[^"?]+)(?:\?[^"]*)?(?=")')
NEEDLESS = re.compile(  # scripts of the theme, and links that ask for them early
    r"[ \t]*<(?:script|link)\b(?=[^>]*(?:scripts/fontawesome\.js|js/all\.min\.js|/searchtools\.js"
    r'|/language_data\.js|searchindex\.js|\sas="script"))[^>]*>(?:</script>)?\n?'
)
NEXT = re.compile(r'[ \t]*<link rel="next"[^>]*>\n?')  # which Firefox asks for, and may not
PAGES = (".html", "")
PICTURE = re.compile(
    r'<img (?![^>]*\b(?:loading|width|height)=)(?P<rest>[^>]*?\bsrc="(?P<path>[^"?:]+\.png)[?"])'
)
SIZE = slice(16, 24)  # bytes of a PNG file: its width and height
# What screen readers miss in the HTML of the theme and docutils: axe-core, which tests/browser runs
# on every page, found each.
MENDS = {
    # The contents are a landmark of the page.
    '<div id="pst-primary-sidebar" class=': (
        '<div id="pst-primary-sidebar" role="region" aria-label="The book" class='
    ),
    # The accessible name of the button is the text on it: "Search Ctrl+K".
    'pst-js-only" title="Search" aria-label="Search"': 'pst-js-only" title="Search"',
    # The arrow that unfolds a part of the contents has a name.
    '<summary><span class="toctree-toggle"': (
        '<summary aria-label="Pages below this one"><span class="toctree-toggle"'
    ),
    # The role that docutils gives to the items of a list of references is removed.
    'role="doc-biblioentry"': 'role="listitem"',
}


def finish_pages(app):
    """Finish all pages, even unchanged ones: the files that they load may have changed."""
    site, known = Path(app.outdir), {}
    is_known, is_strict = is_adapted(app.config), app.config.bookwork_policy == "strict"
    for path in site.glob("_static/styles/*.css"):  # first: a digest of each goes into the pages
        write(path, IMPORTED.sub(partial(with_digest, path.parent, known), read(path)))
    for path in written_pages(site):
        page = link_instead(read(path)) if is_strict else read(path)
        page = adapted(path.parent, page) if is_known else mend(page)
        write(path, LOADED.sub(partial(with_digest, path.parent, known), page))


def read(path):
    """Return the text of a file."""
    return path.read_text(encoding="utf-8")


def write(path, text):
    """Write a text, unless it is there."""
    if read(path) != text:
        path.write_text(text, encoding="utf-8")


def adapted(folder, page):
    """Return a page in the house style, without what it does not need; its pictures wait."""
    page = NEEDLESS.sub("", page)
    return wait(mend(page).replace('"Color mode"', '"Colours"'), folder)


def wait(page, folder):
    """Return a page from a folder whose pictures wait, those whose size their file says."""

    def waiting(match):
        file = folder / match["path"]
        if not file.is_file():
            return match[0]
        size = file.read_bytes()[SIZE]
        width, height = int.from_bytes(size[:4]), int.from_bytes(size[4:])
        return f'<img loading="lazy" width="{width}" height="{height}" {match["rest"]}'

    return PICTURE.sub(waiting, page)


def mend(page):
    """Return a page in which screen readers miss nothing, and for which no browser fetches another.

    >>> mend('<link rel="next" title="B" href="b.html" />')
    ''
    """
    page = NEXT.sub("", page)
    for old, new in MENDS.items():
        page = page.replace(old, new)
    return page


def with_digest(folder, known, match):
    """Return the address of a file with its digest; that of a page or a missing file unchanged."""
    path = os.path.normpath(folder / match["path"])
    if path not in known:
        known[path] = digest_of(Path(path))
    return f"{match['tag']}{match['path']}{known[path]}" if known[path] else match[0]


def digest_of(path):
    """Return the digest of a file as the end of an address, or nothing for a page."""
    if path.suffix in PAGES or not path.is_file():
        return ""
    return f"?v={hashlib.sha256(path.read_bytes()).hexdigest()[:8]}"
