"""The packages that a book's cells import, for Python in its pages.

What cells import is found here, and fetched where Pyodide has it: from where NumPy comes from, and
checked against the digests of Pyodide's lock. `bookwork_packages` names more, of pure Python, which
come from PyPI; their versions and digests are kept in packages.lock, in the book, and checked from
then on. Each is put into the site beside Python itself; a reader's page fetches one at the first
cell that imports it. _build/packages.json has the result.
"""

import io
import json
import os
import re
import sys
import zipfile
from collections.abc import Callable
from email.parser import Parser
from functools import cache, partial
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from bookwork.book.faults import Fault, line_of, print_faults
from bookwork.book.imports import imports_of
from bookwork.book.settings import packages_of
from bookwork.build import wheels
from bookwork.build.wheels import BuildError

LOCK, RESULT = "packages.lock", "_build/packages.json"
HEAD = (
    "# Written by bookwork: packages from PyPI that readers' Python has. Keep it with the book.\n"
)
LOCKED = re.compile(r"^([\w.-]+)==(\S+) --hash=sha256:(\w+)$", re.M)
NETWORK = {"requests", "urllib3", "httpx", "aiohttp", "pyodide_http", "micropip"}
STAND_INS = {"IPython", "ipykernel", "myst_nb", "matplotlib_inline", "pyodide", "js"}
HOSTS = "and a page reads from no other host"
NO_RUN = "Python in a page does not have {}: no Run at cells with such imports"
ABSENT = "which Python in a page does not have"
PURE = "-none-any.whl"
PINNED = {  # of pure Python, and so usual that books need not name it
    "seaborn": ["0.13.2", "636f8336facf092165e27924f223d3c62ca560b1f2bb5dff7ab7fad265361987"],
}
PLATFORM = {"sys_platform": "emscripten", "platform_system": "Emscripten", "extra": ""}


class Wanted(NamedTuple):
    """A package that is wanted."""

    requirement: Requirement
    fault: Callable[[str], Fault]  # makes one at the place in the book that asks for it


def prepare(book):
    """Find and fetch the packages of a book; return faults, after which the rest can be built."""
    if os.environ.get("PAGE_PYTHON") == "0":
        return []
    shelf = Shelf(book.root)
    asked, faults = asked_for(book)
    imports = list(imports_of(book))
    wanted = [*asked, *imported(imports)]
    shelf.stock({canonicalize_name(each.requirement.name) for each in wanted})
    for each in wanted:
        try:
            shelf.take(each.requirement)
        except BuildError as error:
            faults.append(each.fault(str(error)))
            shelf.failed.add(canonicalize_name(each.requirement.name))
    shelf.write()
    return [*faults, *missing(book, imports, shelf.failed)]


def result_of(root):
    """Return what was prepared for a book: { packages: entries of the lock by name, failed }."""
    text = read(root / RESULT)
    return json.loads(text) if text else {"packages": {}, "failed": []}


# what is wanted


def asked_for(book):
    """Return what the settings ask for, and what is wrong with that."""
    (file, text), wanted, faults = book.configuration, {}, []
    for asked in map(str, book.settings["bookwork_packages"]):
        line = line_of(text, asked, line_of(text, "bookwork_packages"))
        try:
            each = Wanted(Requirement(asked), partial(Fault, file, line))
            each.requirement.name = of_import().get(each.requirement.name, each.requirement.name)
        except InvalidRequirement:
            faults.append(Fault(file, line, f"bookwork_packages: {asked} names no package"))
            continue
        before = wanted.setdefault(canonicalize_name(each.requirement.name), each)
        if before.requirement.specifier != each.requirement.specifier:
            both = f"{before.requirement} and {each.requirement}"
            faults.append(each.fault(f"bookwork_packages asks for two versions: {both}"))
    return list(wanted.values()), faults


def imported(imports):
    """Return those of Pyodide's packages that are imported."""
    found = {}
    for each in imports:
        package = of_import().get(each.top)
        if package and package not in base() and each.top not in NETWORK | STAND_INS:
            found.setdefault(package, Wanted(Requirement(package), each.fault))
    return list(found.values())


# what there is


