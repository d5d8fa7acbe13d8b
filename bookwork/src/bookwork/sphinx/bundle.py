"""Sphinx extension: what every page loads of bookwork, whatever its theme is, and which book it is.

The bundle of scripts and styles is in web/static: a wheel has it there, and in a clone
site/build_web.py brings it up to date first. The theme's own templates stay as they are; house.py
adapts Jupyter Book's. The book's package is read as files and never imported.
"""

import hashlib
import html
import json
import os

from sphinx.errors import ConfigError

from bookwork.book.files import PACKAGE, files_below, packages_below
from bookwork.book.settings import id_of
from bookwork.site import build_web
from bookwork.site.steps import fingerprint
from bookwork.sphinx import house
from bookwork.sphinx.book_search import INDEX
from bookwork.sphinx.formulas import macros_of
from bookwork.sphinx.house import fonts_of, is_adapted

POLICIES = ("none", "strict")
SETTINGS = {  # unless the book sets them itself
    "nb_ipywidgets_js": {},  # web/figures shows widgets, without require.js
    "nb_execution_show_tb": True,
}
UNNAMED = "Project name not set"
NO_ICON = '<link rel="icon" href="data:," />'  # or browsers ask for one


def setup(app):
    """Connect each step to Sphinx."""
    app.add_config_value("book_bundle", "", "html", str)  # a new bundle rewrites every page
    app.add_config_value("book_workshop", "", "env", str)  # a changed extension reads all anew
    app.connect("config-inited", set_defaults, priority=50)  # before others read them
    app.connect("config-inited", add_bundle)
    app.connect("html-page-context", introduce)


def set_defaults(app, config):
    """Set what live pages need, so that a book has to set little; what it does set stays."""
    if config.bookwork_policy not in POLICIES:
        known = " or ".join(POLICIES)
        raise ConfigError(f"bookwork_policy is {known}, and not {config.bookwork_policy!r}")
    wanted = SETTINGS | (house.SETTINGS if config.bookwork_house_style else {})
    for name in wanted.keys() - config.overrides.keys() - config._raw_config.keys():
        config[name] = wanted[name]
    installed = [p.relative_to(app.srcdir).as_posix() for p in packages_below(app.srcdir)]
    config.exclude_patterns = [*config.exclude_patterns, ".cache", *installed]  # holds packages too
    if address := os.environ.get("BOOKWORK_URL"):
        config.html_baseurl = address.rstrip("/") + "/"
        if "ogp_site_url" in config:  # of sphinxext-opengraph
            config.ogp_site_url = config.html_baseurl
    if config.project == UNNAMED:  # Jupyter Book calls the title of a book html_title
        config.project = config.html_title or config.project
    config.bookwork_id = config.bookwork_id or id_of(config.project)
    config.book_workshop = digest_of_workshop()


def digest_of_workshop():
    """Return a digest of the code that makes pages."""
    rooms = ("sphinx", "book", "site")
    return fingerprint([f for room in rooms for f in files_below(PACKAGE / room)])


def add_bundle(app, config):
    """Load the bundle on every page; its files go to _static/book, apart from the theme's."""
    build_web.main()
    manifest = build_web.BUNDLE / "manifest.json"
    if "BOOKWORK_SERVED" not in os.environ:  # uncached: no page has to be written anew
        config.book_bundle = hashlib.sha256(manifest.read_bytes()).hexdigest()
    config.html_static_path = [*config.html_static_path, str(build_web.BUNDLE.parent)]
    look = ("book/icons.css", "book/look.css") if is_adapted(config) else ()
    for style in (*look, "book/formulas.css", "book/book.css"):
        app.add_css_file(style, priority=900)
    app.add_js_file("book/book.js", loading_method="defer", priority=1)  # waits for no other script


def introduce(app, pagename, templatename, context, doctree):
    """Say what the page's scripts want to know; watch whether files arrive, before all others."""
    config, pathto = app.config, context["pathto"]
    said = {
        "content": config.bookwork_id,
        "data-title": config.project,
        "data-policy": config.bookwork_policy,
        "data-macros": json.dumps(macros_of(config)),
    }
    if is_adapted(config):
        fonts = fonts_of(build_web.BUNDLE / "fonts")
        said["data-fonts"] = " ".join(pathto(name, 1) for name in fonts)
        said["data-index"] = pathto(INDEX, 1)
    attributes = " ".join(f'{name}="{html.escape(text)}"' for name, text in said.items())
    guard = (build_web.BUNDLE / "guard.js").read_text(encoding="utf-8").strip()
    tags = [context.get("metatags", ""), f'<meta name="bookwork" {attributes} />']
    if not (config.html_favicon or config.html_theme_options.get("favicon")):
        tags.append(NO_ICON)
    context["metatags"] = "\n    ".join([*tags, f"<script>{guard}</script>"])
