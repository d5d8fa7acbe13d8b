"""Sphinx extension: a strict Content-Security-Policy in every page.

A page may load what its own site serves and nothing else, and may run no script that the build did
not write. Two things need more than that, and get just that:

- live figures are ES modules that anywidget imports from a ``blob:`` address;
- Python in the page is WebAssembly, compiled in a worker (``'wasm-unsafe-eval'``).

The inline scripts and handlers of the theme are allowed by their hashes, one by one. Styles may be
inline: MathJax and the widgets set them. Hosts that send headers can send the same policy.
"""

import base64
import hashlib
import html
import re
from pathlib import Path

START = '<meta charset="utf-8" />'
POLICY_TAG = '<meta http-equiv="Content-Security-Policy"'  # a text that names it has no such tag
SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.S)
HANDLER = re.compile(r"\son\w+=\"(?P<text>[^\"]*)\"")
POLICY = {
    "default-src": "'none'",
    "script-src": "'self' blob: 'wasm-unsafe-eval' 'unsafe-hashes'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' blob: data:",
    "worker-src": "'self' blob:",
    "frame-src": "'self' data: blob:",
    "base-uri": "'none'",
    "form-action": "'self'",
}


def setup(app):
    """Join the build."""
    app.connect("build-finished", add_policies, priority=990)  # when the pages are complete
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def add_policies(app, exception):
    """Add the policy to the pages that were written anew; the others have theirs."""
    if exception is not None or app.builder.format != "html":
        return
    pages = {path: path.read_text(encoding="utf-8") for path in own_pages(Path(app.outdir))}
    handlers = {text for page in pages.values() for text in inline_handlers(page)}
    for path, page in pages.items():
        if START in page and POLICY_TAG not in page:
            tag = policy_tag(handlers | set(inline_scripts(page)))
            path.write_text(page.replace(START, START + tag, 1), encoding="utf-8")


def own_pages(site):
    """Return the pages of the book; those of JupyterLite have a policy of their own."""
    return [path for path in site.rglob("*.html") if path.relative_to(site).parts[0] != "lite"]


def policy_tag(allowed):
    """Return the meta element that allows these texts to run."""
    hashes = " ".join(sorted(digest(text) for text in allowed))
    rules = POLICY | {"script-src": f"{POLICY['script-src']} {hashes}".strip()}
    content = "; ".join(f"{name} {value}" for name, value in rules.items())
    return f'\n    {POLICY_TAG} content="{content}" />'


def inline_handlers(page):
    """Return what attributes such as onclick hold; the search page reads those of every page."""
    return [html.unescape(match["text"]) for match in HANDLER.finditer(SCRIPT.sub("", page))]


def inline_scripts(page):
    """Return the texts of the scripts in a page that a browser would run."""
    for match in SCRIPT.finditer(page):
        if "src=" not in match["attributes"] and not is_data(match["attributes"]):
            yield match["text"]


def is_data(attributes):
    """Tell whether a script element holds data that no browser runs."""
    kind = re.search(r'type="([^"]*)"', attributes)
    return kind is not None and kind[1] not in ("", "module", "text/javascript")


def digest(text):
    """Return a text's hash as a policy names it."""
    value = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{value}'"
