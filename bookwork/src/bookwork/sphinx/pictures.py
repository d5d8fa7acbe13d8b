"""Sphinx extension: a picture's address has a digest, so that no browser shows one of an old build.

In the house style a PNG waits until a reader comes near; the size in its file keeps its place free.
An SVG of class "drawing" stands in the page itself: it has the page's type and theme, and its links
lead somewhere. Its styles are then those of the page, so each of its rules begins with that class.
"""

import hashlib
import html
import re
from pathlib import Path

from docutils import nodes

from bookwork.sphinx.house import is_adapted
from bookwork.sphinx.pages import is_site

SIZE = slice(16, 24)  # bytes of a PNG file: its width and height
PNG = b"\x89PNG\r\n\x1a\n"


def setup(app):
    """Write pictures our way."""
    app.add_node(nodes.image, override=True, html=(open_picture, depart_picture))


def open_picture(writer, node):
    """Write a picture as the theme does; add to its address, and in the house style its size."""
    file = Path(writer.builder.srcdir, node["uri"])
    is_here = file.is_file() and is_site(writer.builder)
    if is_here and file.suffix == ".svg" and is_adapted(writer.config):
        text = file.read_text(encoding="utf-8")
        if re.match(r'<svg [^>]*class="drawing"', text):
            writer.body.append(in_page(text, node.get("alt", "")))
            raise nodes.SkipNode
    type(writer).visit_image(writer, node)
    if not is_here:
        return
    data = file.read_bytes()
    address = f"{node['uri']}?v={hashlib.sha256(data).hexdigest()[:8]}"
    picture = writer.body[-1].replace(f'"{node["uri"]}"', f'"{address}"')
    if is_adapted(writer.config) and data.startswith(PNG) and " width=" not in picture:
        width, height = int.from_bytes(data[SIZE][:4]), int.from_bytes(data[SIZE][4:])
        size = f'loading="lazy" width="{width}" height="{height}"'
        picture = picture.replace("<img ", f"<img {size} ", 1)
    writer.body[-1] = picture


def in_page(drawing, alt):
    """Return a drawing as it stands in a page, whose theme decides which colours it has.

    >>> in_page('<svg class="drawing" role="img"><title>A dot</title><a href="#b"/></svg>', "Dot")
    '<svg class="drawing" role="group" aria-label="Dot"><a href="#b"/></svg>'
    """
    role = "group" if "<a " in drawing else "img"
    drawing = re.sub(r"\s*<title>.*?</title>|<!--.*?-->", "", drawing, flags=re.S)
    drawing = drawing.replace('role="img"', f'role="{role}" aria-label="{html.escape(alt)}"', 1)
    dark = "@media (prefers-color-scheme: dark) {\n."
    return drawing.replace(dark, '@media screen {\n[data-theme="dark"] .')


def depart_picture(writer, node):
    """End a picture as the theme does."""
    type(writer).depart_image(writer, node)
