"""A book in a folder: what it says of itself, its pages, and where its site is built."""

from functools import cached_property
from pathlib import Path, PurePosixPath

import yaml
from sphinx.util.matching import Matcher

from bookwork.book.faults import Fault, UnreadableError
from bookwork.book.files import CONFIGURATIONS, find_root, own_files
from bookwork.book.pages import read_page
from bookwork.book.settings import settings_of

READ = (".md", ".ipynb")  # pages whose text can be read
KINDS = (".md", ".ipynb", ".rst", "")  # of pages; a table of contents may leave them out


class Book:
    """The book in a folder or, if none is given, the one that the current folder belongs to.

    Nothing is read before it is asked for; after that, it is as it was then.
    """

    def __init__(self, root=None):
        self.root = Path(root) if root else find_root(Path.cwd().resolve())
        self.built = self.root / "_build"
        self.site = self.built / "html"

    def __reduce__(self):
        """Go to another process as a folder, whose book is read anew there."""
        return Book, (self.root,)

    @cached_property
    def settings(self):
        """Its settings, with those that it does not mention."""
        return settings_of(self.root)

    @property
    def configuration(self):
        """The name and the text of the file with its settings."""
        file = next((name for name in CONFIGURATIONS if (self.root / name).is_file()), "")
        return file, (self.root / file).read_text(encoding="utf-8") if file else ""

    @property
    def strict(self):
        """Whether a warning fails the build."""
        return self.settings["bookwork_strict"]

    @property
    def package(self):
        """The folder of its own package, or None if it has none."""
        name = self.settings["bookwork_package"]
        return self.root / name if name else None

    @cached_property
    def toc(self):
        """The text of _toc.yml, which a project of plain Sphinx does not have."""
        file = self.root / "_toc.yml"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @cached_property
    def contents(self):
        """Its table of contents."""
        return yaml.safe_load(self.toc) or {}

    @cached_property
    def names(self):
        """Its pages as _toc.yml lists them, such as "chapters/welcome", in order."""
        return files_of(self.contents) if self.toc else self.found

    @cached_property
    def numbers(self):
        """The numbers of the chapters that _toc.yml numbers, as texts, by these names."""
        parts = [self.contents, *self.contents.get("parts", [])]
        numbered = [part.get("chapters", []) for part in parts if part.get("numbered")]
        entries = [entry for chapters in numbered for entry in chapters if "file" in entry]
        return {entry["file"]: str(k) for k, entry in enumerate(entries, start=1)}

    @property
    def parts(self):
        """The names of its parts, each by the first page of the part."""
        parts = self.contents.get("parts", [])
        return {part["chapters"][0]["file"]: part.get("caption", "") for part in parts}

    @cached_property
    def listed(self):
        """The files of its pages, in order."""
        return [self.file_named(name) for name in self.names]

    @cached_property
    def found(self):
        """All Markdown files that may be pages: Sphinx finds them by itself."""
        leaves_out = Matcher(self.settings["excluded"])
        files = [path.relative_to(self.root) for path in own_files(self.root)]
        names = sorted(path.as_posix() for path in files if path.suffix == ".md")
        return [n for n in names if not any(map(leaves_out, [n, *folders_of(n)]))]

    @cached_property
    def unlisted(self):
        """The pages in folders of other pages that the contents of a strict book do not name."""
        if not self.strict or not self.toc or "glob:" in self.toc:
            return []
        folders = {PurePosixPath(name).parent for name in self.listed} - {PurePosixPath()}
        beside = [name for name in self.found if PurePosixPath(name).parent in folders]
        others = [name for name in beside if name not in self.listed]
        return [name for name in others if PurePosixPath(name).name != "README.md"]

    @cached_property
    def pages(self):
        """Its texts in Markdown, in order, unlisted ones last; without those that are broken."""
        return [page for page in self.sources if page.path.endswith(".md")]

    @cached_property
    def sources(self):
        """The same, and its notebooks of Jupyter; only reStructuredText is not read here."""
        return [page for page in self._read if not isinstance(page, Fault)]

    @cached_property
    def broken(self):
        """The faults of the pages that cannot be read."""
        return [page for page in self._read if isinstance(page, Fault)]

    @cached_property
    def _read(self):
        """Each page, or the fault for which it cannot be read."""
        there = [path for path in self.listed if (self.root / path).is_file()]
        texts = [path for path in [*there, *self.unlisted] if path.endswith(READ)]
        return [self._try_to_read(path) for path in dict.fromkeys(texts)]

    def _try_to_read(self, path):
        try:
            return read_page(self.root, path)
        except UnreadableError as error:
            return error.fault

    @property
    def outline(self):
        """The titles of its exercises, for the report: chapter -> label -> title, in order."""
        outline, texts = {}, {page.path: page for page in self.sources}
        for path in [path for path in self.listed if (self.root / path).is_file()]:
            titles = texts[path].exercise_titles if path in texts else {}
            if titles or path != self.listed[0]:  # chapters are counted after the first page
                outline.setdefault(PurePosixPath(path).stem, {}).update(titles)
        return outline

    def file_named(self, name):
        """Return the file of a page that a table of contents names, with or without its ending."""
        there = [name + kind for kind in KINDS if (self.root / (name + kind)).is_file()]
        return there[0] if there else f"{name.removesuffix('.md')}.md"

    def file_of(self, chapter):
        """Return the file of the page with this name."""
        files = (path for path in self.listed if PurePosixPath(path).stem == chapter)
        return next(files, f"{chapter}.md")


def files_of(toc):
    """Return the pages of a table of contents in their order.

    >>> files_of({"root": "start", "parts": [{"chapters": [{"file": "one"}, {"file": "two"}]}]})
    ['start', 'one', 'two']
    """
    here = [str(toc[key]) for key in ("root", "file") if key in toc]
    lists = [toc.get(key) or [] for key in ("parts", "subtrees", "chapters", "sections", "entries")]
    return here + [name for below in lists for entry in below for name in files_of(entry)]


def folders_of(name):
    """Return the folders of a file below the root, from its own upwards."""
    return [str(folder) for folder in PurePosixPath(name).parents if folder.name]
