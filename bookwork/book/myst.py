"""MyST as blocks: directives, and the text between them, as the tokens of myst-parser have them.

Everything that reads a page without Sphinx reads it here: checks, outline, notebooks, prose.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

import yaml
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from bookwork.book.faults import Fault, UnreadableError

EXTENSIONS = {"amsmath", "colon_fence", "deflist", "dollarmath", "tasklist"}
PARSER = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)
DIRECTIVE = re.compile(r"\{(?P<name>[^\s{}]+)\}(?P<argument>.*)", re.S)
OPTION = re.compile(r":(?P<key>[\w-]+):(?P<value>.*)")
TITLED = re.compile(r"(?P<text>.*\S)\s*<(?P<target>[^<>]+)>", re.S)
LITERAL = {  # directives whose body is no MyST
    *("code", "code-block", "code-cell", "csv-table", "eval-rst", "literalinclude", "math"),
    *("mermaid", "raw", "toctree"),
}


UNTITLED = {  # whose argument is no title
    *("bibliography", "figure", "glossary", "image", "include", "library", "only", "reference"),
    "solution",
}
BREAKS = {"softbreak": "\n", "hardbreak": "\n"}
UNSPOKEN = ("code_inline", "math_inline", "math_inline_double", "myst_role", "image")


@dataclass
class Role:
    """A role such as {ref}`here <sec-why>`: its name, what is between the ticks, its line."""

    name: str
    content: str
    line: int

    @property
    def target(self):
        """What it refers to, without a title."""
        titled = TITLED.fullmatch(self.content)
        return titled["target"] if titled else self.content

    @property
    def title(self):
        """The words that it is shown with, if it gives any."""
        titled = TITLED.fullmatch(self.content)
        return titled["text"] if titled else ""


@dataclass
class Text:
    """What is between two directives: paragraphs, lists, headings, code that is not run."""

    source: str
    line: int  # on which it begins
    tokens: list = field(default_factory=list, repr=False)  # with lines of the page

    @property
    def spans(self):
        """Each token of a sentence (words, code, formula, role …) with its line."""
        for token in self.tokens:
            line = token.map[0] if token.children else 0
            for child in token.children or ():
                yield child, line
                line += child.type in ("softbreak", "hardbreak")

    @property
    def roles(self):
        """The roles in it."""
        found = [(child, line) for child, line in self.spans if child.type == "myst_role"]
        return [Role(child.meta["name"], child.content, line) for child, line in found]

    @property
    def sentences(self):
        """Its sentences, each paragraph with its line; what is no words is an ellipsis."""
        for token in self.tokens:
            if token.children:
                yield "".join(map(words_of, token.children)), token.map[0]

    @property
    def labels(self):
        """The labels that it defines, of sections and of formulas: kind, label, line."""
        for token in self.tokens:
            if token.type == "myst_target":
                yield "", token.content, token.map[0]
            elif token.type == "math_block_label":
                yield "math", token.info, token.map[0]

    @property
    def headings(self):
        """Its headings, each with the label that stands before it, or an empty one."""
        label = ""
        for token, following in zip(self.tokens, self.tokens[1:], strict=False):
            if token.type == "heading_open":
                yield label, following.content
            label = token.content if token.type == "myst_target" else ""

    @property
    def code(self):
        """Its fenced code: language, code, line on which the code begins."""
        fences = [token for token in self.tokens if token.type == "fence"]
        return [(token.info.strip(), token.content, token.map[0] + 1) for token in fences]


@dataclass
class Directive:
    """A directive as written in the text: ``:::{name} argument``, options, body."""

    name: str
    argument: str
    options: dict = field(default_factory=dict)
    body: str = ""
    line: int = 0  # on which it begins
    start: int = 0  # on which its body begins
    end: int = 0  # on which it ends
    indent: str = ""  # what stands before it, in a list or a quotation

    @cached_property
    def blocks(self):
        """The blocks of its body."""
        return [] if self.name in LITERAL else read_blocks(self.body, self.start)

    @cached_property
    def roles(self):
        """The roles in its title and its options; those in its body belong to its blocks."""
        texts = [text for text in [self.argument, *strings_in(self.options)] if "`" in text]
        found = [role for text in texts for role in inline(text).roles]
        return [Role(role.name, role.content, self.line) for role in found]

    @cached_property
    def sentences(self):
        """The sentences of its title and its caption, each with the line of the directive."""
        titles = [] if self.name in (*LITERAL, *UNTITLED) else [self.argument]
        titles += [self.figure["caption"]] if "caption" in self.figure else []
        return [(said, self.line) for title in titles for said, _ in inline(title).sentences]

    @property
    def label(self):
        """Its label, by either of the two names that options have for it; or an empty text."""
        return str(self.options.get("label") or self.options.get("name") or self.figure_name)

    @property
    def figure(self):
        """Name and caption of the figure that a cell draws."""
        return as_dict(as_dict(self.options.get("mystnb")).get("figure"))

    @property
    def figure_name(self):
        """The label of the figure that a cell draws, or an empty text."""
        return self.figure.get("name") or ""

    @property
    def tags(self):
        """The tags of a code cell."""
        return texts_in(self.options.get("tags"))


def read_blocks(text, line=1):
    """Return the blocks of a text that begins at a line of its page."""
    tokens = [token for token in PARSER.parse(text) if token.map]
    for token in tokens:
        token.map = [line + place for place in token.map]
    lines, last, found = dict(enumerate(text.split("\n"), start=line)), line, []
    for token in tokens:
        begin, end = token.map
        if token.type == "front_matter":
            last = end + 1
        elif token.type in ("fence", "colon_fence") and DIRECTIVE.match(token.info):
            found += [read_text(lines, last, begin, tokens), read_directive(token, lines[begin])]
            last = end
    found.append(read_text(lines, last, line + len(lines), tokens))
    return [block for block in found if isinstance(block, Directive) or block.source.strip()]


def read_text(lines, begin, end, tokens):
    """Return the text between two lines, such as those of two directives."""
    inside = [token for token in tokens if begin <= token.map[0] < end]
    return Text("\n".join(lines[k] for k in range(begin, end)), begin, inside)


def read_directive(token, first):
    """Return the directive that a fence is; `first` is the line on which it begins."""
    head, (line, end) = DIRECTIVE.match(token.info), token.map
    options, body, start = split_options(token.content.split("\n"), line + 1, head["name"])
    argument, indent = head["argument"].strip(), first[: first.index(token.markup)]
    return Directive(head["name"], argument, options, body, line, start, end - 1, indent)


def split_options(lines, start, name):
    """Return the options at the head of a body, the rest, and the line where that begins."""
    options, above = {}, 0
    if lines[0].strip() == "---" and "---" in lines[1:]:
        above = lines.index("---", 1) + 1
        options = as_dict(read_yaml("\n".join(lines[1 : above - 1]), start + 1, name))
    else:
        while above < len(lines) and (option := OPTION.fullmatch(lines[above])):
            value = option["value"].strip()
            is_cell = name == "code-cell"
            options[option["key"]] = read_yaml(value, start + above, name) if is_cell else value
            above += 1
    while above < len(lines) and not lines[above].strip():
        above += 1
    return options, "\n".join(lines[above:]).rstrip("\n"), start + above


def read_yaml(text, line, name):
    """Return what YAML says that begins at a line: in the options of a directive, or above all."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        of = "the cell" if name == "code-cell" else f"{{{name}}}"
        what = f"the options of {of}" if name else "the first lines"
        line += error.problem_mark.line
        fault = Fault("", line, f"{what} cannot be read: {error.problem}")
        raise UnreadableError(fault) from error


