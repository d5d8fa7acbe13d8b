"""Install the wheels in dist/ into fresh environments, and build a live figure with each.

    python -m tools.try_dist [folder]

What a wheel needs of the other is taken from the folder, the rest from the package index.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import ROOT

SAVE = """
from attention_lib import softmax
from bookwork.live import bars, live, slider

figure = live(
    lambda temperature: softmax([1, 2, 3], temperature=temperature),
    bars(["a", "b", "c"]),
    name="Weights at different temperatures",
    temperature=slider(0.5, 4, 0.5, value=1),
)
print(figure.save("figure.html").stat().st_size, "bytes: figure.html")
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist")
    folder = parser.parse_args(arguments).folder.resolve()
    with tempfile.TemporaryDirectory() as work:
        python = installed("attention_lib[figures]", folder, Path(work))
        run(python, "-c", SAVE, folder=work)
        python = installed("bookwork[book]", folder, Path(work))
        run(python, "-m", "bookwork", "new", "book", folder=work)
        run(python, "-m", "bookwork", "build", folder=Path(work) / "book")
        page = Path(work) / "book" / "_build" / "html" / "chapters" / "first.html"
        if "live-figure" not in page.read_text(encoding="utf-8"):
            sys.exit("the page that bookwork built has no live figure")
    print("Both wheels can be installed, and make live figures.")


def installed(requirement, folder, work):
    """Install a wheel in an environment of its own; return the Python of that."""
    env = work / f"env-{requirement.partition('[')[0]}"
    run(sys.executable, "-m", "venv", env, folder=work)
    python = env / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    options = ("--quiet", "--disable-pip-version-check", f"--find-links={folder}")
    run(python, "-m", "pip", "install", *options, requirement, folder=work)
    return python


def run(*command, folder):
    """Run a command outside the repository; stop if it fails."""
    print("$", *map(str, command[1:3]), *command[-1:], flush=True)
    if subprocess.run(command, cwd=folder, check=False).returncode != 0:
        sys.exit("This step failed, see above.")


if __name__ == "__main__":
    main()
