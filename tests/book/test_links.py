"""Every link inside the built book leads somewhere, and nothing comes from another host."""

from book.chapters import FOLDER, SITE

from bookwork.book.book import Book
from bookwork.build import check_site


def test_the_built_site_has_no_faults():
    assert (SITE / "index.html").is_file(), "the book is not built: run make book first"
    assert list(check_site.faults_of(SITE)) == []


def test_the_first_page_lists_every_chapter():
    first, *others = Book(FOLDER.parent).pages
    labels = [page.labels[0][1] for page in others if page.is_notebook]
    assert [label for label in labels if f"{{ref}}`{label}`" not in first.text] == []
