"""The packages of the page's Python: where they come from, verified, and what of them is left out.

Every file from elsewhere is checked against a SHA-256 before it is used: the core comes with npm's
package `pyodide`, whose lock names the wheels and their digests. The wheels come from Pyodide's own
server or, where that does not respond, from a wheel on PyPI that contains the same files.
"""

import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bookwork.book.files import PACKAGE

PINS = PACKAGE / "page" / "package.json"  # only it has Pyodide's version; npm's lock follows
CORE = PACKAGE / "page" / "node_modules" / "pyodide"
CARRIED = PACKAGE / "page" / "pyodide"  # in a wheel: all that does not depend on the book
HOST = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
CARRIER = "open-webui==0.12.4"  # contains Pyodide's wheels, byte for byte, in its front end
FOLDER_IN_CARRIER = "open_webui/frontend/pyodide/"
SILENT = "Pyodide's server did not respond, and"
STDLIB = "python_stdlib.zip"
WHOLE_LOCK = (
    "all-packages.json"  # in a wheel: Pyodide's lock, with the packages that books may want
)
UNUSED = {"pytz", "fonttools", "setuptools"}  # for time zones, PDF and PostScript, installing

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
SHARED = (
    "multiprocessing.zip"  # in a wheel: a part of Python that is left out, and that joblib needs
)
LICENCE = re.compile(r"\.dist-info/(licenses/.*|LICEN[CS]E[^/]*|COPYING[^/]*)(?<!/)$")


class BuildError(Exception):
    """An error with a sentence for the person who builds the book."""


def core_folder():
    """Return the folder of Pyodide's own files."""
    return CARRIED if CARRIED.is_dir() else CORE


def pyodide_version():
    """Return the version of Pyodide, which npm's package.json alone names."""
    return json.loads(PINS.read_text(encoding="utf-8"))["dependencies"]["pyodide"]


def python_version():
    """Return Pyodide's version of Python without the last part, from its lock."""
    full = json.loads((core_folder() / "pyodide-lock.json").read_text(encoding="utf-8"))["info"][
        "python"
    ]
    return full.rpartition(".")[0]


def site_folder():
    return f"/lib/python{python_version()}/site-packages/"


def stdlib_folder():
    return f"/lib/python{python_version().replace('.', '')}.zip/"


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
    host, error = HOST.format(version=pyodide_version()), "some are missing"
    try:
        found = found_at_pyodide(names)
    except BuildError as reason:
        found, error = {}, reason
    if len(found) < len(names):
        raise BuildError(
            f"neither {host} nor PyPI's {CARRIER} gave the wheels ({error}). Check the connection, "
            "or leave Python out of the page: PAGE_PYTHON=0 make book"
        )
    return found


def found_at_pyodide(names, listed=None):
    """Return those of Pyodide's wheels that its server has or, if it is silent, the carrier.

    What the carrier has is noted in a file `listed`, so that it is not asked again for the rest.
    """
    try:
        wheels = "1 wheel" if len(names) == 1 else f"{len(names)} wheels"
        print(f"Fetching {wheels} for the page's Python (once)", flush=True)
        host = HOST.format(version=pyodide_version())
        return {name: download(host + name) for name in names}
    except OSError as error:
        print(f"Pyodide's server did not respond ({error}): {CARRIER} has many, too", flush=True)
    if (
        listed
        and listed.is_file()
        and not set(listed.read_text(encoding="utf-8").split()) & set(names)
    ):
        return {}
    try:
        (data,) = from_pip(CARRIER).values()
        with zipfile.ZipFile(io.BytesIO(data)) as carrier:
            there = {name.removeprefix(FOLDER_IN_CARRIER) for name in carrier.namelist()}
            if listed:
                listed.write_text("\n".join(sorted(there)), encoding="utf-8")
            return {n: carrier.read(FOLDER_IN_CARRIER + n) for n in names if n in there}
    except (BuildError, zipfile.BadZipFile) as error:
        raise BuildError(f"{SILENT} {error}") from error


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
    carried = CARRIED / SHARED
    files = unzipped((carried if carried.is_file() else CORE / STDLIB).read_bytes())
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
    return "\n\n".join([*texts, *licences_in(packages, archives)])


def licences_in(packages, archives):
    """Yield the licences in the archives of packages."""
    for name in sorted(packages):
        yield f"{name} {packages[name]['version']}"
        with zipfile.ZipFile(io.BytesIO(archives[name])) as wheel:
            files = [n for n in wheel.namelist() if LICENCE.search(n)]
            yield from (wheel.read(n).decode(errors="replace") for n in files)


def with_digest(file_name, digest):
    """Put a digest into a wheel's name, so that a browser never mixes two builds of the book."""
    if not file_name.endswith(".whl"):  # a library of Pyodide's, in a zip
        stem, _, ending = file_name.rpartition(".")
        return f"{stem}-{digest[:8]}.{ending}"
    name, version, rest = file_name.split("-", 2)
    return f"{name}-{version}-0{digest[:8]}-{rest}"


def digest_of(data):
    return hashlib.sha256(data).hexdigest()
