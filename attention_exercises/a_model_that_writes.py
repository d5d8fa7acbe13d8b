"""Exercises of the chapter "A model that writes"."""

from typing import Any

from bookwork.exercises import (
    Array,
    Checkers,
    Finding,
    FunctionChecker,
    Shows,
    parts,
    read_array,
    run,
)
from numpy import array, ones
from numpy.random import Generator, default_rng

from attention_lib import softmax
from attention_lib.models import load_first_names, load_names_model

EXERCISES: Checkers = {}


# ex-cross-entropy
def _draw_answers(rng: Generator) -> tuple[Array, Array]:
    n, c = rng.permutation([4, 5, 6, 7])[:2]
    weights = softmax(rng.normal(size=(n, c)))
    answers = rng.integers(c, size=n)
    answers[rng.permutation(n)[rng.integers(1, n) :]] = -1
    return weights, answers


EXERCISES["ex-cross-entropy"] = FunctionChecker(
    gives="one number",
    right="""
        def mean_bits(weights, answers):
            asked = answers >= 0
            rows, letters = weights[asked], answers[asked]
            shares = rows[np.arange(len(rows)), letters]
            return -np.log2(shares).mean()
        """,
    cases=(
        (array([[0.25, 0.75]]), array([0])),
        (array([[0.5, 0.125, 0.375], [0.25, 0.5, 0.25]]), array([1, 0])),
        (array([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75], [0.2, 0.3, 0.5]]), array([0, 1, -1])),
        (array([[0.5, 0.5], [0.25, 0.75]]), array([-1, 0])),
    ),
    edges=((array([[1e-12, 1 - 1e-12]]), array([0])),),
    draw=_draw_answers,
    wrong={
        "weights[asked] => weights[: asked.sum()]": "the answers that count are paired with the "
        "first rows of weights. Each belongs to the row of its own place: choose rows and answers "
        "together.",
        "answers >= 0 => answers > -2": "an answer of -1 was counted: as an index it means the "
        "last letter. Leave those places out with answers >= 0.",
        "-np.log2(shares).mean() => -np.log2(shares).sum() / len(answers)": "you add up the right "
        "bits, but divide by the number of all places. Divide by the number of those that count.",
        "np.log2 => np.log": "this is the loss in nats, counted with e. Bits are counted with 2: "
        "np.log2.",
        "-np.log2 => np.log2": "the sign is missing: logarithms of shares are negative, and "
        "surprise is not.",
        ".mean() => .sum()": "this is the sum. Divide by the number of answers that count.",
        "np.log2(shares).mean() => np.log2(shares.mean())": "you took the mean before the "
        "logarithm. Each answer has bits of its own.",
        "-np.log2(shares).mean() => shares.mean()": "this is the mean share of the right letters. "
        "Take the logarithm of each first.",
        "rows[np.arange(len(rows)), letters] => rows.max(axis=1)": "you look at the largest weight "
        "of each row. The surprise is that of the letter which came, likely or not.",
        "-np.log2(shares).mean() => -(rows * np.log2(rows)).sum(axis=1).mean()": "this is the "
        "entropy of the rows, how unsure the model is. It does not ask which letter came: take the "
        "weight of the answer alone.",
        "rows[np.arange(len(rows)), letters] => weights[letters]": "weights[answers] takes whole "
        "rows. One entry of each row is weights[np.arange(len(answers)), answers].",
        "rows[np.arange(len(rows)), letters] => weights[:, letters]": "weights[:, answers] takes "
        "columns for all rows. One entry of each row is weights[np.arange(len(answers)), answers].",
        Shows(lambda got, right: bool(got < right), edge=True): "a small number is added, or small "
        "weights are cut off, before the logarithm. An unlikely letter is then less of a surprise "
        "than it should be.",
    },
    praise="the same number that training makes smaller, there with e in place of 2.",
)


# ex-targets
def _draw_word(rng: Generator) -> tuple[list[int], int]:
    n = int(rng.integers(1, 6))
    return rng.integers(1, 9, size=n).tolist(), n + int(rng.integers(1, 5))