@cache
def pyodide_packages():
    """Return what Pyodide's lock says of all its packages, by name."""
    file = wheels.CARRIED / wheels.WHOLE_LOCK
    file = file if file.is_file() else wheels.CORE / "pyodide-lock.json"
    found = json.loads(file.read_text(encoding="utf-8"))["packages"] if file.is_file() else {}
    return {name: package for name, package in found.items() if not name.endswith("-tests")}


@cache
def base():
    """Return the packages that every page's Python has, by name."""
    return wheels.wanted_packages(pyodide_packages()) if pyodide_packages() else {}


@cache
def of_import():
    """Return which package of Pyodide has a module, by the module's name."""
    packages = pyodide_packages() | base()
    tops = {top: name for name, package in packages.items() for top in package["imports"]}
    return {name: name for name in PINNED} | tops


def lacking(book_settings, root):
    """Return a function that tells a module, and why a page of this book cannot import it."""
    result = result_of(root)
    own = {*packages_of(book_settings), "bookwork", "", *STAND_INS}
    extra = {top for package in result["packages"].values() for top in package["imports"]}
    theirs = {top for top, name in of_import().items() if name not in result["failed"]}

    def lacks(name):
        top = name.partition(".")[0]
        if top in NETWORK:
            return f"{top}, {HOSTS}"
        if is_dropped(name):
            return f"{name if top in theirs else top}, {ABSENT}"
        has = own | extra | theirs | sys.stdlib_module_names
        return "" if top in has or not pyodide_packages() else f"{top}, {ABSENT}"

    return lacks


def is_dropped(name):
    """Return whether a module is left out of the page's packages, such as tkinter."""
    top = name.partition(".")[0]
    package = "python-stdlib" if top in sys.stdlib_module_names else of_import().get(top, "")
    if package not in wheels.DROPPED:
        return False
    dropped, path = re.compile(wheels.DROPPED[package]), name.replace(".", "/")
    return bool(dropped.search(f"{path}/") or dropped.search(f"{path}.py"))


def tell_missing(book):
    """Print a sentence for each module that no page of the book has; return how many.

    Nothing is fetched; what `bookwork_packages` brings is known only when that was done.
    """
    if book.settings["bookwork_packages"] and not (book.root / RESULT).is_file():
        return 0
    return print_faults(missing(book, imports_of(book), result_of(book.root)["failed"]))


def missing(book, imports, failed):
    """Yield one fault for all modules that no page of the book has, at the first such cell."""
    lacks, told = lacking(book.settings, book.root), {}
    for each in imports:
        is_told = of_import().get(each.top, canonicalize_name(each.top)) in failed
        if each.is_in_cell and not is_told and (why := lacks(each.name)):
            told.setdefault(why.partition(",")[0], []).append(each.fault)
    if told:
        first, *_ = next(iter(told.values()))
        yield first(NO_RUN.format(", ".join(told)))


# fetching


