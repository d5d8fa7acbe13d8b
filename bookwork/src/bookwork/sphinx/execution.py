"""Sphinx extension: chapters run two at a time, and again when their code or the book's changes.

myst-nb runs them and keeps what they put out: in _build/outputs, in a folder that is named after a
digest of the book's own packages, of bookwork's, and of the versions of what runs them.
"""

import asyncio
import json
import logging
import os
import platform
import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from subprocess import DEVNULL

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.executors.utils import ExecutionResult
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from myst_nb import sphinx_ as myst_nb_sphinx
from myst_nb.core.execute import NotebookClientBase, cache, create_client, direct
from myst_nb.core.read import create_nb_reader
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from sphinx.errors import SphinxError
from traitlets.config import Config

from bookwork.book.faults import one_line
from bookwork.book.files import PACKAGE, files_below
from bookwork.book.settings import packages_of
from bookwork.site.build_python import LOOK
from bookwork.site.steps import fingerprint
from bookwork.sphinx.book_warnings import FIGURES, figure_name, tell_of_outputs
from bookwork.sphinx.page_python import CELLS, describe, is_python
from bookwork.sphinx.pages import text_of

QUIET = logging.getLogger("chapters")
QUIET.setLevel(logging.CRITICAL)  # book_warnings.py tells what a cell does wrong, once
MEASURED = ("numpy", "matplotlib", "ipywidgets", "anywidget", "ipykernel")
SIDE_BY_SIDE = 2
STARTUP = 600  # seconds that a kernel may take to start, or outputs to come: a machine may be busy
SVG = ["--InlineBackend.figure_formats=svg"]  # sharp, and in the reader's letters
RESULTS = "bookwork_results"  # the digest of what a page put out, in its metadata
WIDGET = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")  # its name
PYTHON = "python3"  # the kernel that runs Python where the one that a page names is not installed


