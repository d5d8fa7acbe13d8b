"""Exercises of the chapter "A model that writes"."""

from collections.abc import Callable, Sequence
from math import exp, inf, log, sqrt
from typing import Any

from numpy import array, asarray, concatenate, full, maximum, ones, tri, where, zeros
from numpy import exp as exp_all
from numpy import log2 as log2_all
from numpy.random import Generator, default_rng

from attention_exercises._formulas import softmax
from attention_exercises._rules import ALL_BUT_SOFTMAX
from attention_lib.models import load_first_names, load_names_model
from bookwork.exercises import (
    Array,
    Checkers,
    Finding,
    FunctionChecker,
    Mistake,
    parts,
    read_array,
    run,
)

EXERCISES: Checkers = {}


# ex-two-ahead


def two_ahead(shares: Array, fault: str = "") -> Array:
    """Add up the ways over every letter in between."""
    products = {"squared": shares**2, "turned": shares.T @ shares, "rows": shares @ shares.T}
    products |= {
        "one": shares,
        "three": shares @ shares @ shares,
        "mean": shares @ shares / len(shares),
    }
    return products.get(fault, shares @ shares)


def _draw_shares(rng: Generator) -> tuple[Array]:
    return (softmax(rng.normal(size=(int(rng.integers(2, 6)),) * 2)),)


EXERCISES["ex-two-ahead"] = FunctionChecker(
    gives="one row per letter and one column per letter that may come two places later",
    right=two_ahead,
    cases=(
        (array([[0.5, 0.5], [0.0, 1.0]]),),
        (array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),),
        (array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0], [0.1, 0.1, 0.8]]),),
    ),
    draw=_draw_shares,
    mistakes={
        "each entry is squared. The letter in between may be any: add up over all of them, which "
        "is a product of matrices.": "squared",
        "the first factor is transposed, so you ask what came before. The columns of the first are "
        "the rows of the second: shares @ shares.": "turned",
        "the second factor is transposed: the letter in between is the column of the first and the "
        "row of the second.": "rows",
        "this is the letter right after. The exercise asks for the one after it.": "one",
        "this is three letters ahead: one product is enough.": "three",
        "the ways over the letters in between are added, not averaged.": "mean",
    },
    praise="a product of matrices adds up all ways over the letter in between.",
)

# ex-cross-entropy


def _bits(shares: Array) -> Array:
    return -log2_all(shares)


def mean_bits(
    weights: Array,
    answers: Array,
    counted: Callable[[Array], Any] = lambda answers: answers >= 0,
    chosen: Callable[[Array, Array], Array] = lambda weights, answers: weights[
        range(len(answers)), answers
    ],
    mean: Callable[[Array], Any] = lambda shares: _bits(shares).mean(),
) -> Any:
    """Average the bits of the answers that count."""
    asked = counted(answers)
    return mean(chosen(weights[asked], answers[asked]))


def _draw_answers(rng: Generator) -> tuple[Array, Array]:
    n, c = rng.permutation([4, 5, 6, 7])[:2]
    weights = softmax(rng.normal(size=(n, c)))
    answers = rng.integers(c, size=n)
    answers[rng.permutation(n)[rng.integers(1, n) :]] = -1
    return weights, answers


