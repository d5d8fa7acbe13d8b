"""Exercises of the chapter "A real language model"."""

import re
from typing import Any

from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Raises,
    Shows,
    draw_arrays,
    parts,
    read_array,
    show,
)
from bookwork.exercises.outputs import Output
from bookwork.exercises.running import UnreadableError
from numpy import arange, array, inf, isnan, log, rint, tri, where
from numpy.random import Generator

from attention_exercises._rules import not_yet_repaired, numbers
from attention_lib import rotary, softmax

EXERCISES: Checkers = {}


# ex-min-p
def _draw_logits(rng: Generator) -> tuple[Array, float]:
    return rng.normal(scale=2, size=int(rng.integers(4, 12))), float(rng.uniform(0.05, 0.6))


def _lost_the_likeliest(got: Array, right: Array) -> bool:
    """Return whether nothing is left where only the likeliest tokens should be."""
    return bool(isnan(got).all() and (right[right > 0] == right.max()).all())


EXERCISES["ex-min-p"] = FunctionChecker(
    gives="one probability for each token",
    right="""
        def min_p(logits, least):
            powers = np.exp(logits - logits.max())
            p = powers / powers.sum()
            kept = np.where(p >= least * p.max(), p, 0)
            return kept / kept.sum()
        """,
    cases=(
        (log(array([0.5, 0.3, 0.15, 0.05])), 0.2),
        (array([3.0, 1.0, 2.5, -1.0, 2.0]), 0.5),
        (array([1.0, 1.0, 1.0]), 0.9),
    ),
    edges=(
        (array([1000.0, 999.0, 0.0]), 0.1),
        (array([2.0, 1.0, 0.0]), 1.0),
        (array([1.0, 1.0, 0.0]), 1.0),
        (array([1.0, 2.0, 0.0]), 0.0),
    ),
    draw=_draw_logits,
    wrong={
        "p >= least * p.max() => p >= least": "tokens are kept where p is at least the number "
        "least. Compare with least times the largest p: the rule follows how sure the model is.",
        "p >= least * p.max() => np.array([p[p > each].sum() for each in p]) < least": "this is "
        "top-p: the likeliest tokens that make up a share of the bet. Keep those that are at least "
        "least times as likely as the likeliest.",
        (
            "p >= => p >",
            Shows(_lost_the_likeliest, edge=True),
        ): "with least = 1 not even the likeliest token is kept: those at exactly least times the "
        "largest p belong to what remains, so compare with >=.",
        "/ kept.sum() =>": "the right tokens are kept, but the rest is missing in the sum: divide "
        "by the sum of what is kept.",
        "p >= least * p.max() => p >= 0": "nothing is left out: this is the softmax of all logits.",
        "p >= => p <=": "the unlikely tokens are kept and the likely ones left out: turn the "
        "comparison round.",
        "p >= least * p.max() => logits >= least * logits.max()": "the shares are compared as "
        "logits. Take the softmax first: a logit can be negative, and half of it means nothing.",
        Shows(lambda got, right: bool(isnan(got).any()), edge=True): "large logits overflow here. "
        "Subtract the largest before exp: the softmax stays the same.",
    },
    praise="a sure model keeps few tokens, an unsure one many.",
)


# ex-copying-score
def _look_back(scores: Array) -> Array:
    return softmax(where(tri(len(scores)) == 1, scores, -inf))


def _draw_head(rng: Generator) -> tuple[Array, Array]:
    n = int(rng.integers(5, 10))
    scores, added = draw_arrays(rng, (n, n), (n, n))
    return _look_back(2 * scores), added


_TWO = array([[1.0, 0.0], [0.25, 0.75]])
_THREE = array([[1.0, 0.0, 0.0], [0.1, 0.9, 0.0], [0.7, 0.2, 0.1]])

