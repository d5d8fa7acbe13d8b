"""Check the spelling of the chapters, and that no word or bracket is repeated.

A word is right if a general English list knows it, or if tools/words.txt does: names, terms of this
field, British spellings. codespell, which runs beside this, knows common slips in code as well.
"""

import re
import sys
from functools import cache
from pathlib import Path

from spellchecker import SpellChecker

from bookwork.book.faults import Fault, print_faults

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
        r"\]\([^)]*\)|https?://\S+",  # link targets
        r"^\([\w-]+\)=$",  # labels
        r"^ *:[\w-]+:.*?$",  # options of directives
        r"^ *[`:]{3,}\{[\w:-]+\}",  # names of directives
    )
]
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
BRACKETED = re.compile(r"\(\{eq\}`[^`]*`\)")
TWICE = re.compile(r"\b([^\W\d_]{2,})[ \n]\1\b")


def main():
    """Print what looks wrong, with its file and line; return 1 if there is anything."""
    faults = [
        fault
        for path in sorted((ROOT / "chapters").glob("*.md"))
        for fault in check(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    ]
    return 1 if print_faults(faults) else 0


def check(text, path):
    """Yield the faults of one chapter."""
    prose = prose_of(text)
    known = set(WORDS.read_text(encoding="utf-8").split())
    places = {plain(word[0]): word.start() for word in reversed([*WORD.finditer(prose)])}
    for word in dictionary().unknown(places.keys() - known):
        if len(word) > 1:
            sentence = f"{word} is not a known word: correct it, or add it to tools/words.txt"
            yield Fault(path, prose.count("\n", 0, places[word]) + 1, sentence)
    for twice in TWICE.finditer(prose):
        line = prose.count("\n", 0, twice.start()) + 1
        yield Fault(path, line, f"the word {twice[1]} is repeated")
    for bracket in BRACKETED.finditer(text):
        sentence = "the number of an equation already has brackets: leave out those around it"
        yield Fault(path, text.count("\n", 0, bracket.start()) + 1, sentence)


@cache
def dictionary():
    return SpellChecker()


def plain(word):
    """Return a word in lower case, without a possessive 's."""
    return re.sub(r"['’]s?$", "", word.lower().replace("’", "'"))


def prose_of(text):
    """Return the sentences of a chapter, captions of its figures included, on their own lines."""
    prose = CELL.sub(caption_of, text)
    for pattern in NO_PROSE:
        prose = pattern.sub(lambda match: " …" + left_out(match[0]), prose)
    return prose


def caption_of(cell):
    """Return the captions in the options of a cell, on their own lines."""
    text, begin, end = cell.string, *cell.span("options")
    kept, last = "", cell.start()
    for caption in CAPTION.finditer(text, max(begin, 0), max(end, 0)):
        kept += left_out(text[last : caption.start(1)]) + caption[1]
        last = caption.end(1)
    return kept + left_out(text[last : cell.end()])


def left_out(text):
    """Return a blank text with as many lines as one that is not checked."""
    return " " + "\n" * text.count("\n")


if __name__ == "__main__":
    sys.exit(main())