class Shelf:
    """The packages of a book: entries of Pyodide's lock, whose wheels are in the cache."""

    def __init__(self, root):
        self.root, self.cache = root, root / ".cache" / "python"
        self.found, self.failed = {}, set()
        self.obstacle = f"{wheels.SILENT} PyPI's {wheels.CARRIER} does not have it"
        self.asked = set()  # files that are not asked for again
        self.locked = PINNED | {name: rest for name, *rest in LOCKED.findall(read(root / LOCK))}
        self.cache.mkdir(parents=True, exist_ok=True)

    def take(self, requirement):
        """Fetch a package and those that it needs, unless they are there; or raise BuildError."""
        name = canonicalize_name(requirement.name)
        have = base().get(name) or self.found.get(name)
        theirs = pyodide_packages().get(name)
        for entry in filter(None, [have, theirs]):
            check_version(requirement, entry["version"])
        if have:
            return
        entry = self.from_pyodide(name, theirs) if theirs else self.from_pypi(requirement)
        self.found[name] = entry
        try:
            for needed in entry.pop("needs", entry["depends"]):
                self.take(Requirement(needed))
        except BuildError as error:
            del self.found[name]
            raise BuildError(f"{name} needs more: {error}") from error

    def stock(self, names):
        """Fetch what Pyodide has of these packages and of those that they need, all at once."""
        theirs, waiting = pyodide_packages(), list(names)
        met = set(base())
        while waiting:
            name = waiting.pop()
            if name in theirs and name not in met and name not in wheels.UNUSED:
                met.add(name)
                waiting += theirs[name]["depends"]
        fetched = met - set(base()) - set(self.locked)
        digests = {theirs[name]["file_name"]: theirs[name]["sha256"] for name in fetched}
        missing = {file for file in digests if not (self.cache / file).is_file()}
        files = sorted(missing - self.asked)
        self.asked |= missing
        try:
            listed = self.cache / f"{wheels.CARRIER}.txt"
            for file, data in (wheels.found_at_pyodide(files, listed) if files else {}).items():
                wheels.verify(file, data, digests[file])
                wheels.write_whole(self.cache / file, data)
        except BuildError as error:
            self.obstacle = str(error)

    def from_pyodide(self, name, package):
        """Return the entry of a package of Pyodide; of pure Python it may also come from PyPI."""
        depends = [other for other in package["depends"] if other not in wheels.UNUSED]
        file, is_pure = self.cache / package["file_name"], package["file_name"].endswith(PURE)
        if not file.is_file():
            self.stock([name])  # what a package from PyPI needs is known only now
        if not is_pure and not file.is_file():
            raise BuildError(f"{name} could not be fetched: {self.obstacle}")
        if not is_pure or (
            file.is_file() and wheels.digest_of(file.read_bytes()) == package["sha256"]
        ):
            wheels.read_verified(package, self.cache)
            return package | {"name": name, "depends": depends}
        found = self.from_pypi(Requirement(f"{name}=={package['version']}"))
        return found | {"depends": depends, "needs": depends}

    def from_pypi(self, requirement):
        """Return an entry for a package of pure Python from PyPI, and note what it needs."""
        name = canonicalize_name(requirement.name)
        version, digest = self.locked.get(name, ("", ""))
        if version and not requirement.specifier.contains(version, prereleases=True):
            raise BuildError(f"{LOCK} has {name} {version}, but {requirement} is asked for")
        file, data = self.wheel(name, version, requirement)
        wheels.verify(file, data, digest or wheels.digest_of(data))
        wheels.write_whole(self.cache / file, data)
        entry = entry_of(name, file, data)
        self.locked[name] = [entry["version"], entry["sha256"]]
        return entry

    def wheel(self, name, version, requirement):
        """Return a wheel from the cache or from PyPI: the name of its file, and what is in it."""
        stem = name.replace("-", "_")
        kept = sorted(self.cache.glob(f"{stem}-{version}-*{PURE}")) if version else []
        if kept:
            return kept[0].name, kept[0].read_bytes()
        try:
            (found,) = wheels.from_pip(
                f"{name}=={version}" if version else str(requirement)
            ).items()
        except BuildError as error:
            raise BuildError(
                f"no wheel of {requirement} in pure Python was fetched: {error}"
            ) from error
        return found

    def write(self):
        """Write the lock of the book, and what was found."""
        used = {name: self.locked[name] for name in sorted(self.locked.keys() & self.found)}
        lines = [f"{name}=={version} --hash=sha256:{d}\n" for name, (version, d) in used.items()]
        write_if_new(self.root / LOCK, HEAD + "".join(lines) if lines else "")
        result = {"packages": self.found, "failed": sorted(self.failed)}
        write_if_new(self.root / RESULT, json.dumps(result, indent=1) + "\n")


def check_version(requirement, version):
    """Raise BuildError if a version is not the one that is asked for."""
    if not requirement.specifier.contains(version, prereleases=True):
        raise BuildError(f"{requirement} is asked for, but readers' Python can have only {version}")


def entry_of(name, file, data):
    """Return what Pyodide's lock would say of a wheel."""
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        paths = wheel.namelist()
        about = next(path for path in paths if path.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(wheel.read(about).decode())
    tops = {path.partition("/")[0] for path in paths if path.endswith(".py")}
    imports = sorted(top.removesuffix(".py") for top in tops if not top.endswith(".data"))
    needs = [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]
    needs = [each for each in needs if not each.marker or each.marker.evaluate(PLATFORM)]
    depends = [canonicalize_name(each.name) for each in needs]
    entry = wheels.package_entry(name, file, metadata["Version"], depends, imports)
    texts = [f"{each.name}{each.specifier}" for each in needs]
    return entry | {"sha256": wheels.digest_of(data), "needs": texts}


def read(file):
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def write_if_new(file, text):
    """Write a text, unless it is there; an empty one removes the file."""
    if not text:
        file.unlink(missing_ok=True)
    elif read(file) != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
