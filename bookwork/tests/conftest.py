"""The fixture book, built once for all workers, and which tests go first.

`site` is the folder of the built book.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # read once, when NumPy is imported

import pytest
from bookwork.site import build_web
from places import BOOK, BOOKWORK, BUILT, CACHE, PROJECT, SOURCES, WEB

pytest.register_assert_rewrite("checks")

# What takes longest begins first, so that no worker is left with it while the others have nothing.
LONGEST = ["lab/", "browser/", "build/"]
ALONE = {"browser", "lab"}  # folders of long tests: each goes to the next free worker


@pytest.hookimpl(tryfirst=True)  # before xdist looks which tests belong together
def pytest_collection_modifyitems(items):
    """Sort tests; those of a file share a worker, which makes what they need once."""
    items.sort(key=lambda item: [f"tests/{place}" not in item.nodeid for place in LONGEST])
    for item in items:
        if item.path.parent.name not in ALONE and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))


@pytest.fixture(scope="session", autouse=True)
def bundle():
    """Bundle what pages load first: who has to says so, and two would disturb each other."""
    with locked():
        build_web.main()


@pytest.fixture(scope="session")
def site():
    """Return the folder of the built book; it is built again if it, or bookwork, has changed."""
    with locked():
        state, told = digest(), BUILT / "built-for"
        if not told.is_file() or told.read_text() != state:
            put_in_place()
            build(BUILT)
            told.write_text(state)
    return BUILT / "_build" / "html"


@contextlib.contextmanager
def locked():
    """Let one worker at a time build."""
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT.parent / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def digest():
    """Return a digest of all that the built book is made of."""
    ignored = {"node_modules", "__pycache__", "static", "_build", ".cache", "docs", "tests"}
    found = hashlib.sha256()
    for folder in (SOURCES, WEB, BOOK):  # in this order, or workers would build again
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not ignored & set(path.relative_to(folder).parts):
                found.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def put_in_place():
    """Copy the book; what Python in its pages is made of is fetched once for all books here."""
    shutil.rmtree(BUILT)
    ignored = shutil.ignore_patterns("_build", ".cache", "__pycache__")
    shutil.copytree(BOOK, BUILT, ignore=ignored)
    CACHE.mkdir(parents=True, exist_ok=True)
    (BUILT / ".cache").mkdir()
    (BUILT / ".cache" / "python").symlink_to(CACHE)


def build(folder):
    """Build a book; say why, if that fails."""
    env = os.environ | {"PYTHONPATH": str(BOOKWORK)}
    command = [sys.executable, "-m", "bookwork", "build"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(f"the book of the tests cannot be built:\n{done.stdout}{done.stderr}")


@pytest.fixture(scope="session")
def bookwork_wheel(tmp_path_factory):
    """Return the wheel of bookwork as it is released, built once for the tests of its group."""
    from checks import run  # noqa: PLC0415 after its assertions are rewritten

    folder = tmp_path_factory.mktemp("dist")
    run("make", "dist", f"DIST={folder}", f"PYTHON={sys.executable}", cwd=PROJECT)
    (wheel,) = folder.glob("bookwork-*.whl")
    return wheel
