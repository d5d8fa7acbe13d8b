"""Create or update the environment in .venv, and say what is done.

Runs before anything is installed, with whatever Python there is: standard library only, and no
syntax that an old Python could not read, so that it can say that Python is too old. An existing
environment is kept, and only what has changed in requirements.lock is installed into it; every file
must match its digest. The library itself is found by a relative path: a clone can be moved.
"""

import glob
import hashlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = "set-up-for"
OLDEST = (3, 11)
LOCK = "requirements.lock"


def main():
    check_python(sys.version_info, sys.executable)
    if read("requirements") == fingerprint():
        return
    check_venv()
    make_environment()
    print("Installing what requirements.lock names (a minute or less)", flush=True)
    install(os.path.join(VENV, "bin", "python"))
    find_library()
    write("requirements", fingerprint())


def check_python(version, executable):
    if tuple(version[:2]) < OLDEST:
        sys.exit(
            "This book needs Python 3.11 or newer, but {} is Python {}.{}. "
            "Name a newer one: make PYTHON=/path/to/python3.11".format(executable, *version[:2])
        )


def check_venv():
    try:
        import ensurepip  # noqa: F401, PLC0415
        import venv  # noqa: F401, PLC0415
    except ImportError:
        sys.exit(
            "Python's venv module is missing, so no environment can be created. "
            "On Debian or Ubuntu: apt install python3-venv"
        )


def fingerprint():
    """Return a digest of everything that determines what is installed."""
    with open(os.path.join(ROOT, LOCK), "rb") as file:
        return hashlib.sha256(sys.version.encode() + file.read()).hexdigest()


def make_environment():
    """Create an environment, unless there is one that was created with this Python."""
    if read("python") == sys.version:
        return
    made = "Creating the environment in .venv with Python {}.{}.{}"
    print(made.format(*sys.version_info[:3]), flush=True)
    run([sys.executable, "-m", "venv", "--clear", VENV])
    write("python", sys.version)


def install(python):
    """Install with uv, configured like pip; with pip itself if uv is missing or fails."""
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    wanted = ["install", "--quiet", "--require-hashes", "--requirement"]
    if quietly([*pip, *wanted, list_installer()]):
        uv = [os.path.join(VENV, "bin", "uv"), "pip", *wanted, LOCK, "--python", python]
        if quietly([*uv, *index_of(pip)]):
            return
        print("uv could not install them, so pip will", flush=True)
    run([*pip, *wanted, LOCK])


def list_installer():
    """Write the lock's lines for uv, which installs the rest, into a file; return its path."""
    with open(os.path.join(ROOT, LOCK)) as file:
        lines = re.search(r"^uv==.*\n(?: .*\n)*", file.read(), re.M)
    path = os.path.join(VENV, "uv.lock")
    with open(path, "w") as file:
        file.write(lines.group())
    return path


def index_of(pip):
    """Return the option for uv that names the package index that pip is configured to use."""
    for setting in (":env:.index-url", "global.index-url"):
        command = [*pip, "config", "get", setting]
        told = subprocess.run(command, check=False, capture_output=True)
        if told.returncode == 0:
            return ["--default-index", told.stdout.decode().strip()]
    return []


def find_library():
    """Let the environment find attention_lib and the other packages of the repository."""
    (folder,) = glob.glob(os.path.join(glob.escape(VENV), "lib", "*", "site-packages"))
    with open(os.path.join(folder, "book.pth"), "w") as file:
        file.write(os.path.relpath(ROOT, folder) + "\n")


def read(what):
    """Return the digest of the last update of the environment, or None."""
    try:
        with open(os.path.join(VENV, STAMP + "-" + what)) as stamp:
            return stamp.read()
    except OSError:
        return None


def write(what, text):
    with open(os.path.join(VENV, STAMP + "-" + what), "w") as stamp:
        stamp.write(text)


def quietly(command):
    """Run a step that may fail; return whether it succeeded."""
    return subprocess.run(command, check=False, cwd=ROOT, capture_output=True).returncode == 0


def run(command):
    if subprocess.call(command, cwd=ROOT) != 0:
        sys.exit("This step failed, see above: " + " ".join(command))


if __name__ == "__main__":
    main()
