"""The packages that a book's cells import, for Python in its pages.

What Pyodide has comes from there. Any other package of pure Python is taken as the build itself
has it: from a folder in the book or beside it, or from what is installed. One that needs what a
page cannot have is left out. Each is put into the site beside Python itself; a reader's page
fetches one at the first cell that imports it. _build/python-packages.json has the result.
"""

import json
import sys
import sysconfig
from importlib.machinery import PathFinder
from importlib.metadata import distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name

from bookwork.book.files import PACKAGE, files_below
from bookwork.book.names import imported_by, parsed
from bookwork.book.settings import packages_of, settings_of
from bookwork.site import wheels
from bookwork.site.steps import fingerprint
from bookwork.site.wheels import BuildError

RESULT = "_build/python-packages.json"
NETWORK = {"requests", "urllib3", "httpx", "aiohttp", "pyodide_http", "micropip"}
STAND_INS = {"IPython", "ipykernel", "myst_nb", "matplotlib_inline", "pyodide", "js"}
THERE = {"", "__main__", "bookwork", *STAND_INS, *sys.stdlib_module_names}
LIGHT = ("__init__.py", "py.typed", "live/*.py", "exercises/*.py")  # readers' Python gets these
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
    """Find and fetch what cells import, by dotted names; return what cannot be had: sentences.

    Nothing is done where the last build had all of the same: that saves a fifth of its time.
    """
    stamp, before = root / f"{RESULT}.for", result_of(root) or {"folders": {}, "packages": {}}
    files = [each["file_name"] for each in before["packages"].values()]
    are_there = all(wheels.place_of(file, cache_of(root)).is_file() for file in files)
    key = key_of(root, imported, before["folders"])
    if are_there and stamp.is_file() and stamp.read_text(encoding="utf-8") == key:
        return []
    lock, wanted, folders = find(root, wheels.base_lock(cache_of(root)), imported)
    always = {*wheels.needed_by([*wheels.BASE, *wheels.WIDGETS], lock)}
    found, faults = fetched(wanted - always, always, lock, cache_of(root))
    imports = {name for each in always | found for name in lock.packages[each].imports}
    imports |= {*folders, *packages_of(settings_of(root))}
    entries = {name: lock.packages[name].model_dump() for name in sorted(found)}
    result = {"packages": entries, "folders": folders, "imports": sorted(imports)}
    (root / RESULT).parent.mkdir(exist_ok=True)
    (root / RESULT).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    stamp.write_text("" if faults else key_of(root, imported, folders), encoding="utf-8")
    return faults


def key_of(root, imported, folders):
    """Return a digest of what decides on packages: imports, files, and when one was installed."""
    beside = [file for top, folder in folders.items() for file in module_files(Path(folder), top)]
    installed = str(Path(sysconfig.get_path("purelib")).stat().st_mtime)
    code = [Path(__file__), Path(wheels.__file__), wheels.PINS]
    return fingerprint([*sorted(imported), installed, *code, *library_files(root), *beside])


def result_of(root):
    """Return what was prepared for a book; None if no cell of it runs."""
    file = root / RESULT
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def forget(root):
    """Note that no cell of a book runs: nothing can be missing."""
    for name in (RESULT, f"{RESULT}.for"):
        (root / name).unlink(missing_ok=True)
    return []


def lacking(root):
    """Return a function that says what a page cannot import of a module, if anything."""
    found = result_of(root)
    there = {*THERE, *found["imports"]} - NETWORK if found else None

    def lacks(name):
        top, path = name.partition(".")[0], name.replace(".", "/")
        archive = "python-stdlib" if top in sys.stdlib_module_names else top
        if any(wheels.is_dropped(archive, path + end) for end in ("/", ".py")):
            return name
        return "" if top in there else top

    return lacks if found else lambda name: ""


# what is wanted, and where it is


def find(root, lock, imported):
    """Return the lock with what it needs besides, the packages that are wanted, and folders."""
    own = packages_of(settings_of(root))
    known, wanted, folders = {*THERE, *NETWORK, *own}, set(), {}
    waiting = tops([*imported, *imports_in(library_files(root))])
    while left := waiting - known:
        known.add(top := min(left))
        names = {name for name, package in lock.packages.items() if top in package.imports}
        if not names and (folder := folder_of(top, root)):
            folders[top] = str(folder)
            waiting |= tops(imports_in(module_files(folder, top)))
        elif not names and (installed := packages_distributions().get(top)):
            lock = with_installed(lock, canonicalize_name(installed[0]), cache_of(root))
            names = {canonicalize_name(installed[0])} & lock.packages.keys()
        wanted |= names
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
    spec = PathFinder.find_spec(top, [str(root), str(root.parent)]) or find_spec(top)
    file = Path((spec and spec.origin) or "")
    if file.suffix != ".py" or {"site-packages", "dist-packages"} & {*file.parts}:
        return None
    folder = file.parents[1 if spec.submodule_search_locations else 0]
    is_pure = not {".so", ".pyd"} & {each.suffix for each in module_files(folder, top)}
    return folder if is_pure else None


def module_files(folder, top):
    """Return the files of a module, or of a package, in a folder."""
    file = folder / f"{top}.py"
    return [file] if file.is_file() else files_below(folder / top)


def with_installed(lock, name, cache):
    """Return a lock with an installed package of pure Python, and with those that it needs."""
    try:
        lock = wheels.with_wheels(lock, wheels.packed(distribution(name), cache))
    except (ModuleNotFoundError, BuildError):
        return lock
    for other in lock.packages[name].depends:
        lock = lock if other in lock.packages else with_installed(lock, other, cache)
    return lock


def fetched(wanted, always, lock, cache):
    """Return packages, with all that they need besides, and why others cannot be had."""
    whole, found, faults = {}, set(), []
    for name in sorted(wanted):
        try:
            whole[name] = {*wheels.needed_by([name], lock)} - always
        except KeyError as error:
            faults.append(f"{name} is not in a page: it needs {error.args[0]}")
    every = sorted(set().union(*whole.values()))
    why = wheels.fetch([lock.packages[name] for name in every], cache)
    for name, needed in whole.items():
        if all(wheels.place_of(lock.packages[n].file_name, cache).is_file() for n in needed):
            found |= needed
        else:
            faults.append(f"{name} could not be fetched: {why}")
    return found, faults


# the book's own


def own_packages(root):
    """Return the packages that readers run of the book itself, by their names for Pyodide."""
    own = {"bookwork": Own(PACKAGE.parent, ["bookwork"], light_files())}
    if names := packages_of(settings_of(root)):
        own[canonicalize_name(names[0])] = Own(root, names, library_files(root))
    for top, folder in (result_of(root) or {"folders": {}})["folders"].items():
        files = [f for f in module_files(Path(folder), top) if f.stat().st_size <= LARGE]
        own[canonicalize_name(top)] = Own(Path(folder), [top], files)
    return own


def light_files():
    """Return the files of bookwork that readers' Python gets."""
    found = [path for pattern in LIGHT for path in sorted(PACKAGE.glob(pattern))]
    return [path for path in found if path.name != "report.py"]  # a command for teachers


def library_files(root):
    """Return the files of the book's own packages."""
    return [f for name in packages_of(settings_of(root)) for f in files_below(root / name)]
