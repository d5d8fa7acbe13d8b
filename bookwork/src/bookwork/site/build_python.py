"""Build the page's Python in _build/python: Pyodide, NumPy, Matplotlib and the book's package.

What else cells import was found by packages.py; where it comes from is in wheels.py. All is
compiled, which makes the first result three times faster, and kept in .cache/python. Does nothing
when its inputs have not changed, or when no cell of the book runs. BOOKWORK_PYTHON=0 leaves Python
out of the page, BOOKWORK_DOWNLOADS=0 only the files that a reader has to ask for.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import resolve_name
from pathlib import Path

from pyodide_lock.spec import PackageSpec

from bookwork.book.files import find_root
from bookwork.book.names import all_imported
from bookwork.book.settings import settings_of, version_of
from bookwork.site import make_snapshot, packages, wheels
from bookwork.site.node import NODE
from bookwork.site.packages import LARGE, cache_of, library_files, own_packages
from bookwork.site.steps import do_once, fingerprint
from bookwork.site.wheels import CORE, LOCK, STDLIB, BuildError, digest_of, site_folder, zipped

COMPILER = Path(__file__).with_name("compile_python.mjs")
LOOK = Path(__file__).with_name("matplotlibrc")  # of Matplotlib's pictures in the house style
CORE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", STDLIB)
COUNTED = ("pyodide.asm.wasm", LOCK)  # fetched while the page shows progress


def main():
    build_python(find_root(Path.cwd().resolve()))


def build_python(root):
    """Build the Python of the book in a folder, unless it was built from the same inputs."""
    out, found = out_of(root), packages.result_of(root)
    if os.environ.get("BOOKWORK_PYTHON") == "0" or not found:
        shutil.rmtree(out, ignore_errors=True)
        return
    own = [path for package in own_packages(root).values() for path in package.files]
    recipe = [Path(__file__), Path(wheels.__file__), COMPILER, wheels.PINS, LOOK]
    made = [*made_files(root, str), *made_files(root, dict)]
    large = [[str(path), path.stat().st_mtime] for path in made]
    inputs = [*recipe, *make_snapshot.recipe(), *own, json.dumps([found, settings_of(root), large])]
    try:
        do_once(out / "built-for", inputs, lambda: build(root, out))
    except BuildError as error:
        sys.exit(f"Python for the page could not be built: {error}")


def out_of(root):
    """Return the folder that a book's Python is built in."""
    return root / "_build" / "python"


def build(root, out):
    """Write the folder that a page loads its Python from."""
    cache, own = cache_of(root), own_packages(root)
    lock, archives = base(cache)
    for name, entry in packages.result_of(root)["packages"].items():
        lock.packages[name] = PackageSpec(**entry)
        archives[name] = wheels.archive_of(lock.packages[name], cache)
    terms = wheels.licences(lock.packages, archives)
    lazy = lazy_files(root)
    for name, package in own.items():
        lock, archives[name] = with_own(lock, package, lazy)
    archives["python-stdlib"] = (CORE / STDLIB).read_bytes()
    archives = compile_all(archives, cache, sources=own)
    snapshot = make_snapshot.made(archives, cache)
    print("Assembling the page's Python in _build/python", flush=True)
    write(root, out, lock, archives, snapshot)
    (out / "LICENSES.txt").write_text(terms, encoding="utf-8")


def base(cache):
    """Return the lock with the packages of every page, and their archives."""
    lock = wheels.base_lock(cache)
    names = wheels.needed_by([*wheels.BASE, *wheels.WIDGETS], lock)
    lock.packages = {name: lock.packages[name] for name in names}
    if why := wheels.fetch(lock.packages.values(), cache):
        raise BuildError(
            f"{why}. Check the connection, name a mirror of Pyodide's files in BOOKWORK_MIRROR, "
            "or leave Python out of the page: BOOKWORK_PYTHON=0"
        )
    return lock, {name: wheels.archive_of(p, cache) for name, p in lock.packages.items()}


