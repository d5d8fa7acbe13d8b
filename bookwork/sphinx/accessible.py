"""What makes the HTML of the theme and docutils accessible to screen readers.

axe-core, which tests/browser runs on every page, found each of these faults.
"""

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


def mend(text):
    """Return the text of a page with every fix applied."""
    for old, new in MENDS.items():
        text = text.replace(old, new)
    return text
