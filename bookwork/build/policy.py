"""A Content-Security-Policy as a meta element that allows the inline scripts of a page by hash."""

import base64
import hashlib
import html
import re

TAG = '<meta http-equiv="Content-Security-Policy"'  # does not match text that merely mentions it
SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.S)
HANDLER = re.compile(r"\son\w+=\"(?P<text>[^\"]*)\"")


def policy_tag(rules, allowed):
    """Return the meta element of a policy { directive: sources } that allows these scripts."""
    hashes = " ".join(sorted({digest(text) for text in allowed}))
    rules = rules | {"script-src": f"{rules['script-src']} {hashes}".strip()}
    content = "; ".join(f"{name} {value}" for name, value in rules.items())
    return f'\n    {TAG} content="{content}" />'


def inline_handlers(page):
    """Return the values of attributes such as onclick; the search page reads those of all pages."""
    return [html.unescape(match["text"]) for match in HANDLER.finditer(SCRIPT.sub("", page))]


def inline_scripts(page):
    """Return the inline scripts of a page that a browser would run."""
    for match in SCRIPT.finditer(page):
        if "src=" not in match["attributes"] and not is_data(match["attributes"]):
            yield match["text"]


def is_data(attributes):
    """Return whether a script element contains data, which no browser runs."""
    kind = re.search(r'type="([^"]*)"', attributes)
    return kind is not None and kind[1] not in ("", "module", "text/javascript")


def digest(text):
    """Return a text's hash in the form that a policy uses."""
    value = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{value}'"
