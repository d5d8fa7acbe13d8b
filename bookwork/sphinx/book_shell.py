"""Sphinx extension: the bundle of scripts and styles on every page, whatever its theme is.

A wheel of bookwork carries it, or build/build_web.py made it in _build/web/static. The theme's own
templates stay as they are. The house style (``bookwork_house_style``) adapts Jupyter Book's theme:
fonts, colours, logo and footer. The book's package is read as files and never imported.
"""

import hashlib
import html
import json
import os
import re
import shutil
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.version import Version
from sphinx.errors import ConfigError

from bookwork.book.book import Book
from bookwork.book.files import PACKAGE, files_below, packages_below
from bookwork.book.settings import id_of, version_of
from bookwork.build import build_web
from bookwork.build.steps import fingerprint
from bookwork.sphinx.far_frames import put_in_files

TEMPLATES = Path(__file__).resolve().parent / "templates"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
LIVE = "bookwork.live.figure.Drawing"
THEME = "sphinx_book_theme"  # the one that the house style adapts
OLDEST = {"sphinx-book-theme": "1.1", "pydata-sphinx-theme": "0.15"}  # that pages work with
BASES = {  # theme -> those of these packages that it is made of
    "pydata_sphinx_theme": ["pydata-sphinx-theme"],
    "quantecon_book_theme": [*OLDEST],
    THEME: [*OLDEST],
}
POLICIES = ("named", "strict")
HOST = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?")
SETTINGS = {  # unless the book sets them itself
    "nb_ipywidgets_js": {},  # page/figures shows widgets, without require.js
    "nb_execution_show_tb": True,
}
HOUSE_STYLE = {
    "nb_mime_priority_overrides": [["html", "text/markdown", 25]],  # verdicts without colours
    "exercise_style": "solution_follow_exercise",  # a solution is called just that
    "numfig": True,
    "numfig_format": {"figure": "Figure %s"},  # not "Fig."
}
UNNAMED = "Project name not set"
FIRST = re.compile(r"source-(serif-4|sans-3)-latin-wght-normal-0-")  # what a page opens with
NO_ICON = '\n    <link rel="icon" href="data:," />'  # or browsers ask for one
UNUSED = ("fontawesome.js", "fontawesome.js.LICENSE.txt", "fontawesome.js.map")  # loading.py


def is_adapted(config):
    """Return whether the theme of a book is adapted: Jupyter Book's, in the house style."""
    return config.bookwork_house_style and config.html_theme == THEME


def setup(app):
    """Connect each step to Sphinx."""
    app.add_config_value("book_bundle", "", "html", str)  # a new bundle rewrites every page
    app.add_config_value("book_workshop", "", "env", str)  # a changed extension reads all anew
    app.connect("config-inited", refuse, priority=10)
    app.connect("config-inited", set_defaults, priority=50)  # before others read them
    app.connect("config-inited", note_workshop)
    app.connect("config-inited", add_bundle)
    app.connect("config-inited", set_frame)
    app.connect("html-page-context", move_widgets, priority=991)  # after those that add them
    app.connect("html-page-context", add_guard)


def refuse(app, config):
    """Refuse at the start a theme that is too old, and a policy that does not exist."""
    for name in BASES.get(config.html_theme, ()):
        if (has := installed(name)) and Version(has) < Version(OLDEST[name]):
            needed = f'{OLDEST[name]} or newer: pip install "{name}>={OLDEST[name]}"'
            raise ConfigError(f"this book has {name} {has}, and bookwork needs {needed}")
    if config.bookwork_policy not in POLICIES:
        known = " or ".join(POLICIES)
        raise ConfigError(f"bookwork_policy is {known}, and not {config.bookwork_policy!r}")
    for host in config.bookwork_hosts:
        if not HOST.fullmatch(str(host)):
            example = "such as cdn.example.org"
            raise ConfigError(f"bookwork_hosts has {host!r}, which is no name of a host, {example}")


def installed(name):
    """Return the version of a package, or None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def set_defaults(app, config):
    """Set what live pages need, so that a book has to set little; what it does set stays."""
    given = config.overrides | config._raw_config
    settings = SETTINGS | (HOUSE_STYLE if config.bookwork_house_style else {})
    for name in settings.keys() - given:
        config[name] = settings[name]
    installed = [p.relative_to(app.srcdir).as_posix() for p in packages_below(app.srcdir)]
    config.exclude_patterns = [*config.exclude_patterns, *installed]
    if address := os.environ.get("BOOKWORK_URL"):
        config.html_baseurl = address.rstrip("/") + "/"
        if "ogp_site_url" in config:  # of sphinxext-opengraph
            config.ogp_site_url = config.html_baseurl
    if config.project == UNNAMED:  # Jupyter Book calls the title of a book html_title
        config.project = config.html_title or config.project


def note_workshop(app, config):
    """Store a digest of the code that makes pages."""
    rooms = ("sphinx", "book", "build")
    config.book_workshop = fingerprint([f for room in rooms for f in files_below(PACKAGE / room)])


def add_bundle(app, config):
    """Load the bundle on every page; its files go to _static/book, apart from the theme's."""
    web = web_folder(app)
    manifest = web / "book" / "manifest.json"
    if not manifest.is_file():  # a clone in which jupyter-book is the first command
        build_web.main(Book(app.srcdir))
    if "BOOKWORK_SERVED" not in os.environ:  # uncached: no page has to be written anew
        config.book_bundle = hashlib.sha256(manifest.read_bytes()).hexdigest()
    remove_outdated(Path(app.outdir) / "_static" / "book", manifest)
    config.html_static_path = [*config.html_static_path, str(web)]
    if is_adapted(config):
        own = [path for path in [app.srcdir / "_templates"] if path.is_dir()]
        config.templates_path = [*config.templates_path, *map(str, own), str(TEMPLATES)]
    house = ("book/icons.css", "book/look.css") if is_adapted(config) else ()
    for style in (*house, "book/formulas.css", "book/book.css"):
        app.add_css_file(style, priority=900)
    app.add_js_file("book/book.js", loading_method="defer", priority=1)  # waits for no other script


