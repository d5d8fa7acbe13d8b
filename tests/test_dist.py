"""The wheels of both projects: what is in them, and that they work once they are installed."""

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from bookwork.site.packages import library_files
from checks import run_python

import attention_lib
import bookwork
from tools import wheels

ROOT = Path(__file__).parents[1]
WHEEL = f"attention_lib-{attention_lib.__version__}-py3-none-any.whl"
WORKSHOP = f"bookwork-{bookwork.__version__}-py3-none-any.whl"
INFO = f"attention_lib-{attention_lib.__version__}.dist-info/"
USE = """
import attention_lib, attention_lib.models
from bookwork.live.figure import Drawing
print(attention_lib.__file__)
print(attention_lib.models.load_minilm_layer().sentences[0].tokens[0])
print("function makeChart" in str(Drawing._esm))
import attention_exercises
"""
pytestmark = pytest.mark.xdist_group("dist")  # one worker builds both for all these tests


@pytest.fixture(scope="module")
def built():
    return wheels.build_wheels()


def names_in(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_package_and_its_description_and_nothing_else(built):
    names = names_in(built[WHEEL])
    package = {path.relative_to(ROOT).as_posix() for path in library_files(ROOT)}
    assert {name for name in names if not name.startswith(INFO)} == package
    assert "attention_lib/py.typed" in names
    assert any(name.endswith(".npz") for name in names)
    assert {f"{INFO}licenses/LICENSE", f"{INFO}licenses/THIRD_PARTY.md"} <= names
    assert f"{INFO}licenses/attention_lib/data/LICENSE-Apache-2.0.txt" in names


def test_the_site_offers_these_and_they_are_always_the_same(built):
    offered = (ROOT / "_build" / "html" / "notebooks").glob("*.whl")
    found = {path.name: path.read_bytes() for path in sorted(offered)}
    assert (found or pytest.fail("the book is not built: run make book first")) == built


def test_the_installed_wheels_find_their_data_and_scripts(built, tmp_path):
    for name, data in built.items():
        (tmp_path / name).write_bytes(data)
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*install, "--target", tmp_path / "site", *tmp_path.glob("*.whl")], check=True)
    options = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(tmp_path / "site")}}
    file, *found = run_python("-c", USE, **options).stdout.splitlines()
    assert Path(file).is_relative_to(tmp_path)
    assert found == ["[CLS]", "True"]
