"""Exercises of the chapter "A real language model"."""

import re
from collections.abc import Callable
from typing import Any

from numpy import arange, array, inf, isnan, log, maximum, rint, sqrt, tri, vstack, where
from numpy.random import Generator

from attention_exercises._formulas import softmax
from attention_exercises._rules import not_yet_repaired, same_numbers, short_numbers
from attention_exercises.positions import turn
from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Mistake,
    UnreadableError,
    draw_arrays,
    parts,
    read_array,
    show,
)
from bookwork.exercises.outputs import Output

EXERCISES: Checkers = {}

# ex-min-p


def min_p(
    logits: Array,
    least: float,
    keep: Callable[[Array, float], Array] = lambda p, least: p >= least * p.max(),
    divide: Callable[[Array], Array] = lambda kept: kept / kept.sum(),
) -> Array:
    """Keep what is at least a share as likely as the likeliest, and divide by the sum."""
    p = softmax(logits)
    return divide(where(keep(p, least), p, 0))


def _likeliest(p: Array, share: float) -> Any:
    return array([p[p > each].sum() for each in p]) < share


def _draw_logits(rng: Generator) -> tuple[Array, float]:
    return rng.normal(scale=2, size=int(rng.integers(4, 12))), float(rng.uniform(0.05, 0.6))


EXERCISES["ex-min-p"] = FunctionChecker(
    gives="one probability for each token",
    right=min_p,
    cases=(
        (log(array([0.5, 0.3, 0.15, 0.05])), 0.2),
        (array([3.0, 1.0, 2.5, -1.0, 2.0]), 0.5),
        (array([1.0, 1.0, 1.0]), 0.9),
    ),
    edges=(
        (array([1000.0, 999.0, 0.0]), 0.1),
        (array([2.0, 1.0, 0.0]), 1.0),
    ),
    draw=_draw_logits,
    mistakes={
        "tokens are kept where p is at least the number least. Compare with least times the "
        "largest p: the rule follows how sure the model is.": {"keep": lambda p, least: p >= least},
        "this is top-p: the likeliest tokens that make up a share of the bet. Keep those that are "
        "at least least times as likely as the likeliest.": {"keep": _likeliest},
        "with least = 1 not even the likeliest token is kept: those at exactly least times the "
        "largest p belong to what remains, so compare with >=.": Mistake(
            shows=lambda got, right: bool(isnan(got).any() and right.max() == 1), edge=True
        ),
        "the right tokens are kept, but the rest is missing in the sum: divide by the sum of what "
        "is kept.": {"divide": lambda kept: kept},
        "nothing is left out: this is the softmax of all logits.": {
            "keep": lambda p, least: p >= 0
        },
        "the unlikely tokens are kept and the likely ones left out: turn the comparison round.": {
            "keep": lambda p, least: p <= least * p.max()
        },
        "the shares are compared as logits. Take the softmax first: a logit can be negative, and "
        "half of it means nothing.": lambda logits, least: min_p(
            logits, least, keep=lambda p, least: logits >= least * logits.max()
        ),
        "large logits overflow here. Subtract the largest before exp: the softmax stays the "
        "same.": Mistake(shows=lambda got, right: bool(isnan(got).any()), edge=True),
    },
    praise="a sure model keeps few tokens, an unsure one many.",
)

# ex-which-ablation

EXERCISES["ex-which-ablation"] = ChoiceChecker(
    right="b",
    explanations={
        "a": "it is missed, although it raises the right token by nothing to speak of: without it "
        "a token of the copy costs 2.8 bits instead of 1.7. But without another it costs more.",
        "b": "without it a token of the copy costs 3.9 bits instead of 1.7, more than without the "
        "other two, and that only taking it away could show: its direct effect is small.",
        "c": "it raises the right token most, but what is raised directly is not all that counts: "
        "without this head a token of the copy costs only 1.9 bits instead of 1.7.",
    },
)

# ex-copying-score


def copying_score(
    weights: Array,
    added: Array,
    busy: Callable[[Any], Any] = lambda looked: looked > 0,
    above: Callable[[Array], Array] = lambda added: added.mean(axis=1),
    turned: bool = False,
) -> float:
    """Average, over places that do not rest, how far the head raises what it looks at."""
    looked = weights.argmax(axis=0 if turned else 1)  # (n,)
    raised = added[arange(len(added)), looked] - above(added)
    counted = raised[busy(looked)]
    return float(counted.mean()) if len(counted) else 0.0


def _largest(weights: Array, added: Array) -> float:
    busy = weights.argmax(axis=1) > 0
    return float((added.max(axis=1) - added.mean(axis=1))[busy].mean()) if busy.any() else 0.0