EXERCISES["ex-cross-entropy"] = FunctionChecker(
    gives="one number",
    right=mean_bits,
    cases=(
        (array([[0.25, 0.75]]), array([0])),
        (array([[0.5, 0.125, 0.375], [0.25, 0.5, 0.25]]), array([1, 0])),
        (array([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75], [0.2, 0.3, 0.5]]), array([0, 1, -1])),
        (array([[0.5, 0.5], [0.25, 0.75]]), array([-1, 0])),
    ),
    edges=((array([[1e-12, 1 - 1e-12]]), array([0])),),
    draw=_draw_answers,
    without=("cross_entropy", "measure"),
    mistakes={
        "the answers that count are paired with the first rows of weights. Each belongs to the row "
        "of its own place: choose rows and answers together.": lambda weights, answers: mean_bits(
            weights[: sum(answers >= 0)], answers[answers >= 0]
        ),
        "an answer of -1 was counted: as an index it means the last letter. Leave those places out "
        "with answers >= 0.": {"counted": lambda answers: answers > -2},
        "you add up the right bits, but divide by the number of all places. Divide by the number "
        "of those that count.": lambda weights, answers: (
            mean_bits(weights, answers) * sum(answers >= 0) / len(answers)
        ),
        "this is the loss in nats, counted with e. Bits are counted with 2: np.log2.": {
            "mean": lambda shares: _bits(shares).mean() * log(2)
        },
        "the sign is missing: logarithms of shares are negative, and surprise is not.": {
            "mean": lambda shares: -_bits(shares).mean()
        },
        "this is the sum. Divide by the number of answers that count.": {
            "mean": lambda shares: _bits(shares).sum()
        },
        "you took the mean before the logarithm. Each answer has bits of its own.": {
            "mean": lambda shares: _bits(shares.mean())
        },
        "this is the mean share of the right letters. Take the logarithm of each first.": {
            "mean": lambda shares: shares.mean()
        },
        "you look at the largest weight of each row. The surprise is that of the letter which "
        "came, likely or not.": {"chosen": lambda weights, answers: weights.max(axis=1)},
        "this is the entropy of the rows, how unsure the model is. It does not ask which letter "
        "came: take the weight of the answer alone.": {
            "chosen": lambda weights, answers: weights,
            "mean": lambda rows: (rows * _bits(rows)).sum(axis=1).mean(),
        },
        "weights[answers] takes whole rows. One entry of each row is "
        "weights[np.arange(len(answers)), "
        "answers].": lambda weights, answers: _bits(weights[answers[answers >= 0]]).mean(),
        "weights[:, answers] takes columns for all rows. One entry of each row is "
        "weights[np.arange(len(answers)), answers].": lambda weights, answers: _bits(
            weights[:, answers[answers >= 0]]
        ).mean(),
        "a small number is added, or small weights are cut off, before the logarithm. An unlikely "
        "letter is then less of a surprise than it should "
        "be.": Mistake(shows=lambda got, right: bool(got < right), edge=True),
    },
    praise="the same number that training makes smaller, there with e in place of 2.",
)

# ex-targets


def example(numbers: Sequence[int], places: int) -> tuple[list[int], list[int]]:
    """Write the letters after a 0, and below each the one that comes next."""
    text = [0, *numbers, 0]
    X, answers = [0] * places, [-1] * places
    for i in range(len(numbers) + 1):
        X[i], answers[i] = text[i], text[i + 1]
    return X, answers


def _broken(
    numbers: Sequence[int], places: int, end: bool = True, pad: int = -1, shift: int = 1
) -> tuple[Array, Array]:
    """Make an example with one thing wrong."""
    n = len(numbers)
    X, answers = zeros(places, int), full(places, pad)
    X[1 : n + 1] = numbers
    text = [0, *numbers, *([0] if end else []), *[pad] * places]
    answers[: n + 1] = text[shift : n + 1 + shift]
    return X, answers


def _as_printed(numbers: Sequence[int], places: int) -> tuple[Array, Array]:
    X, answers = _broken(numbers, places, end=False, shift=0)
    answers[0] = -1
    return X, answers


def _draw_word(rng: Generator) -> tuple[list[int], int]:
    n = int(rng.integers(1, 6))
    return rng.integers(1, 9, size=n).tolist(), n + int(rng.integers(1, 5))


