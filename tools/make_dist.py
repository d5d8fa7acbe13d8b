"""Build attention_lib and bookwork as source archives and, from these, as wheels, into dist/.

The site offers the same wheel of attention_lib, for its notebooks, and beside it the light part of
bookwork, live figures and exercises, as a wheel of bookwork: whoever has the whole of that keeps
it, because pip installs no second one of the same version.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from bookwork.book.book import Book
from bookwork.book.files import PACKAGE, files_below
from bookwork.build.build_python import light_files
from bookwork.exercises.outline import FILE
from tools import ROOT

DATE = "315532800"  # 1980, the earliest date that a wheel can have
OWN = ("attention_lib", "attention_exercises")
LIGHT = ["bookwork", "bookwork.exercises", "bookwork.live"]
SOURCES = ("pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE")
SOURCES += ("THIRD_PARTY.md", "tools/packaging/attention_lib_backend.py")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist")
    folder = parser.parse_args(arguments).folder.resolve()
    build_library(folder)
    build_bookwork(folder)
    for path in sorted(folder.iterdir()):
        print(f"{path.name}  {path.stat().st_size / 1e6:.1f} MB", flush=True)


def inputs():
    """Return what a wheel is built from: files, and the package's data in pyproject.toml."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())
    told = [tables["build-system"], tables["project"], tables["tool"]["setuptools"]]
    described = [ROOT / name for name in SOURCES if name != "pyproject.toml"]
    described += [PACKAGE / name for name in ("pyproject.toml", "README.md")]
    code = [*own_files(), *light_files()]
    return [*code, *described, json.dumps(told), outline()]


def own_files():
    """Return the files of the book's own packages."""
    return [path for name in OWN for path in files_below(ROOT / name)]


def outline():
    """Return the list of exercises for the report, because a wheel has no chapters."""
    return json.dumps(Book(ROOT).outline, ensure_ascii=False, indent=1) + "\n"


def build_wheels():
    """Return the names and bytes of the two wheels; the same sources give the same bytes."""
    with tempfile.TemporaryDirectory() as library, tempfile.TemporaryDirectory() as light:
        made = [build(Path(library), "--wheel"), build(Path(light), "--wheel", copy=copy_light)]
        return {path.name: path.read_bytes() for folder in made for path in folder.iterdir()}


def build(work, *options, copy=None):
    """Build in a copy, so that no old files get in and none are left behind; return the folder."""
    (copy or copy_sources)(work / "copy")
    options += ("--no-isolation", f"--outdir={work / 'made'}", str(work / "copy"))
    run("build", *options, SOURCE_DATE_EPOCH=DATE)
    return work / "made"


def build_library(folder):
    """Build attention_lib into a folder."""
    with tempfile.TemporaryDirectory() as work:
        replace(folder, build(Path(work)))


def build_bookwork(folder):
    """Build bookwork into a folder: its code, and all that runs in a page; return its wheel.

    Whoever installs it needs no Node, fetches nothing from other hosts, and compiles nothing.
    """
    with tempfile.TemporaryDirectory() as made:
        options = ("--no-isolation", f"--outdir={made}", str(PACKAGE))
        run("build", *options, SOURCE_DATE_EPOCH=DATE)
        replace(folder, Path(made))
    (wheel,) = folder.glob("bookwork-*.whl")
    return wheel


def copy_sources(copy):
    """Copy what belongs to the library: the packages and the files that describe it."""
    copy_files(own_files(), ROOT, copy)
    copy_files([ROOT / name for name in SOURCES], ROOT, copy)
    (copy / "attention_exercises" / FILE).write_text(outline(), encoding="utf-8")


def copy_light(copy):
    """Copy the light part of bookwork, with a project that names no more than that."""
    copy_files(light_files(), PACKAGE, copy)
    project = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")
    project = re.sub(r"^packages = .*$", f"packages = {LIGHT}", project, flags=re.M)
    project = re.sub(r"\[project.scripts\]\n.*\n", "", project)  # they need the rest
    project = re.sub(r"^license = .*$", 'license = "MIT"', project, flags=re.M)
    project = project.replace(', "THIRD_PARTY.md"', "")  # of work that it does not carry
    project = re.sub(r"^build-backend = .*\nbackend-path = .*\n", "", project, flags=re.M)
    (copy / "pyproject.toml").write_text(project, encoding="utf-8")
    for name in ("README.md", "LICENSE"):
        shutil.copy(PACKAGE / name, copy)


def copy_files(files, root, copy):
    """Copy files to the same places in another folder."""
    for path in files:
        target = copy / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def run(*module, folder=ROOT, **environment):
    """Run a module of Python quietly; if it fails, show its output."""
    options = {"env": os.environ | environment, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-m", *module], cwd=folder, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}This step failed, see above: {' '.join(module)}")


def replace(folder, made):
    """Replace the files of an earlier run; keep other files."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in made.iterdir():
        ending = ".whl" if path.suffix == ".whl" else ".tar.gz"
        for old in folder.glob(f"{path.name.partition('-')[0]}-*{ending}"):
            old.unlink()
        shutil.move(path, folder / path.name)


if __name__ == "__main__":
    main()
