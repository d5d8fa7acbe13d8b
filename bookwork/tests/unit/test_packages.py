"""The packages that cells import: found, fetched or taken from here; what cannot be had is told."""

import hashlib
import sys

import pytest
from bookwork.site import build_python, packages, wheels
from pyodide_lock.spec import PackageSpec

HERE = wheels.pyodide_lock
TOY = b"a wheel of Pyodide's"
FILE = "toy-1.0-cp314-none-wasm32.whl"


def entry(name, *depends, file=FILE):
    digest = hashlib.sha256(TOY).hexdigest()
    facts = {"version": "1.0", "install_dir": "site", "imports": [name.replace("-", "_")]}
    return PackageSpec(name=name, file_name=file, sha256=digest, depends=list(depends), **facts)


@pytest.fixture(autouse=True)
def world(monkeypatch, tmp_path):
    """Pyodide has more packages, and all that every page has is here."""
    lock = HERE()
    lock.packages |= {
        "toy": entry("toy"),
        "toys-box": entry("toys-box", "Toy", "numpy", file="box.whl"),
        "lonely": entry("lonely", "nobody_has_it"),
    }
    monkeypatch.setattr(wheels, "pyodide_lock", lambda: wheels.tidied(lock))
    monkeypatch.setattr(wheels, "base_lock", lambda cache: wheels.pyodide_lock())
    monkeypatch.setattr(wheels, "WIDGETS", ())
    monkeypatch.setattr(wheels, "download", lambda address: TOY)
    (tmp_path / "book").mkdir()


@pytest.fixture
def book(tmp_path):
    """Return a function that prepares a book whose cells import this; it returns what is told."""
    root = tmp_path / "book"
    (root / "_config.yml").write_text("title: A book")
    return lambda *names: packages.prepare(root, names)


@pytest.fixture
def root(tmp_path):
    return tmp_path / "book"


def found(root):
    return sorted(packages.result_of(root)["packages"])


def test_what_cells_import_is_fetched_with_what_it_needs_however_that_is_spelt(book, root):
    assert book("numpy", "os", "toys_box.part", "IPython.display") == []
    assert found(root) == ["toy", "toys-box"]
    assert (packages.cache_of(root) / FILE).read_bytes() == TOY
    lacks = packages.lacking(root)
    names = ("toys_box.part", "numpy.linalg", "sqlite3", "IPython.display", "bookwork.live", "toy")
    assert [lacks(name) for name in names] == [""] * 6
    assert book("os") == found(root) == []


def test_nothing_is_looked_for_twice_until_what_decides_on_it_changes(
    book, root, tmp_path, monkeypatch
):
    looked = []
    find = packages.find
    monkeypatch.setattr(packages, "find", lambda *given: looked.append(1) or find(*given))
    write(tmp_path, courses____init__="import toy")
    steps = [
        lambda: None,
        lambda: write(tmp_path, courses____init__="import toys_box"),
        lambda: [path.unlink() for path in packages.cache_of(root).glob("box.whl")],
    ]
    for count, change in enumerate(steps, start=1):
        change()
        assert book("courses") == book("courses") == []
        assert len(looked) == count
    assert book("courses", "lonely") == book("courses", "lonely") != []  # told again


def test_what_a_page_cannot_have_is_named(book, root):
    assert book("torch.nn", "tkinter.ttk", "requests", "numpy.f2py") == []
    assert found(root) == []
    lacks = packages.lacking(root)
    names = ("torch.nn", "tkinter.ttk", "requests", "numpy.f2py")
    assert [lacks(name) for name in names] == ["torch", "tkinter.ttk", "requests", "numpy.f2py"]


def test_a_dependency_that_cannot_be_had_leaves_its_package_out_with_a_sentence(book, root):
    assert book("toy", "lonely") == ["lonely is not in a page: it needs nobody-has-it"]
    assert found(root) == ["toy"]
    assert packages.lacking(root)("lonely") == "lonely"


