"""Sphinx extension: the reference of the library, written from its docstrings.

A page names modules in directives such as ``{library} scores``; when Sphinx reads the page, each
becomes the functions and classes of that module. They are read as files: tools/reference_text.py.
"""

import re
import textwrap
from pathlib import Path

from sphinx.ext.napoleon import Config, NumpyDocstring
from sphinx.util import logging

from tools.reference_text import definitions

logger = logging.getLogger(__name__)
NAMED = re.compile(r"^```\{library\} (?P<module>\S+)\n```$", re.M)
STYLE = Config(napoleon_use_param=False, napoleon_use_rtype=False)  # types are words, not links


def setup(app):
    """Connect to Sphinx."""
    app.connect("source-read", write_reference)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def write_reference(app, docname, source):
    """Replace the names of modules by what they offer; a change of their files reads this again."""
    library = Path(app.srcdir) / "attention_lib"

    def written(match):
        path = library / f"{match['module']}.py"
        if not path.is_file():
            logger.warning("the library has no module %s", match["module"], location=docname)
            return ""
        app.env.note_dependency(path)
        app.env.note_dependency(path.with_name("__init__.py"))
        entries = map(entry, definitions(match["module"], library))
        return "```{{eval-rst}}\n{}\n```".format("\n".join(entries))

    source[0] = NAMED.sub(written, source[0])


def entry(definition):
    """Return a definition as reStructuredText."""
    text = str(NumpyDocstring(definition.docstring, STYLE, what=definition.kind))
    inner = "\n\n".join([text, *map(entry, definition.members)])
    head = f".. py:{definition.kind}:: {definition.name}{definition.signature}"
    return f"{head}\n\n{textwrap.indent(inner, '   ')}\n"
