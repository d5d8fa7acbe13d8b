"""Build attention_lib as a source archive and, from that, as a wheel, into dist/.

The site offers the same wheel, for its notebooks: one file, so it has the light part of bookwork in
it, live figures and exercises. tools/make_bookwork.py builds bookwork itself.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from bookwork.book.book import Book
from bookwork.book.files import files_below
from bookwork.book.outline import outline_of
from bookwork.build.build_python import VIEWS, light_files
from bookwork.exercises.outline import FILE
from tools import ROOT

DATE = "315532800"  # 1980, the earliest date that a wheel can have
OWN = ("attention_lib", "attention_exercises")
SOURCES = ("pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist")
    folder = parser.parse_args(arguments).folder.resolve()
    with tempfile.TemporaryDirectory() as work:
        replace(folder, build(Path(work)))
    for path in sorted(folder.iterdir()):
        print(f"{path.name}  {path.stat().st_size / 1e6:.1f} MB", flush=True)


def inputs():
    """Return what a wheel is built from: files, and the package's data in pyproject.toml."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())
    told = [tables["build-system"], tables["project"], tables["tool"]["setuptools"]]
    described = [ROOT / name for name in SOURCES if name != "pyproject.toml"]
    code = [*own_files(), *light_files()]
    return [*code, *described, json.dumps(told), outline()]


def own_files():
    """Return the files of the book's own packages."""
    return [path for name in OWN for path in files_below(ROOT / name)]


def outline():
    """Return the list of exercises for the report, because a wheel has no chapters."""
    return json.dumps(outline_of(Book(ROOT)), ensure_ascii=False, indent=1) + "\n"


def build_wheel():
    """Return the name and the bytes of the wheel; the same sources give the same bytes."""
    with tempfile.TemporaryDirectory() as work:
        (path,) = build(Path(work), "--wheel").iterdir()
        return path.name, path.read_bytes()


def build(work, *options):
    """Build in a copy, so that no old files get in and none are left behind; return the folder."""
    copy_sources(work / "copy")
    command = [sys.executable, "-m", "build", "--no-isolation", *options]
    run([*command, "--outdir", str(work / "made"), str(work / "copy")], SOURCE_DATE_EPOCH=DATE)
    return work / "made"


def copy_sources(copy):
    """Copy what belongs to the library: the packages and the files that describe it."""
    for path in [*own_files(), *light_files(), *files_below(VIEWS)]:
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for name in SOURCES:
        shutil.copy(ROOT / name, copy / name)
    (copy / "attention_exercises" / FILE).write_text(outline(), encoding="utf-8")


def run(command, **environment):
    """Run a step quietly; if it fails, show its output."""
    options = {"env": os.environ | environment, "capture_output": True, "text": True}
    done = subprocess.run(command, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}This step failed, see above: {' '.join(command)}")


def replace(folder, made):
    """Replace the files of an earlier run; keep other files."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("attention_lib-*.whl"), *folder.glob("attention_lib-*.tar.gz")):
        old.unlink()
    for path in made.iterdir():
        shutil.move(path, folder / path.name)


if __name__ == "__main__":
    main()
