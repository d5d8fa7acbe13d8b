"""The documentation of bookwork is true: it builds, and each block of code in it works as shown."""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from itertools import pairwise
from typing import NamedTuple

import pytest
import yaml
from bookwork.book.settings import DEFAULTS
from places import BOOKWORK, PROJECT
from small_books import HEAD, run

DOCS = PROJECT / "docs"
README = PROJECT / "README.md"
FENCED = re.compile(r"^(?P<fence>`{3,})(?P<kind>\w+)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
ROW = re.compile(r"^\| `(bookwork_\w+)` \| `(.*?)` \|", re.M)
QUIET = {"BOOKWORK_PYTHON": "0", "PYTHONUNBUFFERED": "1"}
GIVEN = "from bakery import *\nfrom bookwork.live import *\n"  # by the cells of its page
NOT_RUN = "pip install"  # which fetches packages; the page says so
LAST = re.compile(r"^live\(.*?^\)$", re.M | re.S)  # of the page that `bookwork new` writes
pytestmark = pytest.mark.xdist_group("docs")


class Block(NamedTuple):
    """A block of code in a text."""

    page: str
    kind: str
    text: str


BLOCKS = [
    Block(path.name, found["kind"], found["text"])
    for path in (README, *sorted(DOCS.glob("*.md")))
    for found in FENCED.finditer(path.read_text(encoding="utf-8"))
]


def shown(kind, page=""):
    """Return the blocks of a kind, on one page or on all."""
    return [block for block in BLOCKS if block.kind == kind and page in ("", block.page)]


def test_no_block_is_of_a_kind_that_is_not_tested():
    assert {block.kind for block in BLOCKS} == {"md", "yaml", "python", "console"}


def test_the_site_builds_without_warnings_and_so_does_each_piece_of_a_page(tmp_path):
    shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("_build", ".cache"))
    (checker,) = (block.text for block in shown("python", "exercises.md") if "Ex:1" in block.text)
    (tmp_path / "docs" / "bakery" / "exercises" / "bread.py").write_text(checker)
    contents = (DOCS / "_toc.yml").read_text()
    for k, block in enumerate(shown("md")):
        text = block.text if block.text.startswith("---") else f"{HEAD}# {k}\n\n{block.text}"
        (tmp_path / "docs" / f"piece_{k}.md").write_text(text)
        contents += f"      - file: piece_{k}\n"
    (tmp_path / "docs" / "_toc.yml").write_text(contents)
    code, said = run(tmp_path / "docs", "-m", "bookwork", "build", BOOKWORK_PYTHON="0")
    assert (code, "; warnings: 0." in said) == (0, True), said


def test_the_table_of_settings_is_that_of_the_code():
    rows = ROW.findall((DOCS / "settings.md").read_text(encoding="utf-8"))
    assert {name: yaml.safe_load(default) for name, default in rows} == DEFAULTS


@pytest.mark.parametrize("block", shown("yaml"))
def test_settings_are_known(block):
    given = yaml.safe_load(block.text)
    settings = given.get("sphinx", {}).get("config", {})
    assert given
    assert settings.keys() <= DEFAULTS.keys()


@pytest.mark.parametrize("block", shown("python"))
def test_python_runs(block, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(DOCS)
    monkeypatch.chdir(tmp_path)
    names = {"check": check_is_right}
    exec("" if block.page == README.name else GIVEN, names)
    exec(block.text, names)


def check_is_right(*answer):
    """Judge a solution of the documentation."""
    from bakery.exercises import check  # noqa: PLC0415  of the documentation

    assert check(*answer).status == "correct"


def test_five_minutes_are_as_printed(tmp_path):
    steps = [step for block in shown("console", "five_minutes.md") for step in steps_of(block)]
    assert {command for block in shown("console") for command, _ in steps_of(block)} <= {
        command for command, _ in steps
    }
    folder = tmp_path
    for command, expected in steps:
        if command.startswith("cd "):
            folder /= command.removeprefix("cd ")
        elif not command.startswith(NOT_RUN):
            change_as_told(folder / "chapters" / "first.md", command)
            assert_in_order(expected, said_by(command, folder))


def steps_of(block):
    """Return the commands of a block, each with the lines that it prints."""
    lines = block.text.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("$ ")]
    ends = pairwise([*starts, len(lines)])
    return [(lines[start].removeprefix("$ "), lines[start + 1 : end]) for start, end in ends]


def change_as_told(page, command):
    """Change the page as the text says between the commands."""
    if command == "bookwork check":
        page.write_text(page.read_text().replace("{numref}`fig-shares`", "{numref}`fig-shres`"))
    elif command == "bookwork build":
        (figure,) = shown("python", "five_minutes.md")
        mended = page.read_text().replace("fig-shres", "fig-shares")
        page.write_text(LAST.sub(lambda _: figure.text.strip(), mended))


def said_by(command, folder):
    """Run a command; return its lines, of one that does not end those until it serves the book."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    is_serving = command == "bookwork serve"
    arguments = [*shlex.split(command)[1:], *(["--port", port] if is_serving else [])]
    started = subprocess.Popen(
        [sys.executable, "-m", "bookwork", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(BOOKWORK)} | QUIET,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = []
    for line in started.stdout:
        lines.append(line.rstrip("\n").replace(port, "8000"))
        if is_serving and line.startswith("The book is in"):
            started.terminate()
    started.stdout.close()
    started.wait()
    return lines


def assert_in_order(expected, lines):
    """Require all expected lines in their order; … stands for any others."""
    rest = iter(lines)
    for line in expected:
        assert line == "…" or line in rest, "\n".join([line, "is not in", *lines])
