"""The frames of large figures in files, which a page loads lazily, as a reader comes near.

With ``bookwork_inline_limit: 200000``, a live figure whose frames take more bytes than that leaves
them in a script of its own, named after its page and its content. A script can be loaded from a
disk too, where fetching a file is forbidden. web/figures/far-frames.js loads it; until then the
table is there.
"""

import hashlib
import shutil
from pathlib import Path

FOLDER = Path("_static", "book-frames")
SCRIPT = '(window.bookFrames ??= {{}})["{name}"] = "{data}";\n'


def put_in_files(widgets, limit, site, page):
    """Leave the frames of a page's widgets, if they have more bytes than `limit`, in files."""
    for model in widgets.values():
        for buffer in [each for each in model.get("buffers", ()) if is_large(each, limit)]:
            model["buffers"].remove(buffer)
            model["state"]["frames"] = {"inFile": write_script(site, page, buffer["data"])}


def is_large(buffer, limit):
    """Return whether a buffer has frames of more bytes than `limit`; base64 makes 4 of 3."""
    return buffer["path"] == ["frames"] and len(buffer["data"]) * 3 / 4 > limit


def write_script(site, page, data):
    """Write frames as a script; return its name."""
    name = f"{digest(page)}/{digest(data)}"
    file = Path(site, FOLDER, f"{name}.js")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(SCRIPT.format(name=name, data=data), encoding="utf-8")
    return name


def remove_files(site, page):
    """Remove the files of a page, which is written anew."""
    shutil.rmtree(Path(site, FOLDER, digest(page)), ignore_errors=True)


def digest(text):
    """Return a short digest."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