EXERCISES["ex-copying-score"] = FunctionChecker(
    gives="one number",
    right="""
        def copying_score(weights, added):
            looked = weights.argmax(axis=1)
            raised = added[np.arange(len(added)), looked] - added.mean(axis=1)
            counted = raised[looked > 0]
            return counted.mean() if len(counted) else 0.0
        """,
    cases=(
        (_TWO, array([[5.0, 1.0], [0.0, 4.0]])),
        (_THREE, array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [6.0, 1.0, 2.0]])),
        (_look_back(3 * numbers(4, (6, 6))[0]), *numbers(5, (6, 6))),
    ),
    edges=((array([[1.0, 0.0], [0.8, 0.2]]), array([[1.0, 2.0], [3.0, 5.0]])),),
    draw=_draw_head,
    wrong={
        "looked > 0 => looked >= 0": "places that rest on the first token count here. A head that "
        "rests copies nothing: leave out the places whose largest weight is in column 0.",
        "- added.mean(axis=1) =>": "this is what is added to the token, not how far it is raised "
        "above the others: subtract the mean of the row of added.",
        "counted.mean() => counted.sum() / len(added)": "the sum is divided by all n places. Take "
        "the mean over those that count.",
        "looked > 0 => np.arange(len(looked)) > 0": "only the first place is left out. Others may "
        "rest on it, too: leave out all whose largest weight is in column 0.",
        "added.mean(axis=1) => added.mean()": "one mean is subtracted for all places. Each place "
        "has its own: take the mean along a row of added.",
        "added.mean(axis=1) => added.mean(axis=0)": "the mean runs down the columns of added. A "
        "row has what is added at one place: take the mean with axis=1.",
        "weights.argmax(axis=1) => weights.argmax(axis=0)": "row and column of the weights are "
        "exchanged: row i says where place i looks, so take argmax with axis=1.",
        "added[np.arange(len(added)), looked] => added.max(axis=1)": "this is the token that the "
        "head raises most. Take the one that it looks at most: its column is in weights, its score "
        "in added.",
        "added[np.arange(len(added)), looked] => (weights * added).sum(axis=1) ;; "
        "raised[looked > 0] => raised": "all tokens count here, by their weights. Take "
        "only the one with the largest weight, and only places that do not rest.",
        (
            Shows(lambda got, right: bool(isnan(got).any()), edge=True),
            Raises("division by zero"),
        ): "if every place rests on the first token, nothing is left to average. The score is 0 "
        "then.",
    },
    praise="it needs no right answer, so it can be computed on any text.",
)

# ex-chat-template
START, END = "<|im_start|>", "<|im_end|>"
_MARKS = {START: 0, END: 1}


class ToyTokens:
    """The tokens of this exercise: every letter is one, and so are the two marks if asked for."""

    def __call__(self, text: str, *, special: bool = False) -> list[int]:
        """Return the numbers of the tokens of a text."""
        pieces = re.split(r"(<\|im_(?:start|end)\|>)", text) if special else [text]
        numbers = ([_MARKS[p]] if p in _MARKS and special else map(_number, p) for p in pieces)
        return [number for piece in numbers for number in piece]

    def __repr__(self) -> str:
        """Return its name in the exercise."""
        return "encode"


def _number(letter: str) -> int:
    return ord(letter) + len(_MARKS)


def _as_text(ids: list[int]) -> str:
    """Return tokens as text on one line: special ones in brackets, a new line as ¶."""
    names = {0: "[START]", 1: "[END]", _number("\n"): "¶"}
    return "".join(names.get(i) or (chr(i - 2) if 2 <= i < 0x110000 else "?") for i in ids)


def _read_ids(value: Any) -> list[int]:
    numbers = read_array(value)
    if numbers.ndim != 1 or (numbers != rint(numbers)).any():
        raise UnreadableError(f"{show(value)}, which is no list of whole numbers")
    return [int(number) for number in numbers]


def _other_text(got: list[int], right: list[int]) -> str:
    return f"the tokens should be {_as_text(right)}, but are {show(_as_text(got))}"


IDS = Output(_read_ids, lambda got, right: "", lambda got, right: got == right, _other_text)


def _draw_turns(rng: Generator) -> tuple[list[tuple[str, str]], ToyTokens]:
    words = ["Hi", "why?", END, "No", START, "so\n", "é"]
    count = int(rng.integers(1, 5))
    texts = [" ".join(rng.choice(words, size=int(rng.integers(1, 4)))) for _ in range(count)]
    return [(("user", "assistant")[i % 2], text) for i, text in enumerate(texts)], ToyTokens()


