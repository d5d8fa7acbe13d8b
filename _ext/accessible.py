"""Sphinx extension: mends in the theme's and docutils' pages what their readers could not hear.

Each of these was found by axe-core, which tests/browser runs on every page.
"""

from pathlib import Path

MENDS = {
    # The contents are a part of the page that can be jumped to.
    '<div id="pst-primary-sidebar" class=': (
        '<div id="pst-primary-sidebar" role="region" aria-label="The book" class='
    ),
    # The name of the button is what it shows: "Search Ctrl+K".
    'pst-js-only" title="Search" aria-label="Search"': 'pst-js-only" title="Search"',
    # The arrow that unfolds a part of the contents says so.
    '<summary><span class="toctree-toggle"': (
        '<summary aria-label="Pages below this one"><span class="toctree-toggle"'
    ),
    # A list of references has items; the role that docutils gives them is withdrawn.
    'role="doc-biblioentry"': 'role="listitem"',
}


def setup(app):
    """Join the build."""
    app.connect("build-finished", mend_pages, priority=900)  # before the pages get their policies
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def mend_pages(app, exception):
    """Mend the pages that were written anew; in the others nothing is left to mend."""
    if exception is None and app.builder.format == "html":
        for page in Path(app.outdir).rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            if (mended := mend(text)) != text:
                page.write_text(mended, encoding="utf-8")


def mend(text):
    """Return a page's text with every mend in it."""
    for old, new in MENDS.items():
        text = text.replace(old, new)
    return text
