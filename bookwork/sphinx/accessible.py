"""Sphinx extension: makes the HTML of the theme and docutils accessible to screen readers.

axe-core, which tests/browser runs on every page, found each of these faults.
"""

from pathlib import Path

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


def setup(app):
    """Connect to Sphinx."""
    app.connect("build-finished", mend_pages, priority=900)  # before the pages get their policies
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def mend_pages(app, exception):
    """Fix the pages that were written; the others were fixed before."""
    if exception is None and app.builder.format == "html":
        for page in Path(app.outdir).rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            if (mended := mend(text)) != text:
                page.write_text(mended, encoding="utf-8")


def mend(text):
    """Return the text of a page with every fix applied."""
    for old, new in MENDS.items():
        text = text.replace(old, new)
    return text
