"""Turn a chapter's MyST Markdown into Markdown that every notebook program can show.

Notebook programs know Markdown, formulas and a little HTML; they show directives and roles as raw
text. So an exercise becomes a heading and a quotation, hints and solutions become ``<details>``,
boxes become quotations, and references become links with the numbers and titles of the page. Text
about what only the page has, such as its buttons, is in ``{only} html``; ``{only} notebook`` has
its replacement.
"""

import csv
import html
import re
import textwrap

from bookwork.book.exercise_text import EFFORT
from bookwork.book.myst import Directive, read_blocks
from bookwork.book.pages import part_of

TERM = re.compile(r"^(\S.*)\n: +", re.M)
DESCRIBED = re.compile(r"^\.\. auto\w+:: (\S+)", re.M)
FORMULA = re.compile(r"(?P<mark>\${1,2})(?P<formula>[^$`]+)(?P=mark)")
UNSHOWN = ("myst_line_comment", "myst_block_break")


def convert(text, book):
    """Return a MyST text as Markdown, with every directive and role replaced."""
    return convert_blocks(read_blocks(text), book)


def convert_blocks(blocks, book):
    """Return blocks as Markdown; hints that follow each other are shown one at a time."""
    made, hints = [], []
    for block in [*blocks, None]:
        if part_of(block) == "hint":
            hints.append(block)
            continue
        if hints:
            made.append(textwrap.indent(write_hints(hints, book), hints[0].indent))
            hints = []
        if block:
            made.append(convert_block(block, book).strip("\n"))
    return "\n\n".join(filter(None, made))


def convert_block(block, book):
    """Convert one block; indented blocks, such as parts of a list, stay indented."""
    if isinstance(block, Directive):
        written = WRITERS.get(block.name, write_other)(block, book)
        return textwrap.indent(written, block.indent)
    return convert_text(block, book)


def convert_text(text, book):
    """Replace the roles in running text, turn labels into anchors and leave out comments."""
    lines = text.source.split("\n")
    for token in reversed(text.tokens):
        begin, end = (place - text.line for place in token.map)
        if token.type in UNSHOWN:
            del lines[begin:end]
        elif token.type == "myst_target":
            below = next((k for k in range(end, len(lines)) if lines[k]), len(lines))
            lines[begin:below] = [anchor(token.content), ""]
    return replace_roles("\n".join(lines), text.roles, book)


def replace_roles(source, roles, book):
    """Replace roles, which follow each other in a text, with what a notebook can show."""
    made, last = "", 0
    for role in roles:
        said = r"[\s>]+".join(map(re.escape, role.content.split()))
        found = re.compile(rf"{{{re.escape(role.name)}}}(`+)\s*{said}\s*\1").search(source, last)
        if found:
            made += source[last : found.start()] + book.role(role)
            last = found.end()
    return made + source[last:]


# how each directive is converted


def write_exercise(directive, book):
    """An exercise is a heading, which the table of contents lists, and a quotation around it."""
    label = directive.options.get("label", "")
    effort = EFFORT.search(directive.body)
    text = convert(re.sub(rf"\s*{EFFORT.pattern}", "", directive.body, count=1), book)
    framed = quoted(f"*{effort[0][1:-1]}*\n\n{text}" if effort else text)
    return f"{anchor(label)}\n\n### {book.text_of(label)}: {directive.argument}\n\n{framed}"


def anchor(label):
    """Return the target of links to this label."""
    return f'<a id="{label}"></a>' if label else ""


def quoted(text):
    """Return a text as a quotation; its formulas are on one line, so that they contain no >."""
    text = FORMULA.sub(lambda match: " ".join(match[0].split("\n")), text)
    return textwrap.indent(text, "> ", lambda line: True)


def write_hints(hints, book):
    """Hints are folded, each inside the one before."""
    inner = f"\n\n{write_hints(hints[1:], book)}" if hints[1:] else ""
    return folded(hints[0].argument, write_body(hints[0], book) + inner)


