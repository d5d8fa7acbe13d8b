"""What a notebook needs to know about the rest of the book: numbers, titles, cited works.

The page numbers figures, exercises, equations and tables by chapter, and chapters in the order of
_toc.yml; so does this, from the text alone, because `make lab` must not wait for a build. A test
compares the numbers with those of the built pages.
"""

import base64
import copy
import re
from collections import Counter

import yaml
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from pybtex.database import parse_file
from pybtex.richtext import Text

from bookwork.book.files import ROOT
from bookwork.book.notebook_text import LABEL, ROLE, TITLED, Directive, blocks

TABLES = ["table", "list-table", "csv-table"]
NUMBERED = {"figure": "Figure", "exercise": "Exercise"} | dict.fromkeys(TABLES, "Table")
HEADING = re.compile(r"^#+ +(?:\d+\. )?(?P<title>.*)$", re.M)  # a chapter's has a number
CODE = re.compile(r"^(`{3,}).*?^\1`*$", re.M | re.S)
TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}


class Book:
    """The chapters in their order, what each label stands for, and the works cited."""

    def __init__(self, root=ROOT):
        self.root, self.here = root, ""
        self.numbers = numbers_of(contents_of(root))
        self.chapters = {name.rpartition("/")[2]: self.read(name) for name in pages_of(root)}
        self.notebooks = notebook_names(root)
        self.works = works_of(root / "references.bib")
        self.labels, self.counts = {}, Counter()
        for name, cells in self.chapters.items():
            for cell in cells:
                self.note_labels(name, cell)

    def read(self, name):
        """Return the cells of a chapter; a page without code is one cell of text."""
        text = (self.root / f"{name}.md").read_text(encoding="utf-8")
        if is_myst_markdown_notebook(text):
            cells = read_myst_markdown_notebook(text)["cells"]
            cells[0]["source"] = self.with_number(name, cells[0]["source"])
            return cells
        return [{"cell_type": "markdown", "source": text, "metadata": {}}]

    def with_number(self, name, text):
        """Put the number of a chapter before its title, as on the page."""
        number = self.numbers.get(name)
        return re.sub(r"^# +", f"# {number}. ", text, count=1, flags=re.M) if number else text

    def within(self, name):
        """Return the book as seen from one of its chapters: links within it name no file."""
        seen = copy.copy(self)
        seen.here = name
        return seen

    def title_of(self, name):
        """Return the title of a chapter."""
        source = self.chapters[name][0]["source"]
        return HEADING.search(source)["title"]

    def note_labels(self, name, cell):
        """Remember what the labels in a cell stand for, and in which chapter they are."""
        if cell["cell_type"] == "code":
            figure = cell["metadata"].get("mystnb", {}).get("figure")
            if figure:
                self.number(name, figure.get("name", ""), NUMBERED["figure"])
            return
        text = CODE.sub("", cell["source"])
        for match in LABEL.finditer(text):
            heading = HEADING.match(text, match.end())
            if heading:
                self.labels[match["label"]] = (heading["title"], name)
        self.note_directives(name, cell["source"])

    def note_directives(self, name, text):
        """Number the figures, exercises, tables and labelled equations in a text."""
        for block, _ in blocks(text):
            if not isinstance(block, Directive):
                continue
            label = block.options.get("label") or block.options.get("name", "")
            if block.name in NUMBERED:
                self.number(name, label, NUMBERED[block.name])
            elif block.name == "math" and label:
                self.labels[label] = (f"({self.next_number(name, 'equation')})", name)
            self.note_directives(name, block.body)

    def number(self, name, label, kind):
        """Give the next number of its kind to a label."""
        self.labels[label] = (f"{kind} {self.next_number(name, kind)}", name)

    def next_number(self, name, kind):
        """Return the next number of a kind: "3.2" in chapter 3, "2" in pages without a number."""
        chapter = self.numbers.get(f"chapters/{name}", "")
        self.counts[kind, chapter] += 1
        return ".".join(filter(None, [chapter, str(self.counts[kind, chapter])]))

    def text_of(self, label):
        """Return what the page prints for a label: "Figure 3", "(4)", a title; or ""."""
        return self.labels[label][0] if label in self.labels else ""

    def role(self, name, text):
        """Return the Markdown for a role such as {eq}`eq-shares`."""
        if name == "math":
            return f"${text}$"
        if name.startswith("cite"):
            return self.cite(text.split(","), as_noun=name == "cite:t")
        titled = TITLED.match(text)
        target = titled["target"] if titled else text
        if name in ("ref", "numref", "eq", "doc"):
            return self.reference(target, titled["text"] if titled else "")
        return titled["text"] if titled else text

    def reference(self, target, said):
        """Link a title or a number to its place in its notebook."""
        label = target.rpartition("/")[2]
        if label in self.chapters:
            return f"[{said or self.title_of(label)}]({self.notebooks[label]}.ipynb)"
        if label not in self.labels:
            return said or target
        text, chapter = self.labels[label]
        file = "" if chapter == self.here else f"{self.notebooks[chapter]}.ipynb"
        return f"[{said or text}]({file}#{label})"

    def cite(self, keys, as_noun):
        """Name works by authors and year, each linked to where it can be read."""
        cited = [self.works[key.strip()] for key in keys]
        names = [linked(f"{authors(work)} ({year(work)})", work) for work in cited]
        if as_noun:
            return " and ".join(names)
        return f"({'; '.join(linked(f'{authors(work)}, {year(work)}', work) for work in cited)})"

    def bibliography(self):
        """List the works that any chapter cites."""
        sources = " ".join(c["source"] for cells in self.chapters.values() for c in cells)
        roles = [m["text"] for m in ROLE.finditer(sources) if m["name"].startswith("cite")]
        keys = {key.strip() for text in roles for key in text.split(",")}
        works = sorted((self.works[key] for key in keys), key=lambda w: (authors(w), year(w)))
        return "\n".join(f"- {full_name(work)}" for work in works)

    def file(self, path):
        """Return a file that a chapter names, as seen from the chapter."""
        return self.root / "chapters" / path

    def picture(self, path, alt):
        """Return a drawing as part of the text (JupyterLab shows no SVG that is attached)."""
        file = self.file(path)
        data = base64.b64encode(file.read_bytes()).decode()
        return f"![{alt}](data:{TYPES[file.suffix]};base64,{data})"


