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
from dataclasses import dataclass, field

import yaml

from bookwork.book.exercise_grammar import EFFORT
from bookwork.book.reference_text import definitions

FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}|:{3,})(\{(?P<name>[\w:-]+)\})?(?P<rest>.*)$", re.M
)
OPTION = re.compile(r"^:(?P<key>[\w-]+):(?P<value>.*)$")
LABEL = re.compile(r"^\((?P<label>[\w-]+)\)=\n+", re.M)
ROLE = re.compile(r"\{(?P<name>[\w:]+)\}`(?P<text>[^`]+)`")
TITLED = re.compile(r"^(?P<text>.*\S)\s*<(?P<target>[^>]+)>$", re.S)
COMMENT = re.compile(r"^%.*\n?", re.M)
TERM = re.compile(r"^(\S.*)\n: +", re.M)
RST_MATH = re.compile(":math:`([^`]+)`")
FORMULA = re.compile(r"(?P<mark>\${1,2})(?P<formula>[^$`]+)(?P=mark)")


@dataclass
class Directive:
    """A directive as written in the text: ``:::{name} argument``, options, body."""

    name: str
    argument: str
    options: dict = field(default_factory=dict)
    body: str = ""
    line: int = 0  # on which it begins
    then: "Directive | None" = None  # a hint that is shown once this one is open


def convert(text, book):
    """Return the Markdown of a cell with every directive and role replaced."""
    parts = list(one_by_one(blocks(text)))
    made = (convert_block(block, indent, book).strip("\n") for block, indent in parts)
    return "\n\n".join(filter(None, made))


def one_by_one(parts):
    """Put a hint that follows another inside it, so that hints are shown one at a time."""
    last = None
    for block, indent in parts:
        if is_hint(block) and last:
            last.then = block
        else:
            yield block, indent
        if isinstance(block, Directive) or block.strip():
            last = block if is_hint(block) else None


def is_hint(block):
    return isinstance(block, Directive) and "book-hint" in block.options.get("class-container", "")


def convert_block(block, indent, book):
    """Convert one block; indented blocks, such as parts of a list, stay indented."""
    if isinstance(block, Directive):
        made = WRITERS.get(block.name, write_other)(block, book)
        return textwrap.indent(made, indent)
    return block if FENCE.match(block) else convert_text(block, book)


def convert_text(text, book):
    """Replace the roles in running text, turn labels into anchors and leave out comments."""
    text = LABEL.sub(lambda match: anchor(match["label"]) + "\n\n", text + "\n")
    text = COMMENT.sub("", text)[:-1]
    return ROLE.sub(lambda match: book.role(match["name"], match["text"]), text)


def blocks(text):
    """Split a text into directives, fenced code and the text between, each with its indent."""
    lines, plain = text.split("\n"), []
    last = len(lines)
    while lines:
        opening = FENCE.match(lines[0])
        if opening is None:
            plain.append(lines.pop(0))
            continue
        if plain:
            yield "\n".join(plain), ""
            plain = []
        line = last - len(lines) + 1
        block, indent = take_block(lines, opening)
        if isinstance(block, Directive):
            block.line = line
        yield block, indent
    if plain:
        yield "\n".join(plain), ""


def take_block(lines, opening):
    """Remove a fenced block from the front of the lines: a directive, or code unchanged."""
    closing = re.compile(rf"^ *{opening['fence'][0]}{{{len(opening['fence'])},}} *$")
    end = next((k for k, line in enumerate(lines) if k and closing.match(line)), len(lines) - 1)
    taken, lines[:] = lines[: end + 1], lines[end + 1 :]
    if opening["name"] is None:
        return "\n".join(taken), ""
    options, body = split_options(textwrap.dedent("\n".join(taken[1:-1])))
    return Directive(opening["name"], opening["rest"].strip(), options, body), opening["indent"]


def split_options(body):
    """Return the options at the head of a directive's body, and the rest."""
    if body.startswith("---\n"):
        head, _, rest = body[4:].partition("\n---")
        return yaml.safe_load(head) or {}, rest.strip("\n")
    lines, options = body.split("\n"), {}
    while lines and (option := OPTION.match(lines[0])):
        options[option["key"]] = option["value"].strip()
        lines.pop(0)
    return options, "\n".join(lines).strip("\n")


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


def write_dropdown(directive, book):
    """Hints and solutions are folded; a second hint is inside the first."""
    summary = html.escape(directive.argument or "More", quote=False)
    body = convert(directive.body, book)
    if directive.then:
        body += f"\n\n{write_dropdown(directive.then, book)}"
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def write_solution(directive, book):
    """Its dropdown already says that it is a solution."""
    return convert(directive.body, book)


def write_box(directive, book):
    """A box is a quotation with a title in bold."""
    if "dropdown" in directive.options.get("class", ""):
        return write_dropdown(directive, book)
    title = directive.argument or directive.name.capitalize()
    body = convert(directive.body, book)
    return quoted(f"**{title}**\n\n{body}")


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
    return f"{above_table(directive, book)}\n\n{convert(directive.body, book)}"


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


def write_code(directive, book):
    """Code that is shown and not run."""
    return f"```{directive.argument}\n{directive.body}\n```"


def write_glossary(directive, book):
    """A term in bold, then its definition."""
    return TERM.sub(r"**\1**: ", convert(directive.body, book))


def write_bibliography(directive, book):
    """The works that the book cites."""
    return book.bibliography()


def write_library(directive, book):
    """The definitions of a module of the library, a line for each; `help` shows the rest."""
    found = definitions(directive.argument)
    lines = "\n".join(f"- `{one.name}{one.signature}`: {one.summary}" for one in found)
    return RST_MATH.sub(r"$\1$", lines)


def write_only(directive, book):
    """Text for the page is left out; text for notebooks is kept."""
    return convert(directive.body, book) if directive.argument == "notebook" else ""


def write_other(directive, book):
    """Any other directive keeps its title and its text."""
    title = f"**{convert_text(directive.argument, book)}**\n\n" if directive.argument else ""
    return title + convert(directive.body, book)


BOXES = [
    *("admonition", "attention", "caution", "danger", "error", "hint"),
    *("important", "note", "seealso", "tip", "warning"),
]
WRITERS = dict.fromkeys(BOXES, write_box) | {
    "exercise": write_exercise,
    "dropdown": write_dropdown,
    "solution": write_solution,
    "math": write_math,
    "figure": write_figure,
    "image": write_figure,
    "table": write_table,
    "list-table": write_table,
    "csv-table": write_csv_table,
    "include": write_include,
    "code-block": write_code,
    "glossary": write_glossary,
    "bibliography": write_bibliography,
    "only": write_only,
    "library": write_library,
}
