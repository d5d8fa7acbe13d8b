"""Sphinx extension: the house style (``bookwork_house_style``), for Jupyter Book's theme.

Fonts, colours, a footer and a search of its own; what the theme loads for nothing stays out, so
that text waits for no script. In `templates/` are the few templates of the theme that it changes.
"""

import re
from pathlib import Path

from bookwork.book.settings import version_of

TEMPLATES = Path(__file__).resolve().parent / "templates"
THEME = "sphinx_book_theme"  # the one that the house style adapts
SETTINGS = {  # how books of the house speak, in any theme
    "nb_mime_priority_overrides": [["html", "text/markdown", 25]],  # verdicts without colours
    "exercise_style": "solution_follow_exercise",  # a solution is called just that
    "numfig": True,
    "numfig_format": {"figure": "Figure %s"},  # not "Fig."
}
# thebe names another host; page/search/found.js marks what was searched for
NEEDLESS = re.compile(r"thebe|THEBE_JS_URL|sphinx_highlight|DOCUMENTATION_OPTIONS\.")
FIRST = re.compile(r"source-(serif-4|sans-3)-latin-wght-normal-0-")  # what a page opens with


def is_adapted(config):
    """Return whether the theme of a book is adapted: Jupyter Book's, in the house style."""
    return config.bookwork_house_style and config.html_theme == THEME


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("config-inited", set_frame)
    app.connect("html-page-context", defer_scripts, priority=992)  # once all are known


def set_frame(app, config):
    """Say which version the book has; in the house style, beside its logo, with a footer."""
    version = version_of(Path(app.srcdir), config.bookwork_package) or config.version
    light_or_dark = {"default_mode": "auto"}  # as the reader's system is
    config.html_context = light_or_dark | config.html_context | {"book_version": version}
    if not is_adapted(config):
        return
    own = [str(path) for path in [Path(app.srcdir) / "_templates"] if path.is_dir()]
    config.templates_path = [*config.templates_path, *own, str(TEMPLATES)]
    config.html_theme_options = config.html_theme_options | {
        "logo": {"text": config.project},
        "navbar_persistent": [],
        "footer_content_items": ["book-footer.html"],
    }


def fonts_of(folder):
    """Return the fonts that the first screen of every page is set in."""
    files = (file.name for file in folder.glob("*.woff2") if FIRST.match(file.name))
    return [f"_static/book/fonts/{name}" for name in sorted(files)]


def defer_scripts(app, pagename, templatename, context, doctree):
    """Let all scripts of a page wait for its text; leave out those that no page needs."""
    if not is_adapted(app.config):
        return
    for kind in ("script_files", "css_files"):
        context[kind] = [file for file in context[kind] if not NEEDLESS.search(text_of(file))]
    context["script_files"] = [deferred(file) for file in context["script_files"]]


def deferred(file):
    """Return a script that waits until the page is parsed, if it is a file."""
    if not file.filename:
        return file
    return type(file)(file.filename, priority=file.priority, **file.attributes | {"defer": ""})


def text_of(file):
    """Return the name of a script or style sheet, or its text where it stands in the page."""
    return f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body')}"