EXERCISES["ex-targets"] = FunctionChecker(
    gives="the letters and the answers",
    right=example,
    cases=(([2], 3), ([1, 3], 5), ([4, 2, 2, 1], 6)),
    edges=(([1, 2, 3], 4),),
    draw=_draw_word,
    output=parts("the letters", "the answers"),
    mistakes={
        "this is the code as it was printed: below each letter stands the letter itself. A model "
        "learns to copy it, and that is no help for writing. Move the answers one place to the "
        "left.": _as_printed,
        "below each letter, and below the first 0, stands the letter itself. Move the answers one "
        "place to the left.": {"shift": 0},
        "the end is not asked for, so the model never learns to stop. Below the last letter stands "
        "the answer 0.": {"end": False},
        "below the places after the end stands 0, so the model is asked for ends after the end. "
        "Nothing is asked there: -1.": {"pad": 0},
        "the answers are two places ahead. Below each letter stands the next one.": {"shift": 2},
    },
    model=_broken,
    praise="each place is asked for what it cannot see: the letter to its right.",
)

# ex-sampler


def choose(logits: Array, T: float, k: int, u: float) -> int:
    """Walk along the letters until their weights have passed u."""
    scores = logits.tolist()
    kept = sorted(range(len(scores)), key=lambda j: -scores[j])[:k]
    most = max(scores)
    powers = [exp((scores[j] - most) / T) if j in kept else 0.0 for j in range(len(scores))]
    total = 0.0
    for j, power in enumerate(powers):
        total += power / sum(powers)
        if total > u:
            return j
    return max(kept)


def _kept(logits: Array, k: int) -> Array:
    return logits >= sorted(logits.tolist())[-k]


def _next_after(weights: Array, u: float) -> int:
    return min(int((weights.cumsum() <= u).sum()), len(weights) - 1)


def _choose(
    logits: Array,
    T: float,
    k: int,
    u: float,
    heat: Callable[[float], float] = float,
    keep: Callable[[Array, int], Array] = _kept,
    walk: Callable[[Array, float], int] = _next_after,
) -> int:
    """Draw with another temperature, from other letters, or by another rule."""
    powers = exp_all((logits - logits.max()) / heat(T)) * keep(logits, k)
    return int(walk(powers / powers.sum(), u))


def _cut_after(logits: Array, T: float, k: int, u: float) -> int:
    weights = softmax(logits / T)
    return _next_after(where(_kept(logits, k), weights, 0.0), u)


def _sorted_draw(weights: Array, u: float) -> int:
    order = (-weights).argsort(kind="stable")
    return int(order[_next_after(weights[order], u)])


def _draw_logits(rng: Generator) -> tuple[Array, float, int, float]:
    c = int(rng.integers(4, 9))
    k = int(rng.integers(2, c))
    return rng.normal(size=c), float(rng.uniform(0.4, 2.5)), k, float(rng.uniform(0.05, 0.95))


EXERCISES["ex-sampler"] = FunctionChecker(
    gives="the number of one letter",
    right=choose,
    cases=(
        (array([0.0, 1.0]), 1.0, 2, 0.1),
        (array([0.5, 1.5, 1.0]), 1.0, 3, 0.8),
        (array([1.0, 0.0, 2.0, 1.5]), 0.5, 2, 0.5),
        (array([1.0, 0.0, 2.0, 1.5]), 2.0, 3, 0.3),
        (array([0.3, 0.1, 0.2]), 1.0, 1, 0.99),
    ),
    edges=(
        (array([-5.0, 3.0, 2.0]), 1.0, 2, 0.0),
        (array([1.0, 1.0]), 0.5, 2, 0.5),
        (array([800.0, -5.0, 801.0]), 1.0, 2, 0.5),
    ),
    draw=_draw_logits,
    without=("next_token_weights", "generate", "write", "top_k_mask"),
    mistakes={
        "this is always the likeliest letter. A model that writes draws: go along the running sums "
        "until they pass u.": {"walk": lambda weights, u: weights.argmax()},
        "the temperature has no effect. Divide the scores by T before the softmax.": {
            "heat": lambda T: 1.0
        },
        "you multiply by T. A high temperature makes the weights more even: divide.": {
            "heat": lambda T: 1 / T
        },
        "all letters can be drawn. Only the k best may: mask the others before the softmax.": {
            "keep": lambda logits, k: 1.0
        },
        "the weights of the k best no longer sum to one, because the others were dropped after the "
        "softmax. Mask the scores, then take the softmax.": _cut_after,
        "the sums run from the likeliest letter down. Let them run in the order of letters.": {
            "walk": _sorted_draw
        },
        "this is a place among the sorted letters. Return the number of the letter itself.": {
            "walk": lambda weights, u: _next_after(array(sorted(weights)[::-1]), u)
        },
        "these are the k worst letters. Keep the largest scores.": {
            "keep": lambda logits, k: logits <= sorted(logits.tolist())[k - 1]
        },
        "you return the last letter whose running sum is still at most u. Take the one after it: "
        "the first whose sum is larger.": {"walk": lambda weights, u: _next_after(weights, u) - 1},
        "u is compared with the weights themselves. Compare it with their running sums, "
        "np.cumsum.": {"walk": lambda weights, u: (weights > u).argmax()},
        "you take the first letter whose running sum is at least u. It should be larger than u: u "
        "can be 0, and then a letter of weight 0 would be "
        "drawn.": {"walk": lambda weights, u: (weights.cumsum() >= u).argmax()},
        "the exponentials overflow when scores are large. Subtract the largest score first, as in "
        "your own softmax.": Mistake(shows=lambda got, right: right == 2, edge=True),
    },
    model=_choose,
    praise="temperature, the k best and one random number: that is a whole sampler.",
)

