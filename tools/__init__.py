"""Commands of this book's own: notebooks, wheels, the model of one chapter."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]  # of the book
SITE = ROOT / "_build" / "html"


def require_book(site=SITE):
    """Stop with a sentence if the book is not built."""
    if not (site / "index.html").is_file():
        sys.exit("The book is not built yet: run make book first")
