"""The table of the book's numbers has a row for each page of chapters/, and their sums."""

from tools import count_book


def test_every_chapter_is_counted_and_the_reference_is_not(capsys):
    count_book.main()
    _, _, *rows, last = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    names = {path.stem for path in (count_book.ROOT / "chapters").glob("*.md")}
    assert {name for name, *_ in cells} == names
    sums = [sum(map(int, column)) for column in zip(*(row[1:] for row in cells), strict=True)]
    assert last == f"| all | {' | '.join(map(str, sums))} |"
