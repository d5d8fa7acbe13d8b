"""Under a strict policy, what a frame or a player would show from another host is a link to it."""

import re

EMBEDDED = re.compile(
    r"<(?P<tag>iframe|video|audio|object)\b(?P<head>[^>]*)>(?P<inside>.*?)</(?P=tag)>"
    r"|<embed\b(?P<alone>[^>]*)>",
    re.S,
)
ADDRESS = re.compile(r"""\b(?:src|data)=["'](?P<address>(?:https?:)?//(?P<host>[^/"'?#]+)[^"']*)""")
VIDEO = re.compile(r"//(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]+)[^\"']*")
LINK = (
    '<span class="book-elsewhere">This book loads nothing from other hosts: '
    '<a href="{}">see this at {}</a>.</span>'
)


def link_instead(page):
    """Return a page with links instead of all that it would show from other hosts.

    >>> link_instead('<iframe src="https://a.org/b"></iframe>').partition("href=")[2]
    '"https://a.org/b">see this at a.org</a>.</span>'
    """
    return EMBEDDED.sub(link_to, page)


def link_to(match):
    """Return a link, or what stands there if it is the site's own."""
    text = f"{match['head'] or match['alone']}{match['inside'] or ''}"
    found = ADDRESS.search(text)
    if not found:
        return match[0]
    address = VIDEO.sub(r"//www.youtube.com/watch?v=\1", found["address"])
    return LINK.format(address, found["host"])
