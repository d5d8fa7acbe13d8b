"""A Content-Security-Policy as a meta element that allows the inline scripts of a page by hash."""

import base64
import hashlib
import html
import re
from urllib.parse import unquote

TAG = '<meta http-equiv="Content-Security-Policy"'  # does not match text that merely mentions it
VALUE = r"""\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*))"""  # of an attribute
SCRIPT = re.compile(
    r"""<script(?=[\s/>])(?P<attributes>(?:"[^"]*"|'[^']*'|[^'">])*)>"""
    r"(?P<text>.*?)</script\b[^>]*>",
    re.S | re.I,
)
SOURCE, KIND = re.compile(r"[\s/]src\s*=", re.I), re.compile(rf"[\s/]type{VALUE}", re.I)
FRAME = re.compile(r"""\ssrcdoc\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.I)
HANDLER = re.compile(rf"[\s/\"']on\w+{VALUE}", re.I)
CODE = "javascript:"
LINK = re.compile(rf"[\s/\"'](?:href|action|formaction)(?=\s*=\s*[\"']?{CODE}){VALUE}", re.I)
RUN = re.compile(  # the types of what a browser runs
    r"|module|importmap|(?:application|text)/(?:x-)?(?:java|ecma)script"
    r"|text/(?:javascript1\.[0-5]|jscript|livescript)",
    re.I,
)


def policy_tag(rules, allowed):
    """Return the meta element of a policy { directive: sources } that allows these scripts."""
    hashes = " ".join(sorted({digest(text) for text in allowed}))
    rules = rules | {"script-src": f"{rules['script-src']} {hashes}".strip()}
    content = "; ".join(f"{name} {value}" for name, value in rules.items())
    return f'\n    {TAG} content="{content}" />'


def inline_handlers(page):
    """Return the values of attributes such as onclick; the search page reads those of all pages.

    A link that begins with javascript: is one, too.
    """
    own = FRAME.sub("", SCRIPT.sub("", page))
    links = [CODE + unquote(text[len(CODE) :]) for text in values(LINK, own)]
    inner = [handler for frame in frames_in(page) for handler in inline_handlers(frame)]
    return [*values(HANDLER, own), *links, *inner]


def inline_scripts(page):
    """Yield the inline scripts of a page that a browser would run."""
    for match in SCRIPT.finditer(page):
        if not SOURCE.search(match["attributes"]) and not is_data(match["attributes"]):
            yield match["text"]


def is_data(attributes):
    """Return whether a script element contains data, which no browser runs."""
    return not all(RUN.fullmatch(kind.strip()) for kind in values(KIND, attributes))


def frames_in(page):
    """Return the pages that are written into a page, as frames."""
    return values(FRAME, page)


def values(attribute, text):
    """Return the values of an attribute in a text."""
    return [html.unescape("".join(each)) for each in attribute.findall(text)]


def digest(text):
    """Return a text's hash in the form that a policy uses."""
    value = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{value}'"
