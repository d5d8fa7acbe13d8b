"""A bar above the pages of JupyterLite, with a link back to the chapter.

A notebook cannot contain the link: JupyterLite takes an address without a host for one of its
files, and the book does not know its host.
"""

import re
import shutil
from pathlib import Path

SCRIPT, STYLE = (Path(__file__).with_name(f"way_back.{kind}") for kind in ("js", "css"))
BAR_FILES = [Path(__file__), SCRIPT, STYLE]  # the HTML of the bar
BODY = re.compile(r"<body[^>]*>")
BAR = (
    '<nav id="book-way-back" aria-label="The book"><a href="../../index.html">'
    '← Back to the book</a></nav><link rel="stylesheet" href="../{style}">'
    '<script src="../{script}"></script>'
)


def add_way_back(lite):
    """Put the bar above each page of JupyterLite that a reader works in."""
    for path in (SCRIPT, STYLE):
        shutil.copyfile(path, lite / path.name)
    for page in lite.glob("*/index.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(BODY.sub(with_bar, text, count=1), encoding="utf-8")


def with_bar(body):
    """Return the matched tag, followed by the bar."""
    return body[0] + BAR.format(style=STYLE.name, script=SCRIPT.name)
