"""Sphinx extension: in the house style, references to other chapters say the number.

A chapter is called "chapter 4", because its title would stand in the middle of a sentence. A
section of another chapter keeps its title: "Back to the bank (chapter 5)", or, within parentheses,
"Back to the bank, chapter 5". The first page lists the chapters with their numbers already.
"""

import html
from itertools import takewhile

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from bookwork.sphinx.pages import number_of, numbered_title, title_of


def setup(app):
    """Connect to Sphinx."""
    app.add_post_transform(SayNumbers)
    app.connect("html-page-context", write_titles, priority=600)  # after the theme has set its own


def write_titles(app, pagename, templatename, context, doctree):
    """Add the number to the printed title; that of the window shows no formulas."""
    if doctree is not None:
        written = numbered_title if app.config.bookwork_house_style else title_of
        context["pagetitle"] = written(app.env, pagename)
        context["title"] = html.escape(context["pagetitle"])


class SayNumbers(SphinxPostTransform):
    """Write the number of a chapter instead of its title, and after the title of a section."""

    default_priority = 5  # before Sphinx resolves references, and loses who chose their text

    def run(self, **kwargs):
        """Process each reference of a page."""
        if self.env.docname == self.config.root_doc or not self.config.bookwork_house_style:
            return
        for node in list(self.document.findall(addnodes.pending_xref)):
            page = page_of(self.env, node)
            number = number_of(self.env, page)
            if not number or node.get("refexplicit"):
                continue
            before = text_before(node)
            if is_chapter(self.env, page, node):
                node["refexplicit"] = True
                word = "chapter" if before and before.rstrip()[-1:] not in ".?!" else "Chapter"
                node[:] = [nodes.inline("", f"{word} {number}")]
            else:
                said = f", chapter {number}" if is_open(before) else f" (chapter {number})"
                node.parent.insert(node.parent.index(node) + 1, nodes.Text(said))


def page_of(env, node):
    """Return the other page that a reference by title points to, or None."""
    target, page = node.get("reftarget", ""), None
    if node.get("reftype") == "ref":
        page = env.get_domain("std").labels.get(target, (None,))[0]
    elif node.get("reftype") == "doc":
        page = env.relfn2path(target, node.get("refdoc"))[0]
    return page if page != env.docname else None


def is_chapter(env, page, node):
    """Return whether a reference names a page as a whole, and not one of its sections."""
    label = env.get_domain("std").labels.get(node["reftarget"])
    return label is None or label[2] == env.titles[page].astext()


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