# ex-own-writer


def _rms(X: Array, gain: Any) -> Array:
    return asarray(X / (((X**2).mean(axis=-1, keepdims=True) + 1e-5) ** 0.5) * gain)


def _centred(X: Array, gain: Any) -> Array:
    return _rms(X - X.mean(axis=-1, keepdims=True), gain)


def _heads(A: Array, p: dict[str, Array], mask: bool = True, scale: bool = True) -> list[Array]:
    found = []
    for W_q, W_k, W_v in zip(p["W_q"], p["W_k"], p["W_v"], strict=True):
        scores = (A @ W_q) @ (A @ W_k).T / (sqrt(W_q.shape[1]) if scale else 1)
        seen = where(tri(len(A)) > 0, scores, -inf) if mask else scores
        found.append(softmax(seen) @ (A @ W_v))
    return found


def next_logits(
    tokens: Sequence[int],
    p: dict[str, Array],
    *,
    norm: Callable[[Array, Any], Array] = _rms,
    places: bool = True,
    first: bool = True,
    second: bool = True,
    last: bool = True,
    relu: bool = True,
    gains: bool = True,
    thinks: bool = True,
    once: bool = False,
    mixed: bool = False,
    **heads: bool,
) -> Array:
    """Take letters through the block; each option leaves one thing out."""
    gain = {name: p[name] if gains else 1.0 for name in ("gain_1", "gain_2", "gain")}
    X = p["E"][list(tokens)] + (p["P"][: len(tokens)] if places else 0)
    results = _heads(norm(X, gain["gain_1"]), p, **heads)  # h of (n, d_v)
    beside = asarray(results).reshape(len(X), -1) if mixed else concatenate(results, axis=1)
    found = beside @ p["W_o"]
    H = X + found if first else found
    hidden = (H if once else norm(H, gain["gain_2"])) @ p["W_1"] + p["b_1"]
    network = (maximum(0, hidden) if relu else hidden) @ p["W_2"] + p["b_2"]
    T = H if not thinks else H + network if second else network
    return asarray((norm(T, gain["gain"]) if last else T) @ p["U"])


def _draw_decoder(rng: Generator) -> tuple[list[int], dict[str, Array]]:
    n, c, h, d_k = (int(size) for size in (rng.integers(2, 6), 5, rng.integers(1, 4), 2))
    d = int(rng.integers(4, 7))
    shapes: dict[str, tuple[int, ...]] = {"E": (c, d), "P": (7, d), "W_o": (h * d_k, d)}
    shapes |= dict.fromkeys(("W_q", "W_k", "W_v"), (h, d, d_k))
    shapes |= {"W_1": (d, 8), "b_1": (8,), "W_2": (8, d), "b_2": (d,), "U": (d, c)}
    p: dict[str, Array] = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    p |= {name: rng.uniform(0.5, 1.5, size=d) for name in ("gain_1", "gain_2", "gain")}
    return rng.integers(c, size=n).tolist(), p


