"""Commands of this book's own: notebooks, pictures, the PDF, data, measurements."""

from pathlib import Path

ROOT = Path(__file__).parents[1]  # of the book
