"""What pages know of each other: their order and numbers, and what each of them has noted.

A note is part of Sphinx's metadata of a page: Sphinx forgets it when the page is read again or
removed, and merges what several processes have read.
"""

import json
from pathlib import Path

from docutils import nodes

from bookwork.sphinx.plain_text import plain


def reading_order(env):
    """Return all pages in the order of the table of contents."""
    return list(env.collect_relations())


def number_of(env, page):
    """Return the number of a page as text: "4", or "" if it has none."""
    return ".".join(map(str, env.toc_secnumbers.get(page, {}).get("", ())))


def title_of(env, page):
    """Return the title of a page as plain text."""
    parts = env.titles[page].findall(lambda node: isinstance(node, (nodes.Text, nodes.math)))
    return "".join(
        plain(part.astext()) if isinstance(part, nodes.math) else part
        for part in parts
        if not isinstance(part.parent, nodes.math)
    )


def numbered_title(env, page):
    """Return the title of a page, as in the sidebar."""
    number, title = number_of(env, page), title_of(env, page)
    return f"{number}. {title}" if number else title


def notes_of(env, key):
    """Return what pages have noted under a key, by page."""
    return {page: notes[key] for page, notes in env.metadata.items() if key in notes}


def text_of(env, page):
    """Return the text of a page; Sphinx tells of characters that are not UTF-8."""
    return Path(env.doc2path(page)).read_text(encoding="utf-8", errors="replace")


def has_changed(env, name, value):
    """Return whether a value differs from that of the last build, under the same name."""
    kept = vars(env).setdefault("bookwork", {})
    before, kept[name] = kept.get(name), json.dumps(value, sort_keys=True)
    return kept[name] != before


def all_if_changed(env, key):
    """Return all pages, to be written again, if what pages have noted under a key has changed."""
    return sorted(env.found_docs) if has_changed(env, key, notes_of(env, key)) else []


def is_inside(node, kinds):
    """Return whether a node is of one of these kinds, or inside one that is."""
    while node is not None and not isinstance(node, kinds):
        node = node.parent
    return node is not None


def writes(text):
    """Return what begins or ends an element of a page with this HTML, whatever is in it."""
    return lambda writer, node: writer.body.append(text)


def add_node(app, node, begin, end="</div>\n"):
    """Register a node that is an element of a page; elsewhere, what is in it stands for it."""
    plain = (lambda writer, node: None, lambda writer, node: None)
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), plain)
    app.add_node(node, html=(begin, writes(end)), **others)


def is_site(builder):
    """Return whether a builder writes pages of a site, and not a book in one file or data."""
    return getattr(builder, "out_suffix", "") == ".html"


def as_data(value):
    """Return JSON that can stand in a script element, whatever it contains."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