def _write(function: Any, finding: Finding) -> Finding:
    """Let a right answer write names with a trained model."""
    if finding.status != "correct":
        return finding
    says = f"with your own pieces the trained model writes: {_some(function)}."
    return Finding("correct", says)


def one_block(parameters: Any) -> dict[str, Array]:
    """Return the parameters of a decoder of one block, without the axis over its blocks."""
    alone = {"E", "P", "gain", "U"}
    return {name: W.copy() if name in alone else W[0].copy() for name, W in parameters.items()}


def _some(function: Any, names: int = 3, seed: int = 5) -> str:
    """Return names that a reader's function writes with the trained model, letter by letter."""
    p, rng = one_block(load_names_model().parameters), default_rng(seed)
    letters = [".", *sorted(set("".join(load_first_names())))]
    written = []
    for _ in range(names):
        text = [0]
        while len(text) < len(p["P"]) and (len(text) == 1 or text[-1] != 0):
            outcome = run(function, (text, p), read_array)
            text.append(choose(outcome.value[-1], 0.8, len(letters), rng.random()))
        written.append("".join(letters[j] for j in text if j))
    return ", ".join(written)


_TINY = {
    "E": array([[1.0, 0.0], [0.0, 1.0]]),
    "P": array([[0.5, 0.0], [0.0, 0.5], [0.5, 0.5]]),
    **{name: array([[[1.0], [2.0]]]) for name in ("W_q", "W_k", "W_v")},
    "W_o": array([[1.0, -1.0]]),
    "W_1": array([[1.0, -1.0], [0.5, 1.0]]),
    "b_1": array([0.0, 0.5]),
    "W_2": array([[1.0, 0.0], [1.0, 2.0]]),
    "b_2": array([0.1, 0.0]),
    **{name: ones(2) * size for name, size in (("gain_1", 1.5), ("gain_2", 0.5), ("gain", 2.0))},
    "U": array([[1.0, 0.0], [0.0, 1.0]]),
}

EXERCISES["ex-own-writer"] = FunctionChecker(
    gives="one row per token, with a score for each token that may come next",
    right=next_logits,
    cases=(([1], _TINY), ([0, 1, 1], _TINY)),
    draw=_draw_decoder,
    without=tuple(name for name in ALL_BUT_SOFTMAX if name not in ("rms_norm", "causal_mask")),
    mistakes={
        "each letter sees those after it, so the model is told the answers. Mask the scores: "
        "letter i looks at letters j <= i.": {"mask": False},
        "the places are missing: add P[:n] to the rows of E.": {"places": False},
        "the scores are not divided by the root of d_k.": {"scale": False},
        "what the heads find replaces X. Add it to X, so that what was there stays.": {
            "first": False
        },
        "what the network returns replaces H. Add it to H.": {"second": False},
        "the feed-forward network is missing after the heads.": {"thinks": False},
        "the hidden layer needs np.maximum(0, …) between the two matrices.": {"relu": False},
        "the last norm is missing: norm with gain before you multiply by U.": {"last": False},
        "the second norm is missing: the network reads norm(H), not H.": {"once": True},
        "letters and heads are mixed up: a plain reshape of (h, n, d_v) does not put the heads of "
        "a letter side by side. Swap the first two axes before it, or use "
        "np.concatenate.": {"mixed": True},
        "the gains are missing: each norm is multiplied by its own.": {"gains": False},
        "you subtract the mean, as a layer norm does. This model has an RMS norm: divide by the "
        "root of the mean square, and leave the mean alone.": {"norm": _centred},
    },
    again=_write,
    praise="it writes.",
)
