"""Sphinx extension: the house style (``bookwork_house_style``), for Jupyter Book's theme.

Fonts, colours, a footer and a search of its own; what the theme loads for nothing stays out, so
that text waits for no script. In `templates/` are the few templates of the theme that it changes.
"""

import re
from pathlib import Path

from docutils import nodes

from bookwork.book.settings import version_of

TEMPLATES = Path(__file__).resolve().parent / "templates"
THEME = "sphinx_book_theme"  # the one that the house style adapts
SETTINGS = {  # unless the book sets them itself
    "nb_mime_priority_overrides": [["html", "text/markdown", 25]],  # verdicts without colours
    "exercise_style": "solution_follow_exercise",  # a solution is called just that
    "numfig": True,
    "numfig_format": {"figure": "Figure %s"},  # not "Fig."
}
FIRST = re.compile(r"source-(serif-4|sans-3)-latin-wght-normal-0-")  # what a page opens with
NEEDS = {  # files of extensions -> the classes of what a page must have for them
    # thebe names another host; page/search/found.js marks what was searched for
    re.compile(r"thebe|THEBE_JS_URL|sphinx_highlight|DOCUMENTATION_OPTIONS\."): set(),
    re.compile(r"design-tabs\.js"): {"sd-tab-set"},
    re.compile(r"togglebutton|\btoggle(?:Hint|OpenOnPrint)"): {"toggle", "dropdown"},
}


def is_adapted(config):
    """Return whether the theme of a book is adapted: Jupyter Book's, in the house style."""
    return config.bookwork_house_style and config.html_theme == THEME


def setup(app):
    """Connect each step to Sphinx."""
    app.connect("config-inited", set_defaults, priority=50)  # before others read them
    app.connect("config-inited", set_frame)
    app.connect("html-page-context", defer_scripts, priority=992)  # once all are known


def set_defaults(app, config):
    """Set how books of the house speak, in any theme; what the book sets itself stays."""
    given = config.overrides.keys() | config._raw_config.keys()
    for name in SETTINGS.keys() - given if config.bookwork_house_style else ():
        config[name] = SETTINGS[name]


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
    """Let all scripts of a page wait for its text; leave out those that it does not need."""
    if not is_adapted(app.config):
        return
    elements = doctree.findall(nodes.Element) if doctree else ()
    present = {name for element in elements for name in element.get("classes", ())}
    for needless in [pattern for pattern, classes in NEEDS.items() if not classes & present]:
        for kind in ("script_files", "css_files"):
            context[kind] = [file for file in context[kind] if not needless.search(text_of(file))]
    context["script_files"] = [deferred(file) for file in context["script_files"]]


def deferred(file):
    """Return a script that waits until the page is parsed, if it is a file."""
    if not file.filename:
        return file
    return type(file)(file.filename, priority=file.priority, **file.attributes | {"defer": ""})


def text_of(file):
    """Return the name of a script or style sheet, or its text where it stands in the page."""
    return f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body')}"