def as_dict(value):
    """Return what should be names with values; other people's pages may have anything there."""
    return value if isinstance(value, dict) else {}


def texts_in(value):
    """Return what should be a list of texts; other people's pages may have anything there."""
    values = value if isinstance(value, list) else [value]
    return [str(each) for each in values if each]


def walk(blocks):
    """Yield blocks and those inside them, in order."""
    for block in blocks:
        yield block
        if isinstance(block, Directive):
            yield from walk(block.blocks)


def labels_among(blocks):
    """Yield kind and label for blocks and those inside them, with a line from which to look."""
    for block in walk(blocks):
        if isinstance(block, Text):
            yield from block.labels
        elif block.label:
            kind = "math" if block.name == "math" else block.name.rpartition(":")[0]
            yield kind, block.label, block.line


def labels_in(text):
    """Return the labels that a text defines.

    >>> sorted(labels_in("(sec-why)=\\n# Why\\n\\n:::{exercise}\\n:label: ex-one\\n:::"))
    ['ex-one', 'sec-why']
    """
    return {label for _, label, _ in labels_among(read_blocks(text))}


def inline(text):
    """Return a short text, such as a caption, which has no lines."""
    return Text(text, 0, PARSER.parseInline(text))


def words_of(token):
    """Return the words of a token of a sentence."""
    if token.type in UNSPOKEN:
        return " … "
    return token.content if token.type == "text" else BREAKS.get(token.type, "")


def strings_in(value):
    """Yield the texts in options, which may be nested."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings_in(inner)
