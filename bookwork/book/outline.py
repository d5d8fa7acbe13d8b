"""Which exercises the chapters have, in which order and under which titles: for the report."""

from pathlib import Path

from bookwork.book.pages import read_page

READ = (".md", ".ipynb")


def outline_of(book):
    """Return the titles of the exercises in a book: chapter -> label -> title, in order."""
    outline = {}
    there = [path for path in book.listed if (book.root / path).is_file()]
    for path in there:  # a page of the reference may have the name of a chapter
        titles = titles_in(read_page(book.root, path)) if path.endswith(READ) else {}
        if titles or path != book.listed[0]:  # chapters are counted after the first page
            outline.setdefault(Path(path).stem, {}).update(titles)
    return outline


def titles_in(page):
    """Return the titles of the labelled exercises of a page, by label."""
    found = [block for block in page.all_blocks if getattr(block, "name", "") == "exercise"]
    return {block.label: block.argument for block in found if block.label}
