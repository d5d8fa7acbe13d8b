"""Lock every package that the book is built with, by version and SHA-256, in requirements.lock.

    python -m tools.lock_packages          resolve the pins of requirements.txt again
    python -m tools.lock_packages --check  say where the lock disagrees with the pins

The lock is for Python 3.11 and newer, on Linux, macOS and Windows. A version that it has is kept
as long as the pins allow it, so that a new pin changes little else; ``--upgrade`` takes the newest.
"""

import argparse
import re
import subprocess
import sys

from bookwork.book.faults import Fault, print_faults
from tools import ROOT

LISTS = ("binder/requirements.txt", "requirements.txt")
LOCK = ROOT / "requirements.lock"
HEAD = "# Written by `make lock`: all packages, with the digests of their files.\n"
PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)", re.M)
REASON = "# via"  # for every package that is not pinned, uv says which ones need it


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--upgrade", action="store_true")
    options = parser.parse_args(arguments)
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in LISTS}
    if not options.check:
        write(pins(texts), ["--upgrade"] if options.upgrade else [])
        return 0
    return 1 if print_faults(faults(texts, LOCK.read_text(encoding="utf-8"))) else 0


def pins(texts):
    """Return the packages pinned in the lists, by name."""
    return {
        match["name"]: match["version"] for text in texts.values() for match in PIN.finditer(text)
    }


def write(pinned, options):
    """Let uv resolve the pins. The lock does not record where the packages come from."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", "--universal"]
    command += ["--python-version", "3.11", "--generate-hashes", "--no-header", *options]
    command += ["--no-emit-index-url", "--no-emit-find-links", "--output-file", LOCK.name]
    lines = "".join(f"{name}=={version}\n" for name, version in pinned.items())
    done = subprocess.run(command, input=lines, text=True, cwd=ROOT, check=False)
    if done.returncode != 0:
        sys.exit("uv found no compatible packages, see above: requirements.lock is unchanged")
    LOCK.write_text(HEAD + LOCK.read_text(encoding="utf-8"), encoding="utf-8")


def locked(text):
    """Return the packages of a lock: by name, the lines that begin with each of its versions."""
    packages = {}
    for block in re.split(r"^(?=[\w.-]+==)", text, flags=re.M):
        if match := PIN.match(block):
            packages.setdefault(match["name"], []).append(block)
    return packages


def faults(texts, lock):
    """Yield the places where a lock disagrees with the lists."""
    pinned, packages = pins(texts), locked(lock)
    for path, text in texts.items():
        for match in PIN.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            versions = [PIN.match(block)["version"] for block in packages.get(match["name"], [])]
            if match["version"] not in versions:
                found = f"{' and '.join(versions)} of it" if versions else "no version of it"
                yield Fault(
                    path, line, f"{match[0]} is pinned, but the lock has {found}: run make lock"
                )
    for name, blocks in packages.items():
        if name not in pinned and not any(REASON in block for block in blocks):
            yield Fault(LOCK.name, 0, f"{name} is locked, but nothing needs it: run make lock")
        if any("--hash=sha256:" not in block for block in blocks):
            yield Fault(LOCK.name, 0, f"{name} has no digest: run make lock")


if __name__ == "__main__":
    sys.exit(main())