def web_folder(app):
    """Return the folder with what every page loads."""
    carried = build_web.CARRIED
    return carried if carried.is_dir() else Path(app.outdir).parent / "web" / "static"


def remove_outdated(copied, manifest):
    """Remove an old bundle: Sphinx copies the new one over it and removes nothing."""
    earlier = copied / "manifest.json"
    if earlier.is_file() and earlier.read_bytes() != manifest.read_bytes():
        shutil.rmtree(copied)


def set_frame(app, config):
    """Name the book; in the house style beside its logo, with one search button and a footer."""
    config.bookwork_id = config.bookwork_id or id_of(config.project)
    version = version_of(Path(app.srcdir), config.bookwork_package) or config.version
    light_or_dark = {"default_mode": "auto"}  # as the reader's system is
    config.html_context = light_or_dark | config.html_context | {"book_version": version}
    if not is_adapted(config):
        return
    config.html_theme_options = config.html_theme_options | {
        "logo": {"text": config.project},
        "navbar_persistent": [],
        "footer_content_items": ["book-footer.html"],
    }


def move_widgets(app, pagename, templatename, context, doctree):
    """Put the widgets of a page after its text, so that the text does not wait for them."""
    for file in [file for file in context["script_files"] if is_widgets(file)]:
        context["script_files"].remove(file)
        page = json.loads(file.attributes["body"])
        drop_repeats(page["state"])
        if app.config.bookwork_inline_limit:
            put_in_files(page["state"], app.config.bookwork_inline_limit, app.outdir)
        body = json.dumps(page).replace("</", "<\\/")
        context["body"] += f'\n<script type="{WIDGET_STATE}">{body}</script>\n'


def is_widgets(file):
    """Return whether a script contains the state of a page's widgets."""
    return getattr(file, "attributes", {}).get("type") == WIDGET_STATE


def widgets_in(context):
    """Return the widgets of a page by their names, while they are among its scripts."""
    files = filter(is_widgets, context["script_files"])
    states = [json.loads(file.attributes["body"])["state"] for file in files]
    return {name: model for state in states for name, model in state.items()}


def add_guard(app, pagename, templatename, context, doctree):
    """Name the book, then watch whether its files arrive, before all other scripts."""
    folder = web_folder(app) / "book"
    config, guard = app.config, (folder / "guard.js").read_text(encoding="utf-8").strip()
    book, title = html.escape(config.bookwork_id), html.escape(config.project)
    said = f'content="{book}" data-title="{title}" data-policy="{config.bookwork_policy}"'
    if is_adapted(config):
        fonts = " ".join(context["pathto"](f"_static/{name}", 1) for name in fonts_in(folder))
        said += f' data-fonts="{fonts}"'
    tags = f'\n    <meta name="bookwork" {said} />'
    if not (config.html_favicon or config.html_theme_options.get("favicon")):
        tags += NO_ICON
    context["metatags"] = f"{context.get('metatags', '')}{tags}\n    <script>{guard}</script>"


def fonts_in(folder):
    """Return the fonts that the first screen of every page is set in."""
    fonts = (folder / "fonts").glob("*.woff2")
    return sorted(f"book/fonts/{file.name}" for file in fonts if FIRST.match(file.name))


def drop_repeats(widgets):
    """Leave out scripts and styles that the bundle has, and repeated ones but for a reference."""
    owners = {}
    for name, model in widgets.items():
        state = model["state"]
        for key in {"_esm", "_css"} & state.keys():
            owner = owners.setdefault((key, state[key]), name)
            if state.get("_anywidget_id") == LIVE:
                del state[key]
            elif state[key] and owner != name:
                state[key] = {"same as": owner}


def remove_unused(app):
    """Remove what no page loads, and a template of the theme that would be served as a page."""
    static = Path(app.outdir) / "_static"
    if is_adapted(app.config):
        for name in UNUSED:
            (static / "scripts" / name).unlink(missing_ok=True)
    for template in static.glob("*webpack-macros.html"):
        template.unlink()
