"""Put a book's large files where a page finds them, which fetches one when its reader asks for it.

`bookwork_data` lists them among other data, each with its title, the module of the book whose
command fetches it and prints where it is, and the memory, in MB, that Python needs for it. A file
that cannot be fetched is left out of the site, and so are all with BOOKWORK_DOWNLOADS=0.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bookwork.book.settings import settings_of
from bookwork.build.steps import do_once
from bookwork.build.wheels import BuildError

INDEX = "index.json"


def copy_downloads(root):
    """Copy the files, unless that is done; return what the page's Python needs to know of each."""
    out, listed = root / "_build" / "downloads", settings_of(root)["bookwork_data"]
    wanted = [each for each in listed if isinstance(each, dict)]
    if not wanted or os.environ.get("BOOKWORK_DOWNLOADS") == "0":
        shutil.rmtree(out, ignore_errors=True)
        return []
    sources = [root / f"{each['fetch'].replace('.', '/')}.py" for each in wanted]
    inputs = [json.dumps(wanted), Path(__file__), *(path for path in sources if path.is_file())]
    try:
        do_once(out / "built-for", inputs, lambda: write(root, out, wanted))
    except BuildError as error:
        print(f"Leaving {error}", flush=True)
        shutil.rmtree(out, ignore_errors=True)
        return []
    return json.loads((out / INDEX).read_text(encoding="utf-8"))


def write(root, out, wanted):
    """Fetch and copy the files, and list them."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    facts = json.dumps([copied(root, out, each) for each in wanted])
    (out / INDEX).write_text(facts, encoding="utf-8")


def copied(root, out, each):
    """Copy a file, under a name that changes with it; return what is known of it."""
    path = fetched(root, each)
    print(f"Adding {each['title']} to the site: {path.stat().st_size / 1e6:.0f} MB", flush=True)
    digest = hashlib.sha256(path.read_bytes()).digest()
    name = f"{digest.hex()[:32]}.bin"
    shutil.copyfile(path, out / name)
    facts = {"file": path.name, "title": each["title"], "memory": each.get("memory", 0)}
    integrity = f"sha256-{base64.b64encode(digest).decode()}"
    return facts | {"size": path.stat().st_size, "name": name, "integrity": integrity}


def fetched(root, each):
    """Return the path that a command prints last, once it has fetched the file."""
    command = [sys.executable, "-m", each["fetch"]]
    said = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    lines = (said.stdout if said.returncode == 0 else said.stderr).strip().splitlines()
    last = lines[-1] if lines else f"{each['fetch']} said nothing"
    if said.returncode != 0:
        raise BuildError(f"{each['title']} out of the site: {last}")
    return Path(last)
