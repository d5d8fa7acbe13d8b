"""Sphinx extension: under a strict policy, an embed of another host's frame or film is a link.

The page may not load it, and would show an empty box.
"""

import re

from docutils import nodes

EMBED = re.compile(
    r"<(?P<tag>iframe|video|audio|object|embed)\b[^>]*>(?:.*?</(?P=tag)>)?", re.S | re.I
)
ADDRESS = re.compile(
    r"""\b(?:src|data)=["']?(?P<address>(?:https?:)?//(?P<host>[^/"'?#\s>]+)[^"'\s>]*)"""
)
VIDEO = re.compile(r"//(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]+).*")
LINK = (
    '<span class="book-elsewhere">This book loads nothing from other hosts: '
    '<a href="{}">see this at {}</a>.</span>'
)


def setup(app):
    """Look at each page before it is written."""
    app.connect("doctree-resolved", link_instead)


def link_instead(app, doctree, page):
    """Replace the embeds in the HTML of a page's text and outputs."""
    if app.config.bookwork_policy != "strict":
        return
    for raw in list(doctree.findall(nodes.raw)):
        text = EMBED.sub(link_to, raw.astext())
        if text != raw.astext():
            raw.replace_self(nodes.raw("", text, format=raw["format"]))


def link_to(match):
    """Return a link, or what stands there if it is the site's own."""
    found = ADDRESS.search(match[0])
    if not found:
        return match[0]
    address = VIDEO.sub(r"//www.youtube.com/watch?v=\1", found["address"])
    return LINK.format(address, found["host"])
