"""The two commands: what they say when something is missing, and that they serve the book."""

import ast
import importlib.util
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1] / "tools"


def load_tool(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


set_up = load_tool("set_up")
serve = load_tool("serve")


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


def test_the_environment_is_made_again_only_when_its_inputs_change(monkeypatch, tmp_path):
    monkeypatch.setattr(set_up, "ROOT", str(tmp_path))
    for name in set_up.INPUTS:
        (tmp_path / name).write_text("numpy==1")
    before = set_up.fingerprint()
    assert set_up.fingerprint() == before
    (tmp_path / "requirements.txt").write_text("numpy==2")
    assert set_up.fingerprint() != before


def test_a_failed_step_names_its_command():
    with pytest.raises(SystemExit, match=r"This step failed, see above: .*raise SystemExit"):
        set_up.run([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_taken_port_leads_to_the_next_free_one(book, taken_port):
    with serve.open_server(book, taken_port) as server:
        assert server.server_address[1] > taken_port


def test_no_free_port_at_all_gets_a_sentence(book, taken_port, monkeypatch):
    monkeypatch.setattr(serve, "ATTEMPTS", 1)
    with pytest.raises(SystemExit, match=f"No port from {taken_port} to {taken_port} is free"):
        serve.open_server(book, taken_port)


def test_serving_before_building_says_what_to_run(tmp_path):
    with pytest.raises(SystemExit, match="holds no book yet: run make book first"):
        serve.main([str(tmp_path)])


def test_webassembly_is_served_with_the_type_that_browsers_insist_on(book):
    with serve.open_server(book, 8000) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/engine.wasm"
        with urllib.request.urlopen(address) as answer:
            assert answer.headers["Content-Type"] == "application/wasm"
        server.shutdown()


def test_the_command_prints_the_address_at_which_the_book_answers(book, taken_port):
    command = [sys.executable, TOOLS / "serve.py", book, "--port", str(taken_port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert f"Port {taken_port} is taken" in process.stdout.readline()
        address = process.stdout.readline().split()[4]
        with urllib.request.urlopen(address.replace("localhost", "127.0.0.1")) as answer:
            assert answer.read() == b"the book"
        process.terminate()
