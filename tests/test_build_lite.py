"""JupyterLite for the site: built only when needed, from files that are verified, for one host."""

import json
import re

import pytest

from bookwork.build.wheels import BuildError
from tools import build_lite


def test_a_wheel_with_another_digest_stops_the_build(tmp_path, monkeypatch):
    monkeypatch.setattr(build_lite, "CACHE", tmp_path)
    (tmp_path / "x-1-py3-none-any.whl").write_bytes(b"tampered with")
    (tmp_path / "wheels.txt").write_text(f"# wheels\n{'0' * 64}  x-1-py3-none-any.whl\n")
    monkeypatch.setattr(build_lite, "WHEELS", tmp_path / "wheels.txt")
    with pytest.raises(BuildError, match=r"x-1-py3-none-any\.whl has the SHA-256"):
        build_lite.fetched_wheels()


def test_a_page_gets_its_policy_first_and_one_without_a_head_is_refused(tmp_path):
    page = tmp_path / "index.html"
    page.write_text("<html><head><script>1</script></head></html>")
    build_lite.add_policy(page)
    text = page.read_text()
    assert text.index("Content-Security-Policy") < text.index("<script>")
    page.write_text("<html></html>")
    with pytest.raises(BuildError, match=r"index\.html of JupyterLite has no place for a policy"):
        build_lite.add_policy(page)


def test_a_folder_is_listed_alike_in_every_build(tmp_path):
    files = [{"path": name, "created": name, "last_modified": name} for name in "ba"]
    path = tmp_path / "all.json"
    path.write_text(json.dumps({"path": "", "created": "now", "content": files}))
    build_lite.settle_contents(path)
    folder = json.loads(path.read_text())
    assert [entry["path"] for entry in folder["content"]] == ["a", "b"]
    dates = {entry[key] for entry in folder["content"] for key in ("created", "last_modified")}
    assert dates | {folder["created"]} == {build_lite.DATE}


def test_the_program_finds_the_lock_of_this_build(tmp_path):
    path = tmp_path / "jupyter-lite.json"
    path.write_text(json.dumps(build_lite.configuration()))
    (tmp_path / "pyodide-lock.json").write_text("{}")
    build_lite.configure(path, ["numpy"])
    data = json.loads(path.read_text())["jupyter-config-data"]["litePluginSettings"]
    settings = data[build_lite.SETTINGS]
    assert settings["disablePyPIFallback"] is True
    assert re.fullmatch(r"\./\.\./_pyodide/core-\w{8}/pyodide\.mjs", settings["pyodideUrl"])
    assert settings["loadPyodideOptions"]["packages"] == ["numpy"]
    assert re.fullmatch(
        r"\./pyodide-lock\.json\?\w{16}", settings["loadPyodideOptions"]["lockFileURL"]
    )