EXERCISES["ex-targets"] = FunctionChecker(
    gives="the letters and the answers",
    right="""
        def example(numbers, places):
            n = len(numbers)
            X, answers = np.zeros(places, int), np.full(places, -1)
            X[1 : n + 1] = numbers
            answers[: n + 1] = [*numbers, 0]
            return X, answers
        """,
    cases=(([2], 3), ([1, 3], 5), ([4, 2, 2, 1], 6)),
    edges=(([1, 2, 3], 4),),
    draw=_draw_word,
    output=parts("the letters", "the answers"),
    wrong={
        "answers[: n + 1] = [*numbers, 0] => answers[1 : n + 1] = numbers": "this is the code as "
        "it was printed: below each letter stands the letter itself. A model learns to copy it, "
        "and that is no help for writing. Move the answers one place to the left.",
        "[*numbers, 0] => [0, *numbers]": "below each letter, and below the first 0, stands the "
        "letter itself. Move the answers one place to the left.",
        "[*numbers, 0] => [*numbers, -1]": "the end is not asked for, so the model never learns to "
        "stop. Below the last letter stands the answer 0.",
        "np.full(places, -1) => np.zeros(places, int)": "below the places after the end stands 0, "
        "so the model is asked for ends after the end. Nothing is asked there: -1.",
        "[*numbers, 0] => [*numbers[1:], 0, -1]": "the answers are two places ahead. Below each "
        "letter stands the next one.",
    },
    praise="each place is asked for what it cannot see: the letter to its right.",
)


# ex-sampler
def _draw_logits(rng: Generator) -> tuple[Array, float, int, float]:
    c = int(rng.integers(4, 9))
    k = int(rng.integers(2, c))
    return rng.normal(size=c), float(rng.uniform(0.4, 2.5)), k, float(rng.uniform(0.05, 0.95))


CHOOSE = EXERCISES["ex-sampler"] = FunctionChecker(
    gives="the number of one letter",
    right="""
        def choose(logits, T, k, u):
            kept = np.argsort(-logits, kind='stable')[:k]
            powers = np.zeros(len(logits))
            powers[kept] = np.exp((logits[kept] - logits.max()) / T)
            weights = powers / powers.sum()
            passed = weights.cumsum() > u
            return passed.argmax() if passed.any() else kept.max()
        """,
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
    wrong={
        "passed = weights.cumsum() > u => return weights.argmax()": "this is always the likeliest "
        "letter. A model that writes draws: go along the running sums until they pass u.",
        "/ T => ": "the temperature has no effect. Divide the scores by T before the softmax.",
        "/ T => * T": "you multiply by T. A high temperature makes the weights more even: divide.",
        "[:k] =>": "all letters can be drawn. Only the k best may: mask the others before the "
        "softmax.",
        "powers / powers.sum() => powers / np.exp((logits - logits.max()) / T).sum() ;; "
        "kept.max() => len(logits) - 1": "the weights of the k best no longer sum to one, "
        "because the others were dropped after the softmax. Mask the scores, then take the "
        "softmax.",
        "passed = weights.cumsum() > u => "
        "order = np.argsort(-weights); return order[(weights[order].cumsum() > u).argmax()]": (
            "the sums run from the likeliest letter down. Let them run in the order of letters."
        ),
        "weights.cumsum() > u => np.sort(weights)[::-1].cumsum() > u": "this is a place among the "
        "sorted letters. Return the number of the letter itself.",
        "np.argsort(-logits => np.argsort(logits": "these are the k worst letters. Keep the "
        "largest scores.",
        "return passed.argmax() => return passed.argmax() - 1": "you return the last letter whose "
        "running sum is still at most u. Take the one after it: the first whose sum is larger.",
        "passed = weights.cumsum() > u => return (weights > u).argmax()": "u is compared with the "
        "weights themselves. Compare it with their running sums, np.cumsum.",
        "> u => >= u": "you take the first letter whose running sum is at least u. It should be "
        "larger than u: u can be 0, and then a letter of weight 0 would be drawn.",
        Shows(lambda got, right: right == 2, edge=True): "the exponentials overflow when scores "
        "are large. Subtract the largest score first, as in your own softmax.",
    },
    praise="temperature, the k best and one random number: that is a whole sampler.",
)


# ex-own-writer
def _draw_decoder(rng: Generator) -> tuple[list[int], dict[str, Array]]:
    n, c, h, d_k = (int(size) for size in (rng.integers(2, 6), 5, rng.integers(1, 4), 2))
    d = int(rng.integers(4, 7))
    shapes: dict[str, tuple[int, ...]] = {"E": (c, d), "P": (7, d), "W_o": (h * d_k, d)}
    shapes |= dict.fromkeys(("W_q", "W_k", "W_v"), (h, d, d_k))
    shapes |= {"W_1": (d, 8), "b_1": (8,), "W_2": (8, d), "b_2": (d,), "U": (d, c)}
    p: dict[str, Array] = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    p |= {name: rng.uniform(0.5, 1.5, size=d) for name in ("gain_1", "gain_2", "gain")}
    return rng.integers(c, size=n).tolist(), p


