"""Sphinx extension: chapters run in parallel, and again only when their output could change.

The output of a chapter depends on its code cells, on the definitions of the library that these use
(see uses.py) and on the versions of what runs them. It is stored in _build/outputs under a digest
of all that. Text, captions and the look of a cell may change without another run. This replaces
jupyter-cache, which ignores changes in the library and treats a caption as code.
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
from functools import cached_property
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
from traitlets.config import Config

from bookwork.build.build_python import LOOK
from bookwork.sphinx.book_shell import WIDGET_STATE
from bookwork.sphinx.faults import FAILED, report_outputs, text_of
from bookwork.sphinx.page_python import CELLS, describe, is_python
from bookwork.sphinx.pages import notes_of
from bookwork.sphinx.uses import Library

VERSIONS = [
    platform.python_version(),
    *map(version, ("numpy", "matplotlib", "ipywidgets", "anywidget", "ipykernel")),
    "tidy 1",  # what is done with the outputs
]
SIDE_BY_SIDE = 2
LOG = logging.getLogger("chapters")
LOG.setLevel(logging.CRITICAL)  # faults.py reports the faults of a chapter, once
STARTUP = 600  # seconds that a kernel may take to start, or outputs to come: a machine may be busy
KEY = "bookwork outputs"  # the note of a page: what its outputs depend on
SVG = ["--InlineBackend.figure_formats=svg"]  # sharp, and in the reader's letters
PYTHON = "python3"  # the kernel that runs Python where the one that a page names is not installed


def setup(app):
    """Replace myst-nb's clients, and connect to Sphinx."""
    os.environ["BOOKWORK_QUIET"] = "1"  # a page shows results, not progress bars
    os.environ["PYTHONPATH"] = os.pathsep.join(  # cells find the book's package in its folder
        dict.fromkeys([str(app.srcdir), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    )
    share_cores(os.environ)
    runs = ChapterRuns(app)
    myst_nb_sphinx.create_client = runs.client
    app.connect("env-get-outdated", runs.find_outdated)
    app.connect("env-before-read-docs", runs.run_missing)


def share_cores(environment):
    """Divide the cores among the chapters: NumPy would use all of them in each, and take longer."""
    share = (os.cpu_count() or 1) // SIDE_BY_SIDE
    environment.setdefault("OMP_NUM_THREADS", str(max(1, share)))


class ChapterRuns:
    """The stored outputs of the book's chapters; missing ones are computed."""

    def __init__(self, app):
        self.app = app
        self.failed = {}  # file for the outputs -> the notebook, with the error in its outputs
        self.forced = set()  # files for outputs that this build made anew, as the book asks

    @cached_property
    def definitions(self):
        """The book's packages and bookwork as they are when this build begins."""
        config = self.app.config
        return Library(self.app.srcdir, config.bookwork_package, config.bookwork_exercises)

    def file_of(self, path, notebook):
        """Return the file for the outputs of a notebook, whether or not it exists."""
        parts = [codes_of(notebook), self.state(self.uses_of(notebook))]
        key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
        place = path.relative_to(self.app.srcdir)  # pages in two folders may share a name
        return Path(self.app.outdir).parent / "outputs" / place.parent / f"{place.stem}-{key}.ipynb"

    def uses_of(self, notebook):
        """Return the definitions of the book's package and of bookwork that a notebook imports."""
        return self.definitions.used_by(code for code, _ in codes_of(notebook))

    def state(self, uses):
        """Return what outputs depend on besides the cells themselves."""
        known = {"uses": uses, "library": self.definitions.digest(uses), "versions": VERSIONS}
        return known | ({"look": "1"} if self.look else {})  # of build/matplotlibrc

    @property
    def look(self):
        """What the environment of a kernel says of Matplotlib's pictures, if anything."""
        house = {"MATPLOTLIBRC": str(LOOK), "SOURCE_DATE_EPOCH": "0"}  # they tell no date
        return house if self.app.config.bookwork_house_style else {}

    def find_outdated(self, app, env, added, changed, removed):
        """Read a chapter again when a definition that it uses has changed."""
        states = notes_of(env, KEY)
        return [page for page, state in states.items() if state != self.state(state["uses"])]

    def run_missing(self, app, env, docnames):
        """Run the chapters that will be read and have no outputs yet, several at once."""
        notebooks = [(*self.read(name, env), env.mystnb_config) for name in docnames]
        waiting = [chapter for chapter in notebooks if self.is_to_run(*chapter)]
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            list(pool.map(lambda chapter: self.run(*chapter), waiting))

    def read(self, page, env):
        """Return the file of a page, and what it has as a notebook: nothing if it is damaged."""
        path = Path(env.doc2path(page))
        try:
            return path, read(path, env)
        except Exception as error:  # which faults.py tells
            self.app.book_faults.broken[page] = error
            return path, nbformat.v4.new_notebook()

    def is_to_run(self, path, notebook, config):
        """Return whether the outputs of a page are missing, or to be made anew."""
        if not codes_of(notebook) or not is_run(path, notebook, config):
            return False
        file = self.file_of(path, notebook)
        if config.execution_mode == "force":
            return file not in self.forced
        return not file.is_file() and file not in self.failed

    def run(self, path, notebook, config):
        """Run a chapter; store its outputs, and delete earlier ones."""
        file = self.file_of(path, notebook)
        self.forced.add(file)
        self.failed.pop(file, None)
        if not ran(notebook, path.parent, config, self.look):
            self.failed[file] = notebook
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        for earlier in file.parent.glob(f"{escape(path.stem)}-{'?' * 16}.ipynb"):
            earlier.unlink()
        nbformat.write(tidy(notebook, path.stem), file)

    def client(self, notebook, source, config, logger, read_format=None):
        """Return what myst-nb takes a chapter's outputs from."""
        path, page = Path(source), self.app.env.docname
        self.app.env.metadata[page][CELLS] = describe(notebook)
        client = NotebookClientBase(notebook, path, config, logger)
        if not codes_of(notebook):
            return client
        if not is_run(path, notebook, config):
            return create_client(notebook, source, config, logger, read_format)
        if self.is_to_run(path, notebook, config):
            self.run(path, deepcopy(notebook), config)
        file = self.file_of(path, notebook)
        self.app.env.metadata[page] |= {
            KEY: self.state(self.uses_of(notebook)),
            FAILED: file in self.failed,
        }
        put_outputs(self.failed.get(file) or nbformat.read(file, 4), notebook)
        lines = [client.cell_line(index) for index in range(len(notebook.cells))]
        report_outputs(notebook, path, page, lines, config)
        return client


def is_run(path, notebook, config):
    """Return whether the settings say that a page is run, and not shown with what it has."""
    if any(map(path.match, config.execution_excludepatterns)):
        return False
    if config.execution_mode == "auto":
        return not all(cell.outputs for cell in code_cells(notebook))
    return config.execution_mode in ("force", "cache")


def ran(notebook, folder, config, look):
    """Run a notebook in a folder; return whether it succeeded, else its last output is the error.

    Jupyter leaves no output in a cell that takes too long, or that ends Python.
    """
    begun = [code_cells(notebook)[0]]
    in_temp = config.execution_in_temp
    try:
        with tempfile.TemporaryDirectory() if in_temp else nullcontext(folder) as place:
            execute(notebook, place, begun, config, look)
    except CellExecutionError:
        return False
    except NoSuchKernel as error:
        return note_error(begun[-1], "NoSuchKernel", f"{error.name} is not installed")
    except CellTimeoutError:
        reason = f"it ran for {config.execution_timeout} seconds"
        return note_error(begun[-1], "TimeoutError", reason)
    except RuntimeError:
        return note_error(begun[-1], "Python ended", "it was killed, or ran out of memory")
    return True


def execute(notebook, place, begun, config, look):
    """Run a notebook in a folder, and list the cells that have begun.

    The kernel listens at files, not at ports: another program could take a port that Jupyter has
    found free before the kernel does.
    """
    with tempfile.TemporaryDirectory() as sockets:
        socket = {"transport": "ipc", "ip": f"{sockets}/kernel"}  # which Windows does not have
        client = nbclient.NotebookClient(
            notebook,
            kernel_name=kernel_for(notebook),
            timeout=config.execution_timeout,
            allow_errors=config.execution_allow_errors,
            startup_timeout=STARTUP,
            iopub_timeout=STARTUP,
            on_cell_execute=lambda cell, cell_index: begun.append(cell),
            resources={"metadata": {"path": str(place)}},
            config=Config(KernelManager={} if os.name == "nt" else socket),
            extra_arguments=SVG if look and is_python(notebook) else [],
            log=LOG,
        )
        environment = os.environ | look
        # a kernel that ends may write to stderr
        asyncio.run(client.async_execute(stderr=DEVNULL, env=environment))


def kernel_for(notebook):
    """Return the kernel that a notebook names, or Python where that is not installed."""
    named = notebook.metadata.get("kernelspec", {}).get("name", PYTHON)
    known = KernelSpecManager().find_kernel_specs()
    return named if named in known or not is_python(notebook) else PYTHON


def tidy(notebook, name):
    """Return a notebook that is the same after every run.

    What a cell prints comes in pieces, which depend on timing: here they are joined. A widget has a
    random name: here one that is derived from its chapter and its position.
    """
    for cell in code_cells(notebook):
        cell.outputs = merged(cell.outputs)
    widgets = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    digests = (hashlib.sha256(f"{name} {k}".encode()) for k in range(len(widgets)))
    names = {old: digest.hexdigest()[:32] for old, digest in zip(widgets, digests, strict=True)}
    named = re.compile(r"[0-9a-f]{32}")
    text = named.sub(lambda match: names.get(match[0], match[0]), json.dumps(notebook))
    return nbformat.from_dict(json.loads(text))


def merged(outputs):
    """Return outputs with consecutive pieces of printed text joined."""
    found = []
    for output in outputs:
        if found and "text" in output and found[-1].get("name") == output.name:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def note_error(cell, name, reason):
    """Give a cell the output of an error; return False, as it did not succeed."""
    cell.outputs.append(nbformat.v4.new_output("error", ename=name, evalue=reason, traceback=[]))
    return False


def read(path, env):
    """Return a page as a notebook, without cells if it has none or says itself how it is run."""
    text, config = text_of(path), env.mystnb_config
    reader = create_nb_reader(str(path), env.myst_config, config, text)
    notebook = reader.read(text) if reader else nbformat.v4.new_notebook()
    return nbformat.v4.new_notebook() if config.metadata_key in notebook.metadata else notebook


def codes_of(notebook):
    """Return the code cells of a notebook: what runs, and whether it is meant to fail."""
    cells = code_cells(notebook)
    return [[cell.source, "raises-exception" in cell.metadata.get("tags", ())] for cell in cells]


def code_cells(notebook):
    """Return the cells that run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def put_outputs(ran, notebook):
    """Give each code cell of a notebook its outputs, and the notebook its widgets and language."""
    for cell, kept in zip(code_cells(notebook), code_cells(ran), strict=True):
        cell.outputs, cell.execution_count = kept.outputs, kept.execution_count
    for key in {"widgets", "language_info"} & ran.metadata.keys():
        notebook.metadata[key] = ran.metadata[key]
