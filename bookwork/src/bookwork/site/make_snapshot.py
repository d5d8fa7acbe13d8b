"""Takes a snapshot of Python's memory for the page, which starts several times faster from it.

bookwork/site/build_python.py calls `made`, and `placed` for what the worker needs to know of it.
"""

import gzip
import json
import subprocess
import tempfile
from pathlib import Path

from bookwork.book.files import WEB
from bookwork.site import wheels
from bookwork.site.node import NODE
from bookwork.site.wheels import CORE, STDLIB, WIDGETS, digest_of, site_folder

HERE = WEB / "python" / "snapshot"
NAME = "snapshot.bin"
HELD = ("numpy", "typing-extensions", *WIDGETS)  # what is imported there already


def recipe():
    """Return the files that a snapshot depends on, besides the archives."""
    return sorted([*HERE.glob("*.mjs"), *HERE.glob("*.js"), *HERE.parent.rglob("*.py")])


def made(archives, cache):
    """Return Python's memory with the runtime and packages imported; None if it cannot be made."""
    stdlib, packages = archives["python-stdlib"], {name: archives[name] for name in HELD}
    parts = [*(path.read_bytes() for path in recipe()), stdlib, *packages.values()]
    key = digest_of(b"".join([*parts, (CORE / "package.json").read_bytes()]))[:16]
    target = cache / "compiled" / f"snapshot-{key}.bin"
    if not target.is_file():
        print("Taking a snapshot of the page's Python (once)", flush=True)
        for outdated in target.parent.glob("snapshot-*.bin"):
            outdated.unlink()
        take(stdlib, packages, target)
    return target.read_bytes() if target.is_file() else None


def take(stdlib, packages, target):
    """Write a snapshot; if that fails, say so: the page can do without."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / STDLIB).write_bytes(stdlib)
        (work / "wheels").mkdir()
        for name, data in packages.items():
            (work / "wheels" / f"{name}.whl").write_bytes(data)
        for name, data in wheels.unzipped(packages["numpy"]).items():
            (work / "site" / name).parent.mkdir(parents=True, exist_ok=True)
            (work / "site" / name).write_bytes(data)
        command = [NODE, HERE / "make_snapshot.mjs", CORE, work, site_folder(), work / NAME]
        done = subprocess.run(
            command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", check=False
        )
        if done.returncode == 0:
            wheels.write_whole(target, (work / NAME).read_bytes())
        else:
            print(f"The page's Python starts without a snapshot: {done.stderr}", flush=True)


def placed(snapshot, out, home, packages):
    """Write a snapshot into a folder; return what the worker needs to know of it."""
    if not snapshot:
        return {}
    file = out / f"snapshot-{digest_of(snapshot)[:8]}.bin"
    file.write_bytes(snapshot)
    with gzip.open(file) as opened:
        size = json.loads(opened.readline())["sizes"][0]
    places = {f"{home}{STDLIB}": wheels.stdlib_folder().rstrip("/")}
    places |= {packages[name].file_name: f"/lib/{name}.whl" for name in HELD}
    return {"snapshot": {"file": file.name, "size": size, "places": places}}
