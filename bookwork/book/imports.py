"""What a book imports, and where: the cells that readers can run, and its own packages."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from bookwork.book.cell_tags import NO_RUN
from bookwork.book.faults import Fault
from bookwork.book.files import files_below
from bookwork.book.names import imported_by, parsed
from bookwork.book.settings import packages_of


class Imported(NamedTuple):
    """A module that is imported, by a cell or by a module of the book."""

    name: str
    fault: Callable[[str], Fault]  # makes one at its place
    is_in_cell: bool

    @property
    def top(self):
        """The first part of its name."""
        return self.name.partition(".")[0]


def imports_of(book):
    """Yield what cells that readers can run, and modules of the book's own package, import."""
    for code, start, fault, is_in_cell in [*run_cells(book), *own_modules(book)]:
        for node in parsed(code).body:
            fault_here = partial(fault, start + node.lineno)
            yield from (Imported(name, fault_here, is_in_cell) for name in imported_by(node))


def run_cells(book):
    """Yield the cells that readers can run: code, the line above it, and what makes a fault."""
    for page in book.sources:
        is_run = page.metadata.get("bookwork_run", True)
        for cell in page.cells if is_run and page.is_notebook and page.is_python else ():
            if "import" in cell.body and NO_RUN not in cell.tags:
                yield cell.body, cell.start - 1, page.fault, True


def own_modules(book):
    """Yield the modules of the book in the same way."""
    found = [path for name in packages_of(book.settings) for path in files_below(book.root / name)]
    for path in [path for path in found if path.suffix == ".py"]:
        place = path.relative_to(book.root).as_posix()
        yield path.read_text(encoding="utf-8"), 0, partial(Fault, place), False
