"""Four sites, side by side in one folder, whose Python comes from the same server.

book/    the built book
plain/   the book, with the same packages not compiled
stock/   Pyodide as it is published, with one page that starts it in a worker
lite/    JupyterLite, bare: the Pyodide kernel and nothing else, on the files of stock/

No other host is contacted when they are opened. JupyterLite is set up as its own lock add-on
would do it: what its kernel imports is in Pyodide's lock and loaded with Pyodide, in one go.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.report import RESULTS, SITE
from bookwork.build import build_python

FOLDER = RESULTS / "sites"
EXTENSION = Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension")
CORE_FILES = (*build_python.CORE_FILES, build_python.STDLIB)

# What JupyterLite's kernel loads at its start, besides what it contains itself: from PyPI, in the
# versions that Pyodide's lock names (comm is not in it).
FROM_PYPI = [
    *["asttokens", "decorator", "executing", "ipython", "jedi", "matplotlib-inline", "micropip"],
    *["parso", "prompt-toolkit", "pure-eval", "pygments", "stack-data", "traitlets", "wcwidth"],
]
CARRIED = {"piplite": ["micropip"], "ipykernel": ["pyodide-kernel"]}
CARRIED |= {"pyodide-kernel": ["comm", "ipython"]}
LOADED = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"]

PAGE = """\
<!doctype html><meta charset="utf-8"><title>Pyodide</title><p id="result"></p><script type="module">
globalThis.start = () => {
  const worker = new Worker("worker.mjs", { type: "module" });
  worker.onmessage = ({ data }) => { document.getElementById("result").textContent = data; };
};
</script>
"""
WORKER = """\
import { loadPyodide } from "./pyodide.mjs";
const base = new URL("./", import.meta.url).href;
const stdout = (text) => postMessage(text);
const python = await loadPyodide({ indexURL: base, packageBaseUrl: base, stdout });
await python.loadPackage("numpy", { messageCallback: () => {} });
python.runPython(%s);
"""


def assemble(code):
    """Make the folder again, for pages that run this code; return it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "book").symlink_to(SITE)
    make_plain(FOLDER / "plain")
    make_stock(FOLDER / "stock", code)
    make_lite(FOLDER / "lite")
    return FOLDER


def make_plain(folder):
    """Make a copy of the book whose packages are not compiled."""
    folder.mkdir()
    for entry in SITE.iterdir():
        if entry.name != "_pyodide":
            (folder / entry.name).symlink_to(entry)
    build_python.build(folder / "_pyodide", compiled=False)


def make_stock(folder, code):
    """Put Pyodide's own files, NumPy's wheel and JupyterLite's into a folder with a page."""
    folder.mkdir()
    for name in CORE_FILES:
        shutil.copyfile(build_python.CORE / name, folder / name)
    lock = json.loads((build_python.CORE / "pyodide-lock.json").read_text())
    packages = lock["packages"]
    for name in ("numpy", "six"):
        (folder / packages[name]["file_name"]).write_bytes(
            build_python.read_verified(packages[name])
        )
    for name, entry, data in wheels_of_lite(packages):
        packages[name] = entry | {"sha256": hashlib.sha256(data).hexdigest()}
        (folder / entry["file_name"]).write_bytes(data)
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    (folder / "index.html").write_text(PAGE)
    (folder / "worker.mjs").write_text(WORKER % json.dumps(code))


def wheels_of_lite(packages):
    """Yield (name, entry for the lock, content) of what JupyterLite's kernel needs."""
    for name in FROM_PYPI:
        yield name, packages[name], cached(name, packages[name]["version"])
    comm = build_python.extra_entry("comm") | {"depends": []}
    yield "comm", comm, build_python.read_verified(comm)
    for name, depends in CARRIED.items():
        wheel = next((EXTENSION / "static" / "pypi").glob(f"{name.replace('-', '_')}-*.whl"))
        version, imports = wheel.name.split("-")[1], [name.replace("-", "_")]
        entry = build_python.package_entry(name, wheel.name, version, depends, imports)
        yield name, entry, wheel.read_bytes()


def cached(name, version):
    """Return a wheel from PyPI, fetched once."""
    path = build_python.CACHE / "lite" / f"{name}-{version}.whl"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(*build_python.from_pip(f"{name}=={version}").values())
    return path.read_bytes()


def make_lite(folder):
    """Build JupyterLite with its Pyodide kernel only."""
    source = RESULTS / "lite"
    source.mkdir(exist_ok=True)
    settings = {
        "disablePyPIFallback": True,
        "pyodideUrl": "./../stock/pyodide.mjs",
        "loadPyodideOptions": {"lockFileURL": "../stock/pyodide-lock.json", "packages": LOADED},
    }
    plugins = {"@jupyterlite/pyodide-kernel-extension:kernel": settings}
    config = {"jupyter-config-data": {"litePluginSettings": plugins}}
    (source / "jupyter-lite.json").write_text(
        json.dumps({"jupyter-lite-schema-version": 0} | config)
    )
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--no-sourcemaps"]
    command += ["--ignore-sys-prefix", "--lite-dir", source, "--output-dir", folder]
    command += ["--apps", "repl", f"--LiteBuildConfig.federated_extensions={EXTENSION}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=source)
    if done.returncode != 0:
        sys.exit(f"JupyterLite could not be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