def _weighted(weights: Array, added: Array) -> float:
    return float(((weights * added).sum(axis=1) - added.mean(axis=1)).mean())


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
    right=copying_score,
    cases=(
        (_TWO, array([[5.0, 1.0], [0.0, 4.0]])),
        (_THREE, array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [6.0, 1.0, 2.0]])),
        (_look_back(3 * same_numbers(6, 6)), same_numbers(6, 6, start=50)),
    ),
    edges=((array([[1.0, 0.0], [0.8, 0.2]]), array([[1.0, 2.0], [3.0, 5.0]])),),
    draw=_draw_head,
    mistakes={
        "places that rest on the first token count here. A head that rests copies nothing: leave "
        "out the places whose largest weight is in column 0.": {"busy": lambda looked: looked >= 0},
        "this is what is added to the token, not how far it is raised above the others: subtract "
        "the mean of the row of added.": {"above": lambda added: 0 * added[:, 0]},
        "the sum is divided by all n places. Take the mean over those that count.": (
            lambda weights, added: (
                copying_score(weights, added) * (weights.argmax(axis=1) > 0).mean()
            )
        ),
        "only the first place is left out. Others may rest on it, too: leave out all whose largest "
        "weight is in column 0.": {"busy": lambda looked: arange(len(looked)) > 0},
        "one mean is subtracted for all places. Each place has its own: take the mean along a row "
        "of added.": {"above": lambda added: added.mean()},
        "the mean runs down the columns of added. A row has what is added at one place: take the "
        "mean with axis=1.": {"above": lambda added: added.mean(axis=0)},
        "row and column of the weights are exchanged: row i says where place i looks, so take "
        "argmax with axis=1.": {"turned": True},
        "this is the token that the head raises most. Take the one that it looks at most: its "
        "column is in weights, its score in added.": _largest,
        "all tokens count here, by their weights. Take only the one with the largest weight, and "
        "only places that do not rest.": _weighted,
        "if every place rests on the first token, nothing is left to average. The score is 0 "
        "then.": [
            Mistake(shows=lambda got, right: bool(isnan(got).any()), edge=True),
            Mistake(raises="division by zero"),
        ],
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


def chat_ids(
    turns: list[tuple[str, str]],
    encode: Callable[..., list[int]],
    marks: bool = True,
    said: bool = False,
    before: str = f"{START}{{}}\n",
    after: str = f"{END}\n",
    last: str = f"{START}assistant\n",
) -> list[int]:
    """Write every turn between its marks, and open a turn of the assistant."""
    ids: list[int] = []
    for role, text in turns:
        ids += encode(before.format(role), special=marks)
        ids += encode(text, special=said) + encode(after, special=marks)
    return ids + encode(last, special=marks)


def _draw_turns(rng: Generator) -> tuple[list[tuple[str, str]], ToyTokens]:
    words = ["Hi", "why?", END, "No", START, "so\n", "é"]
    count = int(rng.integers(1, 5))
    texts = [" ".join(rng.choice(words, size=int(rng.integers(1, 4)))) for _ in range(count)]
    return [(("user", "assistant")[i % 2], text) for i, text in enumerate(texts)], ToyTokens()


EXERCISES["ex-chat-template"] = FunctionChecker(
    gives="the numbers of the tokens, in one list",
    right=chat_ids,
    cases=(
        ([("user", "Hi")], ToyTokens()),
        ([("user", "Hi"), ("assistant", "Yes?"), ("user", "Why?")], ToyTokens()),
        ([("system", "Be kind."), ("user", f"no{END}no")], ToyTokens()),
    ),
    draw=_draw_turns,
    mistakes={
        "what a turn says is encoded with special=True, so whoever types <|im_end|> ends the turn, "
        "and can speak in another role. Only your own marks are special.": {"said": True},
        "the marks are spelled out in letters, which the model does not know as marks: encode them "
        "with special=True.": {"marks": False},
        "it is the wrong way round: the marks are letters, and marks that a user types are "
        "special.": {"marks": False, "said": True},
        "all turns are there, but no turn of the assistant is opened at the end: the model would "
        "have to begin one itself.": {"last": ""},
        "the turn of the assistant is opened at the end, but without the new line after its "
        "role.": {"last": f"{START}assistant"},
        "the last turn is opened and ended at once. The model ends it when it has answered.": {
            "last": f"{START}assistant\n{END}\n"
        },
        "after <|im_end|> comes a new line.": {"after": END},
        "after the role comes a new line.": {"before": f"{START}{{}}"},
        "the turns are opened but not ended: <|im_end|> and a new line come after what each "
        "says.": {"after": ""},
        "only the last turn is there. The model remembers nothing but its text, so it needs all "
        "turns again.": lambda turns, encode: chat_ids(turns[-1:], encode),
        "every turn is the user's here. A turn begins with its own role.": lambda turns, encode: (
            chat_ids([("user", text) for _, text in turns], encode)
        ),
    },
    praise="only your marks are special, whatever a user types.",
    output=IDS,
)

# ex-three-bits

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


def few_bits(
    w: Array,
    count: int,
    steps: Callable[[int], int] = lambda count: 2**count - 1,
    nearest: Callable[[Array], Array] = rint,
    back: Callable[[Array, Array, Array], Array] = lambda codes, scale, least: (
        codes * scale + least
    ),
) -> Array:
    """Round each row to evenly spaced numbers between its smallest and its largest."""
    least, most = w.min(axis=1, keepdims=True), w.max(axis=1, keepdims=True)
    scale = (most - least) / steps(count)
    return back(nearest((w - least) / maximum(scale, 1e-300)), scale, least)


def _uneven(w: Array) -> Array:
    """Move numbers a little, so that none lies halfway between two levels."""
    return w + 0.017 * w**2 + 0.003 * w**3


def _draw_groups(rng: Generator) -> tuple[Array, int]:
    (w,) = draw_arrays(rng, (int(rng.integers(2, 5)), 8))
    return _uneven(w), int(rng.integers(1, 5))


EXERCISES["ex-few-bits"] = FunctionChecker(
    gives="the rounded numbers, shaped like w",
    right=few_bits,
    cases=(
        (array([[0.0, 1.0, 2.2, 3.0]]), 2),
        (_uneven(same_numbers(3, 8)), 3),
        (_uneven(same_numbers(2, 6, start=9)) - 4, 4),
    ),
    edges=((array([[2.0, 2.0, 2.0], [0.0, 0.4, 1.0]]), 1),),
    draw=_draw_groups,
    mistakes={
        "there are 2**count codes, from 0 to 2**count - 1, so the scale is the range divided by "
        "2**count - 1: here the largest number gets a code that is not there.": {
            "steps": lambda count: 2**count
        },
        "the codes are cut off instead of rounded: take the nearest, with np.rint.": {
            "nearest": lambda x: x // 1
        },
        "these are the codes. Turn them back into numbers: code times scale, plus the least.": {
            "back": lambda codes, scale, least: codes
        },
        "the least number is missing: code times scale starts at 0, not at the least.": {
            "back": lambda codes, scale, least: codes * scale
        },
        "all rows share one scale. Each row is a group with its own least number and scale: use "
        "axis=1 and keepdims=True.": lambda w, count: few_bits(w.reshape(1, -1), count).reshape(
            w.shape
        ),
        "nothing is rounded.": lambda w, count: w,
        "a row of equal numbers has scale 0, and 0 is divided by 0. Its numbers stay as they "
        "are.": Mistake(shows=lambda got, right: bool(isnan(got).any()), edge=True),
    },
    praise="that is how the file stores its blocks, 32 numbers in a group.",
)

# ex-read-on


def read_on(
    Q: Array, K: Array, V: Array, keys: Array, values: Array, fault: str | tuple[str, ...] = ""
) -> tuple[Array, Array, Array]:
    """Turn the new rows by their places in the text, append them, and look back."""
    n, m = len(Q), len(keys)
    first = 0 if "places" in fault else m
    Q = turn(Q, (0 if "queries" in fault else first) + arange(n))
    K = turn(K, (0 if "keys_at_0" in fault else first) + arange(n))
    before = turn(keys, arange(m)) if "twice" in fault else keys
    keys, values = vstack([before, K]), vstack([values, V])
    seen = tri(n, m + n, 0 if "mask" in fault else m + n if "open" in fault else m)
    scores = where(seen == 1, Q @ keys.T / sqrt(Q.shape[1]), -inf)
    output = softmax(scores) @ values
    return (output, K, V) if "not_grown" in fault else (output, keys, values)


def _draw_part(rng: Generator) -> tuple[Array, ...]:
    n, m, d_v = (int(size) for size in rng.permutation([2, 3, 5, 7])[:3])
    Q, K, V, keys, values = draw_arrays(rng, (n, 4), (n, 4), (n, d_v), (m, 4), (m, d_v))
    return Q, K, V, turn(keys, arange(m)), values


EXERCISES["ex-read-on"] = FunctionChecker(
    gives="the output, the keys and the values",
    right=read_on,
    cases=(
        short_numbers(1, (2, 2), (2, 2), (2, 1), (1, 2), (1, 1)),
        short_numbers(2, (3, 4), (3, 4), (3, 2), (5, 4), (5, 2)),
    ),
    edges=(short_numbers(3, (2, 4), (2, 4), (2, 3), (0, 4), (0, 3)),),
    draw=_draw_part,
    mistakes={
        **not_yet_repaired(
            places="the new tokens are turned as if the text began with them. They stand after the "
            "m tokens in the cache, at the places m, m + 1, ….",
            mask="the mask is not shifted: new token i may look at the first i + 1 keys only, "
            "although m + i + 1 of them come before it or are its own.",
        ),
        "the keys stand at the right places, but the queries are turned from place 0 on: all seem "
        "to stand m places earlier than they do.": "queries",
        "the queries stand at the right places, but the new keys are turned from place 0 on: they "
        "seem to stand m places earlier than they do.": "keys_at_0",
        "the keys in the cache are turned once more. They were turned when they were read, and "
        "stay as they are.": "twice",
        "nothing is hidden any more: a new token sees those that come after it in the same "
        "part.": "open",
        "the output is right, but the cache that you return holds only the new rows.": "not_grown",
    },
    praise="read in parts or at once, the text gives the same.",
    output=parts("the output", "the keys", "the values"),
)
