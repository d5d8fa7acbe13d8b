"""The live figures of a page of the fixture book, made by running its cells here."""

import ast
import sys

from bookwork.live import LiveFigure
from myst_nb.core.read import read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from places import BOOK

CONFIG = MdParserConfig(enable_extensions={"colon_fence", "dollarmath"})


def made(page):
    """Return the figures of a page, in order."""
    if str(BOOK) not in sys.path:
        sys.path.append(str(BOOK))  # where the book's own package is
    text = (BOOK / "chapters" / f"{page}.md").read_text(encoding="utf-8")
    cells = read_myst_markdown_notebook(text, CONFIG).cells
    names = {"__name__": page}
    values = [run(cell.source, names) for cell in cells if cell.cell_type == "code"]
    return [value for value in values if isinstance(value, LiveFigure)]


def run(code, names):
    """Run a cell; return the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "a cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "a cell", "eval"), names) if last else None
