"""Sphinx extension: what other sites show of a page when somebody shares its address.

Every page says its title, what it is about, and which picture to show (images/preview.png, made by
tools/take_pictures.py). Other sites want whole addresses, and a book that may be put on any host
does not know its own: `BOOK_URL=https://example.org/book make book` says it. Without that, the
address of the picture is as seen from the page, which some sites understand.
"""

import html
import os
import re
from pathlib import Path

from bookwork.sphinx.loading import digest_of
from bookwork.sphinx.pages import numbered_title

PICTURE = Path("images", "preview.png")
TAG = re.compile(r'\n *<meta (?:property|name)="(?:og|twitter):[^>]*>')


def setup(app):
    """Join the build."""
    app.connect("config-inited", read_address)
    app.connect("html-page-context", describe)


def read_address(app, config):
    """Take the address of the book from the environment, and bring the picture into the site."""
    if address := os.environ.get("BOOK_URL"):
        config.html_baseurl = address.rstrip("/") + "/"
    if (app.srcdir / PICTURE).is_file():
        config.html_extra_path = [*config.html_extra_path, PICTURE.as_posix()]


def describe(app, pagename, templatename, context, doctree):
    """Put what is shown of a page into its head; a book that asks for none has its own way."""
    if not wants(app.config):
        return
    title = numbered_title(app.env, pagename) if doctree else app.config.project
    tags = tags_of(app, title, app.config.bookwork_about, pagename.count("/"))
    context["metatags"] = context.get("metatags", "") + tags


def describe_entrance(app):
    """Put what is shown of the book into index.html, unless that is itself a page."""
    entrance = Path(app.outdir) / "index.html"
    text = entrance.read_text(encoding="utf-8") if entrance.is_file() else "</head>"
    if "</head>" not in text and wants(app.config):
        tags = tags_of(app, app.config.project, app.config.bookwork_about, 0)
        entrance.write_text(f"{TAG.sub('', text).rstrip()}{tags}\n", encoding="utf-8")


def wants(config):
    """Return whether a book says something of itself to other sites."""
    return bool(config.bookwork_about) or config.bookwork_house_style


def tags_of(app, title, words, depth):
    """Return the lines about a page that lies this many folders deep."""
    above, file = app.config.html_baseurl or "../" * depth, app.srcdir / PICTURE
    said = {
        "og:type": "website",
        "og:site_name": app.config.project,
        "og:title": title,
        "og:description": words,
        "twitter:card": "summary_large_image",
    }
    if file.is_file():  # its address names its content
        said["og:image"] = f"{above}{file.name}{digest_of(file)}"
        said["og:image:alt"] = app.config.bookwork_picture
        said |= {"og:image:width": "1200", "og:image:height": "630"}
    return "".join(tag(name, text) for name, text in said.items() if text)


def tag(name, text):
    """Return a line for the head of a page."""
    kind = "name" if name.startswith("twitter:") else "property"
    return f'\n    <meta {kind}="{name}" content="{html.escape(text)}" />'