EXERCISES["ex-chat-template"] = FunctionChecker(
    gives="the numbers of the tokens, in one list",
    right=r"""
        def chat_ids(turns, encode):
            def mark(piece):
                return encode(piece, special=True)

            ids = []
            for role, text in turns:
                ids += mark(f'<|im_start|>{role}\n') + encode(text) + mark('<|im_end|>\n')
            return ids + mark('<|im_start|>assistant\n')
        """,
    cases=(
        ([("user", "Hi")], ToyTokens()),
        ([("user", "Hi"), ("assistant", "Yes?"), ("user", "Why?")], ToyTokens()),
        ([("system", "Be kind."), ("user", f"no{END}no")], ToyTokens()),
    ),
    edges=(
        ([("user", " Hi \n")], ToyTokens()),
        ([("user", "Hi"), ("assistant", ""), ("user", "Hi?")], ToyTokens()),
    ),
    draw=_draw_turns,
    wrong={
        "encode(text) => encode(text, special=True)": "what a turn says is encoded with "
        "special=True, so whoever types <|im_end|> ends the turn, and can speak in another role. "
        "Only your own marks are special.",
        "special=True => special=False": "the marks are spelled out in letters, which the model "
        "does not know as marks: encode them with special=True.",
        "piece, special=True => piece ;; encode(text) => encode(text, special=True)": "it is the "
        "wrong way round: the marks are letters, and marks that a user types are special.",
        "ids + mark('<|im_start|>assistant\\n') => ids": "all turns are there, but no turn of the "
        "assistant is opened at the end: the model would have to begin one itself.",
        "assistant\\n => assistant": "the turn of the assistant is opened at the end, but without "
        "the new line after its role.",
        "assistant\\n => assistant\\n<|im_end|>\\n": "the last turn is opened and ended at once. "
        "The model ends it when it has answered.",
        "<|im_end|>\\n => <|im_end|>": "after <|im_end|> comes a new line.",
        "{role}\\n => {role}": "after the role comes a new line.",
        "+ mark('<|im_end|>\\n') =>": "the turns are opened but not ended: <|im_end|> and a new "
        "line come after what each says.",
        "in turns: => in turns[-1:]:": "only the last turn is there. The model remembers nothing "
        "but its text, so it needs all turns again.",
        "encode(text) => encode(text.strip())": "what a turn says stays as it is, with the spaces "
        "and new lines around it.",
        "in turns: => in [turn for turn in turns if turn[1]]:": "a turn that says nothing is "
        "missing here. It is a turn like any other.",
        Raises("takes 2 positional arguments but 3 were given"): "special is an argument that "
        "encode takes by its name: special=True.",
        "{role} => user": "every turn is the user's here. A turn begins with its own role.",
    },
    praise="only your marks are special, whatever a user types.",
    output=IDS,
)

EXERCISES["ex-three-bits"] = ChoiceChecker(
    right="c",
    explanations={
        "a": "half of the levels between the smallest and the largest number of a group are gone. "
        "With the 106 million numbers of 30 blocks that adds up: look at the cell below.",
        "b": "it is more. There are 30 blocks, and even small losses add up.",
        "c": "about 1.5 bits more: the probability of the right token is divided by nearly three, "
        "on average. With better levels, or with further training, less is lost.",
        "d": "that happens with 2 bits, which leave 4 levels in a group. With 8 levels the model "
        "is damaged, but still a model.",
    },
)


# ex-few-bits
def _uneven(w: Array) -> Array:
    """Move numbers a little, so that none lies halfway between two levels."""
    return w + 0.017 * w**2 + 0.003 * w**3


def _draw_groups(rng: Generator) -> tuple[Array, int]:
    (w,) = draw_arrays(rng, (int(rng.integers(2, 5)), 8))
    return _uneven(w), int(rng.integers(1, 5))