def contents_of(root=ROOT):
    """Return the table of contents of the book in a folder."""
    return yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))


def pages_of(root=ROOT):
    """Return the pages that become notebooks, such as "chapters/welcome", in their order.

    The library reference has no code to run, and `help` shows the same.
    """
    return [name for name in files_of(contents_of(root)) if not name.startswith("reference/")]


def notebook_names(root=ROOT):
    """Return the name of each page's notebook: numbered, so that a file list is in order."""
    names = [page.rpartition("/")[2] for page in pages_of(root)]
    return {name: f"{k:02d}-{name.replace('_', '-')}" for k, name in enumerate(names)}


def files_of(toc):
    """Return the pages of a table of contents in their order."""
    here = [toc[key] for key in ("root", "file") if key in toc]
    lists = [toc.get(key) or [] for key in ("parts", "subtrees", "chapters", "sections", "entries")]
    return here + [name for below in lists for entry in below for name in files_of(entry)]


def parts_of(toc):
    """Return the names of the parts of a table of contents, each by the first page of its part."""
    return {part["chapters"][0]["file"]: part.get("caption", "") for part in toc.get("parts", [])}


def numbers_of(toc):
    """Return the numbers of the chapters that a table of contents numbers, as texts."""
    parts = [part for part in [toc, *toc.get("parts", [])] if part.get("numbered")]
    names = [chapter["file"] for part in parts for chapter in part.get("chapters", [])]
    return {name: str(k) for k, name in enumerate(names, start=1)}


def works_of(bibliography):
    """Return the works in a bibliography, which a book need not have."""
    return parse_file(str(bibliography)).entries if bibliography.is_file() else {}


def authors(work, limit=2):
    """Return the family names of a work's authors."""
    people = work.persons.get("author") or work.persons.get("editor") or []
    names = [plain(" ".join([*p.prelast_names, *p.last_names])) for p in people]
    if len(names) > limit:
        return f"{names[0]} et al."
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def year(work):
    return work.fields.get("year", "no year")


def full_name(work):
    """Return authors, year and title of a work."""
    title = linked(plain(work.fields["title"]), work)
    return f"{authors(work, limit=8)} ({year(work)}). {title}."


def plain(text):
    """Return a text of the bibliography without TeX."""
    return str(Text.from_latex(text))


def linked(text, work):
    """Link a text to the work's address, if the bibliography has one."""
    fields = work.fields
    arxiv = re.search(r"arXiv:(\S+)", fields.get("note", ""))
    address = fields.get("url") or (arxiv and f"https://arxiv.org/abs/{arxiv[1]}")
    if "doi" in fields:
        address = address or f"https://doi.org/{fields['doi']}"
    return f"[{text}]({address})" if address else text
