"""Write a page as Markdown that every notebook program can show, from its finished doctree.

Notebook programs know Markdown, formulas and a little HTML. So an exercise becomes a heading and a
quotation, hints and solutions become ``<details>``, boxes become quotations, and references become
links with the numbers and titles of the page.
"""

import base64
import html
import mimetypes
import re
from itertools import count, repeat
from textwrap import indent

from docutils import nodes
from sphinx_exercise.nodes import is_exercise_node

SPECIAL = re.compile(r"[\\`*$]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!])")  # in a text
AT_START = re.compile(r"^(\d*)([-+>#.)])(?=\s)", re.M)  # of a line
UNSAID = {"comment", "index", "target", "system_message", "raw", "page_only"}
UNLINKED = {"headerlink", "book-effort"}  # beside the title of an exercise
MARKS = {nodes.emphasis: "*", nodes.strong: "**"}
PARTS = {"book-hint", "book-solution"}


class Markdown:
    """Writes the nodes of one page; `notebooks` has the name of each page's notebook."""

    def __init__(self, app, page, notebooks):
        env, address = app.env, app.builder.get_relative_uri
        self.folder, self.formats = app.srcdir, app.config.numfig_format
        self.number = dotted(env.toc_secnumbers.get(page, {}).get("", ()))
        kinds = env.toc_fignumbers.get(page, {}).values()
        self.numbers = {id: dotted(number) for kind in kinds for id, number in kind.items()}
        labels = env.get_domain("std").anonlabels.values()
        self.places = {id for file, id in labels if file == page and "/" not in id}
        self.notebooks = {address(page, each): f"{name}.ipynb" for each, name in notebooks.items()}
        self.notebooks[""] = ""  # the page itself

    def parts(self, children, level=1):
        """Yield what a page consists of: texts, and the nodes of code cells."""
        for child in children:
            if "cell_index" in child:
                yield child
            elif isinstance(child, nodes.section):
                number = f"{self.number}. " if level == 1 and self.number else ""
                yield f"{self.anchors(child)}{'#' * level} {number}{self.inline(child[0])}"
                yield from self.parts(child[1:], level + 1)
            elif is_exercise_node(child):
                yield from self.exercise(child)
            elif type(child).__name__ == "exercise_group":
                yield from self.parts(child.children, level)
            else:
                yield self.block(child)

    def exercise(self, node):
        """Yield a heading and a quotation, then starter, hints and solution."""
        efforts = [e for e in node[0].findall(nodes.inline) if "book-effort" in e["classes"]]
        title = self.inline(node[0])
        title = title[2:-1] if title.startswith(" (") else title  # as sphinx-exercise has it
        titles = filter(None, [self.caption("exercise", node), title])
        yield f"{self.anchors(node)}### {': '.join(titles)}"
        begun = [k for k, child in enumerate(node.children) if is_part(child)]
        end = begun[0] if begun else len(node)
        told = [f"*{effort.astext()}*" for effort in efforts]
        yield quoted("\n\n".join([*told, self.blocks(node[1:end])]))
        yield from self.parts(node[end:])

    def blocks(self, children):
        """Return several blocks as one text."""
        return "\n\n".join(filter(None, map(self.block, children)))

    def block(self, node):
        """Return a block as text, below the places in it that links lead to."""
        name = type(node).__name__
        if name in UNSAID:
            return ""
        if write := getattr(self, f"write_{name}", None):
            return self.anchors(node) + write(node)
        if isinstance(node, nodes.Admonition):
            return self.write_admonition(node)
        if isinstance(node, nodes.TextElement):  # whose lines do not begin like lists or headings
            return self.anchors(node) + AT_START.sub(r"\1\\\2", self.inline(node).strip())
        return self.blocks(node.children)

    def anchors(self, node):
        """Return the targets of links to a node."""
        return "".join(f'<a id="{id}"></a>\n\n' for id in node["ids"] if id in self.places)

    def caption(self, kind, node):
        """Return what the page calls a node: "Figure 3.2"; empty if it has no number."""
        numbers = [self.numbers[id] for id in node["ids"] if id in self.numbers]
        return self.formats.get(kind, f"{kind.capitalize()} %s") % numbers[0] if numbers else ""

    # what is folded or in a box

    def write_dropdown_main(self, node):
        return folded(node[0], self.blocks(node[1:]))

    def write_folded_solution(self, node):
        return folded(nodes.title("", "Solution"), self.blocks(node.children))

    def write_solution_node(self, node):
        return self.blocks(node[1:])  # the dropdown around it has the title

    def write_admonition(self, node):
        has_title = isinstance(node[0], nodes.title)
        title = self.inline(node[0]) if has_title else node.tagname.capitalize()
        return quoted(f"**{title}**\n\n{self.blocks(node[has_title:])}")

    def write_block_quote(self, node):
        return quoted(self.blocks(node.children))

    # lists, tables, code, formulas, pictures

    def write_bullet_list(self, node):
        return self.list_of(node, repeat("- "))

    def write_enumerated_list(self, node):
        return self.list_of(node, (f"{k}. " for k in count(node.get("start", 1))))

    def list_of(self, node, marks):
        """Return a list, with blank lines between its items if one has several parts."""
        texts = [self.blocks(item.children) for item in node]
        items = [m + indent(t, " " * len(m)).lstrip() for m, t in zip(marks, texts, strict=False)]
        return ("\n\n" if any("\n\n" in text for text in texts) else "\n").join(items)

    def write_definition_list_item(self, node):
        term = node[0]
        places = "".join(f'<a id="{id}"></a>' for id in term["ids"])  # in the line of the term
        return f"{places}**{self.inline(term)}**: {self.blocks(node[1:])}"

    def write_table(self, node):
        """A table and, above it, its caption."""
        title = node.next_node(nodes.title)
        above = [said(self.caption("table", node), self.inline(title))] if title else []
        rows = [[self.entry(entry) for entry in row] for row in node.findall(nodes.row)]
        rows.insert(1, ["---"] * len(rows[0]))
        return "\n\n".join([*above, "\n".join(f"| {' | '.join(row)} |" for row in rows)])

    def entry(self, node):
        """Return what stands in a table, on one line."""
        return re.sub(r"\s*\n\s*", " ", self.blocks(node.children).replace("\n\n", "<br>"))

    def write_literal_block(self, node):
        language, text = node.get("language", ""), node.astext().rstrip("\n")
        fence = max(["```", *(f"{marks}`" for marks in re.findall("```+", text))], key=len)
        return f"{fence}{'' if language in ('default', 'none') else language}\n{text}\n{fence}"

    def write_math_block(self, node):
        """A displayed formula, with its number on the page."""
        body = re.sub(r"\n\s*\n", "\n", node.astext()).strip()
        if r"\\" in body and r"\begin" not in body:
            body = rf"\begin{{split}}{body}\end{{split}}"
        if node["number"]:
            body += rf" \tag{{{self.numbers.get(node['ids'][0], node['number'])}}}"
        return "".join(f'<a id="{id}"></a>\n\n' for id in node["ids"]) + f"$$\n{body}\n$$"

    def write_figure(self, node):
        """A drawing and, below it, its caption; of a figure that a cell draws, only that."""
        caption = node.next_node(nodes.caption)
        below = said(self.caption("figure", node), self.inline(caption) if caption else "")
        return "\n\n".join([*map(self.write_image, node.findall(nodes.image)), below])

    def write_image(self, node):
        """Embed a drawing in the text (JupyterLab shows no SVG that is attached)."""
        uri = node["uri"]
        file = self.folder / uri
        if "://" not in uri and file.is_file():  # or Sphinx has told that it is not there
            data = base64.b64encode(file.read_bytes()).decode()
            uri = f"data:{mimetypes.guess_type(uri)[0]};base64,{data}"
        return f"![{' '.join(node.get('alt', '').split())}]({uri})"

    def write_citation(self, node):
        return f'- <a id="{node["ids"][0]}"></a>{self.inline(node[1])}'

    def write_desc(self, node):
        return f"See `help({node[0]['module']}.{node[0]['fullname']})`."

    def write_notebook_only(self, node):
        return self.blocks(node["content"])

    # in a line

    def inline(self, node):
        """Return what stands in a line."""
        return "".join(map(self.inline_of, node.children))

    def inline_of(self, node):
        """Return one part of a line."""
        if isinstance(node, nodes.Text):
            return SPECIAL.sub(r"\\\g<0>", node)
        text = " ".join(node.astext().split())
        if isinstance(node, nodes.math):
            return f"${text}$"
        if isinstance(node, nodes.literal):
            return f"`` {text} ``" if "`" in text else f"`{text}`"
        if isinstance(node, nodes.image):
            return self.write_image(node)
        if isinstance(node, nodes.raw) or UNLINKED & set(node.get("classes", ())):
            return ""
        mark = MARKS.get(type(node), "")
        inner = f"{mark}{self.inline(node)}{mark}"
        return self.linked(node, inner) if isinstance(node, nodes.reference) else inner

    def linked(self, node, text):
        """Link a text to a notebook, to a place in one, or to the web; not to what is no page."""
        address = node.get("refuri") or f"#{node.get('refid', '')}"
        file, mark, place = address.partition("#")
        if file in self.notebooks:
            return f"[{text}]({self.notebooks[file]}{mark}{place})"
        return f"[{text}]({address})" if "://" in address else text


def dotted(number):
    return ".".join(map(str, number))


def is_part(node):
    """Return whether a node is a starter, a hint or a solution of the exercise that it is in."""
    classes = PARTS & set(node.get("classes", ()))
    return "cell_index" in node or bool(classes) or type(node).__name__ == "folded_solution"


def said(number, text):
    """Return the number of a figure or table, and what is said of it, on one line."""
    return " ".join([*([f"**{number}.**"] if number else []), *text.split()])


def quoted(text):
    return indent(text, "> ", lambda line: True)


def folded(title, body):
    """Return a text that is shown when its title is clicked; the title may have formulas."""
    words = "".join(
        f"${part.astext()}$" if isinstance(part, nodes.math) else html.escape(part, quote=False)
        for part in title.findall(lambda part: isinstance(part, nodes.Text | nodes.math))
        if not isinstance(part.parent, nodes.math | nodes.raw)
    )
    return f"<details>\n<summary>{words.strip()}</summary>\n\n{body}\n\n</details>"