def write_fold(directive, book):
    """What is folded on the page is folded here."""
    return folded(directive.argument, write_body(directive, book))


def folded(title, body):
    """Return a text that is shown when its title is clicked."""
    summary = html.escape(title or "More", quote=False)
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def write_body(directive, book):
    """The text in it and nothing else: the dropdown of a solution says that it is one."""
    return convert_blocks(directive.blocks, book)


def write_box(directive, book):
    """A box is a quotation with a title in bold."""
    if "dropdown" in directive.options.get("class", ""):
        return write_fold(directive, book)
    title = directive.argument or directive.name.capitalize()
    return quoted(f"**{title}**\n\n{write_body(directive, book)}")


def write_math(directive, book):
    """A displayed formula, with its number in the page."""
    body = re.sub(r"\n\s*\n", "\n", directive.body or directive.argument).strip()
    if r"\\" in body and r"\begin" not in body:
        body = rf"\begin{{split}}{body}\end{{split}}"
    label = directive.options.get("label", "")
    number = book.text_of(label).strip("()")
    place = f"{anchor(label)}\n\n" if label else ""
    return f"{place}$$\n{body}" + (rf" \tag{{{number}}}" if number else "") + "\n$$"


def write_figure(directive, book):
    """A drawing, which is embedded in the notebook, and its caption."""
    label = directive.options.get("name", "")
    picture = book.picture(directive.argument, directive.options.get("alt", ""))
    return f"{anchor(label)}\n\n{picture}\n\n{caption(label, directive.body, book)}"


def caption(label, text, book):
    """Return a caption: the number of the figure or table in the page, and the text."""
    number = book.text_of(label)
    text = " ".join(convert(text, book).split())
    return f"**{number}.** {text}" if number else text


def write_table(directive, book):
    """A table and, above it, its caption."""
    return f"{above_table(directive, book)}\n\n{write_body(directive, book)}"


def above_table(directive, book):
    """Return the caption of a table, which is the target of links."""
    label = directive.options.get("name", "")
    return anchor(label) + caption(label, directive.argument, book)


def write_csv_table(directive, book):
    """A table from a file or from comma-separated lines."""
    file = directive.options.get("file")
    text = book.file(file).read_text(encoding="utf-8") if file else directive.body
    rows = [f"| {' | '.join(row)} |" for row in csv.reader(text.splitlines())]
    rows.insert(1, re.sub(r"[^|]+", "---", rows[0]))
    table = convert("\n".join(rows), book)
    return f"{above_table(directive, book)}\n\n{table}"


def write_include(directive, book):
    """The contents of another file."""
    return convert(book.file(directive.argument).read_text(encoding="utf-8"), book)


def write_rst(directive, book):
    """What stands in docstrings is shown by `help`."""
    return "\n".join(f"See `help({name})`." for name in DESCRIBED.findall(directive.body))


def write_other(directive, book):
    """Any other directive keeps its title and its text."""
    title = f"**{convert(directive.argument, book)}**\n\n" if directive.argument else ""
    return title + write_body(directive, book)


BOXES = [
    *("admonition", "attention", "caution", "danger", "error", "hint"),
    *("important", "note", "seealso", "tip", "warning", "guess"),
]
WRITERS = dict.fromkeys(BOXES, write_box) | {
    "exercise": write_exercise,
    "dropdown": write_fold,
    "solution": write_body,
    "math": write_math,
    "figure": write_figure,
    "image": write_figure,
    "table": write_table,
    "list-table": write_table,
    "csv-table": write_csv_table,
    "include": write_include,
    "code-block": lambda code, _: f"```{code.argument}\n{code.body}\n```",
    "glossary": lambda terms, book: TERM.sub(r"**\1**: ", write_body(terms, book)),
    "bibliography": lambda _, book: book.bibliography(),
    "only": lambda text, book: write_body(text, book) if text.argument == "notebook" else "",
    "eval-rst": write_rst,
}
