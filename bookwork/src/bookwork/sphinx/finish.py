"""Sphinx extension: under ``bookwork_policy: strict``, a page is written with its policy in it.

A page loads only what its own site serves, and runs only scripts that the build wrote: those of the
site's files, and those in the page, allowed by their hashes one by one. Three things need more than
that, and get no more than they need:

- live figures are ES modules that anywidget imports from a ``blob:`` address;
- Python in the page is WebAssembly, compiled in a worker (``'wasm-unsafe-eval'``);
- that worker starts from a ``blob:``, because it then has the policy of the page
  (page/site/csp-worker.js). A worker started from an address would have no policy at all.

The only iframes are those that the page itself writes, with ``srcdoc``: they have the policy of the
page, too. Styles may be inline: formulas and widgets have them. Hosts that send headers can send
the same policy. SECURITY.md says what all this is for.
"""

import base64
import hashlib
import re
from html.parser import HTMLParser
from urllib.parse import unquote

from bookwork.sphinx.pages import is_site

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
TAG = '\n    <meta http-equiv="Content-Security-Policy" content="{}" />'
CODE = "javascript:"
RUN = re.compile(  # the types of what a browser runs
    r"|module|importmap|(?:application|text)/(?:x-)?(?:java|ecma)script"
    r"|text/(?:javascript1\.[0-5]|jscript|livescript)",
    re.I,
)


def setup(app):
    """Wait until it is known what renders pages."""
    app.connect("builder-inited", finish_pages)


def finish_pages(app):
    """Finish each page that is rendered, also by a template bridge of the book's own."""
    if is_site(app.builder) and app.config.bookwork_policy == "strict":
        bridge = app.builder.templates
        render = bridge.render
        bridge.render = lambda template, context: finish(render(template, context))


def finish(page):
    """Return a page with its policy, before all that this could forbid; a part of one as it is."""
    found = Scripts(page)
    start = found.starts.get("meta") or found.starts.get("head")
    return page.replace(start, start + policy_tag(found.scripts), 1) if start else page


def policy_tag(scripts):
    """Return the meta element of the policy that allows these scripts."""
    hashes = sorted({digest(text) for text in scripts})
    rules = POLICY | {"script-src": " ".join([POLICY["script-src"], *hashes])}
    return TAG.format("; ".join(f"{name} {value}" for name, value in rules.items()))


def digest(text):
    """Return a text's hash in the form that a policy uses."""
    value = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{value}'"


class Scripts(HTMLParser):
    """The `scripts` that stand in a page and that a browser runs: elements, handlers, links."""

    def __init__(self, page):
        super().__init__()
        self.scripts, self.is_open = [], False
        self.starts = {}  # the tags after which a policy may stand
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        """Note a script that begins, and the scripts in the attributes of an element."""
        given = {name: value or "" for name, value in attributes}
        if tag == "head" or (tag == "meta" and "charset" in given):
            self.starts.setdefault(tag, self.get_starttag_text())
        if tag == "script" and "src" not in given and RUN.fullmatch(given.get("type", "").strip()):
            self.is_open = True
            self.scripts.append("")
        for name, value in given.items():
            self.note(name, value)

    def note(self, name, value):
        """Note the script in an attribute: a handler, a link that runs code, or a frame's."""
        if name.startswith("on"):
            self.scripts.append(value)
        elif name == "srcdoc":
            self.scripts += Scripts(value).scripts
        elif value.lower().startswith(CODE):
            self.scripts.append(CODE + unquote(value[len(CODE) :]))

    def handle_data(self, data):
        """Add to a script, which may come in pieces."""
        if self.is_open:
            self.scripts[-1] += data

    def handle_endtag(self, tag):
        """Close a script."""
        self.is_open = False
