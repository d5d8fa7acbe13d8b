"""Check the spelling of the chapters, and that no word or bracket is repeated.

A word is right if a general English list knows it, or if tools/words.txt does: names, terms of this
field, British spellings. codespell, which runs beside this, knows common slips in code as well.
"""

import re
import sys
from functools import cache
from pathlib import Path

from spellchecker import SpellChecker

from bookwork.book.book import Book
from bookwork.book.faults import print_faults
from tools import ROOT

WORDS = Path(__file__).with_name("words.txt")
ADDRESS = re.compile(r"https?://\S+")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
BRACKETED = re.compile(r"\(\{eq\}`[^`]*`\)")
TWICE = re.compile(r"\b([^\W\d_]{2,})[ \n]\1\b")


def main():
    """Print what looks wrong, with its file and line; return 1 if there is anything."""
    pages = [page for page in Book(ROOT).pages if page.path.startswith("chapters/")]
    return 1 if print_faults(fault for page in pages for fault in check(page)) else 0


def check(page):
    """Yield the faults of one chapter."""
    known = set(WORDS.read_text(encoding="utf-8").split())
    for prose, line in prose_of(page.all_blocks):
        places = {plain(word[0]): word for word in reversed([*WORD.finditer(prose)])}
        for word in dictionary().unknown(places.keys() - known):
            if len(word) > 1:
                sentence = f"{word} is not a known word: correct it, or add it to tools/words.txt"
                yield page.fault(page.line_of(places[word][0], line), sentence)
        for twice in TWICE.finditer(prose):
            at = line + prose.count("\n", 0, twice.start())
            yield page.fault(at, f"the word {twice[1]} is repeated")
    for bracket in BRACKETED.finditer(page.text):
        sentence = "the number of an equation already has brackets: leave out those around it"
        yield page.fault(page.text.count("\n", 0, bracket.start()) + 1, sentence)


@cache
def dictionary():
    return SpellChecker()


def plain(word):
    """Return a word in lower case, without a possessive 's."""
    return re.sub(r"['’]s?$", "", word.lower().replace("’", "'"))


def prose_of(blocks):
    """Yield the paragraphs of blocks, titles and captions included, each with its line."""
    for block in blocks:
        for prose, line in block.sentences:
            yield ADDRESS.sub("…", prose), line


if __name__ == "__main__":
    sys.exit(main())
