"""The report of a class, as the page for teachers shows it."""

import re
from pathlib import Path

from checks import run_python

ROOT = Path(__file__).parents[2]


def test_the_example_on_the_page_for_teachers_is_what_the_command_prints(tmp_path):
    page = (ROOT / "chapters" / "teaching.md").read_text(encoding="utf-8")
    shown = page.split("## See where a class is stuck")[1]
    command = re.search(r"python (-m bookwork report .*) --csv class\.csv$", shown, re.M)
    file = tmp_path / "class.csv"
    answer = run_python(*command[1].split(), "--csv", file, cwd=ROOT)
    assert answer.returncode == 0
    (table,) = re.findall(r"^```text\n(.*?)^```", shown, re.M | re.S)[:1]
    assert answer.stdout.startswith(table)
    assert file.read_text().startswith("student,chapter,exercise,")
