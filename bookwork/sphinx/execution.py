"""Sphinx extension: chapters run two at a time, and again when their code or the book's changes.

Outputs are kept in _build/outputs, under a digest of a chapter's cells, of the book's own packages,
and of the versions of what runs them. The text of a chapter, its captions and the look of its cells
may change without another run. (The cache of myst-nb takes a caption for code, runs one chapter
after another, and knows no package.)
"""

import asyncio
import hashlib
import json
import logging
import os
import platform
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from copy import deepcopy
from glob import escape
from importlib.metadata import version
from pathlib import Path
from subprocess import DEVNULL

import nbclient
import nbformat
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from myst_nb import sphinx_ as myst_nb_sphinx
from myst_nb.core.execute import NotebookClientBase, create_client
from myst_nb.core.read import create_nb_reader
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from sphinx.errors import SphinxError
from traitlets.config import Config

from bookwork.book.faults import one_line
from bookwork.book.files import PACKAGE, files_below
from bookwork.book.names import parse_cell
from bookwork.book.settings import packages_of
from bookwork.build.build_python import LOOK
from bookwork.build.steps import fingerprint
from bookwork.sphinx.book_warnings import FAILED, FIGURES, figure_name, tell_of_outputs
from bookwork.sphinx.figures import WIDGET_STATE
from bookwork.sphinx.page_python import CELLS, describe, is_python
from bookwork.sphinx.pages import text_of

VERSIONS = [
    platform.python_version(),
    *map(version, ("numpy", "matplotlib", "ipywidgets", "anywidget", "ipykernel")),
]
SIDE_BY_SIDE = 2
QUIET = logging.getLogger("chapters")
QUIET.setLevel(logging.CRITICAL)  # book_warnings.py tells what a cell does wrong, once
STARTUP = 600  # seconds that a kernel may take to start, or outputs to come: a machine may be busy
SVG = ["--InlineBackend.figure_formats=svg"]  # sharp, and in the reader's letters
PYTHON = "python3"  # the kernel that runs Python where the one that a page names is not installed


