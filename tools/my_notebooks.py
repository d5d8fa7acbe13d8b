"""Copy the chapters as notebooks into a folder in which a reader works with them in JupyterLab.

    python -m tools.my_notebooks [folder]       my-notebooks, unless another folder is named

A reader's work is never overwritten: .written has a digest of what was copied, and a notebook whose
cells differ from it is the reader's. If its chapter changes, the new version is put beside it.
Opening, running and saving a notebook changes no cell: such a copy is updated.
"""

import hashlib
import json
import sys
from pathlib import Path

import nbformat

from tools import ROOT, SITE, require_book
from tools.notebooks import INSTALLS

MINE = ROOT / "my-notebooks"
BESIDE = " (new version)"  # at the end of a name


def main(folder=MINE):
    """Copy what the site offers, without what only a downloaded notebook needs."""
    require_book()
    made = {path.name: nbformat.read(path, 4) for path in SITE.glob("notebooks/*.ipynb")}
    for notebook in made.values():
        tagged = [(cell["metadata"].get("tags", ()), cell) for cell in notebook["cells"]]
        notebook["cells"] = [cell for tags, cell in tagged if INSTALLS not in tags]
    refresh(Path(folder), {name: nbformat.writes(notebook) for name, notebook in made.items()})


def refresh(folder, made):
    """Update the copies, except those that the reader changed; remove unchanged ones of no page."""
    folder.mkdir(exist_ok=True)
    record = folder / ".written"
    written = json.loads(record.read_text()) if record.is_file() else {}
    for path in [folder / name for name in written if name.replace(BESIDE, "") not in made]:
        if is_ours(path, written):
            path.unlink(missing_ok=True)
    for name, text in sorted(made.items()):
        refresh_one(folder / name, text.encode(), written)
    record.write_text(json.dumps(written, indent=1) + "\n")


def refresh_one(path, data, written):
    """Update one copy; if it is the reader's and its chapter has changed, the one beside it."""
    new = digest(data)
    if is_ours(path, written):
        if not path.is_file() or digest(path.read_bytes()) != new:
            path.write_bytes(data)
    elif written.get(path.name) not in (None, new):
        beside = path.with_stem(path.stem + BESIDE)
        print(f"You have changed {path.name}: its new version is beside it, as {beside.name}")
        refresh_one(beside, data, written)
    written[path.name] = new


def is_ours(path, written):
    """Return whether a copy is missing, or has the cells that were written."""
    return not path.is_file() or written.get(path.name) == digest(path.read_bytes())


def digest(data):
    """Return a digest of a notebook's cells, without their outputs."""
    try:
        cells = json.loads(data)["cells"]
        data = json.dumps([(c["cell_type"], "".join(c["source"])) for c in cells]).encode()
    except (ValueError, KeyError, TypeError):
        pass  # no longer a notebook
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    main(*sys.argv[1:])