def setup(app):
    """Take the place of what runs myst-nb's notebooks, and connect to Sphinx."""
    app.add_config_value("book_code", "", "", str)
    os.environ["BOOKWORK_QUIET"] = "1"  # a page shows results, not progress bars
    paths = [str(app.srcdir), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(paths))  # cells find the package
    share = max(1, (os.cpu_count() or 1) // SIDE_BY_SIDE)
    os.environ.setdefault("OMP_NUM_THREADS", str(share))  # NumPy would use all cores in each
    app.connect("config-inited", choose_cache, priority=100)
    app.connect("builder-inited", choose_folder, priority=900)  # after myst-nb has read settings
    app.connect("env-get-outdated", find_outdated)
    app.connect("env-before-read-docs", run_chapters)


def choose_cache(app, config):
    """Note the state of the book's code, and let chapters run in the house style."""
    config.book_code = state_of_code(app.srcdir, config)
    before = SVG * config.bookwork_house_style
    cache.single_nb_execution = direct.single_nb_execution = partial(execute, before)


def choose_folder(app):
    """Keep outputs in a folder of this code; as a setting, it would have all pages read again."""
    folder = Path(app.outdir).parent / "outputs" / app.config.book_code
    app.env.mystnb_config = app.env.mystnb_config.copy(execution_cache_path=str(folder))


def state_of_code(root, config):
    """Return a digest of the book's packages, of bookwork's, and of the versions of others."""
    own = [file for name in packages_of(config) for file in files_below(Path(root, name))]
    ours = [file for name in ("live", "exercises") for file in (PACKAGE / name).glob("*.py")]
    ours.append(Path(__file__))
    versions = [platform.python_version(), *map(version, MEASURED)]
    return fingerprint([*own, *ours, *versions, str(config.bookwork_house_style)])[:16]


def find_outdated(app, env, added, changed, removed):
    """Run all chapters after a change of the book's code; return those that put out others now."""
    if getattr(env, "book_code", None) == app.config.book_code:
        return []
    env.book_code, noted = app.config.book_code, env.metadata
    pages = [page for page in env.found_docs - added - changed if noted[page].get(CELLS)]
    ran = run_all(app, env, pages)
    clients = {page: ran.get(Path(env.doc2path(page))) for page in pages}
    return [
        page
        for page, client in clients.items()
        if not client or noted[page].get(RESULTS) != results_of(client.notebook)
    ]


def run_chapters(app, env, docnames):
    """Run those of the chapters to be read that have no outputs yet."""
    myst_nb_sphinx.create_client = partial(take, env, run_all(app, env, docnames))


def run_all(app, env, pages):
    """Run pages, two at a time; return what ran, by its file.

    What is made while somebody saves other code is kept for neither the old code nor the new.
    """
    if app.config.bookwork_house_style:  # set late: Sphinx would date the copyright by it
        os.environ |= {"MATPLOTLIBRC": str(LOOK), "SOURCE_DATE_EPOCH": "0"}
    folder = Path(env.mystnb_config.execution_cache_path)
    chapters = [found for name in pages if (found := read(env, name))]
    if chapters and env.mystnb_config.execution_mode == "cache":
        for earlier in set(folder.parent.glob("*")) - {folder}:
            shutil.rmtree(earlier, ignore_errors=True)
        get_cache(folder).list_cache_records()  # it is there before two chapters want to make it
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        ran = {client.path: client for client in pool.map(run, chapters)}
    if state_of_code(app.srcdir, app.config) != app.config.book_code:
        shutil.rmtree(folder, ignore_errors=True)
    return ran


def results_of(notebook):
    """Return a digest of what a chapter has put out; widgets have other names in each run."""
    outputs = [cell.outputs for cell in code_cells(notebook)]
    said, names = json.dumps([outputs, notebook.metadata.get("widgets", {})]), {}
    return fingerprint(
        [WIDGET.sub(lambda found: names.setdefault(found[0], str(len(names))), said)]
    )


def read(env, page):
    """Return what myst-nb would run a page with, or None for one that says itself how it is run."""
    text, config, path = text_of(env, page), env.mystnb_config, env.doc2path(page)
    try:
        reader = create_nb_reader(path, env.myst_config, config, text)
        notebook = reader and reader.read(text)
    except Exception as error:
        line = re.search(r"(?:at )?line (\d+)", str(error))
        said = f"{path}:{line[1] if line else 1}: this page cannot be read: {one_line(error)}"
        raise SphinxError(said) from error
    is_own = notebook and config.metadata_key in notebook.metadata
    if not notebook or is_own or not code_cells(notebook) or config.execution_mode == "inline":
        return None
    return create_client(notebook, path, config, QUIET, reader.read_fmt)


def run(client):
    """Run a chapter, unless its outputs are kept; one that fails is run again in the next build."""
    with client:
        return client


def take(env, ran, notebook, source, config, told, read_format=None):
    """Return what myst-nb takes a chapter's outputs from, and note its cells."""
    own, path = env.metadata[env.docname], Path(source)
    own[CELLS] = cells = describe(notebook, lines_of(notebook, path))
    own[FIGURES] = [name for cell in code_cells(notebook) if (name := figure_name(cell))]
    if not cells or config.execution_mode == "inline":
        return create_client(notebook, source, config, told, read_format)
    client = ran.pop(path, None)
    if not client or sources(client.notebook) != sources(notebook):  # or saved while others ran
        client = run(create_client(notebook, source, config, QUIET, read_format))
    if client.exec_metadata:
        own[RESULTS] = results_of(client.notebook)
        tell_of_outputs(client.notebook, env.docname, cells, config)
    return Ran(client.notebook, path, config, told, glued=client.glue_data)


class Ran(NotebookClientBase):
    """A chapter that has run, with what it glued: reading that takes it from the outputs."""

    glue_data = property(lambda self: self._kwargs["glued"])


def lines_of(notebook, path):
    """Return for each cell on which line of its page the code begins; 0 for one of Jupyter's."""
    if "source_map" not in notebook.metadata:
        return [0] * len(notebook.cells)
    lines, found = path.read_text(encoding="utf-8", errors="replace").splitlines(), []
    for cell, fence in zip(notebook.cells, notebook.metadata["source_map"], strict=True):
        code, places = cell.source.splitlines(), range(fence, len(lines))
        found.append(next((k + 1 for k in places if lines[k : k + len(code)] == code), fence))
    return found


def sources(notebook):
    """Return the texts of the cells."""
    return [cell.source for cell in notebook.cells]


def code_cells(notebook):
    """Return the cells that run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def execute(look, notebook, cwd, timeout, allow_errors, meta_override):
    """Run a notebook; if it fails, its last output is the error.

    The kernel listens at files, not at ports: another program could take a port that Jupyter has
    found free before the kernel does. Windows does not have such files.
    """
    named, begun = notebook.metadata.get("kernelspec", {}).get("name", PYTHON), code_cells(notebook)
    is_there = named in KernelSpecManager().find_kernel_specs() or not is_python(notebook)
    done = ExecutionResult(notebook, cwd, 0)
    with tempfile.TemporaryDirectory() as sockets:
        socket = {"transport": "ipc", "ip": f"{sockets}/kernel"}
        client = NotebookClient(
            notebook,
            kernel_name=named if is_there else PYTHON,
            startup_timeout=STARTUP,
            iopub_timeout=STARTUP,
            log=QUIET,
            record_timing=False,  # which would be part of what a chapter is known by
            coalesce_streams=True,  # what a cell prints comes in pieces, which depend on timing
            on_cell_execute=lambda cell, cell_index: begun.insert(0, cell),
            resources={"metadata": {"path": cwd}},
            config=Config(KernelManager={} if os.name == "nt" else socket),
            extra_arguments=look if is_python(notebook) else [],
            timeout=timeout,
            allow_errors=allow_errors,
        )
        try:
            asyncio.run(client.async_execute(stderr=DEVNULL))
        except (CellExecutionError, CellTimeoutError, NoSuchKernel, RuntimeError) as error:
            done.err, done.exc_string = error, str(error)
    if done.err and not isinstance(done.err, CellExecutionError):
        said = {"ename": type(done.err).__name__, "evalue": str(done.err).partition("\n")[0]}
        begun[0].outputs.append(nbformat.v4.new_output("error", **said, traceback=[]))
    return done
