"""Check the spelling of the chapters, and that no word stands twice in a row.

A word is right if a general English list knows it, or if tools/words.txt does: names, terms of this
field, British spellings. codespell, which runs beside this, knows common slips in code as well.
"""

import re
import sys
from pathlib import Path

from spellchecker import SpellChecker

ROOT = Path(__file__).parents[1]
WORDS = Path(__file__).with_name("words.txt")
CELL = re.compile(
    r"^(`{3,})\{code-cell\}.*?\n(?:---\n(?P<options>.*?)\n---\n)?.*?^\1$", re.M | re.S
)
CAPTION = re.compile(r"caption:(.*?)(?=\n *\w+:|\Z)", re.S)
NO_PROSE = [
    re.compile(pattern, re.M | re.S)
    for pattern in (
        r"\A---\n.*?\n---\n",  # metadata of the chapter
        r"^(`{3,})(?:python|text|sh|\{math\}|\{bibliography\}).*?^\1$",
        r"\$\$.*?\$\$|\$[^$]+\$",
        r"\{[\w:]+\}`[^`]*`",  # roles: references, citations
        r"(`+)(?!`).+?(?<!`)\1",  # code in a sentence
        r"\]\([^)]*\)|https?://\S+",  # where a link leads
        r"^\([\w-]+\)=$",  # labels
        r"^ *:[\w-]+:.*?$",  # options of directives
        r"^ *[`:]{3,}\{[\w:-]+\}",  # names of directives
    )
]
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
TWICE = re.compile(r"\b([^\W\d_]{2,})[ \n]\1\b")


def main():
    """Print what looks wrong, with its file; return 1 if there is any."""
    faults = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in sorted((ROOT / "chapters").glob("*.md"))
        for fault in check(path.read_text(encoding="utf-8"))
    ]
    for fault in faults:
        print(fault)
    if faults:
        print("Mend the spelling, or add a word that is right to tools/words.txt.")
    return bool(faults)


def check(text):
    """List the faults of one chapter."""
    prose = prose_of(text)
    known, speller = set(WORDS.read_text(encoding="utf-8").split()), SpellChecker()
    words = {plain(word) for word in WORD.findall(prose)} - known
    unknown = sorted(word for word in speller.unknown(words) if len(word) > 1)
    twice = [match[1] for match in TWICE.finditer(prose)]
    return [*(f"unknown word: {word}" for word in unknown), *(f"twice: {word}" for word in twice)]


def plain(word):
    """Return a word in small letters, without the 's of a genitive."""
    return re.sub(r"['’]s?$", "", word.lower().replace("’", "'"))


def prose_of(text):
    """Return the sentences of a chapter, captions of its figures included."""
    prose = CELL.sub(lambda cell: " ".join(CAPTION.findall(cell["options"] or "")), text)
    for pattern in NO_PROSE:
        prose = pattern.sub(" … ", prose)
    return prose


if __name__ == "__main__":
    sys.exit(main())
