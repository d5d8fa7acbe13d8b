"""Sphinx extension: pages that need no other host, and a build that notices what changed.

Adds the bundle that tools/build_web.py made in _build/web/static, points MathJax at its copy there,
drops thebe and the theme's half megabyte of icon script, and keys the cache of executed chapters on
what they import. It reads attention_lib as files and never imports it.
"""

import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from sphinx.errors import ConfigError

TEMPLATES = Path(__file__).parent / "templates"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
DROPPED = ("thebe", "THEBE_JS_URL")
UNUSED = ("fontawesome.js", "fontawesome.js.LICENSE.txt", "fontawesome.js.map")


def setup(app):
    """Join the build."""
    os.environ["ATTENTION_LIB_QUIET"] = "1"  # chapters show no progress bars: a page is a result
    """Connect each step to Sphinx."""
    app.add_config_value("book_bundle", "", "html", str)  # a new bundle rewrites every page
    app.connect("config-inited", add_bundle)
    app.connect("config-inited", key_cache)
    app.connect("config-inited", set_frame)
    app.connect("html-page-context", drop_scripts, priority=990)  # after those who add them
    app.connect("html-page-context", say_scripts_once, priority=991)
    app.connect("build-finished", remove_unused)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def add_bundle(app, config):
    """Load the bundle on every page; what it needs goes to _static/book, apart from the theme's."""
    web = Path(app.outdir).parent / "web" / "static"
    manifest = web / "book" / "manifest.json"
    if not manifest.is_file():
        raise ConfigError(
            "the book's scripts are not built yet: run make book, or tools/build_web.py"
        )
    config.book_bundle = hashlib.sha256(manifest.read_bytes()).hexdigest()
    remove_outdated(Path(app.outdir) / "_static" / "book", manifest)
    config.html_static_path.append(str(web))
    config.templates_path.append(str(TEMPLATES))
    config.mathjax_path = "book/mathjax/startup.js"
    for style in ("book/icons.css", "book/book.css"):
        app.add_css_file(style, priority=900)
    app.add_js_file("book/book.js", loading_method="defer", priority=900)


def remove_outdated(copied, manifest):
    """Remove another bundle than the present one: Sphinx copies over it and removes nothing."""
    earlier = copied / "manifest.json"
    if earlier.is_file() and earlier.read_bytes() != manifest.read_bytes():
        shutil.rmtree(copied)


def key_cache(app, config):
    """Run chapters again when what they import has changed, and only then.

    jupyter-cache compares the cells of a chapter, not the library that they import, so the
    library's digest is part of the cache's path; and because that path is a setting, Sphinx reads
    every chapter again when it changes.
    """
    cache = Path(app.outdir).parent / ".jupyter_cache"
    current = cache / digest_of_library(Path(app.srcdir))
    for outdated in set(cache.glob("*")) - {current}:
        shutil.rmtree(outdated) if outdated.is_dir() else outdated.unlink()
    config.nb_execution_cache_path = str(current)


def digest_of_library(root):
    """Digest what the output of a chapter depends on besides its cells: library and versions."""
    files = (path for path in (root / "attention_lib").rglob("*") if path.is_file())
    digest = hashlib.sha256((root / "requirements.txt").read_bytes())
    for path in sorted(path for path in files if "__pycache__" not in path.parts):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def set_frame(app, config):
    """Name the book beside its logo, search in one place, and end each page with our footer."""
    source = (Path(app.srcdir) / "attention_lib" / "__init__.py").read_text()
    config.html_context["book_version"] = re.search(r'__version__ = "(.+)"', source)[1]
    config.html_theme_options |= {
        "logo": {"text": config.project},
        "navbar_persistent": [],
        "footer_content_items": ["book-footer.html"],
    }


def drop_scripts(app, pagename, templatename, context, doctree):
    """Leave out thebe: its inline script names another host, and nothing here uses it."""
    for kind in ("script_files", "css_files"):
        context[kind] = [file for file in context[kind] if not is_dropped(file)]


def say_scripts_once(app, pagename, templatename, context, doctree):
    """Keep the script of the live figures once in a page; web/widgets.js gives it back to each."""
    for file in context["script_files"]:
        attributes = getattr(file, "attributes", {})
        if attributes.get("type") == WIDGET_STATE:
            attributes["body"] = without_repeats(attributes["body"])


def without_repeats(body):
    """Replace a script or style that another widget of the page has too by that widget's id."""
    page, owners = json.loads(body), {}
    for name, model in page["state"].items():
        for key in ("_esm", "_css"):
            text = model["state"].get(key)
            owner = owners.setdefault((key, text), name)
            if text and owner != name:
                model["state"][key] = {"same as": owner}
    return json.dumps(page).replace("</", "<\\/")


def is_dropped(file):
    """Tell whether a script or style sheet belongs to thebe."""
    text = f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body')}"
    return any(word in text for word in DROPPED)


def remove_unused(app, exception):
    """Remove what no page loads; templates/static/webpack-macros.html leaves the script out."""
    if exception is None:
        for name in UNUSED:
            (Path(app.outdir) / "_static" / "scripts" / name).unlink(missing_ok=True)