@pytest.mark.parametrize("data", [None, b"evil"])
def test_without_a_network_or_with_a_wrong_file_a_sentence_is_told(book, root, monkeypatch, data):
    def answer(address):
        if data is None:
            raise OSError("no route to host")
        return data

    def no_copies(cache):
        raise wheels.BuildError("pip could not fetch it")

    monkeypatch.setattr(wheels, "download", answer)
    monkeypatch.setattr(wheels, "copies", no_copies)
    (told,) = book("toy")
    assert told.startswith("toy could not be fetched: ")
    assert ("has the SHA-256" if data else "no route to host), and pip could not fetch it") in told
    assert found(root) == []
    assert packages.lacking(root)("toy.part") == "toy"


# what the build has itself


def write(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/", 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".py").write_text(text)


def install(folder, name, *needs, is_pure=True):
    """Write a package as an installer leaves it."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    write(folder, **{f"{name}__init": ""})
    lines = [f"Name: {name}", "Version: 1.0", *(f"Requires-Dist: {each}" for each in needs)]
    (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *lines]))
    (info / "WHEEL").write_text("Wheel-Version: 1.0\n")
    if not is_pure:
        (folder / name / "core.cpython-311.so").touch()
    there = [path.relative_to(folder).as_posix() for path in (folder / name).iterdir()]
    files = [*there, *(f"{info.name}/{each}" for each in ("METADATA", "WHEEL"))]
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in [*files, "../bin/run"]))


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site-packages"), *sys.path])
    return tmp_path / "site-packages"


def test_pure_python_is_taken_from_what_is_installed_with_what_it_needs(book, root, site):
    install(site, "small", "smaller_one>=1", "toy", "far; extra == 'all'")
    install(site, "smaller_one")
    assert book("small") == []
    assert found(root) == ["small", "smaller-one", "toy"]
    small = PackageSpec(**packages.result_of(root)["packages"]["small"])
    files = wheels.unzipped(wheels.archive_of(small, packages.cache_of(root)))
    assert sorted(files)[:2] == ["small-1.0.dist-info/METADATA", "small-1.0.dist-info/WHEEL"]
    assert (small.depends, small.imports) == (["smaller-one", "toy"], ["small"])


def test_what_is_compiled_here_is_not_and_leaves_out_what_needs_it(book, root, site):
    install(site, "heavy", "compiled")
    install(site, "compiled", is_pure=False)
    assert book("heavy", "compiled") == ["heavy is not in a page: it needs compiled"]
    assert found(root) == []
    assert packages.lacking(root)("compiled") == "compiled"


def test_what_is_compiled_beside_its_python_does_without(book, root, site):
    install(site, "fast", is_pure=False)
    (site / "fast" / "core.py").touch()
    with (site / "fast-1.0.dist-info" / "RECORD").open("a") as record:
        record.write("fast/core.py,,\nab12__mypyc.cpython-311.so,,\n")
    (site / "ab12__mypyc.cpython-311.so").touch()
    assert book("fast") == []
    fast = PackageSpec(**packages.result_of(root)["packages"]["fast"])
    files = wheels.unzipped(wheels.archive_of(fast, packages.cache_of(root)))
    assert {*files} >= {"fast/init.py", "fast/core.py"}
    assert not [name for name in files if name.endswith(".so")]


@pytest.mark.parametrize("place", ["book", ".", "elsewhere"])
def test_a_package_beside_the_book_or_installed_in_place_is_found(
    book, root, tmp_path, monkeypatch, place
):
    write(tmp_path / place, courses____init__="from .tools import x", courses__tools="import toy")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "elsewhere"), *sys.path])
    assert book("courses.tools") == []
    assert packages.lacking(root)("courses.tools") == ""
    assert found(root) == ["toy"]
    own = packages.own_packages(root)["courses"]
    assert own.base == (tmp_path / place).resolve()
    assert sorted(path.name for path in own.files) == ["__init__.py", "tools.py"]
    lock = wheels.pyodide_lock()
    lock.packages = {name: lock.packages[name] for name in ("numpy", "toy")}
    lock, _ = build_python.with_own(lock, own, [])
    assert build_python.packages_by_import(lock, [own])["courses"] == ["numpy", "courses", "toy"]


def test_a_module_beside_the_book_is_found_and_a_compiled_package_is_not(book, root, tmp_path):
    write(root, helpers="import toy")
    write(tmp_path, fast____init__="")
    (tmp_path / "fast" / "core.so").touch()
    assert book("helpers", "fast") == []
    lacks = packages.lacking(root)
    assert (lacks("helpers"), lacks("fast"), found(root)) == ("", "fast", ["toy"])
