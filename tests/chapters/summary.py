"""What the summary says is what its cells and the library give."""

from chapters.claims import Claims
from chapters.page import ROOT

CLAIMS = Claims()


@CLAIMS.says("Fifteen sentences that are often repeated")
def the_page_of_statements_has_as_many_rows_as_the_summary_says(c):
    lines = (ROOT / "chapters" / "statements.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and "you may read" not in line]
    assert len(rows) == 15
