"""What `make dist` builds: wheel and source archive, with all that the library needs."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from checks import run_python

import attention_lib
import bookwork
from bookwork.build.build_python import library_files, light_files
from bookwork.live.figure import Drawing
from tools import make_dist

ROOT = Path(__file__).parents[1]
VERSION = attention_lib.__version__
WHEEL = f"attention_lib-{VERSION}-py3-none-any.whl"
SDIST = f"attention_lib-{VERSION}.tar.gz"
LIGHT = f"bookwork-{bookwork.__version__}-py3-none-any.whl"
INFO = f"attention_lib-{VERSION}.dist-info/"
USE = """
import attention_lib, attention_lib.datasets as datasets
from bookwork.live.figure import Drawing
print(attention_lib.__file__)
print(datasets.load_minilm_layer().sentences[0].tokens[0], len(str(Drawing._esm)))
from attention_exercises.__main__ import main
main(["report", "ada.json"])
"""
OUTLINE = "attention_exercises/outline.json"  # of the chapters, which are not in the wheel
pytestmark = pytest.mark.xdist_group("dist")  # one worker builds both for all these tests


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """Build both into a folder that holds an earlier wheel, and a file of someone else."""
    folder = tmp_path_factory.mktemp("dist")
    for name in ("attention_lib-0.0.1-py3-none-any.whl", "mine.txt"):
        (folder / name).touch()
    make_dist.build_library(folder)
    return folder


def package():
    return {path.relative_to(ROOT).as_posix() for path in library_files(ROOT)}


def read_wheel(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_an_earlier_build_is_replaced_and_nothing_else(dist):
    assert {path.name for path in dist.iterdir()} == {WHEEL, SDIST, "mine.txt"}


def test_the_wheel_holds_the_package_and_its_description_and_nothing_else(dist):
    names = set(read_wheel(dist / WHEEL))
    assert {name for name in names if not name.startswith(INFO)} == package() | {OUTLINE}
    assert "attention_lib/py.typed" in names
    assert any(name.endswith(".npz") for name in names)
    assert {f"{INFO}licenses/LICENSE", f"{INFO}licenses/THIRD_PARTY.md"} <= names
    assert f"{INFO}licenses/attention_lib/data/LICENSE-Apache-2.0.txt" in names


def test_the_source_archive_holds_no_tests_no_chapters_and_no_tools(dist):
    with tarfile.open(dist / SDIST) as archive:
        names = {member.name for member in archive if member.isfile()}
    inside = {name.partition("/")[2] for name in names}
    made = {name for name in inside if ".egg-info/" in name} | {"PKG-INFO", "setup.cfg"}
    assert inside - made == package() | {OUTLINE} | set(make_dist.SOURCES)


@pytest.fixture(scope="module")
def offered():
    """Return the wheels that the site offers."""
    wheels = (ROOT / "_build" / "html" / "notebooks").glob("*.whl")
    found = {path.name: path.read_bytes() for path in sorted(wheels)}
    return found or pytest.fail("the book is not built: run make book first")


def test_the_wheel_that_the_site_offers_is_this_one_and_always_the_same(dist, offered):
    assert list(offered) == [WHEEL, LIGHT]
    assert offered[WHEEL] == (dist / WHEEL).read_bytes()


def test_no_file_is_in_both_wheels_and_the_second_is_the_light_part_of_bookwork(offered):
    first, second = (set(read_wheel(io.BytesIO(data))) for data in offered.values())
    assert not first & second
    light = {path.relative_to(ROOT).as_posix() for path in light_files()}
    assert {name for name in second if ".dist-info/" not in name} == light
    assert not any(name.endswith("entry_points.txt") for name in second)


def test_the_installed_wheels_find_their_data_and_scripts(offered, tmp_path):
    for name, data in offered.items():
        (tmp_path / name).write_bytes(data)
    shutil.copy(ROOT / "examples" / "class" / "ada.json", tmp_path)
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*install, "--target", tmp_path / "site", *tmp_path.glob("*.whl")], check=True)
    options = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(tmp_path / "site")}}
    file, found, *report = run_python("-c", USE, **options).stdout.splitlines()
    assert Path(file).is_relative_to(tmp_path)
    assert " 1  ex-fit                Cut or fill" in "\n".join(report)
    assert found == f"[CLS] {len(str(Drawing._esm))}"


NEEDS = """
import attention_lib_backend as backend
name = backend.prepare_metadata_for_build_wheel("made")
print(*[line for line in open(f"made/{name}/METADATA", encoding="utf-8") if "bookwork" in line])
"""


@pytest.mark.parametrize("is_clone", [True, False])
def test_a_clone_brings_bookwork_and_others_name_it(tmp_path, is_clone):
    clone = tmp_path / "a clone"
    make_dist.copy_sources(clone)
    (clone / "made").mkdir()
    if is_clone:
        (clone / "bookwork").mkdir()
    environment = os.environ | {"PYTHONPATH": str(clone / "tools" / "packaging")}
    needs = run_python("-c", NEEDS, cwd=clone, env=environment).stdout
    here = f"bookwork @ {(clone / 'bookwork').as_uri()}" if is_clone else "bookwork<0.2,>=0.1"
    assert f"Requires-Dist: {here}\n" in needs


def test_a_step_that_fails_is_shown_and_named():
    with pytest.raises(
        SystemExit, match=r"(?s)ERROR.*This step failed, see above: build no such luck"
    ):
        make_dist.run("build", "no such luck")