def setup(app):
    """Replace myst-nb's clients, and connect to Sphinx."""
    app.add_config_value("book_code", "", "env", str)  # a change reads all pages again
    os.environ["BOOKWORK_QUIET"] = "1"  # a page shows results, not progress bars
    paths = [str(app.srcdir), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))  # cells find the package
    share = max(1, (os.cpu_count() or 1) // SIDE_BY_SIDE)
    os.environ.setdefault("OMP_NUM_THREADS", str(share))  # NumPy would use all cores in each
    runs = Runs(app)
    myst_nb_sphinx.create_client = runs.client
    app.connect("config-inited", note_code, priority=100)
    app.connect("env-before-read-docs", runs.run_missing)


def note_code(app, config):
    """Store what the outputs of chapters depend on besides their cells."""
    config.book_code = state_of_code(app.srcdir, config)


def state_of_code(root, config):
    """Return a digest of the book's packages, of bookwork's, and of the versions of others."""
    own = [file for name in packages_of(config) for file in files_below(Path(root, name))]
    ours = [file for name in ("live", "exercises") for file in (PACKAGE / name).glob("*.py")]
    return fingerprint([*own, *ours, *VERSIONS])


class Runs:
    """The outputs of the book's chapters, kept from earlier builds or made in this one."""

    def __init__(self, app):
        self.app = app
        self.made = {}  # file for outputs that this build made -> what is not kept there, or None
        self.failed = set()  # those of them that end with an error

    def run_missing(self, app, env, docnames):
        """Run the chapters that will be read and have no outputs yet, several at once."""
        chapters = [(Path(env.doc2path(name)), read(name, env)) for name in docnames]
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            list(pool.map(lambda each: self.run_if_missing(*each, env.mystnb_config), chapters))

    def run_if_missing(self, path, notebook, config):
        """Run a chapter, unless it is not to be run or its outputs are there.

        What failed is not kept, nor what is of code that was saved meanwhile.
        """
        file, book = self.file_of(path, notebook), self.app.config
        is_there = config.execution_mode != "force" and file.is_file()
        if file in self.made or is_there or not is_run(path, notebook, config):
            return
        self.made[file] = notebook
        if not ran(notebook, path.parent, config, book.bookwork_house_style):
            self.failed.add(file)
        elif state_of_code(self.app.srcdir, book) == book.book_code:
            self.made[file] = None
            file.parent.mkdir(parents=True, exist_ok=True)
            for earlier in file.parent.glob(f"{escape(path.stem)}-{'?' * 16}.ipynb"):
                earlier.unlink()
            nbformat.write(tidy(notebook, path.stem), file)

    def file_of(self, path, notebook):
        """Return the file for the outputs of a notebook, whether or not it exists."""
        config, place = self.app.config, path.relative_to(self.app.srcdir)
        codes = [[cell.source, "raises-exception" in tags(cell)] for cell in code_cells(notebook)]
        parts = [codes, config.book_code, config.bookwork_house_style]
        key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
        return Path(self.app.outdir).parent / "outputs" / place.parent / f"{place.stem}-{key}.ipynb"

    def client(self, notebook, source, config, logger, read_format=None):
        """Return what myst-nb takes a chapter's outputs from, and note its cells."""
        path, page = Path(source), self.app.env.docname
        client = NotebookClientBase(notebook, path, config, logger)
        own = self.app.env.metadata[page]
        own[CELLS] = cells = describe(notebook, lines_of(notebook, path))
        own[FIGURES] = [name for cell in code_cells(notebook) if (name := figure_name(cell))]
        if not cells:
            return client
        if not is_run(path, notebook, config):
            own[FAILED] = not is_sound(notebook)
            return create_client(notebook, source, config, logger, read_format)
        self.run_if_missing(path, deepcopy(notebook), config)  # if it has settings of its own
        file = self.file_of(path, notebook)
        own[FAILED] = file in self.failed
        put_outputs(self.made.get(file) or nbformat.read(file, 4), notebook)
        tell_of_outputs(notebook, page, cells, config)
        return client


def read(page, env):
    """Return a page as a notebook, without cells if it has none or says itself how it is run."""
    text, config, path = text_of(env, page), env.mystnb_config, env.doc2path(page)
    try:
        reader = create_nb_reader(path, env.myst_config, config, text)
        notebook = reader.read(text) if reader else nbformat.v4.new_notebook()
    except Exception as error:
        line = re.search(r"(?:at )?line (\d+)", str(error))
        said = f"{path}:{line[1] if line else 1}: this page cannot be read: {one_line(error)}"
        raise SphinxError(said) from error
    return nbformat.v4.new_notebook() if config.metadata_key in notebook.metadata else notebook


def lines_of(notebook, path):
    """Return for each cell on which line of its page the code begins; 0 for one of Jupyter's."""
    if "source_map" not in notebook.metadata:
        return [0] * len(notebook.cells)
    lines, found = path.read_text(encoding="utf-8", errors="replace").splitlines(), []
    for cell, fence in zip(notebook.cells, notebook.metadata["source_map"], strict=True):
        code, places = cell.source.splitlines(), range(fence, len(lines))
        found.append(next((k + 1 for k in places if lines[k : k + len(code)] == code), fence))
    return found


def is_run(path, notebook, config):
    """Return whether a page is run, and not shown with what it has."""
    cells = code_cells(notebook)
    is_left_out = any(map(path.match, config.execution_excludepatterns))
    if not cells or is_left_out or not is_sound(notebook):
        return False
    if config.execution_mode == "auto":
        return not all(cell.outputs for cell in cells)
    return config.execution_mode in ("force", "cache")


def is_sound(notebook):
    """Return whether every cell can be Python; checks.py tells where one is not."""
    wanted = [cell for cell in code_cells(notebook) if "raises-exception" not in tags(cell)]
    try:
        return not is_python(notebook) or all(parse_cell(cell.source) for cell in wanted)
    except SyntaxError:
        return False


def ran(notebook, folder, config, in_house_style):
    """Run a notebook in a folder; return whether it succeeded, else its last output is the error.

    Jupyter leaves no output in a cell that takes too long, or that ends Python.
    """
    begun = [code_cells(notebook)[0]]
    in_temp = config.execution_in_temp
    try:
        with tempfile.TemporaryDirectory() if in_temp else nullcontext(folder) as place:
            execute(notebook, place, begun, config, in_house_style)
        return True
    except CellExecutionError:
        return False
    except NoSuchKernel as error:
        said = ["NoSuchKernel", f"{error.name} is not installed"]
    except CellTimeoutError:
        said = ["TimeoutError", f"it ran for {config.execution_timeout} seconds"]
    except RuntimeError:
        said = ["Python ended", "it was killed, or ran out of memory"]
    error = dict(zip(("ename", "evalue"), said, strict=True), traceback=[])
    begun[-1].outputs.append(nbformat.v4.new_output("error", **error))
    return False


def execute(notebook, place, begun, config, in_house_style):
    """Run a notebook in a folder, and list the cells that have begun.

    The kernel listens at files, not at ports: another program could take a port that Jupyter has
    found free before the kernel does.
    """
    look = {"MATPLOTLIBRC": str(LOOK), "SOURCE_DATE_EPOCH": "0"} if in_house_style else {}
    named = notebook.metadata.get("kernelspec", {}).get("name", PYTHON)
    is_other = named in KernelSpecManager().find_kernel_specs() or not is_python(notebook)
    with tempfile.TemporaryDirectory() as sockets:
        socket = {"transport": "ipc", "ip": f"{sockets}/kernel"}  # which Windows does not have
        client = nbclient.NotebookClient(
            notebook,
            kernel_name=named if is_other else PYTHON,
            timeout=config.execution_timeout,
            allow_errors=config.execution_allow_errors,
            startup_timeout=STARTUP,
            iopub_timeout=STARTUP,
            on_cell_execute=lambda cell, cell_index: begun.append(cell),
            resources={"metadata": {"path": str(place)}},
            config=Config(KernelManager={} if os.name == "nt" else socket),
            extra_arguments=SVG if look and is_python(notebook) else [],
            log=QUIET,
        )
        # a kernel that ends may write to stderr
        asyncio.run(client.async_execute(stderr=DEVNULL, env=os.environ | look))


def tidy(notebook, name):
    """Return a notebook that is the same after every run.

    What a cell prints comes in pieces, which depend on timing: here they are joined. A widget has a
    random name: here one that is derived from its chapter and its position.
    """
    for cell in code_cells(notebook):
        found = []
        for output in cell.outputs:
            if found and "text" in output and found[-1].get("name") == output.name:
                found[-1].text += output.text
            else:
                found.append(output)
        cell.outputs = found
    widgets = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    text = json.dumps(notebook)
    for k, old in enumerate(widgets):
        text = text.replace(old, hashlib.sha256(f"{name} {k}".encode()).hexdigest()[:32])
    return nbformat.from_dict(json.loads(text))


def code_cells(notebook):
    """Return the cells that run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell):
    """Return the tags of a cell."""
    return cell.metadata.get("tags", ())


def put_outputs(ran, notebook):
    """Give each code cell of a notebook its outputs, and the notebook its widgets and language."""
    for cell, kept in zip(code_cells(notebook), code_cells(ran), strict=True):
        cell.outputs, cell.execution_count = kept.outputs, kept.execution_count
    for key in {"widgets", "language_info"} & ran.metadata.keys():
        notebook.metadata[key] = ran.metadata[key]
