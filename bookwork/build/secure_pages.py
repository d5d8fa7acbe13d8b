"""Give every page of a site a strict Content-Security-Policy.

A page may load only what its own site serves, and run only scripts that the build wrote. Three
things need more than that, and get no more than they need:

- live figures are ES modules that anywidget imports from a ``blob:`` address;
- Python in the page is WebAssembly, compiled in a worker (``'wasm-unsafe-eval'``);
- that worker starts from a ``blob:``, because it then has the policy of the page
  (page/site/csp-worker.js). A worker started from an address would have no policy at all.

The only iframes are those that the page itself writes, with ``srcdoc``: they have the policy of
the page, too. The inline scripts and handlers of the theme are allowed by their hashes, one by one.
Styles may be inline: formulas and widgets have them. Hosts that send headers can send the same
policy. SECURITY.md says what all this is for.
"""

import re

from bookwork.book.files import cache_until_changed
from bookwork.build.policy import TAG, inline_handlers, inline_scripts, policy_tag

START = re.compile(  # with what stamp_pages.py puts there
    r'<meta charset="utf-8" ?/?>(?:\n    <meta name="book-version"[^>]*>)?'
)
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


def secure(site):
    """Give every page its policy; one that was not written again may have an older one."""
    pages = own_pages(site)
    handlers = frozenset(handler for path in pages for handler in handlers_in(path))
    for path in pages:
        if not is_safe(path, handlers):
            page = path.read_text(encoding="utf-8")
            path.write_text(with_policy(page, handlers), encoding="utf-8")


@cache_until_changed
def handlers_in(path):
    """Return the inline handlers of a page."""
    return inline_handlers(path.read_text(encoding="utf-8"))


@cache_until_changed
def is_safe(path, handlers):
    """Return whether a page has its policy."""
    page = path.read_text(encoding="utf-8")
    return page == with_policy(page, handlers)


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
