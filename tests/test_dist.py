"""The wheels of both projects: what is in them, and that they work once they are installed."""

import io
import zipfile
from pathlib import Path

import pytest
from bookwork.site.packages import library_files

import attention_lib
import bookwork
from tools import wheels

ROOT = Path(__file__).parents[1]
WHEEL = f"attention_lib-{attention_lib.__version__}-py3-none-any.whl"
WORKSHOP = f"bookwork-{bookwork.__version__}-py3-none-any.whl"
INFO = f"attention_lib-{attention_lib.__version__}.dist-info/"
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
