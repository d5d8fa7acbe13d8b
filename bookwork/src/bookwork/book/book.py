"""A book in a folder: what it says of itself, and where its site is built.

Its pages are read by Sphinx alone.
"""

from functools import cached_property
from pathlib import Path

from bookwork.book.files import CONFIGURATIONS, find_root
from bookwork.book.settings import settings_of

KINDS = (".md", ".ipynb", ".rst", "")  # of pages; a table of contents may leave them out


class Book:
    """The book in a folder or, if none is given, the one that the current folder belongs to.

    Nothing is read before it is asked for; after that, it is as it was then.
    """

    def __init__(self, root=None):
        self.root = Path(root) if root else find_root(Path.cwd().resolve())
        self.built = self.root / "_build"
        self.site = self.built / "html"

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

    def file_named(self, name):
        """Return the file of a page that a table of contents names, with or without its ending."""
        there = [name + kind for kind in KINDS if (self.root / (name + kind)).is_file()]
        return there[0] if there else f"{name.removesuffix('.md')}.md"
