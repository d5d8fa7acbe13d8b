"""What a book says of itself: the settings ``bookwork_*`` in its _config.yml or conf.py.

The Sphinx extension registers the same names, so a misspelt one is a fault of the build. Here they
are read without Sphinx, for commands that build other things than pages.
"""

import re
import runpy
from functools import cache

import yaml

DEFAULTS = {
    "bookwork_package": "",  # the book's own Python package, a folder beside its _config.yml
    "bookwork_id": "",  # readers' answers are stored under it; the default comes from the title
    "bookwork_about": "",  # one sentence, which other sites show beside a link to the book
    "bookwork_picture": "",  # what images/preview.png shows, for those who do not see it
    "bookwork_search": True,  # the book's own search page; needs Jupyter Book's theme
    "bookwork_notebooks": False,  # offer each chapter as a notebook, which `bookwork_beside` makes
    "bookwork_beside": [],  # modules of the book that build more of the site, beside the pages
    "bookwork_before": [],  # modules of the book that make files for the page's Python
    "bookwork_data": [],  # these files: fetched when they are first read, with the package's data
    "bookwork_strict": False,  # goals for every chapter, claims for every number, short cells
    "bookwork_imports": [],  # packages that cells may import besides the book's own and NumPy
}


@cache
def settings_of(root):
    """Return the settings of the book in a folder, with a title and an id in any case."""
    given = from_jupyter_book(root) if (root / "_config.yml").is_file() else from_sphinx(root)
    found = DEFAULTS | {name: given[name] for name in DEFAULTS if given.get(name)}
    found["title"] = str(given.get("project") or "A book")
    found["bookwork_id"] = found["bookwork_id"] or id_of(found["title"])
    return found


def from_jupyter_book(root):
    """Return the settings in _config.yml."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8")) or {}
    given = (config.get("sphinx") or {}).get("config") or {}
    return {"project": config.get("project") or config.get("title")} | given  # as book_shell.py


def from_sphinx(root):
    """Return the settings in conf.py."""
    conf = root / "conf.py"
    return runpy.run_path(str(conf)) if conf.is_file() else {}


def id_of(title):
    """Return a title as an id.

    >>> id_of("Newton's Method!")
    'newton-s-method'
    """
    return "-".join(re.findall(r"[a-z0-9]+", title.lower())) or "book"


def version_of(root, package):
    """Return the version that a book's package states, which is not imported for it."""
    source = root / package / "__init__.py"
    text = source.read_text(encoding="utf-8") if package and source.is_file() else ""
    stated = re.search(r'__version__ = "(.+)"', text)
    return stated[1] if stated else ""
