"""The table of who solved what, from progress files that are good, damaged or forged."""

import csv
import functools
import json
import os
import re
from pathlib import Path

import pytest
import yaml
from book.printed import BY_LABEL, PRINTED
from checks import run_python

from attention_exercises import EXERCISES
from attention_exercises.__main__ import HERE, TITLE, main
from bookwork.exercises.class_tables import exercises_table
from bookwork.exercises.outline import read_outline
from bookwork.exercises.report import FORMAT, MOST_BYTES, VERSION
from bookwork.exercises.report import report as report_on

ROOT = Path(__file__).parents[2]
OUTLINE = read_outline(HERE)
SOLVED = {"tried": True, "solved": True, "hints": 2, "seen": False}
TRIED = {"tried": True, "solved": False, "hints": 0, "seen": True}


def report(paths):
    return report_on(paths, OUTLINE, TITLE)


def progress(exercises, **changes):
    """Return a progress file as the page writes it, with changes."""
    named = {"format": FORMAT.format(title=TITLE), "version": 1}
    return json.dumps(named | {"exercises": exercises, "answers": {}} | changes)


GOOD = progress({"ex-swap": SOLVED, "ex-cosine": TRIED}, answers={"chapter:3": "print(1)"})


@pytest.fixture
def save(tmp_path):
    def save(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return save


def row_of(table, name):
    """Return the cells of a row, by the number of the column."""
    head, *lines = table.split("\n\n")[0].splitlines()
    (line,) = [line for line in lines if line.startswith(name + " ")]
    return dict(zip(head.split(), line.removeprefix(name).split(), strict=True))


def chapters_of(table):
    """Return the legend: the name of each chapter, by the number of its column."""
    return dict(line.split() for line in table.split("\n\n")[1].splitlines())


# good files


def test_a_row_counts_what_is_solved_in_each_chapter_and_in_all(save):
    made = report([save("ada.json", GOOD)])
    row, chapters = row_of(made.table, "ada"), chapters_of(made.table)
    for column, chapter in chapters.items():
        total = sum(printed.chapter == chapter for printed in PRINTED)
        assert row.pop(column) == f"{int(chapter == 'queries_keys_values')}/{total}"
    assert row == {"all": f"1/{len(EXERCISES)}", "stuck": "1", "hints": "2", "seen": "1"}
    assert made.sentences == ()
    assert made.refused == 0


def test_the_columns_are_the_chapters_of_the_book_in_its_order():
    listed = re.findall(r"file: chapters/(\w+)", (ROOT / "_toc.yml").read_text())
    chapters = chapters_of(report([]).table)
    assert all(listed[int(number) - 1] == chapter for number, chapter in chapters.items())


def test_rows_stand_in_the_order_of_the_files_and_their_columns_below_each_other(save):
    made = report([save("a-long-name.json", GOOD), save("al.json", GOOD)])
    head, *lines = made.table.split("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == ["a-long-name", "al"]
    assert len({len(head), *map(len, lines)}) == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_file_that_an_editor_has_saved_anew_is_read(save, encoding):
    assert report([save("ada.json", GOOD.encode(encoding))]).refused == 0


def test_the_format_is_the_one_that_the_page_writes():
    source = (ROOT / "bookwork" / "page" / "exercises" / "progress.js").read_text()
    assert f"const FORMAT = `${FORMAT.replace('title', 'TITLE')}`;" in source
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    assert (config["title"], config["project"]) == (TITLE, TITLE)  # which the page is told
    assert f"format: FORMAT, version: {VERSION}, ...everything()" in source
    assert f"file: {MOST_BYTES:_}," in source


# damaged and forged files


def entry(**changes):
    return progress({"ex-swap": SOLVED | changes})


REFUSED = {
    "not JSON": ("who solved what", "it is not JSON, or damaged (line 1)"),
    "truncated": (GOOD[: len(GOOD) // 2], "it is not JSON, or damaged (line 1)"),
    "empty": ("", "it is empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\xff", "it is not text"),
    "other JSON": ('{"cells": []}', "it is not a progress file for this book"),
    "a list": ("[1, 2]", "it is not a progress file for this book"),
    "a number": ("NaN", "it is not a progress file for this book"),
    "another edition": (progress({}, version=2), "it was made by another edition of the book"),
    "a true version": (progress({}, version=True), "it was made by another edition of the book"),
    "no exercises": (progress([]), "it has no list of exercises"),
    "no entry": (progress({"ex-swap": "correct"}), "its entry for 'ex-swap' is not valid"),
    "no status": (progress({"ex-swap": {}}), "its entry for 'ex-swap' is not valid"),
    "a number for a status": (entry(solved=1), "its entry for 'ex-swap' is not valid"),
    "hints of no number": (entry(hints=True), "its entry for 'ex-swap' is not valid"),
    "too many hints": (entry(hints=10), "its entry for 'ex-swap' is not valid"),
    "deep": ("[" * 1_000_000, "it is not JSON that the book writes"),
    "a long number": ("9" * 10_000, "it is not JSON that the book writes"),
    "huge": (b" " * (MOST_BYTES + 1), "it is larger than 5 MB"),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_no_page_wrote_gets_a_sentence_and_the_others_their_rows(save, text, reason):
    paths = [save("ada.json", GOOD), save("bad.json", text), save("cy.json", GOOD)]
    made = report(paths)
    assert made.sentences == (f"{paths[1]} is left out: {reason}.",)
    assert made.refused == 1
    assert row_of(made.table, "ada") == row_of(made.table, "cy")
    assert "bad" not in made.table


def test_a_file_that_is_missing_or_a_folder_gets_a_sentence(tmp_path):
    made = report([tmp_path / "none.json", tmp_path, Path("a\0b")])
    missing, folder, impossible = made.sentences
    assert missing.endswith("is left out: it cannot be read (No such file or directory).")
    assert folder.endswith("is left out: it is a folder, and no file in it ends in .json.")
    assert impossible.startswith("a?b is left out: it cannot be read (")
    assert made.refused == 3


def test_exercises_that_the_book_does_not_have_are_not_counted_and_said(save):
    guess = {**TRIED, "tried": False, "answer": ["0.5"]}
    labels = {"guess-cold": guess, "ex-poetry": SOLVED, "ex-swap": SOLVED, "\x1b[2J": TRIED}
    path = save("ada.json", progress(labels))
    made = report([path])
    assert row_of(made.table, "ada")["all"] == f"1/{len(EXERCISES)}"
    assert made.sentences == (
        f"{path} names 2 exercises that this edition of the book does not have, "
        "such as 'ex-poetry'.",
    )
    assert made.refused == 0


def test_nothing_in_a_file_or_its_name_reaches_the_terminal_as_a_command(save):
    evil = "\x1b[2J\x07"
    paths = [
        save(f"a{evil}.json", progress({evil: SOLVED})),
        save(f"b{evil}.json", progress({evil: 1})),
        save("c.json", progress({}, answers={evil * 1000: 1})),
    ]
    made = report(paths)
    said = "\n".join([made.table, *made.sentences])
    assert "\x1b" not in said
    assert "\x07" not in said
    assert max(map(len, made.sentences)) < 400


def test_answers_are_never_run(save, tmp_path):
    trap = tmp_path / "trap"
    code = f"open({str(trap)!r}, 'w')"
    path = save("ada.json", progress({"ex-swap": SOLVED}, answers={"a:1": code, code: code}))
    assert report([path]).refused == 0
    assert not trap.exists()


# where a class is stuck


HINTED = {"tried": False, "solved": False, "hints": 3, "seen": False}
CLASS = {
    "ada": {"ex-swap": SOLVED, "ex-cosine": TRIED, "ex-fit": SOLVED},
    "bo": {"ex-cosine": TRIED, "ex-fit": HINTED},
    "cy": {"ex-cosine": SOLVED, "ex-fit": SOLVED},
}


@pytest.fixture
def school(save):
    """Return the folder with the files of a class, some from before and some after a change."""
    by_label, by_cell = {"ex-swap": "print(1)"}, {"queries_keys_values:0f3a": "print(1)"}
    for name, exercises in CLASS.items():
        answers = by_cell if name == "bo" else by_label
        path = save(f"class/{name}.json", progress(exercises, answers=answers))
    return path.parent


def counts_of(table, label):
    """Return the counts of an exercise, by the names of their columns."""
    head, *lines = table.splitlines()
    (line,) = [line for line in lines if line.split()[1] == label]
    return dict(zip(head.split(), map(int, line.split()[-5:]), strict=True))


def test_each_exercise_tells_how_many_solved_it_tried_it_and_needed_help(school):
    made = report(sorted(school.iterdir()))
    table = exercises_table(made.students, OUTLINE)
    columns = ("solved", "tried", "stuck", "hints", "seen")
    assert counts_of(table, "ex-cosine") == dict(zip(columns, (1, 3, 2, 2, 2), strict=True))
    assert counts_of(table, "ex-fit") == dict(zip(columns, (2, 2, 1, 7, 0), strict=True))
    assert counts_of(table, "ex-pool") == dict.fromkeys(columns, 0)
    assert [line.split()[1] for line in table.splitlines()[1:]] == list(BY_LABEL)
    assert BY_LABEL["ex-fit"].title in table


def test_the_hardest_exercise_comes_first_if_asked_for(school, capsys):
    assert main(["report", "--hardest", str(school)]) == 0
    table = capsys.readouterr().out.split("\n\n")[2]
    first = [line.split()[1] for line in table.splitlines()[1:4]]
    assert first == ["ex-cosine", "ex-fit", "ex-swap"]


def test_a_folder_stands_for_the_files_in_it_and_below(school, capsys):
    (school / "notes.txt").write_text("not for the report")
    assert main(["report", str(school.parent)]) == 0
    assert [line[:3] for line in capsys.readouterr().out.splitlines()[1:4]] == ["ada", "bo ", "cy "]


def test_a_csv_file_has_a_row_for_each_student_and_exercise(school, tmp_path):
    (school / "=1+1.json").write_text(GOOD)
    file = tmp_path / "class.csv"
    assert main(["report", str(school), "--csv", str(file)]) == 0
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    assert len(rows) == 4 * len(EXERCISES)
    assert {row["student"] for row in rows} == {*CLASS, "'=1+1"}  # no formula in a spreadsheet
    (row,) = [row for row in rows if (row["student"], row["exercise"]) == ("bo", "ex-cosine")]
    about = {"chapter": "2", "title": BY_LABEL["ex-cosine"].title}
    said = {"solved": "0", "tried": "1", "stuck": "1", "hints": "0", "seen": "1"}
    assert row == {"student": "bo", "exercise": "ex-cosine"} | about | said


@pytest.mark.parametrize("name", ["class/ada.json", "other.json"])
def test_no_progress_file_is_overwritten_with_rows(school, tmp_path, name, capsys):
    before = (school / "ada.json").read_bytes()
    assert main(["report", str(school), "--csv", str(tmp_path / name)]) == 1
    assert "is not written: --csv needs a file that ends in .csv." in capsys.readouterr().err
    assert (school / "ada.json").read_bytes() == before
    assert not (tmp_path / "other.json").exists()


def test_a_place_that_takes_no_file_gets_a_sentence(school, tmp_path, capsys):
    assert main(["report", str(school), "--csv", str(tmp_path / "none" / "class.csv")]) == 1
    said = capsys.readouterr().err
    assert said.endswith("class.csv cannot be written (No such file or directory).\n")


def test_the_example_on_the_page_for_teachers_is_what_the_command_prints(tmp_path):
    page = (ROOT / "chapters" / "teaching.md").read_text(encoding="utf-8")
    shown = page.split("## See where a class is stuck")[1]
    command = re.search(r"-m attention_exercises (report .*) --csv class\.csv$", shown, re.M)
    answer = run(*command[1].split(), "--csv", tmp_path / "class.csv")
    assert answer.returncode == 0
    tables = re.findall(r"^```text\n(.*?)^```", shown, re.M | re.S)[:2]
    assert all(table in answer.stdout for table in tables)
    assert (tmp_path / "class.csv").read_text().startswith("student,chapter,exercise,")


# where the titles come from


def test_the_outline_is_what_the_chapters_print():
    printed = {}
    for each in PRINTED:
        printed.setdefault(each.chapter, {})[each.label] = each.title
    assert {chapter: titles for chapter, titles in OUTLINE.items() if titles} == printed


def test_without_chapters_the_command_says_where_to_run_it(school, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("attention_exercises.__main__.HERE", tmp_path / "library" / "exercises")
    assert main(["report", str(school)]) == 1
    assert capsys.readouterr().err == (
        "There is no report: this copy of the library has no chapters. "
        "Run it in the book's repository.\n"
    )


# the command


run = functools.partial(run_python, "-m", "attention_exercises", cwd=ROOT)


def test_the_command_prints_the_tables_and_fails_only_when_a_file_is_refused(save, capsys):
    good, bad = save("ada.json", GOOD), save("bad.json", "{")
    assert main(["report", str(good)]) == 0
    made, said = report([good]), capsys.readouterr()
    tables = f"{made.table}\n\n{exercises_table(made.students, OUTLINE)}\n\nsolved,"
    assert said.out.startswith(tables)
    assert said.out.endswith(f"The files are in {good.parent}.\n")
    assert said.err == ""
    assert main(["report", str(good), str(bad)]) == 1
    said = capsys.readouterr()
    assert row_of(said.out, "ada")["all"] == f"1/{len(EXERCISES)}"
    assert said.err == f"{bad} is left out: it is not JSON, or damaged (line 1).\n"


def test_without_any_progress_file_there_are_sentences_and_no_tables(capsys):
    assert main(["report", "/nowhere"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "/nowhere is left out: it cannot be read (No such file or directory).",
        "There is no report: none of these is a progress file.",
    ]


def test_a_report_can_be_of_some_chapters(school, tmp_path, capsys):
    chosen = ["report", str(school), "--csv", str(tmp_path / "class.csv"), "--chapters"]
    assert main([*chosen, "2-3, 5"]) == 0
    students, chapters, exercises, _ = capsys.readouterr().out.split("\n\n", 3)
    assert [line.split()[0] for line in chapters.splitlines()] == ["2", "3", "5"]
    assert {line.split()[0] for line in exercises.splitlines()[1:]} == {"2", "3", "5"}
    some = sum(len(titles) for titles in list(OUTLINE.values())[1:5]) - len(
        OUTLINE["scoring_functions"]
    )
    assert students.splitlines()[1].split()[4] == f"1/{some}"
    assert len((tmp_path / "class.csv").read_text().splitlines()) == 1 + len(CLASS) * some
    assert main([*chosen, "40-41"]) == 1
    assert "these chapters have no exercises. Those that have: 1, 2," in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*chosen, "two"])
    assert "written as in 2-4 or 2,5-7, not 'two'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*chosen, "1,4-2"])
    assert "4-2 ends before it begins" in capsys.readouterr().err


def test_a_pattern_that_the_shell_left_alone_is_expanded(save, capsys):
    for name in ("bo.json", "ada.json"):
        folder = save(name, GOOD).parent
    assert main(["report", str(folder / "*.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["ada", "bo"]


def test_a_name_that_the_terminal_cannot_show_stops_nothing(save):
    path = os.fsencode(save("zoë.json", GOOD).parent) + b"/zo\xeb.json"
    Path(os.fsdecode(path)).write_text(GOOD)
    latin = os.environ | {"PYTHONIOENCODING": "ascii"}
    answer = run("report", path, save("zoë.json", GOOD), env=latin)
    assert answer.returncode == 0
    assert [line[:3] for line in answer.stdout.splitlines()[1:3]] == ["zo?", "zo?"]


def test_a_command_without_files_says_how_to_use_it(capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["report"])
    assert "usage: python -m attention_exercises report" in capsys.readouterr().err
