"""Exercises of the chapter "Why attention?"."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import isfinite, log, log2
from typing import Any

from numpy import arange, array, asarray, concatenate, pad, resize, roll, stack, zeros
from numpy.linalg import norm
from numpy.random import Generator, default_rng

from attention_lib.datasets import load_word_vectors
from bookwork.exercises import (
    NOT_STARTED,
    Array,
    Checkers,
    ChoiceChecker,
    Finding,
    FunctionChecker,
    NumberChecker,
    Outcome,
    UnreadableError,
    between,
    close,
    distinct_sizes,
    failure,
    random_case,
    read_array,
    run,
    show,
    unfinished,
)

EXERCISES: Checkers = {}


# ex-fit


def fit(
    X: Array,
    slots: int,
    keep: Callable[[Array, int], Array] = lambda X, slots: X[:slots],
    in_front: bool = False,
) -> Array:
    """Keep the first words, then add rows of zeros until all slots are taken."""
    kept = keep(X, slots)
    empty = zeros((max(0, slots - len(kept)), X.shape[1]))
    return concatenate([empty, kept] if in_front else [kept, empty])


def _put_in(X: Array, slots: int) -> Array:
    filled = zeros((slots, X.shape[1]))
    filled[: len(X)] = X  # raises if there are more words than slots
    return filled


EXERCISES["ex-fit"] = FunctionChecker(
    gives="a matrix of slots rows",
    right=fit,
    cases=(
        (array([[1.0, 2.0], [3.0, 4.0]]), 1),
        (array([[1.0, 2.0]]), 3),
        (array([[1.0], [2.0], [3.0]]), 2),
        (array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 2),
        (array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), 5),
    ),
    edges=((zeros((0, 2)), 2),),
    mistakes={
        "the last words are kept. Cut a long sentence after its first words instead.": {
            "keep": lambda X, slots: X[-slots:]
        },
        "the rows of zeros come before the words. Put them after.": {"in_front": True},
        "long sentences are cut, but short ones are not filled up: add rows of zeros until there "
        "are as many rows as slots.": lambda X, slots: X[:slots],
        "short sentences are filled up, but long ones are not cut: keep the first words only.": [
            {"keep": lambda X, slots: X},
            _put_in,
            lambda X, slots: concatenate([X, zeros((slots - len(X), X.shape[1]))]),
            lambda X, slots: pad(X, ((0, slots - len(X)), (0, 0))),
        ],
        "a short sentence begins again from its first word. Fill it up with zeros, which stand for "
        "no word.": lambda X, slots: resize(X, (slots, X.shape[1])),
    },
    draw=random_case(lambda n, d, slots: ((n, d), slots)),
    praise="every sentence now has the same number of rows, at the price of lost words or empty "
    "slots.",
)

# ex-write


def summarise(
    X: Array,
    keep: float,
    step: Callable[[Array, Array, float], Array] = lambda c, x, keep: keep * roll(c, 1) + x,
) -> Array:
    """Move the seats, weaken, add the next word."""
    c: Array = zeros(X.shape[1])
    for x in X:
        c = step(c, x, keep)
    return c


EXERCISES["ex-write"] = FunctionChecker(
    gives="one vector of size d",
    right=summarise,
    cases=(
        (array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]]), 0.5),
        (array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0], [2.0, 5.0, 7.0]]), 1.0),
        (array([[1.0, 0.0, 2.0, 3.0], [0.0, 1.0, 5.0, 2.0], [4.0, 1.0, 0.0, 2.0]]), 0.8),
        (array([[2.0, 3.0]]), 0.9),
    ),
    edges=((array([[2.0, 3.0, 1.0], [4.0, 1.0, 6.0]]), 0.0),),
    mistakes={
        "the seats do not move, so the order of the words is lost: np.roll(c, 1) before each new "
        "word.": {"step": lambda c, x, keep: keep * c + x},
        "the new word moves along with the old ones. Move the seats first, then add the word.": {
            "step": lambda c, x, keep: roll(keep * c + x, 1)
        },
        "the new word is weakened as well. Only the past is multiplied by keep.": {
            "step": lambda c, x, keep: keep * (roll(c, 1) + x)
        },
        "the seats move the wrong way: np.roll(c, 1) brings the last number to the front.": {
            "step": lambda c, x, keep: keep * roll(c, -1) + x
        },
        "keep has no effect: multiply the moved summary by it before you add the next word.": {
            "step": lambda c, x, keep: roll(c, 1) + x
        },
        "keep multiplies every word once. At each step it should weaken the past alone.": {
            "step": lambda c, x, keep: roll(c, 1) + keep * x
        },
        "this is the last word alone. Add each word to what was there before.": {
            "step": lambda c, x, keep: x
        },
        "the sentence is read from its end: the last word should go in last.": lambda X, keep: (
            summarise(X[::-1], keep)
        ),
        "only the first word goes in. Is return inside the loop?": lambda X, keep: X[0],
        "the new word is multiplied by 1 - keep. It goes in as it is.": {
            "step": lambda c, x, keep: keep * roll(c, 1) + (1 - keep) * x
        },
        "these are the summaries after every word. Only the last one is kept.": lambda X, keep: (
            stack([summarise(X[: t + 1], keep) for t in range(len(X))])
        ),
    },
    draw=random_case(lambda n, d: ((n, d), between(0.2, 0.95))),
    praise="any number of words goes in, and one vector comes out.",
)

# ex-reread


def _fits(
    c: Array, guesses: Sequence[int], E: Array, t: int, own: bool = False, way: int = -1
) -> int:
    """Return the word that fits place t, or fits it wrongly: with its own word subtracted too."""
    n = len(guesses)
    words = [E[row] * (own or s != t) for s, row in enumerate(guesses)]
    left = roll(c - summarise(array(words), 1.0), way * (n - 1 - t))
    return int((E @ left).argmax())


def reread(c: Array, rows: Array, E: Array, guess: Callable[..., int] = _fits) -> list[int]:
    """Read each place once more, without the words that are guessed for the other places."""
    guesses = [int(row) for row in rows]
    for t in range(len(guesses)):
        guesses[t] = guess(c, guesses, E, t)
    return guesses


def _closed_up(c: Array, guesses: list[int], E: Array, t: int) -> int:
    """Leave out the word of place t and its move too, so that earlier words stand wrong."""
    others = [E[row] for s, row in enumerate(guesses) if s != t]
    guessed = summarise(array(others), 1.0) if others else zeros(len(c))
    return int((E @ roll(c - guessed, t - len(guesses) + 1)).argmax())


def _draw_reading(rng: Generator) -> tuple[Any, ...]:
    n, d, words = distinct_sizes(rng, 3, smallest=3)
    E = rng.normal(size=(words, d))
    E /= norm(E, axis=1, keepdims=True)
    right = rng.integers(words, size=n)
    rows = array([rng.integers(words) if rng.random() < 0.5 else row for row in right])
    return summarise(E[right], 1.0), rows, E


EXERCISES["ex-reread"] = FunctionChecker(
    gives="a row of E for each place",
    right=reread,
    cases=(
        (array([0.6, 0.8, 0.0]), array([1]), array([[0.6, 0.8, 0.0], [0.0, 0.6, -0.8]])),
        _draw_reading(default_rng(1)),
    ),
    mistakes={
        "at least two faults are left: the word of place t is subtracted with the others, and its "
        "moves are made once more instead of undone.": {"guess": partial(_fits, own=True, way=1)},
        "the word of place t is subtracted as well, so it cannot be found. Leave it out of what is "
        "guessed.": {"guess": partial(_fits, own=True)},
        "the moves are made once more instead of undone: roll by t - (n - 1).": {
            "guess": partial(_fits, way=1)
        },
        "the word that is left out leaves out its move too, so the words before it stand one seat "
        "off. Move the seats for every place, and add nothing for place t.": {"guess": _closed_up},
        "each place is read with the first guesses for all others. Let it use the better guesses "
        "of the places before it.": lambda c, rows, E: [
            _fits(c, rows.tolist(), E, t) for t in range(len(rows))
        ],
        "this is the first reading: nothing is subtracted.": {
            "guess": lambda c, rows, E, t: int((E @ roll(c, t + 1 - len(rows))).argmax())
        },
        "these are the guesses that came in. Return the copy that holds the better "
        "ones.": lambda c, rows, E: rows.copy(),
    },
    draw=_draw_reading,
    praise="each word is read without the noise of those that are guessed already.",
)

# ex-bits

_WORDS, _BITS = 387, 100 * 32
_MOST = int(_BITS / log2(_WORDS))


def _room(count: float) -> str:
    """Compare the bits that so many words need with those that are there."""
    needed = count * log2(_WORDS)
    more = "do not fit" if needed > _BITS else "leave room for more"
    says = f"{count:.0f} words need {needed:.0f} bits; of {_BITS} bits, these {more}."
    return says if count < 10**6 else f"that many need far more than {_BITS} bits."


def _no_count(number: float) -> str:
    if isfinite(number) and number == int(number) and number >= 0:
        return ""
    return f"a sentence has a whole number of words, 0 or more, but this is {show(number)}."


EXERCISES["ex-bits"] = NumberChecker(
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
    },
    advice=_room,
    praise=f"{_MOST} words fit, and no code makes room for one more.",
    asks="the answer is one number of words, not {}.",
    odd=_no_count,
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

# ex-own-memory

_LENGTHS, _TRIALS, _SIZE, _ASKED = (2, 5, 10, 20), 8, 100, 0.6


@cache
def _table() -> Array:
    glove = load_word_vectors(_SIZE)
    rows = array(glove.vectors - glove.mean, dtype=float)
    return rows / norm(rows, axis=1, keepdims=True)


def _sentences(n: int) -> list[list[int]]:
    drawn: list[list[int]] = default_rng(n).integers(_WORDS, size=(_TRIALS, n)).tolist()
    return drawn


def _read_row(value: Any) -> int:
    """Return a row of the table, or say what the value is instead."""
    number = read_array(value)
    if number.shape != ():
        raise UnreadableError(show(value))
    if not isfinite(number) or number != int(number):
        raise UnreadableError(f"{show(value)}, which is not whole")
    return int(number)


def check_own_memory(store: Any, recall: Any = ...) -> Finding:
    """Measure how much a memory of at most 100 numbers gives back, at several lengths."""
    for name, function in (("store", store), ("recall", recall)):
        if not (callable(function) or unfinished(function)):
            return Finding(
                "wrong shape",
                f"pass the function {name} itself, without parentheses, not {show(function)}.",
            )
    if unfinished(store):
        return Finding("not started", NOT_STARTED)
    kept: list[Outcome] = []
    for words in _all_sentences():
        stored = run(store, (_table()[words], _table()), read_array)
        if problem := _problem("store", "at most 100 numbers", stored, len(words)):
            return problem
        kept.append(stored)
    if problem := _stored(store, kept):
        return problem
    return _recalled(recall, kept)


def _all_sentences() -> list[list[int]]:
    return [words for n in _LENGTHS for words in _sentences(n)]


def _stored(store: Any, kept: list[Outcome]) -> Finding | None:
    """Say that store keeps too much, or not the same of the same sentence, if it does."""
    for words, stored in zip(_all_sentences(), kept, strict=True):
        if stored.value.size > _SIZE:
            return Finding(
                "known mistake",
                f"store keeps {stored.value.size} numbers of a sentence of {len(words)} words. "
                "Keeping everything is what attention does; this memory has room for 100.",
            )
    again = run(store, (_table()[_all_sentences()[0]], _table()), read_array)
    if not (again.returned and close(again.value, kept[0].value)):
        return Finding(
            "known mistake",
            "store returns a different c when the same sentence comes again, after others. What it "
            "keeps should depend on X alone.",
        )
    return None


def _recalled(recall: Any, kept: list[Outcome]) -> Finding:
    """Ask for the words of all sentences, the last one first."""
    if unfinished(recall):
        return Finding("not started", NOT_STARTED)
    told: dict[int, list[list[int]]] = {n: [] for n in _LENGTHS}
    for stored, words in zip(kept[::-1], _all_sentences()[::-1], strict=True):
        back = _tell(recall, stored.raw, len(words))
        if isinstance(back, Finding):
            return back
        told[len(words)].insert(0, back)
    return _judge_memory(told)


def _tell(recall: Any, c: Any, n: int) -> list[int] | Finding:
    """Return the words that come back of one sentence, or what went wrong."""
    back = []
    for t in range(n):
        found = run(recall, (c, t, n, _table()), _read_row)
        if problem := _problem("recall", "a row of E, one whole number", found, n):
            return problem
        back.append(found.value)
    return back


def _problem(name: str, gives: str, outcome: Outcome, n: int) -> Finding | None:
    """Say why a call has no result, if it has none."""
    given = f"for a sentence of {n} words"
    dots = outcome.raw is not None and unfinished(outcome.raw)
    if dots or outcome.error.startswith("NotImplementedError"):
        return Finding("not started", NOT_STARTED)
    if found := failure(name, outcome, f"a sentence of {n} words"):
        return found
    if outcome.unreadable:
        says = f"{name} should return {gives}, but returned {outcome.unreadable}, {given}."
        return Finding("wrong shape", says)
    if outcome.changed:
        says = f"{name} changed its input, which belongs to the caller. Work on a copy, or make a "
        return Finding("known mistake", says + "new array.")
    return None


def _judge_memory(told: dict[int, list[list[int]]]) -> Finding:
    shares = {n: _hits(told[n], _sentences(n)).mean() for n in _LENGTHS}
    listed = ", ".join(f"{100 * shares[n]:.0f} % of {n} words" for n in _LENGTHS)
    if shares[10] >= _ASKED:
        return Finding("correct", f"your memory gives back {listed}. Where is its edge?")
    if says := _name_memory(told[10], _sentences(10)):
        return Finding("known mistake", says)
    return Finding(
        "not yet", f"your memory gives back {listed}. Bring the share of 10 words to 60 %."
    )


def _hits(told: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> Array:
    """Return 1 where the word of a place came back, (sentences, places)."""
    return array(asarray(told) == asarray(right), dtype=float)


def _name_memory(told: list[list[int]], right: list[list[int]]) -> str:
    """Name the mistake of a memory that gives back too little of ten words."""
    if all(len(set(back)) == 1 for back in told):
        return (
            "recall returns the same word for every place: use t, and store something that tells "
            "the places apart."
        )
    if _hits(told, [words[::-1] for words in right]).mean() >= _ASKED:
        return "the words come back in reverse order: place 0 is the first word."
    for step in (-1, 1):
        if _hits(told, roll(right, step, axis=1).tolist())[:, 1:-1].mean() >= _ASKED:
            return "each place gives back its neighbour's word: t counts from 0."
    kept = arange(10)[_hits(told, right).mean(axis=0) > 0.9]
    if len(kept) == 1:
        return (
            f"only place {kept[0]} is remembered, and the other words are overwritten. Give each "
            "place its own seats."
        )
    return ""


EXERCISES["ex-own-memory"] = check_own_memory
