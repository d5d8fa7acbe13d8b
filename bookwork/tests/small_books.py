"""What tests need that build small books of their own: their files, and commands run in them."""

import os
import subprocess
import sys

from places import BOOKWORK

HEAD = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---

"""


def write(folder, files):
    """Write the files of a book."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def shop(package, label):
    """Return the files of a package whose only checker has this label."""
    table = "from bookwork.exercises import Exercises\nEXERCISES = Exercises(__name__, __path__)\n"
    checker = "ChoiceChecker('a', {'a': 'yes.', 'b': 'no.'})"
    goods = f"EXERCISES = {{'{label}': {checker}}}\n"
    return {
        f"{package}/__init__.py": "",
        f"{package}/exercises/__init__.py": table,
        f"{package}/exercises/goods.py": f"from bookwork.exercises import *\n{goods}",
    }


def run(folder, *arguments, **environment):
    """Run Python in the folder of a book; return its exit code and its words."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    env = os.environ | {"PYTHONPATH": str(BOOKWORK)} | environment
    done = subprocess.run([sys.executable, *arguments], check=False, cwd=folder, env=env, **both)
    return done.returncode, done.stdout
