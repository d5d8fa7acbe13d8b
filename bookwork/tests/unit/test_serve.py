"""The server of a built book."""

import contextlib
import http.client
import socket
import threading
import urllib.request

import pytest
from bookwork.book.book import Book
from bookwork.site import serve


@pytest.fixture
def book(tmp_path):
    (tmp_path / "index.html").write_text("<body>the book</body>")
    (tmp_path / "engine.wasm").write_bytes(b"")
    return tmp_path


@contextlib.contextmanager
def serving(folder, port=0):
    """Serve a folder; yield the server."""
    with serve.open_server(folder, port) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def ask(server, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}{path}") as answer:
        return answer.read().decode()


def test_a_taken_port_leads_to_another_and_its_address_is_told(book, capsys):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        with serve.open_server(book, taken) as server:
            port = server.server_port
    assert port != taken
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"Port {taken} cannot be had, so the book is at another."
    assert second.startswith(f"The book is at http://localhost:{port} ")


def test_the_server_keeps_a_connection_and_says_what_files_are(book, capfd):
    with serving(book) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
        connection.connect()
        first = connection.sock
        kinds = {"/": "text/html; charset=utf-8", "/engine.wasm": "application/wasm"}
        for path, kind in kinds.items():
            connection.request("GET", path)
            answer = connection.getresponse()
            assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
            assert answer.headers["Cache-Control"] == "no-store"
            answer.read()
            assert connection.sock is first
        connection.close()
        with pytest.raises(http.client.RemoteDisconnected):
            ask(server, "/%00")
    assert "Traceback" not in capfd.readouterr().err


def test_a_page_that_asks_late_hears_of_a_build_that_came_before(book):
    with serving(book) as server:
        script = ask(server, "/").partition('src="')[2].partition('"')[0]
        server.built += 1
        assert 'fetch("/built")' in ask(server, script)
        assert ask(server, "/built") != script.partition("?")[2]


@pytest.mark.parametrize(
    ("saved", "builds"),
    [("tests/a.md", 2), ("shop/goods.py", 2), ("_build/html/a.md", 1), (".venv/a.py", 1)],
)
def test_what_is_saved_is_built_again(tmp_path, monkeypatch, saved, builds):
    built, pauses = [], []

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt
        (tmp_path / saved).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / saved).write_text("new")

    monkeypatch.setattr(serve, "build", lambda: built.append("now") or True)
    monkeypatch.setattr(serve.time, "sleep", pause)
    monkeypatch.setattr(serve.signal, "signal", lambda *_: None)
    monkeypatch.setattr(serve, "look", lambda root, look=serve.look: [*look(root)])
    with serve.open_server(tmp_path, 0) as server:
        monkeypatch.setattr(serve, "open_server", lambda *_: server)
        with pytest.raises(KeyboardInterrupt):
            serve.serve(Book(tmp_path), 0)
    assert len(built) == server.built == builds  # of which open pages hear
