"""Every link inside the built book leads somewhere, and nothing comes from another host."""

from pathlib import Path

from bookwork.build import check_site

SITE = Path(__file__).parents[2] / "_build" / "html"


def test_the_built_site_has_no_faults():
    assert (SITE / "index.html").is_file(), "the book is not built: run make book first"
    assert list(check_site.faults_of(SITE)) == []
