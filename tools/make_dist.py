"""Build attention_lib as a source archive and, from that, as a wheel, into dist/.

Both are built in a copy, so that nothing old gets in and nothing is left behind. The programs that
build them are installed beside the copy, as tools/dist-requirements.txt pins them.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDED = Path(__file__).with_name("dist-requirements.txt")
SOURCES = ("pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist")
    folder = parser.parse_args(arguments).folder.resolve()
    with tempfile.TemporaryDirectory() as work:
        copy, programs = Path(work, "copy"), Path(work, "programs")
        copy_sources(copy)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(programs)]
        run([*pip, "--requirement", str(NEEDED)])
        build = [sys.executable, "-m", "build", "--no-isolation", str(copy)]
        run([*build, "--outdir", str(Path(work, "made"))], PYTHONPATH=str(programs))
        replace(folder, Path(work, "made"))
    for path in sorted(folder.iterdir()):
        print(f"{path.name}  {path.stat().st_size / 1e6:.1f} MB", flush=True)


def copy_sources(copy):
    """Copy what belongs to the library: the package and the files that describe it."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "attention_lib", copy / "attention_lib", ignore=ignored)
    for name in SOURCES:
        shutil.copy(ROOT / name, copy / name)


def run(command, **environment):
    """Run a quiet step; if it fails, show what it said."""
    options = {"env": os.environ | environment, "capture_output": True, "text": True}
    done = subprocess.run(command, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}This step failed, see above: {' '.join(command)}")


def replace(folder, made):
    """Put what was made in place of what an earlier run made; leave other files alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("attention_lib-*.whl"), *folder.glob("attention_lib-*.tar.gz")):
        old.unlink()
    for path in made.iterdir():
        shutil.move(path, folder / path.name)


if __name__ == "__main__":
    main()
