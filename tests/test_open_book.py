"""The book opens before all of it is built: what comes later arrives, or says why it does not."""

import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest

from bookwork.book.book import Book
from bookwork.build import make_book
from bookwork.commands import open_book, serve


@pytest.fixture
def book(tmp_path):
    """Return a book whose pages are built."""
    book = Book(tmp_path)
    book.site.mkdir(parents=True)
    (book.site / "index.html").write_text("the book")
    return book


@pytest.fixture
def opened(book):
    """Serve the site; return how its addresses answer, and the folders that come later."""
    later = dict.fromkeys(make_book.LATER, open_book.BEING_BUILT)
    with serve.open_server(book.site, 8600, later=later) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_address[1]}/"
        yield lambda place: answer_of(home + place), later
        server.shutdown()


def answer_of(address):
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def build_lite(built):
    (built / "lite").mkdir()
    (built / "lite" / "built-for").write_text("this")
    (built / "lite" / "index.html").write_text("JupyterLite")


def process(code):
    return subprocess.Popen([sys.executable, "-c", f"raise SystemExit({code})"])


def test_pages_are_served_while_the_rest_is_built_and_it_arrives(book, opened, capsys):
    answer, later = opened
    (book.site / "lite").mkdir()  # an earlier build is not shown with the Python of this one
    (book.site / "lite" / "index.html").write_text("earlier")
    assert answer("index.html") == (200, "the book")
    status, text = answer("lite/index.html?path=01-why.ipynb")
    assert (status, open_book.BEING_BUILT in text) == (503, True)
    assert 'http-equiv="refresh"' in text
    build_lite(book.built)
    open_book.finish(book, process(0), later)
    assert answer("lite/index.html") == (200, "JupyterLite")
    assert "are ready" in capsys.readouterr().out


def test_what_cannot_be_built_is_told_and_the_pages_stay(book, opened, capsys):
    answer, later = opened
    open_book.finish(book, process(3), later)
    assert open_book.FAILED in answer("lite/index.html")[1]
    assert answer("index.html") == (200, "the book")
    assert "could not be built, see above" in capsys.readouterr().out


BOOK = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a test in the background lacks
from bookwork.book.book import Book
from bookwork.build import make_book
from bookwork.commands import open_book
make_book.make = lambda book, pages_only: print("pages only:", pages_only, flush=True)
open_book.main(["--port=8600"])
"""
CONFIG = "sphinx: {config: {bookwork_parallel_steps: [slow_step]}}"
STEP = """
import sys, time
print("step", flush=True)
time.sleep(20)
sys.exit("nobody ended it")
"""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_command_opens_first_and_ends_all_that_it_started(book, tmp_path, end):
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "slow_step.py").write_text(STEP)
    options = {"stdout": subprocess.PIPE, "text": True, "stderr": subprocess.PIPE}
    options |= {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": os.getcwd()}}
    with subprocess.Popen([sys.executable, "-c", BOOK], **options) as command:
        assert command.stdout.readline() == "pages only: True\n"
        told = next(line for line in command.stdout if "http://" in line)
        address = told.split()[4].replace("localhost", "127.0.0.1")
        assert command.stdout.readline() == f"{open_book.REST} are built while you read\n"
        assert command.stdout.readline().startswith("step")
        assert answer_of(f"{address}/index.html") == (200, "the book")
        command.send_signal(end)
        assert command.stderr.read() == ""  # which ends when the step has ended, too


def test_pages_with_faults_are_not_served(book, monkeypatch):
    monkeypatch.setattr(make_book, "make", lambda book, pages_only: 1)
    monkeypatch.setattr(serve, "open_server", None)
    assert open_book.open_book(book, 8600) == 1
