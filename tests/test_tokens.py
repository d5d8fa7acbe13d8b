"""Byte pairs: against a loop over the merges, there and back, and what is refused."""

import pytest
from checks import refusals
from hypothesis import given
from hypothesis import strategies as st

from attention_lib import BytePairs
from attention_lib.tokens import (
    _BYTES,
    _LETTERS,
    ByteLevelPairs,
    WordPieces,
    _kind,
    _words,
    learn_pairs,
)

TEXT = "the cat sat on the mat; the rat sat on the cat.\nThat hat, that's the cat's!"


def encode_by_rounds(pairs, word):
    """Join by each merge in turn, wherever it fits, from the left."""
    parts = list(word)
    for left, right in pairs.merges:
        i = 0
        while i < len(parts) - 1:
            if (parts[i], parts[i + 1]) == (left, right):
                parts[i : i + 2] = [left + right]
            i += 1
    return [pairs.tokens.index(part) for part in parts]


@pytest.fixture(scope="module")
def pairs():
    return learn_pairs(TEXT, size=40)


def test_a_word_is_joined_as_by_one_merge_after_the_other(pairs):
    for word in [*TEXT.replace("\n", " ").split(" "), "cathat", "sathe", "mattthe"]:
        letters = [letter for letter in word if letter.isalpha()]
        assert pairs.encode("".join(letters)) == encode_by_rounds(pairs, letters)


@given(st.text(alphabet=sorted(set(TEXT)), max_size=40))
def test_decoding_gives_the_text_back(text):
    pairs = learn_pairs(TEXT, size=40)
    numbers = pairs.encode(text)
    assert all(type(number) is int for number in numbers)
    assert pairs.decode(numbers) == text
    assert BytePairs(sorted(set(TEXT))).encode(text) == [sorted(set(TEXT)).index(x) for x in text]


def test_no_token_reaches_across_words(pairs):
    for token in pairs.tokens:
        assert " " not in token[1:]
        assert "\n" not in token or token == "\n"
    assert [pairs.tokens[i] for i in pairs.encode("the cat")] == ["the", " cat"]


def test_the_most_frequent_pair_is_learned_first():
    learned = learn_pairs("aaab aaab ab", size=100)
    assert learned.merges[0] == ("a", "a")
    assert learned.tokens[:3] == (" ", "a", "b")
    assert learn_pairs("abc", size=100).merges == ()
    assert learn_pairs("abab", size=2).merges == ()


MARKS = ["[CLS]", "[SEP]", "[UNK]"]


def test_of_marks_that_begin_alike_the_longest_is_taken():
    pairs = ByteLevelPairs(["<e>", "<e>x", "x"], special=["<e>", "<e>x"])
    assert pairs.encode("<e>x<e>", special=True) == [1, 0]


def test_pieces_one_by_one_are_the_text_also_if_it_ends_in_half_a_letter():
    pairs = ByteLevelPairs([*_BYTES])
    for text in (b"h\xc3\xa9", b"h\xc3", b"\xc3h", b""):
        ids = [pairs.tokens.index(_LETTERS[byte]) for byte in text]
        assert "".join(pairs.pieces(ids)) == pairs.decode(ids) == text.decode(errors="replace")


def test_a_byte_that_is_no_token_is_left_out():
    assert ByteLevelPairs(["h", "i"]).encode("hé i") == [0, 1]


def test_what_only_python_calls_white_cuts_no_word():
    assert "".join(map(_kind, "_\x1c\x1f_\x0b ")) == "....\n "


def test_words_are_made_small_letter_by_letter_and_only_some_signs_stand_alone():
    assert _words("ΟΔΟΣ") == ["οδοσ"]
    assert _words("a\U0002cea1b") == ["a", "\U0002cea1", "b"]
    assert _words("a\U0002ceb0b") == ["a\U0002ceb0b"]


VALUES = {
    "[SEP] must be among the pieces": lambda: WordPieces(["[UNK]", "[CLS]"]),
    "the letter 'c' is not one of those known: 'ab'": lambda: BytePairs("ab").encode("abc"),
    "ids must lie between 0 and 1, but go from 0 to 2": lambda: BytePairs("ab").decode([0, 2]),
    "ids are one text, shape (n,), but ids has shape (1, 2)": lambda: BytePairs("ab").decode(
        [[0, 1]]
    ),
    "each token has one number, but 'a' is there twice": lambda: BytePairs("aba"),
    "'a' and 'b' are joined, but 'ab' is not among the tokens": lambda: BytePairs(
        "ab", [("a", "b")]
    ),
    "size must be at least 1, but is 0": lambda: learn_pairs("ab", 0),
    "the mark '<end>' is not among the tokens": lambda: ByteLevelPairs(["a"], special=["<end>"]),
    "ids must lie between 0 and 0, but go from -1 to -1": lambda: [
        *ByteLevelPairs("a").pieces([-1])
    ],
    "ids must lie between 0 and 0, but go from 9 to 9": lambda: [*ByteLevelPairs("a").pieces([9])],
    "each piece has one number, but 'a' is there twice": lambda: WordPieces([*MARKS, "a", "a"]),
}
TYPES = {
    "text must be a string, but is a list": lambda: WordPieces(MARKS).split(["a"]),
    "text must be a string, but is a int": lambda: BytePairs("ab").encode(3),
    "text must be a string, but is a bytes": lambda: learn_pairs(b"abc", 4),
    "ids must be whole numbers, but their dtype is float64": lambda: BytePairs("ab").decode([0.5]),
}

test_what_cannot_be_encoded_is_refused = refusals(VALUES, TYPES)
