"""Sphinx extension: the library reference, generated from docstrings.

A directive such as ``{reference} scores`` becomes, when Sphinx reads the page, the functions and
classes of that module, each with its folded code and the chapters that use it; ``{reference}
scores dot_score`` becomes that function alone. ``{library} scores`` becomes a list of them, with
links to that page. In the code of the chapters, the names
that are imported from the library link there, too. Only files are read: reference_text.py.
"""

import html
import re
import textwrap
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.ext.napoleon import Config, NumpyDocstring
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from bookwork.book.reference_text import definitions, place_of
from bookwork.sphinx.page_python import CELLS
from bookwork.sphinx.pages import has_changed, notes_of, reading_order
from bookwork.sphinx.uses import Library

logger = logging.getLogger(__name__)
NAMED = re.compile(
    r"^```\{(?P<what>library|reference)\} (?P<module>\S+)(?: (?P<name>\w+))?\n```$", re.M
)
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
    app.add_post_transform(SayUsers)
    app.connect("source-read", write_reference)
    app.connect("doctree-read", gather)
    app.connect("env-updated", find_users)
    app.connect("html-page-context", link_code)


# the pages


def write_reference(app, docname, source):
    """Replace the names of modules with their definitions; a change of their files updates this."""
    library = Path(app.srcdir) / app.config.bookwork_package

    def written(match):
        folder, name = place_of(match["module"], library)
        path = folder / f"{name}.py"
        if not path.is_file():
            logger.warning("the library has no module %s", match["module"], location=docname)
            return ""
        app.env.note_dependency(path)
        app.env.note_dependency(path.with_name("__init__.py"))
        found = [
            made
            for made in definitions(match["module"], library)
            if match["name"] in (None, made.name.rpartition(".")[2])
        ]
        if not found:
            logger.warning("%s has no %s", match["module"], match["name"], location=docname)
        if match["what"] == "library":
            entries = [f"- :py:obj:`{made.name}`: {made.summary}" for made in found]
        else:
            entries = list(map(entry, found))
        return "```{{eval-rst}}\n{}\n```".format("\n".join(entries))

    source[0] = NAMED.sub(written, source[0])


def gather(app, doctree):
    """Attach every node to its page's document: that of eval-rst would keep all pages in memory."""
    for node in doctree.findall():
        node.document = doctree


def entry(definition):
    """Return a definition as reStructuredText."""
    text = str(NumpyDocstring(definition.docstring, STYLE, what=definition.kind))
    parts = [text, *map(entry, definition.members), fold(definition.code)]
    inner = "\n\n".join(filter(None, parts))
    head = f".. py:{definition.kind}:: {definition.name}{definition.signature}"
    return f"{head}\n\n{textwrap.indent(inner, '   ')}\n"


def fold(code):
    """Return the code of a function, in a dropdown."""
    if not code:
        return ""
    head = ".. dropdown:: Show the source\n   :class-container: book-source\n"
    block = f".. code-block:: python\n\n{textwrap.indent(code, '   ')}"
    return f"{head}\n{textwrap.indent(block, '   ')}"


# the chapters that use a definition


def find_users(app, env):
    """Find the chapters that import each definition; describe these again if that has changed."""
    library = Library(app.srcdir, app.config.bookwork_package, app.config.bookwork_exercises)
    app.book_users, cells = {}, notes_of(env, CELLS)
    for page in reading_order(env):
        codes = [cell["code"] for cell in cells.get(page, ()) if "import" in cell["code"]]
        for module, name in library.used_by(codes):
            app.book_users.setdefault(f"{module}.{name}", []).append(page)
    return sorted(places_in(env)) if has_changed(env, "users", app.book_users) else []


def places_in(env):
    """Return the pages that describe code."""
    return {made.docname for made in env.get_domain("py").objects.values()}


class SayUsers(SphinxPostTransform):
    """Link each definition to the chapters that use it, above its code."""

    default_priority = 4  # before the numbers of chapters are added

    def run(self, **kwargs):
        """Complete the definitions of a page."""
        for definition in self.document.findall(addnodes.desc):
            name = next(iter(definition[0].get("ids", ())), "")
            if users := self.app.book_users.get(name):
                line = nodes.paragraph("", "Used in: ")
                for page in users:
                    line += [self.link_to(page), nodes.Text(", " if page != users[-1] else ".")]
                definition[-1].insert(-1, line)

    def link_to(self, page):
        """Return a link to a chapter by its title."""
        where = {"refdomain": "std", "reftype": "doc", "refdoc": self.env.docname}
        text = nodes.inline("", page)
        return addnodes.pending_xref("", text, reftarget=f"/{page}", refexplicit=False, **where)


# the code of the chapters


def link_code(app, pagename, templatename, context, doctree):
    """Link the names that code imports from the library to the reference."""
    if doctree is None or pagename in places_in(app.env):
        return

    def address(name):
        made = app.env.get_domain("py").objects.get(name)
        return f"{context['pathto'](made.docname)}#{made.node_id}" if made else None

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
