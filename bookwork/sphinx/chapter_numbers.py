"""Sphinx extension: references to other chapters include the number, as the sidebar does.

"Scoring functions" becomes "Scoring functions (chapter 4)"; within parentheses it becomes
"Scoring functions, chapter 4". The first page lists the chapters with their numbers already.
"""

import html
from itertools import takewhile

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from bookwork.sphinx.pages import number_of, numbered_title


def setup(app):
    """Connect to Sphinx."""
    app.add_post_transform(SayNumbers)
    app.connect("html-page-context", write_titles, priority=600)  # after the theme has set its own


def write_titles(app, pagename, templatename, context, doctree):
    """Add the number to the printed title; that of the window shows no formulas."""
    if doctree is not None:
        context["pagetitle"] = numbered_title(app.env, pagename)
        context["title"] = html.escape(context["pagetitle"])


class SayNumbers(SphinxPostTransform):
    """Write the number of a chapter after a reference by its title, or by a section's."""

    default_priority = 5  # before Sphinx resolves references, and loses who chose their text

    def run(self, **kwargs):
        """Process each reference of a page."""
        if self.env.docname == self.config.root_doc:
            return
        for node in list(self.document.findall(addnodes.pending_xref)):
            number = number_of(self.env, page_of(self.env, node))
            if number and not node.get("refexplicit"):
                inside = is_open(text_before(node))
                said = f", chapter {number}" if inside else f" (chapter {number})"
                node.parent.insert(node.parent.index(node) + 1, nodes.Text(said))


def page_of(env, node):
    """Return the other page that a reference by title points to, or None."""
    target, page = node.get("reftarget", ""), None
    if node.get("reftype") == "ref":
        page = env.get_domain("std").labels.get(target, (None,))[0]
    elif node.get("reftype") == "doc":
        page = env.relfn2path(target, node.get("refdoc"))[0]
    return page if page != env.docname else None


def text_before(node):
    """Return the text of a paragraph up to one of its nodes."""
    block = node.parent
    while isinstance(block, nodes.Inline):
        block = block.parent
    before = takewhile(lambda part: part is not node, block.findall())
    return "".join(part for part in before if isinstance(part, nodes.Text))


def is_open(text):
    """Return whether a parenthesis is open at the end of a text.

    Examples
    --------
    >>> is_open("See (the first) one"), is_open("See (as in ")
    (False, True)
    """
    return text.count("(") > text.count(")")
