"""Who solved what, from progress files that are good, damaged or forged."""

import csv
import json
import os
import re
from pathlib import Path

import pytest
from bookwork.__main__ import main
from bookwork.exercises.report import COLUMNS, FORMAT, VERSION
from checks import run_python
from places import BOOKWORK, BUILT, WEB
from shop.exercises import EXERCISES

TITLE = "A Small Bakery"
SOLVED = {"tried": True, "solved": True, "hints": 2, "seen": False}
TRIED = {"tried": True, "solved": False, "hints": 0, "seen": True, "met": ["take the norm."]}


def progress(exercises, **changes):
    """Return a progress file as the page writes it, with changes."""
    named = {"format": FORMAT.format(title=TITLE), "version": 1}
    return json.dumps(named | {"exercises": exercises, "texts": {}} | changes)


GUESS = {**TRIED, "tried": False, "answer": ["0.5"]}
ODD = {"guess-cold": GUESS, "ex-none": SOLVED}  # are not counted
GOOD = progress({"ex-swap": SOLVED, "ex-share": TRIED} | ODD, texts={"chapter:3": "print(1)"})


@pytest.fixture
def save(tmp_path):
    def save(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return save


@pytest.fixture
def report(capsys, monkeypatch, site):
    """Run the command; return its exit code, its table and its sentences."""
    monkeypatch.chdir(BUILT)

    def report(*arguments):
        code = main(["report", *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err.splitlines()

    return report


def counts_of(table, label):
    """Return the counts of an exercise, by the names of their columns."""
    (line,) = [line for line in table.splitlines() if line.split()[1:2] == [label]]
    return dict(zip(COLUMNS, map(int, line.split()[-5:]), strict=True))


# good files


HINTED = {"tried": False, "solved": False, "hints": 3, "seen": False}
CLASS = {
    "ada": {"ex-swap": SOLVED, "ex-share": TRIED, "ex-total": SOLVED},
    "bo": {
        "ex-share": TRIED | {"met": ["take the norm.", "a row is a vector."]},
        "ex-total": HINTED,
    },
    "cy": {"ex-share": SOLVED, "ex-total": SOLVED},
}


@pytest.fixture
def school(save):
    """Return the folder with the files of a class."""
    for name, exercises in CLASS.items():
        path = save(f"class/{name}.json", progress(exercises))
    return path.parent


def test_each_exercise_tells_how_many_solved_it_and_which_mistakes_were_met(school, report):
    code, table, said = report(school)
    assert (code, said) == (0, [])
    assert counts_of(table, "ex-share") == dict(zip(COLUMNS, (1, 3, 2, 2, 2), strict=True))
    assert counts_of(table, "ex-total") == dict(zip(COLUMNS, (2, 2, 1, 7, 0), strict=True))
    assert "ex-cheapest" not in table
    labels = re.findall(r"^ *\d+  (ex-\S+) ", table, re.M)
    assert labels == ["ex-swap", "ex-share", "ex-total"]
    lines = table.splitlines()
    (at,) = [k for k, line in enumerate(lines) if "ex-share" in line]
    met = [line.strip() for line in lines[at + 1 : at + 3]]
    assert met == ["2 × take the norm.", "1 × a row is a vector."]


def test_a_csv_file_has_a_row_for_each_student_and_exercise(school, tmp_path, report):
    (school / "=1+1.json").write_text(GOOD)
    file = tmp_path / "class.csv"
    assert report(school, "--csv", file)[0] == 0
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    assert len(rows) == 4 * len(EXERCISES)
    assert {row["student"] for row in rows} == {*CLASS, "'=1+1"}  # no formula in a spreadsheet
    (row,) = [row for row in rows if (row["student"], row["exercise"]) == ("bo", "ex-share")]
    about = {"chapter": "1", "title": "Shares of anything"}
    said = {"solved": "0", "tried": "1", "stuck": "1", "hints": "0", "seen": "1"}
    said["met"] = "take the norm.\na row is a vector."
    assert row == {"student": "bo", "exercise": "ex-share"} | about | said


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("class/ada.json", "is not written: --csv needs a file that ends in .csv."),
        ("none/class.csv", "class.csv cannot be written (No such file or directory)."),
    ],
)
def test_no_progress_file_is_overwritten_with_rows(school, tmp_path, name, why, report):
    before = (school / "ada.json").read_bytes()
    code, _, said = report(school, "--csv", tmp_path / name)
    assert (code, said[0].endswith(why)) == (1, True)
    assert (school / "ada.json").read_bytes() == before


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_file_that_an_editor_has_saved_anew_is_read(save, encoding, report):
    assert report(save("ada.json", GOOD.encode(encoding)))[0] == 0


def test_the_format_is_the_one_that_the_page_writes():
    source = (WEB / "exercises" / "progress.js").read_text()
    assert f"const FORMAT = `${FORMAT.replace('title', 'TITLE')}`;" in source
    assert f"format: FORMAT, version: {VERSION}, ...everything()" in source


# damaged and forged files


def entry(**changes):
    return progress({"ex-swap": SOLVED | changes})


JSON, LIST = "it is not JSON, or damaged", "its list of exercises is not valid"
BOOK = "it is not a progress file for this edition of the book"
REFUSED = {
    "not JSON": ("who solved what", JSON),
    "truncated": (GOOD[: len(GOOD) // 2], JSON),
    "other JSON": ('{"cells": []}', BOOK),
    "another edition": (progress({}, version=2), BOOK),
    "no exercises": (progress([]), LIST),
    "no status": (progress({"ex-swap": {}}), LIST),
    "a number for a status": (entry(solved=1), LIST),
    "hints of no number": (entry(hints=True), LIST),
    "mistakes of no text": (entry(met=[1]), LIST),
    "deep": ("[" * 1_000_000, JSON),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_no_page_wrote_gets_a_sentence_and_the_others_are_counted(
    save, text, reason, report
):
    good, bad = save("ada.json", GOOD), save("bad.json", text)
    code, table, said = report(good, bad)
    assert (code, said) == (1, [f"{bad} is left out: {reason}."])
    assert counts_of(table, "ex-swap")["solved"] == 1
    assert "ex-none" not in table


def test_without_any_progress_file_there_are_sentences_and_no_table(tmp_path, report):
    code, table, said = report("/nowhere", tmp_path)
    assert (code, table) == (1, "")
    assert said[0] == "/nowhere is left out: it cannot be read (No such file or directory)."
    assert said[1] == "There is no report: none of these is a progress file."


def test_nothing_in_a_file_or_its_name_reaches_the_terminal_as_a_command(save, report):
    evil = "\x1b[2J\x07"
    paths = [
        save(f"a{evil}.json", progress({evil: SOLVED})),
        save(f"b{evil}.json", progress({evil: 1})),
        save("c.json", progress({"ex-swap": TRIED | {"met": [evil]}}, texts={evil * 1000: 1})),
    ]
    _, table, said = report(*paths)
    assert not {"\x1b", "\x07"} & {*table, *"".join(said)}


# the command


def test_a_name_that_the_terminal_cannot_show_stops_nothing(save, site):
    path = os.fsencode(save("zoë.json", GOOD).parent) + b"/zo\xeb.json"
    Path(os.fsdecode(path)).write_text("{")
    names = "-m", "bookwork", "report", path, save("zoë.json", GOOD)
    env = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(BOOKWORK)}
    answer = run_python(*names, cwd=BUILT, env=env)
    assert "zo?.json is left out" in answer.stderr
