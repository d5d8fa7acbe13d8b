"""Give every page of a site its Content-Security-Policy.

A page may run only scripts that the build wrote. In a book with a strict policy it loads only what
its own site serves; else also from hosts that the pages, their theme and ``bookwork_hosts`` name,
and such scripts may need ``'unsafe-eval'``. Three things need more than that, and get no more than
they need:

- live figures are ES modules that anywidget imports from a ``blob:`` address;
- Python in the page is WebAssembly, compiled in a worker (``'wasm-unsafe-eval'``);
- that worker starts from a ``blob:``, because it then has the policy of the page
  (page/site/csp-worker.js). A worker started from an address would have no policy at all.

In a strict book the only iframes are those that the page itself writes, with ``srcdoc``: they have
the policy of the page, too. The inline scripts and handlers of the theme are allowed by their
hashes, one by one. Styles may be inline: formulas and widgets have them. Hosts that send headers
can send the same policy. SECURITY.md says what all this is for.
"""

import re

from bookwork.book.files import cache_until_changed
from bookwork.build.hosts import hosts_of, plain
from bookwork.build.policy import (
    TAG,
    frames_in,
    inline_handlers,
    inline_scripts,
    policy_tag,
)

START = re.compile(r'(?i:<meta charset="utf-8" ?/?>)')
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
OPEN = {  # in a book that is not strict, besides its hosts
    "script-src": f"{POLICY['script-src']} 'unsafe-eval'",
    "worker-src": "'self' blob:",
    "frame-src": "'self' blob: data:",
    "object-src": "'self'",
}
HOSTS = (
    "The pages load from hosts that they name: {}. To forbid it, set bookwork_policy: strict; "
    "to allow more, name them in bookwork_hosts."
)


def secure(site, policy="strict", more=()):
    """Give every page its policy; one that was not written again may have an older one."""
    pages = own_pages(site)
    rules = rules_for(other_hosts(site, policy, more), policy)
    handlers = frozenset(handler for path in pages for handler in handlers_in(path))
    for path in pages:
        if not is_safe(path, handlers, rules):
            page = path.read_text(encoding="utf-8")
            path.write_text(with_policy(page, handlers, rules), encoding="utf-8")


def other_hosts(site, policy, more):
    """Return the hosts that the pages of a site may load from, besides their own."""
    if policy == "strict":
        return []
    return sorted(hosts_of(site, own_pages(site)) | {f"https://{host}" for host in more})


def rules_for(hosts, policy):
    """Return the directives of a policy, each with its sources."""
    if policy == "strict":
        return tuple(POLICY.items())
    named = " ".join(["", *hosts])
    sockets = named.replace(" http", " ws")  # with which a script may talk to them, too
    rules = {k: v if v == "'none'" else v + named for k, v in (POLICY | OPEN).items()}
    return tuple((rules | {"connect-src": rules["connect-src"] + sockets}).items())


def said_of_hosts(site, policy, more):
    """Return a sentence on the other hosts of a site, for its author, or nothing."""
    hosts = other_hosts(site, policy, more)
    return HOSTS.format(", ".join(sorted(set(map(plain, hosts))))) if hosts else ""


@cache_until_changed
def handlers_in(path):
    """Return the inline handlers of a page."""
    return inline_handlers(path.read_text(encoding="utf-8"))


@cache_until_changed
def is_safe(path, handlers, rules):
    """Return whether a page has its policy."""
    page = path.read_text(encoding="utf-8")
    return page == with_policy(page, handlers, rules)


def own_pages(site):
    """Return the pages of the book; those of JupyterLite have their own policy."""
    return [path for path in site.rglob("*.html") if path.relative_to(site).parts[0] != "lite"]


def written_pages(site):
    """Return the pages that Sphinx wrote, in order: not those that it or others copied there."""
    copied = {"_static", "_sources"}
    return sorted(p for p in own_pages(site) if p.relative_to(site).parts[0] not in copied)


def with_policy(page, handlers, rules=None):
    """Return a page with its policy, which comes first; index.html has no head element."""
    page = EARLIER.sub("", page)
    if not START.search(page):
        page = f'<!doctype html>\n<meta charset="utf-8" />\n{page}'
    scripts = {script for text in [page, *frames_in(page)] for script in inline_scripts(text)}
    tag = policy_tag(dict(rules or POLICY), handlers | scripts)
    return START.sub(lambda start: start[0] + tag, page, count=1)