def with_own(lock, own, lazy):
    """Return the lock with a package of ours, and its wheel.

    Data files that are fetched when first read are not in it, nor are commands of a terminal.
    """
    name = own.imports[0]
    version = version_of(own.base, name) or "0"
    kept = [path for path in sorted(own.files) if path not in lazy and path.name != "__main__.py"]
    files = {path.relative_to(own.base).as_posix(): path.read_bytes() for path in kept}
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: numpy\n"
    files[f"{name}-{version}.dist-info/METADATA"] = about
    files[f"{name}-{version}.dist-info/WHEEL"] = "Wheel-Version: 1.0\nTag: py3-none-any\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}-{version}-py3-none-any.whl")
        path.write_bytes(zipped(files))
        return wheels.with_wheels(lock, path), path.read_bytes()


def lazy_files(root):
    """Return the data files that are fetched when they are first read."""
    data = [path for path in library_files(root) if path.parent.name == "data"]
    return [path for path in data if path.stat().st_size > LARGE] + [*made_files(root, str)]


def made_files(root, kind):
    """Return the files that the book made for the page, with what is said of them, if it is.

    Python finds them among the data of the book's package. Those of the kind dict are fetched only
    if the reader agrees.
    """
    listed = [each for each in settings_of(root)["bookwork_data"] if isinstance(each, kind)]
    if kind is dict and os.environ.get("BOOKWORK_DOWNLOADS") == "0":
        return {}
    said = {root / (each if kind is str else each["file"]): each for each in listed}
    return {path: each for path, each in said.items() if path.is_file()}


def compile_all(archives, cache, sources=()):
    """Return the pruned archives with compiled modules; of some the sources are kept, too."""
    recipe = fingerprint([COMPILER, Path(wheels.__file__), wheels.PINS]).encode()
    targets, folder = {}, cache / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in archives.items():
        targets[name] = folder / f"{name}-{digest_of(recipe + data)[:16]}.zip"
        for outdated in set(folder.glob(f"{name}-{'?' * 16}.zip")) - {targets[name]}:
            outdated.unlink()
    missing = {name: archives[name] for name in archives if not targets[name].is_file()}
    if missing:
        print(f"Compiling {', '.join(missing)} for the page (once)", flush=True)
        run_compiler(missing, targets, sources)
    return {name: target.read_bytes() for name, target in targets.items()}


