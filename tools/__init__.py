"""Commands of this book's own: notebooks, pictures, the PDF, data, measurements."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]  # of the book


def copy_tree(tree):
    """Copy every file that git tracks or would add, and nothing that was built."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
