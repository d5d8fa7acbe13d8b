"""Sphinx extension: the index of the search, and where it is.

Each section of each chapter is an entry, and so is each exercise, each term of the glossary and
each cited work: its title, place, prose, and the names in its code. Hints and solutions are left
out. Short formulas become plain text. The entries of a page are stored when it is written, in a
file beside Sphinx's own, because a later build may write only other pages.

page/search/search.js loads the index when a reader begins to search. What readers look for under
another name is in synonyms.yml, beside the book's first page: their words, those of the book
(``here``), and a reason (``why``).
"""

import json
import re
from itertools import takewhile
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ConfigError

from bookwork.sphinx.exercises import exercise_group, part_of
from bookwork.sphinx.house import is_adapted
from bookwork.sphinx.pages import as_data, numbered_title, reading_order
from bookwork.sphinx.plain_text import plain, squeezed

INDEX = "search-index.js"
SYNONYMS = "synonyms.yml"
TEMPLATE = "bookwork-search.html"
DESCRIBED = {"function", "class"}
CODE = {"python", "ipython", "ipython3"}
UNREAD = (
    *(nodes.literal_block, nodes.doctest_block, nodes.math_block),
    *(nodes.raw, nodes.comment, nodes.target),
)
APART = (  # nodes that have their own entries
    *(nodes.section, exercise_group, addnodes.glossary, addnodes.desc, nodes.citation),
)


def setup(app):
    """Wait for the settings of the book."""
    app.connect("config-inited", begin)


def begin(app, config):
    """Connect each step to Sphinx, in the house style; else the search of the theme stays."""
    if is_adapted(config):
        app.connect("doctree-resolved", note)
        app.connect("env-updated", unnoted)
        app.connect("html-collect-pages", write_index)
        app.connect("html-page-context", list_chapters)


def note_of(app, page):
    """Return the file with the entries of a page."""
    return Path(app.doctreedir) / "search" / f"{page}.json"


def note(app, doctree, page):
    """Store the entries of a page when it is written."""
    file = note_of(app, page)
    file.parent.mkdir(parents=True, exist_ok=True)
    sections = [node for node in doctree if isinstance(node, nodes.section) and is_apart(node)]
    found = [entry for section in sections for entry in entries(section, "chapter")]
    file.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def unnoted(app, env):
    """Return the pages to be written because an earlier build ended before it wrote them."""
    return [page for page in env.found_docs if not note_of(app, page).is_file()]


def is_apart(node):
    """Return whether a node has its own entry: other extensions make sections without a title."""
    if isinstance(node, nodes.section):
        return bool(node["ids"]) and any(isinstance(child, nodes.title) for child in node)
    if isinstance(node, addnodes.desc):
        is_named = bool(node.children) and bool(node[0].get("fullname") and node[0]["ids"])
        return is_named and node["objtype"] in DESCRIBED
    return isinstance(node, APART)


def entries(section, kind):
    """Yield the entries of a section: its own, then those of the nodes in it."""
    body = [child for child in section.children if not isinstance(child, nodes.title)]
    title = section.next_node(nodes.title)
    yield entry(kind, section["ids"][0], prose(title), body)
    for node in apart(body):
        if isinstance(node, nodes.section):
            yield from entries(node, "reference" if node.next_node(addnodes.desc) else "section")
        elif isinstance(node, exercise_group):
            text = takewhile(lambda child: not part_of(child), node[0].children[1:])
            yield entry("exercise", node["label"], node["title"], list(text))
        elif isinstance(node, addnodes.desc):
            yield from described(node)
        elif isinstance(node, nodes.citation):
            yield entry("work", node["ids"][0], prose(node[0]), node.children[1:])
        else:
            yield from terms(node)


def apart(body):
    """Yield the nodes among these, or below them, that have their own entries."""
    for node in body:
        if is_apart(node):
            yield node
        else:
            yield from apart(node.children)


def described(definition):
    """Yield an entry for a function or class of the library, and for what it contains."""
    signature, content = definition.children[0], definition.children[-1]
    title = signature["fullname"].partition(".")[2] or signature["fullname"]
    yield entry("reference", signature["ids"][0], title, content.children)
    for inner in apart(content.children):
        yield from described(inner)


def terms(glossary):
    """Yield an entry for each term of a glossary."""
    for item in glossary.findall(nodes.definition_list_item):
        term = item.next_node(nodes.term)
        yield entry("term", term["ids"][0], prose(term), [item.next_node(nodes.definition)])


def entry(kind, anchor, title, body):
    """Return an entry of the index."""
    text = squeezed(" ".join(map(prose, body)))
    return {"kind": kind, "anchor": anchor, "title": title, "text": text, "names": names(body)}


def prose(node):
    """Return what a reader reads in a node, without code, displayed formulas and other entries."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math):
        return plain(node.astext())
    if isinstance(node, UNREAD) or is_apart(node):
        return ""
    between = "" if isinstance(node, nodes.TextElement) else " "
    return between.join(map(prose, node.children))


def names(body):
    """Return the names in the code of an entry, each once."""
    blocks = [block for node in body for block in code_blocks(node)]
    return " ".join(sorted(set(re.findall(r"[^\W\d]\w+", " ".join(blocks)))))


def code_blocks(node):
    """Yield the code below a node that belongs to no other entry."""
    if isinstance(node, nodes.literal_block) and node.get("language") in CODE:
        yield node.astext()
    elif not is_apart(node):
        for child in node.children:
            yield from code_blocks(child)


def write_index(app):
    """Write the entries of all pages, in reading order, for the search page to load.

    A page that was never written, as another was built alone, has none yet.
    """
    files = [note_of(app, page) for page in reading_order(app.env)]
    texts = [file.read_text(encoding="utf-8") if file.is_file() else "[]" for file in files]
    listed = zip(chapters(app), map(json.loads, texts), strict=True)
    data = [chapter | {"entries": found} for chapter, found in listed]
    first = Path(app.srcdir, app.config.root_doc)
    found = {"chapters": data, "synonyms": synonyms(first.with_name(SYNONYMS))}
    text = f"window.bookSearchIndex = {as_data(found)};\n"
    (Path(app.outdir) / INDEX).write_text(text, encoding="utf-8")
    return []


def synonyms(file):
    """Return the words of readers and of the book, in pairs."""
    try:
        given = yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return [(str(said), str(one["here"])) for said, one in given.items()]
    except (yaml.YAMLError, AttributeError, KeyError, TypeError):
        line = "qkv: {here: queries keys values, why: an abbreviation}"
        raise ConfigError(f"{SYNONYMS} has other lines than such as {line}") from None


def chapters(app):
    """Return the list of chapters."""
    address, env = app.builder.get_target_uri, app.env
    return [{"title": numbered_title(env, p), "href": address(p)} for p in reading_order(env)]


def list_chapters(app, pagename, templatename, context, doctree):
    """Give the search page its template and the chapters."""
    if pagename != "search":
        return None
    context["chapters"] = chapters(app)
    return TEMPLATE
