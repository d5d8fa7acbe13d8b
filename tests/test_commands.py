"""The two commands: what they say when something is missing, and that they serve the book."""

import ast
import contextlib
import http.client
import os
import signal
import socket
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from checks import load

from bookwork.commands import serve

TOOLS = Path(__file__).resolve().parents[1] / "tools"
LOCK = """numpy==1 \\
    --hash=sha256:a
uv==3 \\
    --hash=sha256:b
    # via two
zipp==1 \\
    --hash=sha256:c
"""


set_up = load(TOOLS / "set_up.py")


@pytest.fixture
def book(tmp_path):
    (tmp_path / "index.html").write_text("the book")
    (tmp_path / "engine.wasm").write_bytes(b"")
    return tmp_path


@pytest.fixture
def taken_port():
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_an_old_python_is_told_its_version_and_what_to_do():
    with pytest.raises(SystemExit, match=r"needs Python 3.11 or newer, but /old is Python 3.10"):
        set_up.check_python((3, 10, 2), "/old")
    set_up.check_python((3, 11, 0), "/new")


def test_a_python_too_old_for_the_book_can_still_read_the_set_up_script():
    tree = ast.parse((TOOLS / "set_up.py").read_text(), feature_version=(3, 5))
    too_new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match)
    assert not [node for node in ast.walk(tree) if isinstance(node, too_new)]


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_missing_venv_module_gets_a_sentence(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit, match=r"venv module is missing.*apt install python3-venv"):
        set_up.check_venv()


@pytest.fixture
def clone(monkeypatch, tmp_path):
    """Let the set-up script work in a folder of its own, and note what it would run."""
    folder, ran = tmp_path / "clone", []
    packages = folder / ".venv" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (folder / "requirements.lock").write_text(LOCK)
    monkeypatch.setattr(set_up, "ROOT", str(folder))
    monkeypatch.setattr(set_up, "VENV", str(folder / ".venv"))
    monkeypatch.setattr(set_up, "index_of", lambda pip: [])
    monkeypatch.setattr(set_up, "run", lambda command: ran.append(" ".join(command)))
    monkeypatch.setattr(set_up, "quietly", lambda command: ran.append(" ".join(command)) or True)
    return SimpleNamespace(folder=folder, packages=packages, ran=ran)


def test_an_environment_is_made_once_and_brought_up_to_date_when_the_pins_change(clone):
    set_up.main()
    assert ["venv --clear" in command for command in clone.ran].count(True) == 1
    assert any("uv pip install" in command for command in clone.ran)
    clone.ran.clear()
    set_up.main()
    assert clone.ran == []
    (clone.folder / "requirements.lock").write_text(LOCK.replace("numpy==1", "numpy==2"))
    set_up.main()
    assert clone.ran
    assert not any("venv --clear" in command for command in clone.ran)


def test_another_python_makes_another_environment(clone, monkeypatch):
    set_up.main()
    clone.ran.clear()
    monkeypatch.setattr(sys, "version", "3.14.0 (another one)")
    set_up.main()
    assert any("venv --clear" in command for command in clone.ran)


def test_where_uv_does_not_work_pip_installs(clone, monkeypatch, capsys):
    monkeypatch.setattr(set_up, "quietly", lambda command: False)
    set_up.main()
    wanted = "install --quiet --require-hashes --requirement requirements.lock"
    assert clone.ran[-1].endswith(wanted)


def test_uv_itself_is_installed_by_its_digest_and_nothing_is_without(clone):
    set_up.main()
    first, second = (command for command in clone.ran if " install " in command)
    assert first.endswith(f"--require-hashes --requirement {set_up.VENV}/uv.lock")
    assert "uv pip install --quiet --require-hashes --requirement requirements.lock" in second
    text = (clone.folder / ".venv" / "uv.lock").read_text()
    assert text == "uv==3 \\\n    --hash=sha256:b\n    # via two\n"


