"""Byte pairs: against a loop over the merges, there and back, and what is refused."""

import pytest
from checks import refusals
from hypothesis import given
from hypothesis import strategies as st

from attention_lib import BytePairs
from attention_lib.tokens import learn_pairs

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


VALUES = {
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
}
TYPES = {
    "text must be a string, but is a int": lambda: BytePairs("ab").encode(3),
    "ids must be whole numbers, but their dtype is float64": lambda: BytePairs("ab").decode([0.5]),
}

test_what_cannot_be_encoded_is_refused = refusals(VALUES, TYPES)
