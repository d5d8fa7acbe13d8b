"""The lock of all packages fits the lists, has a digest of each file, and names no address."""

import re

import pytest

from tools import lock_packages
from tools.lock_packages import LOCK, faults

LIST = {"list.txt": "# numbers\nnumpy==2.4.3\nruff==1.0  # style\n-e .\n"}
FITS = """numpy==2.4.3 \\
    --hash=sha256:aa
    # via matplotlib
ruff==1.0 \\
    --hash=sha256:bb
soupsieve==2.10 ; python_full_version < '3.11.5' \\
    --hash=sha256:cc
    # via beautifulsoup4
soupsieve==4.1 ; python_full_version >= '3.11.5' \\
    --hash=sha256:dd
    # via beautifulsoup4
"""


def test_a_lock_that_fits_has_no_fault():
    assert list(faults(LIST, FITS)) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ruff==1.0", "ruff==0.9", "list.txt:3: ruff==1.0 is pinned, but the lock has 0.9 of it"),
        (
            "ruff==1.0",
            "rough==1.0",
            "list.txt:3: ruff==1.0 is pinned, but the lock has no version of it",
        ),
        ("ruff", "mypy==3 \\\n    --hash=sha256:ee\nruff", "mypy is locked, but nothing needs it"),
        ("    --hash=sha256:dd\n", "", "soupsieve has no digest"),
    ],
)
def test_a_lock_that_does_not_fit_is_told_with_what_to_do(old, new, said):
    told = [str(fault) for fault in faults(LIST, FITS.replace(old, new, 1))]
    assert any(said in sentence for sentence in told)
    assert all(sentence.endswith(": run make lock") for sentence in told)


def test_the_lock_holds_what_the_pages_are_made_of_and_no_address():
    text = LOCK.read_text(encoding="utf-8")
    packages = lock_packages.locked(text)
    assert {"sphinx", "docutils", "sphinx-book-theme", "pydata-sphinx-theme"} <= set(packages)
    assert re.findall(r"\S*(?:://|file:|--\w*index|--find-links)\S*", text) == []
