"""Sphinx extension: the library reference, generated from docstrings.

A directive such as ``{reference} scores`` becomes, when Sphinx reads the page, the functions and
classes of that module, each with its folded code and the chapters that use it. ``{library}
scores`` becomes a list of them, with links to that page. In the code of the chapters, the names
that are imported from the library link there, too. Only files are read: reference_text.py.
"""

import html
import re
import textwrap
from pathlib import Path

from sphinx.ext.napoleon import Config, NumpyDocstring
from sphinx.util import logging

from bookwork.book.book import Book
from bookwork.book.files import cache_until_changed
from bookwork.book.pages import read_page
from bookwork.book.reference_text import definitions, place_of
from bookwork.sphinx.uses import Library, imported_by

logger = logging.getLogger(__name__)
NAMED = re.compile(r"^```\{(?P<what>library|reference)\} (?P<module>\S+)\n```$", re.M)
STYLE = Config(napoleon_use_param=False, napoleon_use_rtype=False)  # types are text, not links
CODE = re.compile(r"(?<=<pre>)<span></span>.*?(?=</pre>)", re.S)
IMPORT = re.compile(
    r'^(?P<head>(?:<span></span>)?<span class="kn">from</span>.*?<span class="nn">'
    r'(?P<module>[\w.]+)</span>.*?<span class="kn">import</span>)(?P<names>.*)$',
    re.M,
)
NAME = re.compile(r'<span class="n">(?P<name>\w+)</span>')


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("env-get-outdated", find_changed)
    app.connect("source-read", write_reference)
    app.connect("doctree-read", gather)
    app.connect("html-page-context", link_code)


# the page of each definition, and the chapters that use it


def find_changed(app, env, added, changed, removed):
    """Read a page of the reference again when other chapters use what it describes."""
    book, package = Book(app.srcdir), app.config.bookwork_package
    app.book_places = places_of(book, package)
    app.book_uses = uses_of(book, package, app.config.bookwork_exercises)
    before, env.book_uses = getattr(env, "book_uses", {}), app.book_uses
    names = [name for name in app.book_places if before.get(name) != app.book_uses.get(name)]
    return sorted({app.book_places[name] for name in names} & env.found_docs)


def texts_of(book):
    """Return the files of the pages that can name modules or have cells, in order."""
    return [book.root / name for name in book.listed if name.endswith(".md")]


def page_of(book, path):
    """Return the name of a page for Sphinx."""
    return path.relative_to(book.root).as_posix().removesuffix(".md")


def places_of(book, package):
    """Return the page of each definition: shop.price -> reference/prices."""
    return {
        made.name: page_of(book, path)
        for path in texts_of(book)
        for module in described_in(path)
        if file_of(book.root / package, module).is_file()
        for made in definitions(module, book.root / package)
    }


@cache_until_changed
def described_in(path):
    """Return the modules that a page describes."""
    found = NAMED.finditer(path.read_text(encoding="utf-8"))
    return [match["module"] for match in found if match["what"] == "reference"]


def uses_of(book, package, exercises=""):
    """Return the chapters that import each definition: shop.price -> [chapters/…]."""
    users, library = {}, Library(book.root, package, exercises)
    for path in texts_of(book):
        for module, name in library.own(imported_in(path)):
            users.setdefault(f"{module}.{name}", []).append(page_of(book, path))
    return users


@cache_until_changed
def imported_in(path):
    """Return what the cells of a chapter import."""
    return imported_by([cell.body for cell in read_page(path.parent, path.name).cells])


def file_of(library, module):
    """Return the file of a module of the library or of bookwork, whether or not it is there."""
    folder, name = place_of(module, library)
    return folder / f"{name}.py"


# the pages


def write_reference(app, docname, source):
    """Replace the names of modules with their definitions; a change of their files updates this."""
    library = Path(app.srcdir) / app.config.bookwork_package

    def written(match):
        path = file_of(library, match["module"])
        if not path.is_file():
            logger.warning("the library has no module %s", match["module"], location=docname)
            return ""
        app.env.note_dependency(path)
        app.env.note_dependency(path.with_name("__init__.py"))
        found = definitions(match["module"], library)
        if match["what"] == "library":
            entries = [f"- :py:obj:`{made.name}`: {made.summary}" for made in found]
        else:
            entries = [entry(made, app.book_uses.get(made.name, ())) for made in found]
        return "```{{eval-rst}}\n{}\n```".format("\n".join(entries))

    source[0] = NAMED.sub(written, source[0])


def gather(app, doctree):
    """Attach every node to its page's document: that of eval-rst would keep all pages in memory."""
    for node in doctree.findall():
        node.document = doctree


def entry(definition, users=()):
    """Return a definition as reStructuredText."""
    text = str(NumpyDocstring(definition.docstring, STYLE, what=definition.kind))
    parts = [text, *map(entry, definition.members), used_in(users), fold(definition.code)]
    inner = "\n\n".join(filter(None, parts))
    head = f".. py:{definition.kind}:: {definition.name}{definition.signature}"
    return f"{head}\n\n{textwrap.indent(inner, '   ')}\n"


def used_in(users):
    """Return links to the chapters that use a definition."""
    links = ", ".join(f":doc:`/{page}`" for page in users)
    return f"Used in: {links}." if links else ""


def fold(code):
    """Return the code of a function, in a dropdown."""
    if not code:
        return ""
    head = ".. dropdown:: Show the source\n   :class-container: book-source\n"
    block = f".. code-block:: python\n\n{textwrap.indent(code, '   ')}"
    return f"{head}\n{textwrap.indent(block, '   ')}"


# the code of the chapters


def link_code(app, pagename, templatename, context, doctree):
    """Link the names that code imports from the library to the reference."""
    if doctree is None or pagename in app.book_places.values():
        return

    def address(name):
        page = app.book_places.get(name)
        return f"{context['pathto'](page)}#{name}" if page else None

    context["body"] = CODE.sub(lambda code: linked(code[0], address), context["body"])


def linked(code, address):
    """Return highlighted code with a link around each name that it imports from the library."""

    def imported(line):
        names = NAME.sub(lambda match: link(match, line["module"], address), line["names"])
        return line["head"] + names

    return IMPORT.sub(imported, code)


def link(match, module, address):
    """Return a name as a link, or unchanged if no page describes it."""
    target = address(f"{module}.{match['name']}")
    if target is None:
        return match[0]
    return f'<a class="book-api" href="{html.escape(target)}">{match[0]}</a>'
