"""What a book says of itself: the settings ``bookwork_*`` in its _config.yml or conf.py.

The Sphinx extension registers the same names, so a misspelt one is a fault of the build. Here they
are read without Sphinx, for commands that build other things than pages.
"""

import re
import unicodedata
from hashlib import sha256

import yaml
from sphinx.config import eval_config_file
from sphinx.errors import ConfigError
from sphinx.util.tags import Tags

DEFAULTS = {
    "bookwork_package": "",  # the book's own Python package, a folder beside its _config.yml
    "bookwork_exercises": "",  # its package of checkers; the default is `exercises` in its own
    "bookwork_id": "",  # readers' answers are stored under it; the default comes from the title
    "bookwork_house_style": False,  # the look and the manner of speaking of bookwork's own books
    "bookwork_policy": "none",  # "strict": pages load nothing from other hosts
    "bookwork_math": "",  # katex: set when the book is built, as in strict ones; or mathjax
    "bookwork_pre_steps": [],  # modules of the book that make files for the site
    "bookwork_data": [],  # files that a page fetches: when they are read, or if its reader agrees
    "bookwork_inline_limit": 0,  # frames of more bytes than this go to files, fetched when near
    "bookwork_strict": False,  # a warning fails the build
}


def settings_of(root):
    """Return the settings of the book in a folder, with a title and an id in any case."""
    given = from_jupyter_book(root) if (root / "_config.yml").is_file() else from_sphinx(root)
    found = DEFAULTS | {name: given[name] for name in DEFAULTS if given.get(name) is not None}
    found["title"] = str(given.get("project") or "A book")
    if found["bookwork_package"] and not found["bookwork_exercises"]:
        found["bookwork_exercises"] = f"{found['bookwork_package']}.exercises"
    found["bookwork_id"] = found["bookwork_id"] or id_of(found["title"])
    own = [name for name in given if name.startswith("bookwork_")]
    found["unknown"] = [name for name in own if name not in DEFAULTS]
    return found


def packages_of(settings):
    """Return the names of the book's own packages: folders beside its _config.yml.

    >>> packages_of({"bookwork_package": "shop", "bookwork_exercises": "shop.exercises"})
    ['shop']
    """
    named = (settings["bookwork_package"], settings["bookwork_exercises"].partition(".")[0])
    return [name for name in dict.fromkeys(named) if name]


def fault_of(root):
    """Return a sentence that says why the settings cannot be read, or an empty one."""
    try:
        settings_of(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return f"_config.yml:{mark.line + 1 if mark else 1}: {getattr(error, 'problem', error)}"
    except AttributeError:
        return "_config.yml:1: the settings should be names with values, such as title: A book"
    except ConfigError as error:
        return f"conf.py: {' '.join(str(error).split())}"
    return ""


def from_jupyter_book(root):
    """Return the settings in _config.yml."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    given = (config.get("sphinx") or {}).get("config") or {}
    return {"project": config.get("project") or config.get("title")} | given  # as bundle.py


def from_sphinx(root):
    """Return the settings in conf.py."""
    conf = root / "conf.py"
    return eval_config_file(str(conf), Tags()) if conf.is_file() else {}


def id_of(title):
    """Return a title as an id.

    >>> id_of("Newton's Method!"), id_of("Über Wellen"), id_of("波")
    ('newton-s-method', 'uber-wellen', 'book-36d5d011')
    """
    return "-".join(words_of(title)) or f"book-{sha256(title.encode()).hexdigest()[:8]}"


def words_of(title):
    """Return the words of a title in plain small letters."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.findall(r"[a-z0-9]+", plain.lower())


def version_of(root, package):
    """Return the version that a book's package states, which is not imported for it."""
    source = root / package / "__init__.py"
    text = source.read_text(encoding="utf-8") if package and source.is_file() else ""
    stated = re.search(r'__version__ = "(.+)"', text)
    return stated[1] if stated else ""
