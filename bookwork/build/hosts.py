"""The other hosts that a site names: what its pages and style sheets load, and from where.

Scripts, styles, frames, pictures, media, fonts and forms name a host in their tags; a script in the
page may name the file of another that it loads. What a script from another host loads in turn is
not seen: some are known, and a book can name the rest in ``bookwork_hosts``.
"""

import re

from bookwork.book.files import cache_until_changed
from bookwork.build.policy import frames_in, inline_scripts

LOADED = re.compile(  # the attribute of a tag, or the address of a style
    r"""<(?:script|img|iframe|embed|source|video|audio|track|object|form|input)\b[^>]*?"""
    r"""\s(?:src|srcset|data|poster|action)\s*=\s*["']?\s*((?:https?:)?//[^\s"'>]+)"""
    r"""|<link\b(?=[^>]*\srel=["']?(?!["']?(?:canonical|alternate|next|prev|author|license)))"""
    r"""[^>]*?\shref=["']?((?:https?:)?//[^\s"'>]+)"""
    r"""|(?:(?<!new )(?<!\.)url\(\s*|@import\s+)["']?((?:https?:)?//[^\s"')]+)""",
    re.I,
)
NAMED = re.compile(r"""https?://[^\s"'`<>\\]+""")  # in a script
FILE = re.compile(r"//(?:cdn\.|unpkg\.|[^?#]*\.(?:m?js|css|json|wasm)(?:[?#]|$))")
HOST = re.compile(r"(?:https:|(?P<insecure>http:))?//(?:[^/@]*@)?(?P<name>[\w.-]+(?::\d+)?)", re.I)
THEN = {  # what the files of a host load from others
    "fonts.googleapis.com": ["fonts.gstatic.com"],
    "hypothes.is": ["cdn.hypothes.is"],
    "www.googletagmanager.com": ["*.google-analytics.com", "*.analytics.google.com"],
}


def hosts_of(site, pages):
    """Return the other hosts that these pages of a site name, its style sheets, and scripts.

    Those in folders belong to a theme, whose pages name what they load.
    """
    files = [*pages, *site.glob("_static/**/*.css"), *site.glob("_static/*.js")]
    named = {host for path in files for host in hosts_in_file(path)}
    return named | {f"https://{more}" for host in named for more in THEN.get(plain(host), ())}


def plain(host):
    """Return the name of a host without its scheme."""
    return host.partition("//")[2] or host


@cache_until_changed
def hosts_in_file(path):
    """Return the hosts that a page, a style sheet or a script of the book names."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return hosts_in(f"<script>{text}</script>" if path.suffix == ".js" else text)


def hosts_in(text):
    """Return the hosts that a page or a style sheet loads from.

    >>> hosts_in('<img src="//a.org/b.png"><a href="https://c.org">c</a>')
    {'https://a.org'}
    """
    scripts = " ".join(inline_scripts(text))
    found = ["".join(each) for each in LOADED.findall(text)]
    found += [address for address in NAMED.findall(scripts) if FILE.search(address)]
    frames = map(hosts_in, frames_in(text))
    matches = filter(None, map(HOST.match, found))
    named = {f"{each['insecure'] or 'https:'}//{each['name']}".lower() for each in matches}
    return named.union(*frames)
