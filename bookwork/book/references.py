"""What a notebook needs to know about the rest of the book: numbers, titles, cited works.

The page numbers figures, exercises, equations and tables by chapter, and chapters in the order of
_toc.yml; so does this, from the text alone, because `make lab` must not wait for a build. A test
compares the numbers with those of the built pages.
"""

import base64
import copy
from collections import Counter

from bookwork.book.myst import Text
from bookwork.book.works import authors, full_name, linked, works_of, year

TABLES = ["table", "list-table", "csv-table"]
NUMBERED = {"figure": "Figure", "exercise": "Exercise"} | dict.fromkeys(TABLES, "Table")
TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}


class References:
    """The chapters in their order, what each label stands for, and the works cited."""

    def __init__(self, book):
        self.root, self.package, self.here = book.root, book.package, ""
        self.chapters = {page.name: page for page in notebook_pages(book)}
        files = {name: page.path.removesuffix(".md") for name, page in self.chapters.items()}
        self.numbers = {name: book.numbers.get(file, "") for name, file in files.items()}
        self.notebooks = notebook_names(book)
        self.works = works_of([book.root / name for name in book.settings["bibliographies"]])
        self.labels, self.counts = {}, Counter()
        for page in self.chapters.values():
            for block in page.all_blocks:
                self.note_labels(page.name, block)

    def within(self, name):
        """Return the book as seen from one of its chapters: links within it name no file."""
        seen = copy.copy(self)
        seen.here = name
        return seen

    def title_of(self, name):
        """Return the title of a chapter."""
        texts = [block for block in self.chapters[name].blocks if isinstance(block, Text)]
        return next((title for text in texts for _, title in text.headings), name)

    def note_labels(self, name, block):
        """Remember what the labels of a block stand for, and in which chapter they are."""
        if isinstance(block, Text):
            self.labels |= {label: (title, name) for label, title in block.headings if label}
        elif block.name in NUMBERED or block.figure:
            kind = NUMBERED.get(block.name, NUMBERED["figure"])
            self.labels[block.label] = (f"{kind} {self.next_number(name, kind)}", name)
        elif block.name == "math" and block.label:
            self.labels[block.label] = (f"({self.next_number(name, 'equation')})", name)

    def next_number(self, name, kind):
        """Return the next number of a kind: "3.2" in chapter 3, "2" in pages without a number."""
        chapter = self.numbers[name]
        self.counts[kind, chapter] += 1
        return ".".join(filter(None, [chapter, str(self.counts[kind, chapter])]))

    def text_of(self, label):
        """Return what the page prints for a label: "Figure 3", "(4)", a title; or ""."""
        return self.labels[label][0] if label in self.labels else ""

    def role(self, role):
        """Return the Markdown for a role such as {eq}`eq-shares`."""
        if role.name == "math":
            return f"${role.content}$"
        if role.name.startswith("cite"):
            return self.cite(role.content.split(","), as_noun=role.name == "cite:t")
        if role.name in ("ref", "numref", "eq", "doc"):
            return self.reference(role.target, role.title)
        return role.title or role.content

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
        roles = [role for page in self.chapters.values() for role in page.roles]
        cited = [role.content for role in roles if role.name.startswith("cite")]
        keys = {key.strip() for content in cited for key in content.split(",")}
        works = sorted((self.works[key] for key in keys), key=lambda w: (authors(w), year(w)))
        return "\n".join(f"- {full_name(work)}" for work in works)

    def file(self, path):
        """Return a file that a chapter names, as seen from the chapter."""
        return (self.root / self.chapters[self.here].path).parent / path

    def picture(self, path, alt):
        """Return a drawing as part of the text (JupyterLab shows no SVG that is attached)."""
        file = self.file(path)
        data = base64.b64encode(file.read_bytes()).decode()
        return f"![{alt}](data:{TYPES[file.suffix]};base64,{data})"


def notebook_pages(book):
    """Return the pages that become notebooks."""
    return [page for page in book.pages if page.path in book.listed]


def notebook_names(book):
    """Return the name of each page's notebook: numbered, so that a file list is in order."""
    names = [page.name for page in notebook_pages(book)]
    return {name: f"{k:02d}-{name.replace('_', '-')}" for k, name in enumerate(names)}
