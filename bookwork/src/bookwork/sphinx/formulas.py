"""Sphinx extension: formulas are set when the book is built, so that pages need no script for them.

KaTeX sets them, in one Node process per build, as HTML and, for screen readers, as MathML. It takes
the macros that a book has for MathJax (``mathjax3_config: {tex: {macros: …}}``), and those that
a formula defines for the rest of its page. A formula that it cannot set is a fault. A book that may
load from other hosts keeps its MathJax unless it says ``bookwork_math: katex``.
"""

import html
import json
import os
import re
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from bookwork.book.faults import one_line
from bookwork.site.build_web import BUNDLE
from bookwork.site.node import NODE

logger = logging.getLogger(__name__)
NAME = "katex"
SCRIPT = Path(__file__).with_name("set_formulas.mjs")
NUMBERED = re.compile(r"(\\(?:begin|end)\{(?:equation|align|alignat|gather))\}")
STOP = re.compile(r"[.,;:!?)\]’”]+")
PART = 'class="katex-base"'  # after which a line may end
MATHJAX_HAS = {r"\mbox": r"\text{#1}"}  # and KaTeX has not


def setup(app):
    """Wait for the settings of the book."""
    app.connect("config-inited", begin, priority=700)  # after the bundle is known


def begin(app, config):
    """Set formulas with KaTeX, unless the book has another way."""
    chosen = {"mathjax_path", "html_math_renderer"} & (config.overrides | config._raw_config).keys()
    usual = NAME if config.bookwork_policy == "strict" else ""
    if (config.bookwork_math or usual) != NAME or chosen:
        return
    setter = Setter(BUNDLE / "katex.js", macros_of(config))
    inline, block = setter.visit_inline, setter.visit_block
    app.add_html_math_renderer(f"bookwork-{NAME}", (inline, None), (block, None))
    config.html_math_renderer = f"bookwork-{NAME}"
    app.connect("doctree-resolved", keep_stops)
    app.connect("build-finished", lambda *_: setter.end())


def keep_stops(app, doctree, page):
    """Keep a full stop beside the formula before it: browsers would begin a line with it."""
    for formula in list(doctree.findall(nodes.math)):
        parent, k = formula.parent, formula.parent.index(formula)
        after = parent[k + 1] if k + 1 < len(parent) else ""
        stop = STOP.match(after) if isinstance(after, nodes.Text) else None
        if stop:
            kept = nodes.inline("", "", formula, nodes.Text(stop[0]), classes=["book-kept"])
            parent[k : k + 2] = [kept, nodes.Text(after[stop.end() :])]


def macros_of(config):
    """Return the macros of a book, also for formulas in readers' outputs."""
    given = (config.mathjax3_config or {}).get("tex", {}).get("macros", {})
    return MATHJAX_HAS | katex_macros(given)


def katex_macros(macros):
    r"""Return macros of MathJax as KaTeX takes them: without those that have a default argument.

    >>> katex_macros({"R": r"\mathbb{R}", "norm": [r"\lVert #1 \rVert", 1]})
    {'\\R': '\\mathbb{R}', '\\norm': '\\lVert #1 \\rVert'}
    """
    bodies = {name: [body] if isinstance(body, str) else body for name, body in macros.items()}
    return {f"\\{name}": body[0] for name, body in bodies.items() if len(body) < 3}


class Setter:
    """Sets formulas; processes that write pages side by side each have a Node of their own."""

    def __init__(self, katex, macros):
        self.katex, self.macros = katex, macros
        self.node, self.owner = None, 0

    def visit_inline(self, writer, node):
        """Write a formula of a sentence."""
        made = self.set(node.astext(), node, writer)
        long = " book-long" if made.count(PART) > 2 else ""
        kind = f"math{long} notranslate nohighlight"
        writer.body.append(f"{writer.starttag(node, 'span', '', CLASS=kind)}{made}</span>")
        raise nodes.SkipNode

    def visit_block(self, writer, node):
        """Write a displayed formula, with its number and a link to it, as for MathJax."""
        writer.body.append(writer.starttag(node, "div", CLASS="math notranslate nohighlight"))
        if node["number"]:
            number = get_node_equation_number(writer, node)
            writer.body.append(f'<span class="eqno">({number})')
            writer.add_permalink_ref(node, _("Link to this equation"))
            writer.body.append("</span>")
        is_whole = node.get("nowrap") or node.get("no-wrap")  # Sphinx 8.2 calls it so
        tex = node.astext() if is_whole else aligned(node.astext())
        tex = NUMBERED.sub(r"\1*}", tex)  # Sphinx and MyST number formulas
        writer.body.append(f"{self.set(tex, node, writer, display=True)}</div>\n")
        raise nodes.SkipNode

    def set(self, tex, node, writer, display=False):
        """Return a formula as HTML; the source of one that KaTeX cannot set, which is reported."""
        page = writer.builder.current_docname
        made = self.ask(tex=tex, display=display, page=page, macros=self.macros)
        if "html" in made:
            return made["html"]
        report(made["fault"], node)
        return html.escape(tex)

    def ask(self, **formula):
        """Hand a formula to Node and return the answer."""
        if self.owner != os.getpid():
            self.node, self.owner = start(self.katex), os.getpid()
        self.node.stdin.write(json.dumps(formula) + "\n")
        self.node.stdin.flush()
        return json.loads(self.node.stdout.readline())

    def end(self):
        """Let Node end."""
        if self.owner == os.getpid():
            self.node.communicate()
            self.owner = 0


def start(katex):
    """Start the process that sets formulas."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.Popen([NODE, SCRIPT, katex], **pipes)


def aligned(tex):
    r"""Return a formula whose lines, and whose parts between blank lines, stand below each other.

    >>> aligned("a"), aligned(r"a \\ b")
    ('a', '\\begin{split}a \\\\ b\\end{split}')
    """
    parts = [part for part in tex.split("\n\n") if part.strip()]
    split = [rf"\begin{{split}}{part}\end{{split}}" if r"\\" in part else part for part in parts]
    joined = r"\\".join(split)
    return joined if len(parts) < 2 else rf"\begin{{aligned}}{joined}\end{{aligned}}"


def report(fault, node):
    """Report a formula, with the line on which its paragraph begins."""
    unknown = re.search(r"\\\S+$", fault) if "control sequence" in fault else None
    said = f"KaTeX does not know {unknown[0]}" if unknown else fault
    logger.warning(f"the formula {one_line(node.astext())} cannot be set: {said}", location=node)