def test_uv_asks_the_index_that_pip_is_set_up_to_ask(monkeypatch):
    pip = [sys.executable, "-m", "pip"]
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    assert set_up.index_of(pip) == ["--default-index", "https://mirror.example/simple"]
    monkeypatch.delenv("PIP_INDEX_URL")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert set_up.index_of(pip) == []


def test_the_library_is_found_by_a_path_that_survives_a_move(clone):
    set_up.main()
    assert (clone.packages / "book.pth").read_text() == "../../../..\n"


def test_a_failed_step_names_its_command():
    with pytest.raises(SystemExit, match=r"This step failed, see above: .*raise SystemExit"):
        set_up.run([sys.executable, "-c", "raise SystemExit(3)"])


@contextlib.contextmanager
def serving(folder, stamp=None):
    """Serve a folder; yield its address."""
    with serve.open_server(folder, 8600, stamp) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_a_taken_port_leads_to_the_next_free_one_and_its_address_is_told(book, taken_port, capsys):
    with serve.open_server(book, taken_port) as server:
        port = server.server_address[1]
    assert port > taken_port
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"Port {taken_port} is in use, so the book is on port {port}."
    assert second.startswith(f"The book is at http://localhost:{port} ")


def test_a_book_is_served_until_ctrl_c_and_not_at_all_after_a_fault(book, monkeypatch):
    server = SimpleNamespace(serve_forever=lambda: signal.raise_signal(signal.SIGINT))
    ports = []
    monkeypatch.setattr(serve, "open_server", lambda site, port: ports.append(port) or server)
    for failed, asked in [(1, []), (0, [8765])]:
        monkeypatch.setattr(serve.make_book, "make", lambda book, failed=failed: failed)
        assert serve.main(["--port=8765"]) == failed
        assert ports == asked


def test_no_free_port_at_all_gets_a_sentence(book, taken_port, monkeypatch):
    monkeypatch.setattr(serve, "ATTEMPTS", 1)
    with pytest.raises(SystemExit, match=f"No port from {taken_port} to {taken_port} is free"):
        serve.open_server(book, taken_port)


def test_the_server_keeps_a_connection_lists_no_folder_and_answers_what_is_no_path(book, capfd):
    (book / "folder").mkdir()
    answers = {}
    with serving(book) as address:
        connection = http.client.HTTPConnection(address.split("/")[2])
        connection.connect()
        first = connection.sock
        for path in ("/index.html", "/engine.wasm"):
            connection.request("GET", path)
            answer = connection.getresponse()
            answers[path] = (answer.status, answer.headers["Content-Type"], answer.read())
            assert connection.sock is first
        for path in ("/folder/", "/%00", "/index.html%00.js"):
            connection.request("GET", path)
            answers[path] = connection.getresponse().status
            connection.close()
    assert answers == {
        "/index.html": (200, "text/html", b"the book"),
        "/engine.wasm": (200, "application/wasm", b""),  # browsers insist on it
        "/folder/": 404,
        "/%00": 404,
        "/index.html%00.js": 404,
    }
    assert "Traceback" not in capfd.readouterr().err


def test_a_class_that_comes_at_once_is_not_turned_away(book):
    with serve.open_server(book, 8000) as server:  # nobody is answered yet
        visitors = [socket.create_connection(server.server_address, timeout=2) for _ in range(60)]
        assert len(visitors) == 60
        for visitor in visitors:
            visitor.close()


def test_while_there_is_no_page_yet_the_browser_is_told_where_to_look(tmp_path):
    (tmp_path / "shown").touch()
    with serving(tmp_path / "html", tmp_path / "shown") as address:
        with pytest.raises(urllib.error.HTTPError) as answer:
            urllib.request.urlopen(address)
        text = answer.value.read().decode()
    assert "There is no page yet: the terminal says why." in text
    assert 'http-equiv="refresh"' in text