EXERCISES["ex-few-bits"] = FunctionChecker(
    gives="the rounded numbers, shaped like w",
    right="""
        def few_bits(w, count):
            least, most = w.min(axis=1, keepdims=True), w.max(axis=1, keepdims=True)
            scale = (most - least) / (2**count - 1)
            codes = np.rint((w - least) / np.where(scale == 0, 1, scale))
            return codes * scale + least
        """,
    cases=(
        (array([[0.0, 1.0, 2.2, 3.0]]), 2),
        (_uneven(*numbers(6, (3, 8))), 3),
        (_uneven(*numbers(7, (2, 6))) - 4, 4),
    ),
    edges=((array([[2.0, 2.0, 2.0], [0.0, 0.4, 1.0]]), 1), (_uneven(*numbers(8, (2, 6))), 8)),
    draw=_draw_groups,
    wrong={
        "2**count - 1 => 2**count": "there are 2**count codes, from 0 to 2**count - 1, so the "
        "scale is the range divided by 2**count - 1: here the largest number gets a code that is "
        "not there.",
        "np.rint => np.floor": "the codes are cut off instead of rounded: take the nearest, with "
        "np.rint.",
        "codes * scale + least => codes": "these are the codes. Turn them back into numbers: code "
        "times scale, plus the least.",
        "+ least =>": "the least number is missing: code times scale starts at 0, not at the "
        "least.",
        "w.min(axis=1, keepdims=True), w.max(axis=1, keepdims=True) => w.min(), w.max()": "all "
        "rows share one scale. Each row is a group with its own least number and scale: use axis=1 "
        "and keepdims=True.",
        "codes * scale + least => w": "nothing is rounded.",
        "codes * scale => codes.astype(np.int8) * scale": "int8 holds -128 to 127, but with 8 bits "
        "the codes go up to 255, so the larger ones come out negative. np.uint8 holds them all.",
        Shows(lambda got, right: bool(isnan(got).any()), edge=True): "a row of equal numbers has "
        "scale 0, and 0 is divided by 0. Its numbers stay as they are.",
    },
    praise="that is how the file stores its blocks, 32 numbers in a group.",
)


# ex-read-on
def _draw_part(rng: Generator) -> tuple[Array, ...]:
    n, m, d_v = (int(size) for size in rng.permutation([2, 3, 5, 7])[:3])
    Q, K, V, keys, values = draw_arrays(rng, (n, 4), (n, 4), (n, d_v), (m, 4), (m, d_v))
    return Q, K, V, rotary(keys, arange(m)), values


EXERCISES["ex-read-on"] = FunctionChecker(
    gives="the output, the keys and the values",
    right="""
        from attention_lib import rotary

        def read_on(Q, K, V, keys, values):
            n, m = len(Q), len(keys)
            Q, K = rotary(Q, m + np.arange(n)), rotary(K, m + np.arange(n))
            keys, values = np.vstack([keys, K]), np.vstack([values, V])
            scores = Q @ keys.T / np.sqrt(Q.shape[1])
            seen = np.where(np.tri(n, m + n, m) == 1, scores, -np.inf)
            powers = np.exp(seen - seen.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return weights @ values, keys, values
        """,
    cases=(
        numbers(1, (2, 2), (2, 2), (2, 1), (1, 2), (1, 1)),
        numbers(2, (3, 4), (3, 4), (3, 2), (5, 4), (5, 2)),
    ),
    edges=(numbers(3, (2, 4), (2, 4), (2, 3), (0, 4), (0, 3)),),
    draw=_draw_part,
    wrong={
        **not_yet_repaired(
            {
                "(Q, m + => (Q, ;; (K, m + => (K,": "the new tokens are turned as if the text "
                "began with them. They stand after the m tokens in the cache, at the places m, "
                "m + 1, ….",
                "np.tri(n, m + n, m) => np.tri(n, m + n)": "the mask is not shifted: new token i "
                "may look at the first i + 1 keys only, although m + i + 1 of them come before it "
                "or are its own.",
            }
        ),
        "(Q, m + => (Q,": "the keys stand at the right places, but the queries are turned from "
        "place 0 on: all seem to stand m places earlier than they do.",
        "(K, m + => (K,": "the queries stand at the right places, but the new keys are turned from "
        "place 0 on: they seem to stand m places earlier than they do.",
        "[keys, K] => [rotary(keys, np.arange(m)), K]": "the keys in the cache are turned once "
        "more. They were turned when they were read, and stay as they are.",
        "np.where(np.tri(n, m + n, m) == 1, scores, -np.inf) => scores": "nothing is hidden any "
        "more: a new token sees those that come after it in the same part.",
        "@ values, keys, values => @ values, K, V": "the output is right, but the cache that you "
        "return holds only the new rows.",
    },
    praise="read in parts or at once, the text gives the same.",
    output=parts("the output", "the keys", "the values"),
)
