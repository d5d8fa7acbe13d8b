"""Make the environment in .venv, or bring it up to date; says what it does.

Runs before anything is installed, with whatever Python there is: standard library only, and no
syntax that an old Python could not read, so that it can say that it is too old.
"""

import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "set-up-for")
INPUTS = ("requirements.txt", "pyproject.toml")
OLDEST = (3, 11)


def main():
    check_python(sys.version_info, sys.executable)
    wanted = fingerprint()
    if read_stamp() == wanted:
        return
    check_venv()
    say("Making the environment in .venv with Python {}.{}.{}".format(*sys.version_info[:3]))
    run([sys.executable, "-m", "venv", "--clear", VENV])
    say("Installing what requirements.txt pins (a minute or two, once)")
    python = os.path.join(VENV, "bin", "python")
    run([python, "-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"])
    with open(STAMP, "w") as stamp:
        stamp.write(wanted)


def check_python(version, executable):
    if tuple(version[:2]) < OLDEST:
        fail(
            "This book needs Python 3.11 or newer, but {} is Python {}.{}. "
            "Name a newer one: make PYTHON=/path/to/python3.11".format(executable, *version[:2])
        )


def check_venv():
    try:
        import ensurepip  # noqa: F401, PLC0415
        import venv  # noqa: F401, PLC0415
    except ImportError:
        fail(
            "Python's venv module is missing, so no environment can be made. "
            "On Debian or Ubuntu: apt install python3-venv"
        )


def fingerprint():
    """Return a digest of all that decides what is installed."""
    digest = hashlib.sha256(sys.version.encode())
    for name in INPUTS:
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def read_stamp():
    try:
        with open(STAMP) as stamp:
            return stamp.read()
    except OSError:
        return None


def run(command):
    if subprocess.call(command, cwd=ROOT) != 0:
        fail("This step failed, see above: " + " ".join(command))


def say(sentence):
    print(sentence)
    sys.stdout.flush()


def fail(sentence):
    sys.exit(sentence)


if __name__ == "__main__":
    main()
