"""The server of a built book."""

import contextlib
import http.client
import socket
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from bookwork.commands import serve


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


@contextlib.contextmanager
def serving(folder):
    """Serve a folder; yield its address."""
    with serve.open_server(folder, 8600, serve.Changes()) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_a_taken_port_leads_to_the_next_free_one_and_its_address_is_told(book, taken_port, capsys):
    with serve.open_server(book, taken_port, None) as server:
        port = server.server_address[1]
    assert port > taken_port
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"Port {taken_port} is in use, so the book is on port {port}."
    assert second.startswith(f"The book is at http://localhost:{port} ")


def test_the_port_that_the_system_chose_is_told(book, capsys):
    with serve.open_server(book, 0, None) as server:
        port = server.server_port
    assert capsys.readouterr().out.startswith(f"The book is at http://localhost:{port} ")


def test_no_free_port_at_all_gets_a_sentence(book, taken_port, monkeypatch):
    monkeypatch.setattr(serve, "ATTEMPTS", 1)
    with pytest.raises(SystemExit, match=f"No port from {taken_port} to {taken_port} is free"):
        serve.open_server(book, taken_port, None)


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
            assert answer.headers["Cache-Control"] == "no-store"
            assert connection.sock is first
        for path in ("/folder/", "/%00", "/index.html%00.js"):
            connection.request("GET", path)
            answers[path] = connection.getresponse().status
            connection.close()
    assert answers == {
        "/index.html": (200, "text/html; charset=utf-8", b"the book"),
        "/engine.wasm": (200, "application/wasm", b""),  # browsers insist on it
        "/folder/": 404,
        "/%00": 404,
        "/index.html%00.js": 404,
    }
    assert "Traceback" not in capfd.readouterr().err


def test_a_class_that_comes_at_once_is_not_turned_away(book):
    with serve.open_server(book, 8000, None) as server:  # nobody is answered yet
        visitors = [socket.create_connection(server.server_address, timeout=2) for _ in range(60)]
        assert len(visitors) == 60
        for visitor in visitors:
            visitor.close()


def test_while_there_is_no_page_yet_the_browser_is_told_where_to_look(tmp_path):
    with serving(tmp_path / "html") as address:
        with pytest.raises(urllib.error.HTTPError) as answer:
            urllib.request.urlopen(address)
        text = answer.value.read().decode()
    assert "There is no page yet: the terminal says why." in text
    assert 'http-equiv="refresh"' in text


@pytest.mark.parametrize(
    ("saved", "builds"),
    [
        ("chapters/a.md", [("--pages",)]),
        ("tests/a.ipynb", [("--pages",)]),
        ("shop/goods.py", [("--pages",), ()]),
        ("_config.yml", [("--pages",), ()]),
        ("_build/html/a.md", []),
        (".venv/a.py", []),
    ],
)
def test_what_is_saved_is_built_again_and_shown(tmp_path, monkeypatch, saved, builds):
    built, changes = [], serve.Changes()
    monkeypatch.setattr(serve, "build", lambda *options: built.append(options) or True)
    (tmp_path / saved).parent.mkdir(parents=True, exist_ok=True)
    before = serve.look(tmp_path)
    (tmp_path / saved).write_text("new")
    if changed := {path for path, _ in before.items() ^ serve.look(tmp_path).items()}:
        serve.show(changes, changed)
    assert (built, changes.count) == (builds, min(len(builds), 1))


def test_a_build_that_fails_is_not_shown(monkeypatch):
    monkeypatch.setattr(serve, "build", lambda *options: False)
    changes = serve.Changes()
    serve.show(changes, {Path("a.py")})
    assert changes.count == 0


def test_a_page_that_asks_late_hears_at_once_of_a_change_that_came_before(book):
    (book / "index.html").write_text("<body>the book</body>")
    with serve.open_server(book, 8700, serve.Changes()) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        page = urllib.request.urlopen(f"{address}/index.html").read().decode()
        script = page.partition('src="')[2].partition('"')[0]
        server.RequestHandlerClass.keywords["changes"].tell()
        asked = urllib.request.urlopen(address + script).read().decode().split("'")[1]
        assert urllib.request.urlopen(address + asked, timeout=60).read() == b""
        server.shutdown()
