"""In the house style a page loads the scripts that it uses, and no text waits for them.

Jupyter Book loads the scripts of its extensions on every page. Those for tabs and for toggles are
left out of a page that has none; thebe, which names another host, and Sphinx's marks of words that
were searched for (page/search/found.js has ours) are left out of all. The rest is deferred, unless
the page has scripts of the book's own, which may need one of them at once.
"""

import re

from bookwork.sphinx.book_shell import is_adapted

TOGGLED = ".toggle, .admonition.dropdown"  # unless a book says otherwise
NEEDS = {  # the files of an extension -> a class that a page must have for them
    re.compile(r"design-tabs\.js"): {"sd-tab-set"},
    re.compile(r"togglebutton|\btoggle(?:Hint|OpenOnPrint)"): {"toggle", "dropdown"},
    re.compile(r"thebe|THEBE_JS_URL|DOCUMENTATION_OPTIONS\."): set(),  # no class: never needed
    re.compile(r"sphinx_highlight"): set(),
}
KNOWN = re.compile(
    r"book/book|documentation_options|doctools|clipboard\.min|copybutton"
    r"|sphinx-book-theme|togglebutton|design-tabs|mathjax"
)
OWN = re.compile(r'<script(?![^>]*\stype="application/)')  # no data
THEBE = re.compile(r"<script[^>]*>\s*(?:\{\s*requestKernel|kernelName =).*?</script>\s*", re.S)
CLASSES = re.compile(r"""\bclass=["']([^"']*)""")


def setup(app):
    """Look at each page once all its scripts are known."""
    app.connect("html-page-context", leave_out, priority=992)


def leave_out(app, pagename, templatename, context, doctree):
    """Leave out what a page does not need; let the rest wait for its text."""
    if not is_adapted(app.config):
        return
    body = THEBE.sub("", context.get("body", ""))
    if "body" in context:
        context["body"] = body
    present = set().union(*map(str.split, CLASSES.findall(body)))
    if getattr(app.config, "togglebutton_selector", TOGGLED) != TOGGLED:
        present.add("toggle")
    for pattern in [pattern for pattern, classes in NEEDS.items() if not classes & present]:
        for kind in ("script_files", "css_files"):
            context[kind] = [file for file in context[kind] if not pattern.search(text_of(file))]
    scripts = [str(getattr(file, "filename", None) or file) for file in context["script_files"]]
    own = [name for name in scripts if name.endswith(".js") and not KNOWN.search(name)]
    if not (own or OWN.search(body)):
        context["script_files"] = [deferred(file) for file in context["script_files"]]


def deferred(file):
    """Return a script that waits until the page is parsed, if it is a file."""
    if not file.filename:
        return file
    return type(file)(file.filename, priority=file.priority, **file.attributes | {"defer": ""})


def text_of(file):
    """Return the name of a script or style sheet, or its text where it stands in the page."""
    return f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body')}"