class WriterChecker(FunctionChecker):
    """Checks a function, and lets a right one write names with a trained model."""

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function."""
        finding = super().__call__(function)
        if finding.status != "correct":
            return finding
        names = _some(function)
        if not names:
            return Finding("not yet", _NOT_TRAINED)
        return Finding("correct", f"with your own pieces the trained model writes: {names}.")


def one_block(parameters: Any) -> dict[str, Array]:
    """Return the parameters of a decoder of one block, without the axis over its blocks."""
    alone = {"E", "P", "gain", "U"}
    return {name: W.copy() if name in alone else W[0].copy() for name, W in parameters.items()}


_NOT_TRAINED = (
    "it is right on small models but not on the trained one, whose names grow longer, up to all of "
    "its places. Is there a size in your code that should come from a shape?"
)


def _some(function: Any, names: int = 3, seed: int = 5) -> str:
    """Return names that a function writes with the trained model, or "" where it fails."""
    p, rng = one_block(load_names_model().parameters), default_rng(seed)
    letters = [".", *sorted(set("".join(load_first_names())))]
    written = []
    for _ in range(names):
        text = [0]
        while len(text) < len(p["P"]) and (len(text) == 1 or text[-1] != 0):
            outcome = run(function, (text, p), read_array)
            if not outcome.returned or outcome.value.shape != (len(text), len(letters)):
                return ""
            text.append(CHOOSE.model(outcome.value[-1], 0.8, len(letters), rng.random()))
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

EXERCISES["ex-own-writer"] = WriterChecker(
    gives="one row per token, with a score for each token that may come next",
    right="""
        def next_logits(tokens, p):
            def norm(X, gain):
                return X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + 1e-5) * gain

            n = len(tokens)
            X = p['E'][tokens] + p['P'][:n]
            A = norm(X, p['gain_1'])
            Q, K, V = A @ p['W_q'], A @ p['W_k'], A @ p['W_v']  # one matrix for each head
            scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
            seen = np.where(np.tri(n) == 1, scores, -np.inf)
            powers = np.exp(seen - seen.max(axis=-1, keepdims=True))
            heads = powers / powers.sum(axis=-1, keepdims=True) @ V
            H = X + np.concatenate(heads, axis=-1) @ p['W_o']
            hidden = np.maximum(0, norm(H, p['gain_2']) @ p['W_1'] + p['b_1'])
            T = H + hidden @ p['W_2'] + p['b_2']
            return norm(T, p['gain']) @ p['U']
        """,
    cases=(([1], _TINY), ([0, 1, 1], _TINY)),
    draw=_draw_decoder,
    wrong={
        "np.where(np.tri(n) == 1, scores, -np.inf) => scores": "each letter sees those after it, "
        "so the model is told the answers. Mask the scores: letter i looks at letters j <= i.",
        "+ p['P'][:n] =>": "the places are missing: add P[:n] to the rows of E.",
        "/ np.sqrt(Q.shape[-1]) =>": "the scores are not divided by the root of d_k.",
        "H = X + => H =": "what the heads find replaces X. Add it to X, so that what was there "
        "stays.",
        "T = H + => T =": "what the network returns replaces H. Add it to H.",
        "T = H + hidden @ p['W_2'] + p['b_2'] => T = H": "the feed-forward network is missing "
        "after the heads.",
        "np.maximum(0, norm => (norm": "the hidden layer needs np.maximum(0, …) between the two "
        "matrices.",
        "norm(T, p['gain']) => T": "the last norm is missing: norm with gain before you multiply "
        "by U.",
        "norm(H, p['gain_2']) => H": "the second norm is missing: the network reads norm(H), not "
        "H.",
        "np.concatenate(heads, axis=-1) => heads.reshape(n, -1)": "letters and heads are mixed up: "
        "a plain reshape of (h, n, d_v) does not put the heads of a letter side by side. Swap the "
        "first two axes before it, or use np.concatenate.",
        "* gain =>": "the gains are missing: each norm is multiplied by its own.",
        "return X / => X = X - X.mean(axis=-1, keepdims=True); return X /": "you subtract the "
        "mean, as a layer norm does. This model has an RMS norm: divide by the root of the mean "
        "square, and leave the mean alone.",
    },
    praise="it writes.",
)
