"""The packages that a book's cells import, for Python in its pages.

What Pyodide has comes from there. Any other package of pure Python is taken as the build itself
has it: from a folder in the book or beside it, or from what is installed. One that needs what a
page cannot have is left out. Each is put into the site beside Python itself; a reader's page
fetches one at the first cell that imports it. _build/python-packages.json has the result.
"""

import json
import re
import sys
from collections import ChainMap
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name

from bookwork.book.files import PACKAGE, files_below
from bookwork.book.names import imported_by, parsed
from bookwork.book.settings import packages_of, settings_of
from bookwork.build import wheels
from bookwork.build.wheels import BuildError

RESULT = "_build/python-packages.json"
NETWORK = {"requests", "urllib3", "httpx", "aiohttp", "pyodide_http", "micropip"}
STAND_INS = {"IPython", "ipykernel", "myst_nb", "matplotlib_inline", "pyodide", "js"}
LIGHT = ("live", "exercises")  # what readers' Python gets of bookwork
VIEWS = PACKAGE / "live" / "js"
COMPILED = {".so", ".pyd"}
LARGE = 100_000  # bytes: a data file above this is fetched when it is first read, or left out


class Own(NamedTuple):
    """A package that readers' Python gets as it is in a folder."""

    base: Path  # the folder that its files are named from
    imports: list[str]
    files: list[Path]


def cache_of(root):
    """Return the folder that keeps what was fetched or compiled for a book."""
    return root / ".cache" / "python"


def prepare(root, imported):
    """Find and fetch what cells import, by dotted names; return what cannot be had: sentences."""
    try:
        lock = wheels.base_lock(cache_of(root))
    except BuildError:  # build_python.py meets it again, and tells
        keep(root, {}, {}, [])
        return []
    lock, wanted, folders = find(root, lock, imported)
    always = {*wheels.needed_by([*wheels.BASE, *wheels.EXTRA], lock)}
    packages, faults = fetched(wanted - always, always, lock, cache_of(root))
    there = [lock.packages[name] for name in always | packages.keys()]
    imports = {"bookwork", *folders, *packages_of(settings_of(root))}
    imports = sorted(imports.union(*(package.imports for package in there)))
    keep(root, {name: each.model_dump() for name, each in packages.items()}, folders, imports)
    return faults


def keep(root, packages, folders, imports):
    """Keep what was found for build_python.py, and for the next build."""
    result = {"packages": packages, "folders": folders, "imports": imports}
    (root / RESULT).parent.mkdir(exist_ok=True)
    (root / RESULT).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def result_of(root):
    """Return what was prepared for a book; None if no cell of it runs."""
    file = root / RESULT
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def forget(root):
    """Note that no cell of a book runs: nothing can be missing."""
    (root / RESULT).unlink(missing_ok=True)
    return []


def lacking(root):
    """Return a function that says what a page cannot import of a module, if anything."""
    there = (result_of(root) or {"imports": []})["imports"]  # empty: nothing is known
    has = {"", *STAND_INS, *sys.stdlib_module_names, *there} - NETWORK

    def lacks(name):
        top = name.partition(".")[0]
        return name if is_dropped(name) else "" if top in has else top

    return lacks if there else lambda name: ""


def is_dropped(name):
    """Return whether a module is left out of the page's packages, such as tkinter."""
    top, path = name.partition(".")[0], name.replace(".", "/")
    dropped = wheels.DROPPED.get("python-stdlib" if top in sys.stdlib_module_names else top)
    return bool(dropped) and any(re.search(dropped, path + end) for end in ("/", ".py"))


# what is wanted, and where it is


def find(root, lock, imported):
    """Return the lock with what it needs besides, the packages that are wanted, and folders."""
    known = {"", "bookwork", *NETWORK, *STAND_INS, *sys.stdlib_module_names}
    known |= {*packages_of(settings_of(root))}
    waiting = tops([*imported, *imports_in(library_files(root))])
    wanted, folders = set(), {}
    while left := waiting - known:
        top = min(left)
        known.add(top)
        names = [name for name, package in lock.packages.items() if top in package.imports]
        if not names and (folder := folder_of(top, root)):
            folders[top] = str(folder)
            waiting |= tops(imports_in(module_files(folder, top)))
        elif not names and (installed := distribution_of(top)):
            lock = with_installed(lock, installed, cache_of(root))
            names = [installed] if installed in lock.packages else []
        wanted.update(names)
    return lock, wanted, folders


