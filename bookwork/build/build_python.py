"""Build the page's Python in _build/python: Pyodide, NumPy, Matplotlib and the book's package.

What the packages are, and where they come from, is in wheels.py. They are compiled, which makes the
first result three times faster. Everything fetched or compiled is cached in .cache/python. A wheel
of bookwork carries the result, so that an author fetches nothing and needs no Node: only the book's
own package, and the light part of bookwork, are added to it. Does nothing when its inputs have not
changed. PAGE_PYTHON=0 leaves Python out of the page.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

from bookwork.book.files import PACKAGE, files_below, find_root
from bookwork.book.names import all_imported
from bookwork.book.settings import packages_of, settings_of, version_of
from bookwork.build import packages, wheels
from bookwork.build.downloads import copy_downloads
from bookwork.build.node import NODE
from bookwork.build.steps import do_once, fingerprint
from bookwork.build.wheels import (
    CARRIED,
    CORE,
    PINS,
    SHARED,
    STDLIB,
    WHOLE_LOCK,
    BuildError,
    added_to,
    core_folder,
    digest_of,
    dropped_from,
    fetch_all,
    licences,
    licences_in,
    multiprocessing_files,
    package_entry,
    pruned,
    read_verified,
    site_folder,
    stdlib_folder,
    unzipped,
    verify,
    wanted_packages,
    with_digest,
    write_whole,
    zipped,
)
from bookwork.page.python.snapshot import make_snapshot

LIGHT = ("live", "exercises")  # what readers' Python gets of bookwork
VIEWS = PACKAGE / "live" / "js"
COMPILER = Path(__file__).with_name("compile_python.mjs")
LOOK = PACKAGE / "build" / "matplotlibrc"  # of Matplotlib's pictures in the house style
CORE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
COUNTED = ("pyodide.asm.wasm", "pyodide-lock.json")  # fetched while the page shows progress

LAZY = 100_000  # bytes: a data file of the library above this is fetched when it is first read


class Own(NamedTuple):
    """A package of ours that readers' Python gets, as one wheel."""

    base: Path  # the folder that its files are named from
    imports: list[str]
    files: list[Path]


def main():
    build_python(find_root(Path.cwd().resolve()))


def build_python(root):
    """Build the Python of the book in a folder, unless it was built from the same inputs."""
    out = out_of(root)
    if os.environ.get("PAGE_PYTHON") == "0":
        shutil.rmtree(out, ignore_errors=True)
        print("Leaving Python out of the page (PAGE_PYTHON=0)", flush=True)
        return
    own = [path for package in own_packages(root).values() for path in package.files]
    settings = settings_of(root)
    names = settings["bookwork_package"], settings["bookwork_exercises"]
    recipe = [Path(__file__), Path(wheels.__file__), COMPILER, PINS, LOOK, *make_snapshot.recipe()]
    extra, downloads = json.dumps(packages.result_of(root)["packages"]), copy_downloads(root)
    facts = json.dumps([downloads, settings["bookwork_house_style"]])
    inputs = [*recipe, *own, *made_files(root), *names, extra, facts]
    try:
        do_once(out / "built-for", inputs, lambda: build(root, out, downloads))
    except BuildError as error:
        sys.exit(f"Python for the page could not be built: {error}")


def out_of(root):
    """Return the folder that a book's Python is built in."""
    return root / "_build" / "python"


def cache_of(root):
    """Return the folder that keeps what was fetched or compiled for a book."""
    return root / ".cache" / "python"


def own_packages(root):
    """Return the packages that readers run of the book itself, by their names for Pyodide."""
    own = {"bookwork": Own(PACKAGE.parent, ["bookwork"], light_files())}
    names = packages_of(settings_of(root))
    if names:
        own[names[0].replace("_", "-")] = Own(root, names, library_files(root))
    return own


def light_files():
    """Return the files of bookwork that readers' Python gets."""
    found = [path for part in LIGHT for path in files_below(PACKAGE / part)]
    kept = [path for path in found if not path.is_relative_to(VIEWS)]
    return [PACKAGE / "__init__.py", PACKAGE / "trace.py", PACKAGE / "py.typed", *kept]


def library_files(root):
    """Return the files of the book's own packages."""
    names = packages_of(settings_of(root))
    return [path for name in names for path in files_below(root / name)]


def build(root, out, downloads=()):
    """Write the folder that a page loads its Python from."""
    cache, lazy = cache_of(root), lazy_files(root)
    made = {name: wheel_of(own, lazy) for name, own in own_packages(root).items()}
    ours = {name: data for name, (_, data) in made.items()}
    extra = packages.result_of(root)["packages"]
    theirs = {name: read_verified(package, cache) for name, package in extra.items()}
    if CARRIED.is_dir():
        lock, archives, terms = carried()
        archives |= finished(ours | theirs, cache, sources=ours)
    else:
        lock, archives, terms = fetched(cache)
        archives = finished(archives | ours | theirs, cache, sources=ours)
    snapshot = make_snapshot.made(archives, cache)
    print("Assembling the page's Python in _build/python", flush=True)
    lock["packages"] |= extra | {name: entry for name, (entry, _) in made.items()}
    write(root, out, lock, archives, snapshot, downloads)
    (out / "LICENSES.txt").write_text(
        "\n\n".join([terms, *licences_in(extra, theirs)]), encoding="utf-8"
    )


