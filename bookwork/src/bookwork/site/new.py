"""Write a small book that builds at once: one page, one live figure, one exercise, one package."""

import json
import keyword
import sys
from pathlib import Path
from shlex import quote

from bookwork.book.settings import id_of, words_of

SKELETON = Path(__file__).with_name("skeleton")
CONFIGURATION = {"book": "_config.yml", "furo": "conf.py"}
ENDING = ".txt"  # the files of the skeleton have it, so that nothing takes them for its own
SAYS = """{count} files are in {folder}. Look at the book:

    cd {quoted}
    bookwork serve

Write in chapters/first.md; the checks of its exercise are in {package}/exercises/first.py."""


def write_book(folder, title="", theme="book"):
    """Write the files of a new book into a folder; return the exit code."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        print(f"{folder} is there already, and not empty: choose another name", file=sys.stderr)
        return 1
    title = title or folder.resolve().name.replace("-", " ").replace("_", " ").capitalize()
    quoted = json.dumps(title, ensure_ascii=False)  # YAML and Python read it alike
    words = {"TITLE": quoted, "PACKAGE": package_of(title), "ID": id_of(title)}
    files = [path for path in SKELETON.rglob("*") if path.is_file()]
    others = {f"{name}{ENDING}" for other, name in CONFIGURATION.items() if other != theme}
    wanted = [path for path in files if path.name not in others]
    for path in wanted:
        write(path, folder, words)
    places = {"folder": folder, "quoted": quote(str(folder)), "package": words["PACKAGE"]}
    print(SAYS.format(count=len(wanted), **places))
    return 0


def write(path, folder, words):
    """Write one file of the skeleton, with the words of this book in it and in its name."""
    name = filled(path.relative_to(SKELETON).as_posix().removesuffix(ENDING), words)
    target = folder / (".gitignore" if name == "gitignore" else name)  # hidden: not in a wheel
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(filled(path.read_text(encoding="utf-8"), words), encoding="utf-8")


def filled(text, words):
    """Put the words of a book into a text."""
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return text


def package_of(title):
    """Return a name for the package of a book, which no module of Python has.

    >>> package_of("Sums of Waves"), package_of("2 + 2"), package_of("Class"), package_of("Über")
    ('sums_of_waves', 'book_2_2', 'class_book', 'uber')
    """
    name = "_".join(words_of(title)) or "my_book"
    name = f"book_{name}" if name[0].isdigit() else name
    taken = keyword.iskeyword(name) or name in sys.stdlib_module_names or name == "bookwork"
    return f"{name}_book" if taken else name
