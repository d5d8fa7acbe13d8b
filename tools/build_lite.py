"""Build the site's notebooks: downloads in _build/notebooks, JupyterLite in _build/lite.

JupyterLite is JupyterLab's notebook as static files. Its Python is the page's own: the folder that
bookwork.build.build_python made, shared, with a second lock that adds what a notebook's kernel
needs, as wheels that are verified and compiled in the same way. Nothing is fetched from other
hosts, and the pages have a policy that forbids it. Each step is skipped when its inputs have not
changed; PAGE_PYTHON=0 leaves JupyterLite out.
"""

import hashlib
import io
import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

from bookwork.book.book import Book
from bookwork.book.files import PACKAGE
from bookwork.build.build_python import cache_of, compile_all, out_of
from bookwork.build.policy import inline_scripts, policy_tag
from bookwork.build.steps import do_once
from bookwork.build.wheels import (
    LICENCE,
    BuildError,
    fetch,
    from_pypi,
    package_entry,
    unzipped,
    with_digest,
    zipped,
)
from tools import ROOT, make_dist
from tools.way_back import BAR_FILES, add_way_back

CACHE = cache_of(ROOT)
OUT = out_of(ROOT)
WHEELS = Path(__file__).with_name("lite-wheels.txt")
DOWNLOADS = ROOT / "_build" / "notebooks"
LITE = ROOT / "_build" / "lite"
EXTENSIONS = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
KERNEL = EXTENSIONS / "@jupyterlite" / "pyodide-kernel-extension"
WIDGETS = [EXTENSIONS / "@jupyter-widgets" / "jupyterlab-manager", EXTENSIONS / "anywidget"]
SAFETY = Book(ROOT).web / "lite.js"  # the book's own extension
DISABLED = [
    "@jupyter-notebook/notebook-extension:tab-icon",  # requests icons that do not exist
    "@jupyterlab/javascript-extension:factory",  # runs scripts in the outputs of a notebook
]
APPS = ["notebooks", "tree"]
SETTINGS = "@jupyterlite/pyodide-kernel-extension:kernel"
HEAD = "<head>"
DATE = "2020-01-01T00:00:00Z"
UNUSED = ["doc/**/*.html", "rspack.config*.js", "build/fa-*.svg"]
POLICY = {
    "default-src": "'self' blob: data:",
    "script-src": "'self' 'unsafe-eval' blob:",  # and the inline scripts of each page, by hash
    "style-src": "'self' 'unsafe-inline'",
    "worker-src": "'self' blob:",  # 'self' is the service worker, by which Python reads files
    "frame-src": "blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}

# The kernel itself, from the extension that is installed here.
OWN = ["ipykernel-6.9.2", "piplite-0.8.6", "pyodide_kernel-0.8.6"]
FIRST = "pyodide_kernel/__init__.py"  # what the kernel imports
LAZY = Path(__file__).with_name("lite_data.py")
ABSENT = "jedi"  # a dependency of the kernel; without it IPython completes names by itself


def main():
    tools = [*Path(__file__).parent.glob("notebook*.py"), Path(make_dist.__file__)]
    tools += (PACKAGE / "book").glob("*.py")
    book = [ROOT / name for name in ("_toc.yml", "references.bib")]
    book += [*(ROOT / "chapters").iterdir(), *(ROOT / "images").iterdir()]
    book += [path for path in (ROOT / "benchmarks").iterdir() if path.suffix in (".csv", ".txt")]
    wheel = make_dist.inputs()
    try:
        do_once(DOWNLOADS / "built-for", [*tools, *book, *wheel], write_downloads)
        if os.environ.get("PAGE_PYTHON") != "0":
            before = [OUT / "built-for", DOWNLOADS / "built-for"]  # stamps of earlier steps
            inputs = [Path(__file__), LAZY, WHEELS, SAFETY, *BAR_FILES, *before]
            do_once(LITE / "built-for", inputs, build)
    except BuildError as error:
        sys.exit(f"the notebooks of the site could not be built: {error}")


def write_downloads():
    print("Writing the chapters as notebooks into _build/notebooks", flush=True)
    make_dist.run("tools.notebooks", "site")


def build():
    """Write JupyterLite: the program, the chapters, the kernel's wheels and their lock."""
    print("Building JupyterLite in _build/lite", flush=True)
    source = LITE.with_name("lite-source")
    for folder in (LITE, source):
        shutil.rmtree(folder, ignore_errors=True)
    (source / "files").mkdir(parents=True)
    make_dist.run("tools.notebooks", "lite", str(source / "files"))
    write_extension(source / "extension")
    (source / "jupyter-lite.json").write_text(json.dumps(configuration()))
    build_program(source)
    names = write_wheels(LITE)
    configure(LITE / "jupyter-lite.json", names)
    for path in [path for pattern in UNUSED for path in LITE.glob(pattern)]:
        path.unlink()
    add_way_back(LITE)
    for page in LITE.rglob("*.html"):
        add_policy(page)
    for contents in LITE.glob("api/contents/**/all.json"):
        settle_contents(contents)


def settle_contents(path):
    """List the files of a folder in the same way in every build: by name, with one date."""
    folder = json.loads(path.read_text())
    for entry in (folder, *folder["content"]):
        entry |= {"created": DATE, "last_modified": DATE}
    folder["content"].sort(key=lambda entry: entry["path"])
    path.write_text(json.dumps(folder, indent=1))


def configuration():
    """Tell the program where its Python is; `configure` adds which packages to load."""
    home = json.loads((OUT / "index.json").read_text())["home"]
    settings = {"pyodideUrl": f"./../_pyodide/{home}pyodide.mjs", "disablePyPIFallback": True}
    data = {"appName": "Paying Attention", "appUrl": "./tree", "faviconUrl": "./icon-120x120.png"}
    data |= {"disabledExtensions": DISABLED, "litePluginSettings": {SETTINGS: settings}}
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": data}


def write_extension(folder):
    """Write bookwork/page/lite.js as an extension of JupyterLab."""
    (folder / "static").mkdir(parents=True)
    shutil.copy(SAFETY, folder / "static")
    load = {"load": f"static/{SAFETY.name}", "extension": "./extension"}
    package = {"name": "bookwork", "version": "1.0.0", "jupyterlab": {"_build": load}}
    (folder / "package.json").write_text(json.dumps(package))


def build_program(source):
    """Run `jupyter lite build` with the extensions that live figures need, and no others."""
    options = [f"--lite-dir={source}", f"--output-dir={LITE}", f"--contents={source / 'files'}"]
    options += [f"--apps={name}" for name in APPS]
    extensions = [KERNEL, *WIDGETS, source / "extension"]
    options += [f"--LiteBuildConfig.federated_extensions={path}" for path in extensions]
    options += ["--ignore-sys-prefix", "--no-sourcemaps", "--no-unused-shared-packages"]
    make_dist.run("jupyterlite_core", "build", *options, folder=source)


# the kernel's packages


def write_wheels(folder):
    """Write the wheels that the page's Python lacks, and a lock of all; return the names."""
    lock = json.loads((OUT / "pyodide-lock.json").read_text())
    for package in lock["packages"].values():
        package["file_name"] = f"../_pyodide/{package['file_name']}"
    (folder / "wheels").mkdir()
    for name, (file_name, data) in kernel_wheels().items():
        digest = hashlib.sha256(data).hexdigest()
        target = f"wheels/{with_digest(file_name, digest)}"
        (folder / target).write_bytes(data)
        version = file_name.split("-")[1]
        entry = package_entry(name, target, version, [], [name.replace("-", "_")])
        lock["packages"][name] = entry | {"sha256": digest}
    (folder / "wheels" / "LICENSES.txt").write_text(licences(fetched_wheels()))
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, separators=(",", ":")))
    return sorted(lock["packages"])


