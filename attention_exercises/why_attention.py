"""Exercises of the chapter "Why attention?"."""

from math import log, log2

from bookwork.exercises import Checkers, ChoiceChecker, FunctionChecker, Value, between, random_case
from numpy import array, zeros

EXERCISES: Checkers = {}


EXERCISES["ex-fit"] = FunctionChecker(
    gives="a matrix of slots rows",
    right="""
        def fit(X, slots):
            kept = X[:slots]
            empty = np.zeros((slots - len(kept), X.shape[1]))
            return np.concatenate([kept, empty])
        """,
    cases=(
        (array([[1.0, 2.0], [3.0, 4.0]]), 1),
        (array([[1.0, 2.0]]), 3),
        (array([[1.0], [2.0], [3.0]]), 2),
        (array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 2),
        (array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), 5),
    ),
    edges=((zeros((0, 2)), 2),),
    wrong={
        "X[:slots] => X[-slots:]": "the last words are kept. Cut a long sentence after its first "
        "words instead.",
        "[kept, empty] => [empty, kept]": "the rows of zeros come before the words. Put them "
        "after.",
        "np.concatenate([kept, empty]) => kept": "long sentences are cut, but short ones are not "
        "filled up: add rows of zeros until there are as many rows as slots.",
        (
            "X[:slots] => X ;; slots - len(kept) => max(0, slots - len(kept))",
            "return np.concatenate([kept, empty]) => "
            "kept = np.zeros((slots, X.shape[1])); kept[: len(X)] = X; return kept",
            "X[:slots] => X",
            "np.concatenate([kept, empty]) => np.pad(X, ((0, slots - len(X)), (0, 0)))",
        ): "short sentences are filled up, but long ones are not cut: keep the first words only.",
        "np.concatenate([kept, empty]) => np.resize(X, (slots, X.shape[1]))": "a short sentence "
        "begins again from its first word. Fill it up with zeros, which stand for no word.",
    },
    draw=random_case(lambda n, d, slots: ((n, d), slots)),
    praise="every sentence now has the same number of rows, at the price of lost words or empty "
    "slots.",
)

EXERCISES["ex-write"] = FunctionChecker(
    gives="one vector of size d",
    right="""
        def summarise(X, keep):
            c = np.zeros(X.shape[1])
            for x in X:
                c = keep * np.roll(c, 1) + x
            return c
        """,
    cases=(
        (array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]]), 0.5),
        (array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0], [2.0, 5.0, 7.0]]), 1.0),
        (array([[1.0, 0.0, 2.0, 3.0], [0.0, 1.0, 5.0, 2.0], [4.0, 1.0, 0.0, 2.0]]), 0.8),
        (array([[2.0, 3.0]]), 0.9),
    ),
    edges=((array([[2.0, 3.0, 1.0], [4.0, 1.0, 6.0]]), 0.0),),
    wrong={
        "np.roll(c, 1) => c": "the numbers do not move, so the order of the words is lost: "
        "np.roll(c, 1) before each new word.",
        "keep * np.roll(c, 1) + x => np.roll(keep * c + x, 1)": "the new word moves along with the "
        "old ones. Move the numbers first, then add the word.",
        "keep * np.roll(c, 1) + x => keep * (np.roll(c, 1) + x)": "the new word is weakened as "
        "well. Only the past is multiplied by keep.",
        "np.roll(c, 1) => np.roll(c, -1)": "the numbers move the wrong way: np.roll(c, 1) brings "
        "the last number to the front.",
        "keep * =>": "keep has no effect: multiply the moved summary by it before you add the next "
        "word.",
        "keep * np.roll(c, 1) + x => np.roll(c, 1) + keep * x": "keep multiplies every word once. "
        "At each step it should weaken the past alone.",
        "keep * np.roll(c, 1) + x => x": "this is the last word alone. Add each word to what was "
        "there before.",
        "in X: => in X[::-1]:": "the sentence is read from its end: the last word should go in "
        "last.",
        "return c => return X[0]": "only the first word goes in. Is return inside the loop?",
        "+ x => + (1 - keep) * x": "the new word is multiplied by 1 - keep. It goes in as it is.",
        "c = np.zeros(X.shape[1]) => c, every = np.zeros(X.shape[1]), [] ;; + x => "
        "+ x; every.append(c) ;; return c => return every": "these are the summaries after "
        "every word. Only the last one is kept.",
    },
    draw=random_case(lambda n, d: ((n, d), between(0.2, 0.95))),
    praise="any number of words goes in, and one vector comes out.",
)

# ex-bits
_WORDS, _BITS = 387, 100 * 32
_MOST = int(_BITS / log2(_WORDS))


EXERCISES["ex-bits"] = Value(
    "most",
    _MOST,
    {
        _BITS: "that is the number of bits. A word takes more than one of them.",
        _BITS // _WORDS: "you divide by the number of words there are. To tell 387 words apart "
        "takes the logarithm of 387 to base two, not 387 bits.",
        int(_BITS / log(_WORDS)): "that is the natural logarithm. Bits count in base two: np.log2.",
        _BITS // 9: "with nine whole bits for each word this many fit. A code for the whole "
        "sentence need not stop at whole bits: 387 words take a little less than nine.",
        100 * int(32 / log2(_WORDS)): "with three whole words in each number this many fit. A code "
        "may also use the bits that are left over.",
        100: "that is one number for each word. A number has 32 bits, and a word needs fewer.",
        _MOST + 1: "that many do not fit: round down.",
        _BITS / log2(_WORDS): "a sentence has a whole number of words: round down.",
    },
    advice=(
        f"more than {{}} words fit: {_BITS} bits tell more sentences apart than there are of that "
        "length.",
        f"{{}} words do not fit: there are more sentences of that length than {_BITS} bits tell "
        "apart.",
    ),
    praise=f"{_MOST} words fit, and no code makes room for one more.",
    rough=3e-4,
)

EXERCISES["ex-even-weights"] = ChoiceChecker(
    right="a",
    explanations={
        "a": "every weight is 1/n, so the output is the average: a summary, the same for every "
        "query.",
        "b": "the place of a word does not enter. With equal weights each word counts the same.",
        "c": "that takes weights of 1. The weights sum to one, so each of n equal ones is 1/n.",
        "d": "equal is not zero. The weights sum to one, so n equal ones are 1/n each.",
    },
)
