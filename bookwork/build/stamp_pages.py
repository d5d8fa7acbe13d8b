"""Give each page its version, and the site a list of them, build.json.

So a page that is open while the site is updated can find out that it is of an earlier build
(page/site/build.js). Its version depends on all that it loads: addresses in a page name the content
of their files, and Python's index covers the rest.
"""

import hashlib
import json
import re

from bookwork.build.secure_pages import written_pages

PLACE = re.compile(r'<meta charset="utf-8" ?/?>', re.I)
TAG = re.compile(r'\n    <meta name="book-version" content="\w*" />')


def stamp_pages(site):
    """Write the version of every page of a site into it, and all of them into build.json."""
    index = site / "_pyodide" / "index.json"
    python = index.read_bytes() if index.is_file() else b""
    pages = {path.relative_to(site).as_posix(): path for path in written_pages(site)}
    versions = {name: stamp(path, python) for name, path in pages.items()}
    (site / "build.json").write_text(json.dumps(versions, indent=1) + "\n", encoding="utf-8")


def stamp(path, python):
    """Write its version into a page, unless it is already there; return it."""
    text = path.read_text(encoding="utf-8")
    plain = TAG.sub("", text)
    version = hashlib.sha256(plain.encode() + python).hexdigest()[:12]
    tag = f'\n    <meta name="book-version" content="{version}" />'
    stamped = PLACE.sub(lambda place: place[0] + tag, plain, count=1)
    if stamped != text:
        path.write_text(stamped, encoding="utf-8")
    return version