def tops(names):
    """Return the first parts of dotted names."""
    return {name.partition(".")[0] for name in names}


def imports_in(files):
    """Return the dotted names that modules import, if they cannot do without them."""
    trees = [parsed(f.read_text(encoding="utf-8")) for f in files if f.suffix == ".py"]
    return {name for tree in trees for node in tree.body for name in imported_by(node)}


def folder_of(top, root):
    """Return the folder with a package or module of pure Python that is not installed, or None."""
    beside = [folder for folder in (root, root.parent) if module_files(folder, top)]
    try:
        spec = None if beside else find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec and spec.origin and not {"site-packages", "dist-packages"} & {*Path(spec.origin).parts}:
        beside = [Path(spec.origin).parents[1 if spec.submodule_search_locations else 0]]
    is_pure = beside and not COMPILED & {file.suffix for file in module_files(beside[0], top)}
    return beside[0] if is_pure else None


def module_files(folder, top):
    """Return the files of a module, or of a package, in a folder."""
    file = folder / f"{top}.py"
    is_package = (folder / top / "__init__.py").is_file()
    return files_below(folder / top) if is_package else [file] if file.is_file() else []


@cache
def distribution_of(top):
    """Return the name of the installed package that has a module, or None."""
    names = packages_distributions().get(top)
    return canonicalize_name(names[0]) if names else None


def with_installed(lock, name, cache):
    """Return a lock with an installed package of pure Python, and with those that it needs."""
    try:
        lock = wheels.with_wheels(lock, packed(distribution(name), cache))
    except (PackageNotFoundError, BuildError):
        return lock
    for other in lock.packages[name].depends:
        if other not in lock.packages:
            lock = with_installed(lock, other, cache)
    return lock


def packed(installed, cache):
    """Return a wheel of what is installed; raise BuildError if it is not in pure Python."""
    if "Root-Is-Purelib: true" not in (installed.read_text("WHEEL") or ""):
        raise BuildError(f"{installed.name} is not in pure Python")
    files = {file.as_posix(): Path(file.locate()) for file in installed.files or ()}
    kept = {n: p for n, p in sorted(files.items()) if "__pycache__" not in n and ".." not in n}
    stem = canonicalize_name(installed.name).replace("-", "_")
    path = cache / f"{stem}-{installed.version}-py3-none-any.whl"
    wheels.write_whole(
        path, wheels.zipped({n: p.read_bytes() for n, p in kept.items() if p.is_file()})
    )
    return path


def fetched(wanted, always, lock, cache):
    """Return packages, with all that they need besides, and why others cannot be had."""
    whole, found, faults = {}, {}, []
    for name in sorted(wanted):
        try:
            needed = wheels.needed_by([name], lock)
            whole[name] = {each: lock.packages[each] for each in needed if each not in always}
        except KeyError as error:
            faults.append(f"{name} is not in a page: it needs {error.args[0]}")
    try:
        why = wheels.fetch(ChainMap({}, *whole.values()).values(), cache)
    except BuildError as error:  # a file is not the expected one
        why = str(error)
    for name, packages in whole.items():
        if all(wheels.place_of(each.file_name, cache).is_file() for each in packages.values()):
            found |= packages
        else:
            faults.append(f"{name} could not be fetched: {why}")
    return found, faults


# the book's own


def own_packages(root):
    """Return the packages that readers run of the book itself, by their names for Pyodide."""
    own = {"bookwork": Own(PACKAGE.parent, ["bookwork"], light_files())}
    names = packages_of(settings_of(root))
    if names:
        own[canonicalize_name(names[0])] = Own(root, names, library_files(root))
    found = result_of(root)
    for top, folder in (found["folders"] if found else {}).items():
        files = [f for f in module_files(Path(folder), top) if f.stat().st_size <= LARGE]
        own[canonicalize_name(top)] = Own(Path(folder), [top], files)
    return own


def light_files():
    """Return the files of bookwork that readers' Python gets."""
    found = [path for part in LIGHT for path in files_below(PACKAGE / part)]
    kept = [path for path in found if not path.is_relative_to(VIEWS)]
    return [PACKAGE / "__init__.py", PACKAGE / "py.typed", *kept]


def library_files(root):
    """Return the files of the book's own packages."""
    return [f for name in packages_of(settings_of(root)) for f in files_below(root / name)]
