"""Sphinx extension: a strict Content-Security-Policy in every page.

A page may load only what its own site serves, and run only scripts that the build wrote. Three
things need more than that, and get no more than they need:

- live figures are ES modules that anywidget imports from a ``blob:`` address;
- Python in the page is WebAssembly, compiled in a worker (``'wasm-unsafe-eval'``);
- that worker starts from a ``blob:``, because it then has the policy of the page
  (page/kept-worker.js). A worker started from an address would have no policy at all.

The only iframes are those that the page itself writes, with ``srcdoc``: they have the policy of
the page, too. The inline scripts and handlers of the theme are allowed by their hashes, one by one.
Styles may be inline: MathJax and the widgets set them. Hosts that send headers can send the same
policy. SECURITY.md says what all this is for.
"""

import re
from pathlib import Path

from bookwork.commands.policy import TAG, inline_handlers, inline_scripts, policy_tag

START = re.compile(r'<meta charset="utf-8" ?/?>')
EARLIER = re.compile(rf"\n    {re.escape(TAG)}[^>]*/>")
POLICY = {
    "default-src": "'none'",
    "script-src": "'self' blob: 'wasm-unsafe-eval' 'unsafe-hashes'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' data: blob:",
    "connect-src": "'self' blob: data:",
    "worker-src": "blob:",
    "frame-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}


def setup(app):
    """Connect to Sphinx."""
    app.connect("build-finished", add_policies, priority=990)  # after the pages are complete
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def add_policies(app, exception):
    """Give every page its policy; a page that was not rewritten may have an older one."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    for template in (site / "_static").glob("*webpack-macros.html"):
        template.unlink()  # the theme's template, copied by mistake and served as a page
    pages = {path: path.read_text(encoding="utf-8") for path in own_pages(site)}
    handlers = {text for page in pages.values() for text in inline_handlers(page)}
    for path, page in pages.items():
        renewed = with_policy(page, handlers)
        if renewed != page:
            path.write_text(renewed, encoding="utf-8")


def own_pages(site):
    """Return the pages of the book; those of JupyterLite have their own policy."""
    return [path for path in site.rglob("*.html") if path.relative_to(site).parts[0] != "lite"]


def with_policy(page, handlers):
    """Return a page with its policy, which comes first; index.html has no head element."""
    page = EARLIER.sub("", page)
    if not START.search(page):
        page = f'<!doctype html>\n<meta charset="utf-8" />\n{page}'
    tag = policy_tag(POLICY, handlers | set(inline_scripts(page)))
    return START.sub(lambda start: start[0] + tag, page, count=1)