def kernel_wheels():
    """Return the kernel's wheels by their names in its lock."""
    files = fetched_wheels()
    for name in OWN:
        file_name = f"{name}-py3-none-any.whl"
        files[file_name] = with_data((KERNEL / "static" / "pypi" / file_name).read_bytes())
    made = compile_all(files, CACHE)
    made[f"{ABSENT}-0-py3-none-any.whl"] = empty_wheel(ABSENT)
    return {name.split("-")[0].replace("_", "-"): (name, data) for name, data in made.items()}


def fetched_wheels():
    """Return the wheels that lite-wheels.txt lists, by the names of their files."""
    lines = [line.split() for line in WHEELS.read_text().splitlines() if not line.startswith("#")]
    wheels = {}
    for digest, file in lines:
        name, version, _ = file.split("-", 2)
        wheels[file] = {"name": name, "version": version, "file_name": file, "sha256": digest}
    return fetch(wheels, from_pypi, CACHE)


def with_data(wheel):
    """Return the wheel of the kernel with lite_data.py in it; any other as it is."""
    files = unzipped(wheel)
    if FIRST not in files:
        return wheel
    index = json.loads((OUT / "index.json").read_text())
    names = {name: f"data/{name}" for name in index["lazy"]}
    lazy = [
        (index["lazy"][name], f"{file}?{index['versions'][file]}", index["sizes"][file])
        for name, file in names.items()
    ]
    source = f"FILES = {lazy!r}\n{LAZY.read_text()}"
    first = files[FIRST] + b"\nfrom . import lite_data\n"
    return zipped(files | {FIRST: first, "pyodide_kernel/lite_data.py": source})


def empty_wheel(name):
    """Return a wheel with no module in it."""
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n"
    return zipped({f"{name}-0.dist-info/METADATA": about})


def licences(files):
    """Return the licences of third-party code, which the compiled wheels no longer contain."""
    texts = []
    for name, data in files.items():
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            found = [wheel.read(n).decode() for n in wheel.namelist() if LICENCE.search(n)]
        texts.append("\n\n".join([name, *found]))
    return "\n\n".join(texts)


def configure(path, names):
    """Add to the program's configuration the lock and the packages to load at the start."""
    lock = (path.parent / "pyodide-lock.json").read_bytes()
    address = f"./pyodide-lock.json?{hashlib.sha256(lock).hexdigest()[:16]}"
    data = json.loads(path.read_text())
    settings = data["jupyter-config-data"]["litePluginSettings"][SETTINGS]
    settings["loadPyodideOptions"] = {"lockFileURL": address, "packages": names}
    path.write_text(json.dumps(data))


def add_policy(page):
    """Give a page of JupyterLite a policy: no other host, and no inline scripts but its own."""
    text = page.read_text(encoding="utf-8")
    if HEAD not in text:
        raise BuildError(f"{page.name} of JupyterLite has no place for a policy")
    tag = policy_tag(POLICY, inline_scripts(text))
    page.write_text(text.replace(HEAD, HEAD + tag, 1), encoding="utf-8")


if __name__ == "__main__":
    main()