def run_compiler(archives, targets, sources=()):
    """Compile archives, all in one process, which has the page's own Python."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for name, data in archives.items():
            source, is_stdlib = Path(folder, f"{name}.zip"), name == "python-stdlib"
            source.write_bytes(zipped(wheels.pruned(name, data), zipfile.ZIP_STORED))
            prefix = wheels.stdlib_folder() if is_stdlib else site_folder()
            job = {"file": str(source), "prefix": prefix, "keep": name in sources}
            jobs.append(job | {"optimize": 2 if is_stdlib else 0})
        done = subprocess.run([NODE, COMPILER, CORE], check=False, input=json.dumps(jobs).encode())
        if done.returncode != 0:
            raise BuildError("compiling failed, see above")
        for name in archives:
            made = Path(folder, f"{name}.zip").read_bytes()
            wheels.write_whole(targets[name], zipped(wheels.unzipped(made)))


def write(root, out, lock, archives, snapshot=None):
    """Write the folder: core, archives, lock, data, and index.json for the worker."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "data").mkdir(parents=True)
    core = {name: (CORE / name).read_bytes() for name in CORE_FILES}
    core[STDLIB] = archives.pop("python-stdlib")
    home = out / f"core-{digest_of(b''.join(core.values()))[:8]}"  # they load each other by name
    home.mkdir()
    for name, data in core.items():
        (home / name).write_bytes(data)
    write_archives(out, lock, archives)
    for path in lazy_files(root):
        shutil.copyfile(path, out / "data" / path.name)
    facts = make_snapshot.placed(snapshot, out, f"{home.name}/", lock.packages)
    facts |= index(root, out, lock) | {"home": f"{home.name}/"}
    facts["downloads"] = [offered(root, out, *each) for each in made_files(root, dict).items()]
    (out / "index.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def offered(root, out, path, said):
    """Copy a file, under a name that changes with it; return what the worker needs to know."""
    digest = hashlib.sha256(path.read_bytes()).digest()
    name = f"data/{digest.hex()[:32]}.bin"
    shutil.copyfile(path, out / name)
    integrity = f"sha256-{base64.b64encode(digest).decode()}"
    facts = {"path": data_folder(root) + path.name, "size": path.stat().st_size}
    return {"memory": 0} | said | facts | {"name": name, "integrity": integrity}


def write_archives(out, lock, archives):
    """Write the archives, and the lock that lists them."""
    for name, data in archives.items():
        package = lock.packages[name]
        package.sha256 = digest_of(data)
        package.file_name = wheels.with_digest(package.file_name, package.sha256)
        (out / package.file_name).write_bytes(data)
    facts = lock.model_dump(exclude={"info": {"version"}})
    (out / LOCK).write_text(json.dumps(facts, separators=(",", ":")), encoding="utf-8")


def index(root, out, lock):
    """Return what the worker needs to know about the folder."""
    settings = settings_of(root)
    by_import = packages_by_import(lock, own_packages(root).values())
    files = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    unnamed = [name for name in files if name.startswith("data/") or name == LOCK]
    data = data_folder(root)
    return {
        "build": fingerprint(files.values())[:16],
        "core": sum(path.stat().st_size for path in files.values() if path.name in COUNTED),
        "sizes": {name: path.stat().st_size for name, path in sorted(files.items())},
        "versions": {name: digest_of(files[name].read_bytes())[:16] for name in sorted(unnamed)},
        "files": {name: package.file_name for name, package in lock.packages.items()},
        "package": settings["bookwork_package"],
        "exercises": settings["bookwork_exercises"],
        "start": by_import.get(settings["bookwork_package"], ["numpy"]),
        "packages": by_import,
        "lazy": {path.name: data + path.name for path in lazy_files(root)},
        "matplotlibrc": settings["bookwork_house_style"] and LOOK.read_text(encoding="utf-8"),
    }


def data_folder(root):
    """Return where Python finds the data of the book's package, downloads among them."""
    return f"{site_folder()}{settings_of(root)['bookwork_package']}/data/"


# which packages an import needs


def packages_by_import(lock, own):
    """Map what a cell may import to the packages to load first: "bookwork.live" -> [...]."""
    of_top = {top: name for name, package in lock.packages.items() for top in package.imports}
    modules = [(path, each.base) for each in own for path in each.files if path.suffix == ".py"]
    needs = {module_name(path, base): imported_in(path, base) for path, base in modules}
    found = {top: {name} for top, name in of_top.items()}
    found |= {module: packages_for(module, needs, of_top) for module in needs}
    return {name: wheels.needed_by(found[name], lock) for name in sorted(found)}


def module_name(path, base):
    parts = path.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_in(path, base):
    """Return the whole names of what a module imports, also from its own package."""
    above = path.relative_to(base).parts[:-1]
    found = all_imported(path.read_text(encoding="utf-8"))
    near = [name for name in found if len(name) - len(name.lstrip(".")) <= len(above)]
    return {resolve_name(name, ".".join(above)) for name in near}


def packages_for(module, needs, of_top):
    """Follow the library's own imports from a module; return the packages that they need."""
    met, waiting, packages = set(), {module}, {of_top[module.partition(".")[0]]}
    while waiting:
        name = waiting.pop()
        met.add(name)
        for imported in needs[name]:
            parts = imported.split(".")
            packages |= {of_top[parts[0]]} if parts[0] in of_top else set()
            prefixes = {".".join(parts[: i + 1]) for i in range(len(parts))}
            waiting |= (prefixes & set(needs)) - met
    return packages


if __name__ == "__main__":
    main()
