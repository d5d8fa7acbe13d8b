"""The page's Python: only files that were verified go in, and compiling them changes no result."""

import gzip
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from checks import run

from bookwork.build import build_python, wheels
from bookwork.page.python.snapshot import make_snapshot

ROOT = Path(__file__).parent.parent
WHEEL = b"the true wheel"


def entry(name, data=WHEEL):
    return {
        "name": name,
        "version": "1.0",
        "file_name": f"{name}-1.0-py3-none-any.whl",
        "sha256": hashlib.sha256(data).hexdigest(),
        "depends": [],
        "imports": [name],
    }


PACKAGES = {"one": entry("one"), "two": entry("two")}
FILES = [package["file_name"] for package in PACKAGES.values()]


def no_answer(*_):
    raise OSError("no route to host")


def carrier(content):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in content.items():
            archive.writestr(wheels.FOLDER_IN_CARRIER + name, data)
    return lambda requirement: {"carrier.whl": made.getvalue()}


def no_pip(*requirements):
    raise wheels.BuildError(f"pip could not fetch {requirements}")


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Let no test reach the network."""
    monkeypatch.setattr(wheels, "download", no_answer)
    monkeypatch.setattr(wheels, "from_pip", no_pip)


# fetching


def test_wheels_come_from_pyodides_host_and_are_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(wheels, "download", lambda address: WHEEL)
    assert wheels.fetch_all(PACKAGES, tmp_path) == {"one": WHEEL, "two": WHEEL}
    monkeypatch.setattr(wheels, "download", no_answer)
    assert wheels.fetch_all(PACKAGES, tmp_path) == {"one": WHEEL, "two": WHEEL}
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES


def test_without_that_host_they_come_out_of_the_carrier(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(wheels, "from_pip", carrier(dict.fromkeys(FILES, WHEEL)))
    assert wheels.fetch_all(PACKAGES, tmp_path) == {"one": WHEEL, "two": WHEEL}
    assert "server did not respond (no route to host)" in capsys.readouterr().out


def test_what_pyodide_does_not_ship_is_fetched_at_once(monkeypatch, tmp_path):
    asked = []

    def pip(*requirements):
        asked.append(requirements)
        return dict.fromkeys(FILES, WHEEL)

    monkeypatch.setattr(wheels, "EXTRA", PACKAGES)
    monkeypatch.setattr(wheels, "from_pip", pip)
    assert wheels.fetch_all(PACKAGES, tmp_path) == {"one": WHEEL, "two": WHEEL}
    assert asked == [("one==1.0", "two==1.0")]


@pytest.mark.parametrize("source", ["host", "carrier", "PyPI"])
def test_a_tampered_wheel_stops_the_build_is_named_and_not_kept(monkeypatch, tmp_path, source):
    found = {FILES[0]: WHEEL, FILES[1]: b"evil"}
    if source == "host":
        monkeypatch.setattr(wheels, "download", lambda url: found[url.rpartition("/")[2]])
    elif source == "carrier":
        monkeypatch.setattr(wheels, "from_pip", carrier(found))
    else:
        monkeypatch.setattr(wheels, "EXTRA", PACKAGES)
        monkeypatch.setattr(wheels, "from_pip", lambda *requirements: found)
    with pytest.raises(wheels.BuildError, match=r"two-1\.0-py3-\S+ has the SHA-256"):
        wheels.fetch_all(PACKAGES, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [FILES[0]]


def test_a_wheel_tampered_with_in_the_cache_stops_the_build_and_is_named(tmp_path):
    for name in FILES:
        (tmp_path / name).write_bytes(WHEEL)
    (tmp_path / FILES[0]).write_bytes(WHEEL + b"!")
    with pytest.raises(wheels.BuildError, match=r"one-1\.0.*remove it and build again"):
        wheels.fetch_all(PACKAGES, tmp_path)


@pytest.mark.parametrize(
    "pip", [no_pip, carrier({}), lambda requirement: {"carrier.whl": b"no zip"}]
)
def test_when_neither_source_answers_the_sentence_says_what_to_do(monkeypatch, tmp_path, pip):
    monkeypatch.setattr(wheels, "from_pip", pip)
    wanted = r"neither https://\S+ nor PyPI's open-webui==\S+ gave .*PAGE_PYTHON=0 make book"
    with pytest.raises(wheels.BuildError, match=wanted):
        wheels.fetch_all(PACKAGES, tmp_path)


def test_a_build_that_fails_ends_in_a_sentence_and_leaves_no_stamp(monkeypatch, tmp_path):
    monkeypatch.setattr(build_python, "CORE", tmp_path / "nowhere")
    wanted = "Python for the page could not be built: npm's package .*run make book first"
    with pytest.raises(SystemExit, match=wanted):
        build_python.build_python(tmp_path)
    assert not build_python.out_of(tmp_path).exists()


def test_it_can_be_left_out(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PAGE_PYTHON", "0")
    build_python.out_of(tmp_path).mkdir(parents=True)
    build_python.build_python(tmp_path)
    assert not build_python.out_of(tmp_path).exists()
    assert "Leaving Python out of the page" in capsys.readouterr().out


def test_nothing_is_done_twice_and_two_books_have_a_python_each(monkeypatch, tmp_path):
    builds = []
    monkeypatch.setattr(build_python, "build", lambda root, out, _: builds.append(out))
    for name in ("one", "two", "one"):
        (tmp_path / name).mkdir(exist_ok=True)
        build_python.build_python(tmp_path / name)
    assert builds == [build_python.out_of(tmp_path / name) for name in ("one", "two")]


# choosing


def test_versions_in_the_page_are_those_of_the_environment():
    locked = json.loads((build_python.CORE / "pyodide-lock.json").read_text())["packages"]
    pinned = dict(
        re.findall(r"^([\w-]+)==(\S+)", (ROOT / "binder" / "requirements.txt").read_text(), re.M)
    )
    packages = wheels.wanted_packages(locked)
    assert {name for p in packages.values() for name in p["depends"]} <= set(packages)
    shared = set(packages) & set(pinned)
    assert shared == {"numpy", "matplotlib", "ipywidgets", "anywidget"}
    assert {n: packages[n]["version"] for n in shared} == {n: pinned[n] for n in shared}


def places_of(version, root=ROOT):
    """Return the files of the repository that state a version."""
    command = ["git", "grep", "--files-with-matches", "--fixed-strings", "--untracked", version]
    return set(run(*command, cwd=root).stdout.split())


def test_one_place_says_which_pyodide_it_is_and_the_installed_one_is_that():
    assert places_of(wheels.pyodide_version()) == {
        "bookwork/page/package.json",
        "bookwork/page/package-lock.json",
    }
    installed = json.loads((build_python.CORE / "package.json").read_text())
    assert installed["version"] == wheels.pyodide_version()


def test_the_python_of_the_page_is_named_by_pyodide_alone_and_tested_by_ci():
    version = wheels.python_version()
    source = "".join(Path(each.__file__).read_text() for each in (build_python, wheels))
    assert version not in source
    assert f"python{version.replace('.', '')}" not in source
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert f'"{version}"]' in workflow


def test_an_import_loads_what_the_library_needs_for_it_and_no_more():
    locked = json.loads((build_python.CORE / "pyodide-lock.json").read_text())["packages"]
    packages = wheels.wanted_packages(locked)
    own = build_python.own_packages(ROOT)
    packages |= {name: build_python.wheel_of(each, [])[0] for name, each in own.items()}
    needed = build_python.packages_by_import(packages, own.values())
    assert needed["attention_lib"] == ["numpy", "attention-lib"]
    assert needed["attention_lib.models"] == ["numpy", "attention-lib"]
    assert "matplotlib" in needed["attention_lib.figures"]
    assert not {"ipywidgets", "bookwork"} & set(needed["attention_lib.figures"])
    assert needed["attention_exercises"] == ["numpy", "attention-lib", "bookwork"]
    assert {"ipywidgets", "comm", "anywidget", "psygnal"} <= set(needed["bookwork.live"])
    assert "matplotlib" not in needed["bookwork.live"]


def test_what_a_package_imports_from_itself_in_the_usual_way_counts(tmp_path):
    texts = {
        "shop/__init__.py": "from .goods import *",
        "shop/goods.py": "from . import prices",
        "shop/prices.py": "import pandas",
        "shop/sizes.py": "from .goods.bread import size",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    known = {each: {"imports": [each], "depends": []} for each in ("pandas", "shop")}
    own = SimpleNamespace(base=tmp_path, files=[tmp_path / name for name in texts])
    needed = build_python.packages_by_import(known, [own])
    assert {name for name in needed if needed[name] == ["pandas", "shop"]} == {
        *("shop", "shop.goods", "shop.prices", "shop.sizes")
    }


def test_pruning_drops_what_no_reader_needs_and_is_reproducible():
    files = {"numpy/core.py": "1", "numpy/tests/test_core.py": "2", "numpy/core.pyi": "3"}
    archive = wheels.zipped(files)
    pruned = wheels.pruned("numpy", archive)
    assert pruned == {"numpy/core.py": b"1"}
    assert wheels.zipped(pruned) == wheels.zipped({"numpy/core.py": "1"})


def test_large_data_stay_out_of_the_wheel():
    own = build_python.own_packages(ROOT)["attention-lib"]
    _, wheel = build_python.wheel_of(own, build_python.lazy_files(ROOT))
    names = zipfile.ZipFile(io.BytesIO(wheel)).namelist()
    assert "attention_lib/data/lawsch85_gpa_salary.csv" in names
    assert "attention_lib/data/minilm_attention.npz" not in names
    assert "attention_lib/data/writer_shakespeare.npz" not in names
    assert "attention_lib/data/writer_shakespeare.json" in names
    assert "attention_lib/data/minilm_whole_int8.npz" not in names
    assert len(wheel) < 700_000


def test_readers_get_the_light_part_of_bookwork_and_what_the_book_has_of_it():
    own = build_python.own_packages(ROOT)["bookwork"]
    files = wheels.pruned("bookwork", build_python.wheel_of(own, [])[1])
    names = set(files)
    assert {"bookwork/live/static/figure.js", "bookwork/exercises/checkers.py"} <= names
    inside = {name.split("/")[1] for name in names if name.startswith("bookwork/")}
    assert inside == {"__init__.py", "py.typed", "trace.py", "live", "exercises"}
    assert not {n for n in names if re.search(r"/js/|exercises/(report|class_tables|outline)", n)}
    assert len(wheels.zipped(files)) < 200_000


def test_the_licences_that_pruning_drops_are_kept_apart():
    wheel = wheels.zipped({"one-1.0.dist-info/licenses/LICENSE.txt": "do as you like"})
    assert wheels.pruned("one", wheel) == {}
    text = wheels.licences({"one": entry("one")}, {"one": wheel})
    assert "one 1.0\n\ndo as you like" in text


# compiling


def test_each_archive_is_compiled_once_and_all_of_them_by_one_start(monkeypatch, tmp_path):
    runs = []

    def compiler(work, sources):
        runs.append(sorted(work))
        for data, target in work.values():
            target.write_bytes(b"compiled " + data)

    monkeypatch.setattr(build_python, "run_compiler", compiler)
    assert build_python.compile_all({"a": b"1", "a-b": b"2"}, tmp_path)["a"] == b"compiled 1"
    build_python.compile_all({"a": b"3"}, tmp_path)
    assert build_python.compile_all({"a": b"3", "a-b": b"2"}, tmp_path)["a"] == b"compiled 3"
    assert runs == [["a", "a-b"], ["a"]]
    assert len(list((tmp_path / "compiled").iterdir())) == 2


def test_what_is_compiled_is_compressed_once_it_is_there(tmp_path):
    wheel = wheels.zipped({"one/core.py": "x = 1\n" * 999, "one/data.txt": "1" * 9999})
    target = tmp_path / "one.zip"
    build_python.run_compiler({"one": (wheel, target)})
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


def test_a_snapshot_names_no_folder_of_the_computer_that_took_it():
    (snapshot,) = build_python.out_of(ROOT).glob("snapshot-*.bin")
    memory = gzip.decompress(snapshot.read_bytes())
    assert "def reserve".encode("utf-16-le") in memory
    assert not [code for code in ("utf-8", "utf-16-le") if str(ROOT).encode(code) in memory]
