"""The book opens before all of it is built: what comes later arrives, or says why it does not."""

import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest

from bookwork.build import make_book
from bookwork.commands import open_book, serve


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Let the tool work on a site whose pages are there; return its folder."""
    monkeypatch.setattr(make_book, "BUILT", tmp_path)
    monkeypatch.setattr(make_book, "SITE", tmp_path / "html")
    monkeypatch.setattr(make_book, "ROOT", tmp_path)
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("the book")
    return tmp_path / "html"


@pytest.fixture
def opened(site):
    """Serve the site; return how its addresses answer, and the folders that come later."""
    later = dict.fromkeys(make_book.LATER, open_book.BEING_BUILT)
    with serve.open_server(site, 8600, later=later) as server:
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


def build_lite(built, content="JupyterLite"):
    (built / "lite").mkdir(exist_ok=True)
    (built / "lite" / "built-for").write_text(content)
    (built / "lite" / "index.html").write_text(content)


def process(code):
    return subprocess.Popen([sys.executable, "-c", f"raise SystemExit({code})"])


def test_pages_are_served_while_the_rest_is_built_and_it_arrives(site, opened, capsys):
    answer, later = opened
    assert answer("index.html") == (200, "the book")
    status, text = answer("lite/index.html?path=01-why.ipynb")
    assert (status, open_book.BEING_BUILT in text) == (503, True)
    assert 'http-equiv="refresh"' in text
    build_lite(site.parent)
    open_book.finish(process(0), later)
    assert answer("lite/index.html") == (200, "JupyterLite")
    assert "are ready" in capsys.readouterr().out


def test_an_earlier_build_is_not_shown_with_the_python_of_this_one(site, opened):
    answer, later = opened
    (site / "lite").mkdir()
    (site / "lite" / "index.html").write_text("earlier")
    assert answer("lite/index.html")[0] == 503
    build_lite(site.parent, "new")
    open_book.finish(process(0), later)
    assert answer("lite/index.html") == (200, "new")


def test_what_cannot_be_built_is_told_and_the_pages_stay(site, opened, capsys):
    answer, later = opened
    open_book.finish(process(3), later)
    assert open_book.FAILED in answer("lite/index.html")[1]
    assert answer("index.html") == (200, "the book")
    assert "could not be built, see above" in capsys.readouterr().out


BOOK = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a test in the background lacks
from pathlib import Path
from bookwork.build import make_book
from bookwork.commands import open_book
make_book.BUILT, make_book.SITE = Path(sys.argv[1]), Path(sys.argv[1], "html")
make_book.main = lambda options: print(*options, flush=True)
open_book.settings_of = lambda root: {"bookwork_beside": ["slow_step"]}
open_book.main(["--port=8600"])
"""
STEP = """
import sys, time
print("step", flush=True)
time.sleep(20)
sys.exit("nobody ended it")
"""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_command_opens_first_and_ends_all_that_it_started(site, tmp_path, end):
    (tmp_path / "slow_step.py").write_text(STEP)
    options = {"stdout": subprocess.PIPE, "text": True, "stderr": subprocess.PIPE}
    options["env"] = os.environ | {"PYTHONPATH": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", BOOK, tmp_path], **options) as command:
        assert command.stdout.readline() == "--pages-only\n"
        told = next(line for line in command.stdout if "http://" in line)
        address = told.split()[4].replace("localhost", "127.0.0.1")
        assert command.stdout.readline() == f"{open_book.REST} are built while you read\n"
        assert command.stdout.readline().startswith("step")
        assert answer_of(f"{address}/index.html") == (200, "the book")
        command.send_signal(end)
        assert command.stderr.read() == ""  # which ends when the step has ended, too


def test_pages_with_faults_are_not_served(monkeypatch):
    monkeypatch.setattr(make_book, "main", lambda options: 1)
    monkeypatch.setattr(serve, "open_server", None)
    assert open_book.main([]) == 1
