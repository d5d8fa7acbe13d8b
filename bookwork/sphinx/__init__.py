"""The Sphinx extension: ``extra_extensions: [bookwork]`` makes the pages of a book live.

Its parts are modules here, each with its own `setup`. What is particular to a book is in the
settings ``bookwork_*``, which `bookwork.book.settings` explains.
"""

from importlib import import_module

from bookwork import __version__
from bookwork.book.settings import DEFAULTS, RENAMED

PARTS = (
    "faults",  # first, to hear of all others
    *("book_shell", "chapter_runs", "plain_figures", "loading", "safety", "exercises"),
    *("chapter_numbers", "citations", "book_search", "glossary_links", "page_python"),
    *("notebook_links", "preview", "library", "far_frames"),
)


def setup(app):
    """Register the settings and set up each part."""
    for name, default in DEFAULTS.items():
        app.add_config_value(name, default, "html", type(default))
    for name in RENAMED:
        app.add_config_value(name, None, "html", (list, int))
    app.connect("config-inited", take_old_names, priority=0)
    for name in PARTS:
        import_module(f"bookwork.sphinx.{name}").setup(app)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def take_old_names(app, config):
    """Let settings with names of the last release stand for the new ones; `check` warns of them."""
    for old, new in RENAMED.items():
        if config[old] is not None:
            config[new] = config[old]