def fetched(cache):
    """Return Pyodide's lock, the archives of all packages but the book's, and their licences."""
    if not CORE.is_dir():
        raise BuildError("npm's package pyodide is not installed: run make book first")
    lock = json.loads((CORE / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock["packages"] = wanted_packages(lock["packages"])
    archives = fetch_all(lock["packages"], cache)
    archives["python-stdlib"] = (CORE / STDLIB).read_bytes()
    return lock, archives, licences(lock["packages"], archives)


def finished(archives, cache, sources=()):
    """Return archives as a page loads them: pruned and, where Node is there, compiled."""
    if NODE and CORE.is_dir():
        return compile_all(archives, cache, sources)
    return {name: zipped(pruned(name, data)) for name, data in archives.items()}


def carried():
    """Return the same from the files that a wheel of bookwork carries, each verified."""
    lock = json.loads((CARRIED / "pyodide-lock.json").read_text(encoding="utf-8"))
    archives = {"python-stdlib": (CARRIED / STDLIB).read_bytes()}
    for name, package in lock["packages"].items():
        archives[name] = (CARRIED / package["file_name"]).read_bytes()
        verify(package["file_name"], archives[name], package["sha256"])
    return lock, archives, (CARRIED / "LICENSES.txt").read_text(encoding="utf-8")


def carry(folder, cache):
    """Write what a wheel of bookwork carries."""
    lock, archives, terms = fetched(cache)
    archives = finished(archives, cache)
    snapshot = make_snapshot.made(archives, cache)
    folder.mkdir(parents=True)
    shutil.copy(CORE / "pyodide-lock.json", folder / WHOLE_LOCK)
    (folder / SHARED).write_bytes(zipped(multiprocessing_files()))
    if snapshot:
        (folder / make_snapshot.NAME).write_bytes(snapshot)
    for name in CORE_FILES:
        shutil.copy(CORE / name, folder)
    (folder / STDLIB).write_bytes(archives.pop("python-stdlib"))
    write_archives(folder, lock, archives)
    (folder / "LICENSES.txt").write_text(terms, encoding="utf-8")


def write_archives(folder, lock, archives, name_of=lambda file_name, digest: file_name):
    """Write archives and the lock that lists them, with the names that they are given here."""
    for name, data in archives.items():
        package = lock["packages"][name]
        package["sha256"] = digest_of(data)
        package["file_name"] = name_of(package["file_name"], package["sha256"])
        (folder / package["file_name"]).write_bytes(data)
    (folder / "pyodide-lock.json").write_text(
        json.dumps(lock, separators=(",", ":")), encoding="utf-8"
    )


def wheel_of(own, lazy):
    """Return a package of ours as an entry of the lock and a wheel.

    Data files that are fetched when first read are not in it, nor are commands of a terminal.
    """
    name = own.imports[0]
    version = version_of(own.base, name) or "0"
    files = {
        path.relative_to(own.base).as_posix(): path.read_bytes()
        for path in sorted(own.files)
        if path not in lazy and path.name != "__main__.py"
    }
    info = f"{name}-{version}.dist-info"
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    file_name = f"{name}-{version}-py3-none-any.whl"
    entry = package_entry(name.replace("_", "-"), file_name, version, ["numpy"], own.imports)
    return entry, zipped(files)


def lazy_files(root):
    """Return the data files that are fetched when they are first read."""
    data = [path for path in library_files(root) if path.parent.name == "data"]
    return [path for path in data if path.stat().st_size > LAZY] + made_files(root)


def made_files(root):
    """Return the files that the book made for the page; its package finds them with its data."""
    made = (root / name for name in settings_of(root)["bookwork_data"])
    return [path for path in made if path.is_file()]


def compile_all(archives, cache, sources=()):
    """Return the pruned archives with compiled modules; of some the sources are kept, too."""
    folder = cache / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    recipe = COMPILER.read_bytes() + (CORE / "package.json").read_bytes()
    targets = {}
    for name, data in archives.items():
        changes = f"{dropped_from(name)}{''.join(added_to(name))}"
        key = digest_of(recipe + changes.encode() + data)[:16]
        targets[name] = folder / f"{name}-{key}.zip"
    missing = {name: target for name, target in targets.items() if not target.is_file()}
    if missing:
        print(f"Compiling {', '.join(missing)} for the page (once)", flush=True)
        run_compiler({name: (archives[name], target) for name, target in missing.items()}, sources)
    for name, target in targets.items():
        for outdated in set(folder.glob(f"{name}-{'?' * 16}.zip")) - {target}:
            outdated.unlink()
    return {name: target.read_bytes() for name, target in targets.items()}


def run_compiler(work, sources=()):
    """Compile archives, { name: (archive, the file that it goes to) }, all in one process."""
    with tempfile.TemporaryDirectory() as folder:
        archives = [(name, data, name in sources) for name, (data, _) in work.items()]
        jobs = [compile_job(Path(folder), *archive) for archive in archives]
        list_of_jobs = Path(folder) / "jobs.json"
        list_of_jobs.write_text(json.dumps(jobs), encoding="utf-8")
        done = subprocess.run([NODE, COMPILER, CORE, list_of_jobs], check=False)
        if done.returncode != 0:
            raise BuildError("compiling failed, see above")
        for job, (_, target) in zip(jobs, work.values(), strict=True):
            write_whole(target, zipped(unzipped(Path(job["target"]).read_bytes())))


def compile_job(folder, name, data, keep):
    """Return what compile_python.mjs is told of an archive."""
    source, is_stdlib = folder / f"{name}.zip", name == "python-stdlib"
    source.write_bytes(zipped(pruned(name, data), zipfile.ZIP_STORED))
    prefix = stdlib_folder() if is_stdlib else site_folder()
    job = {"source": str(source), "target": f"{source}.compiled", "prefix": prefix}
    return job | {"optimize": 2 if is_stdlib else 0, "keep": keep}


def write(root, out, lock, archives, snapshot=None, downloads=()):
    """Write the folder: core, archives, lock, data, and index.json for the worker."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "data").mkdir(parents=True)
    core = {name: (core_folder() / name).read_bytes() for name in CORE_FILES}
    core[STDLIB] = archives.pop("python-stdlib")
    home = out / f"core-{digest_of(b''.join(core.values()))[:8]}"  # they load each other by name
    home.mkdir()
    for name, data in core.items():
        (home / name).write_bytes(data)
    write_archives(out, lock, archives, with_digest)
    for path in lazy_files(root):
        shutil.copyfile(path, out / "data" / path.name)
    facts = make_snapshot.placed(snapshot, out, f"{home.name}/", lock["packages"])
    facts |= index(root, out, lock) | {
        "home": f"{home.name}/",
        "downloads": placed(root, downloads),
    }
    (out / "index.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def index(root, out, lock):
    """Return what the worker needs to know about the folder."""
    packages, settings = lock["packages"], settings_of(root)
    by_import = packages_by_import(packages, own_packages(root).values())
    files = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    unnamed = [name for name in files if name.startswith("data/") or name == "pyodide-lock.json"]
    data = data_folder(root)
    return {
        "build": fingerprint(files.values())[:16],
        "core": sum(path.stat().st_size for path in files.values() if path.name in COUNTED),
        "sizes": {name: path.stat().st_size for name, path in sorted(files.items())},
        "versions": {name: digest_of(files[name].read_bytes())[:16] for name in sorted(unnamed)},
        "files": {name: package["file_name"] for name, package in packages.items()},
        "package": settings["bookwork_package"],
        "exercises": settings["bookwork_exercises"],
        "start": by_import.get(settings["bookwork_package"], ["numpy"]),
        "packages": by_import,
        "lazy": {path.name: data + path.name for path in lazy_files(root)},
        "matplotlibrc": settings["bookwork_house_style"] and LOOK.read_text(encoding="utf-8"),
    }


def data_folder(root):
    """Return where Python finds the data of the book's package."""
    return f"{site_folder()}{settings_of(root)['bookwork_package']}/data/"


def placed(root, downloads):
    """Say of each download where Python will find it: with the package's data."""
    return [each | {"path": data_folder(root) + each["file"]} for each in downloads]


# which packages an import needs


def packages_by_import(packages, own):
    """Map what a cell may import to the packages to load first: "bookwork.live" -> [...]."""
    of_top = {top: name for name, package in packages.items() for top in package["imports"]}
    modules = [(path, each.base) for each in own for path in each.files if path.suffix == ".py"]
    needs = {module_name(path, base): imported_in(path, base) for path, base in modules}
    found = {top: {name} for top, name in of_top.items()}
    found |= {module: packages_for(module, needs, of_top) for module in needs}
    return {name: with_dependencies(found[name], packages) for name in sorted(found)}


def with_dependencies(names, packages):
    """Return packages after all their dependencies."""
    ordered = []
    for name in sorted(names):
        below = with_dependencies(packages[name]["depends"], packages)
        ordered += [other for other in [*below, name] if other not in ordered]
    return ordered


def module_name(path, base):
    parts = path.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_in(path, base):
    """Return the whole names of what a module imports, also from its own package."""
    home = ".".join(path.relative_to(base).parts[:-1])
    found = all_imported(path.read_text(encoding="utf-8"))
    return {resolve_name(name, home) for name in found}


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
