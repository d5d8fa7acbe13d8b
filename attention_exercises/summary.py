"""Exercises of the chapter "Summary"."""

from typing import Any

from bookwork.exercises import (
    Array,
    Checkers,
    ChoiceChecker,
    Finding,
    FunctionChecker,
    Shows,
    Value,
    Values,
    parts,
    random_case,
    whole,
)
from numpy import array, isnan, ones

from attention_exercises._rules import begin, numbers

EXERCISES: Checkers = {}


EXERCISES["ex-tell-the-path"] = ChoiceChecker(
    "b",
    {
        "a": "add what is missing, in a sentence of your own, before you open the solution.",
        "b": "your text makes all five points. If you can explain it, you have understood it.",
    },
)

# ex-shapes-on-the-way
_ADVICE = " has no shape {}: count rows and columns."


def _shape(name: str, right: tuple[int, ...], others: dict[tuple[int, ...], str]) -> Value:
    return Value(name, right, begin(f"{name}: ", others), advice=name + _ADVICE)


EXERCISES["ex-shapes-on-the-way"] = Values(
    (
        _shape(
            "queries",
            (10, 16),
            {
                (10, 8): "64 / 8 is a common choice for the size of a query, but here d_k is "
                "given: 16.",
                (8, 10, 16): "those are the queries of all heads; one head has 10 rows of size 16.",
                (10, 64): "that is X. The head multiplies it by its W_q, of shape (64, 16).",
                (16, 10): "there is one row for each token, so it is the other way round.",
            },
        ),
        _shape(
            "weights",
            (8, 10, 10),
            {
                (10, 10): "that is one head. There are 8 of them, and heads come first.",
                (10, 10, 8): "heads come first: (heads, queries, keys).",
                (8, 10, 16): "those are the queries. A weight belongs to a head, a query and a "
                "key.",
                (8, 10, 12): "those are the heads' outputs. A weight belongs to a head, a query "
                "and a key.",
            },
        ),
        _shape(
            "end_to_end",
            (10, 96),
            {
                (10, 128): "8 × 16 would be the queries side by side. What is laid end to end are "
                "averages of values, of size 12 each.",
                (10, 12): "that is the output of one head; 8 of them stand side by side.",
                (80, 12): "the heads stand side by side, so the rows stay one for each token.",
                (10, 64): "64 comes only after W_o. Before it, 8 outputs of size 12 stand side by "
                "side.",
            },
        ),
        _shape(
            "output",
            (10, 64),
            {
                (10, 96): "that is before W_o, which brings the vectors back to size 64.",
                (8, 10, 64): "the heads were laid end to end before W_o: no axis of heads is left.",
            },
        ),
    ),
    praise="10 tokens go in and 10 come out; only the sizes change.",
)

# ex-cross-attention
Result = tuple[Array, Array]


def _case(seed: int, n: int, m: int, d: int, d_k: int, d_v: int, length: int) -> tuple[Any, ...]:
    return *numbers(seed, (n, d), (m, d), (d, d_k), (d, d_k), (d, d_v)), length


BOTH = parts("the output", "the weights")


_TWO_SENTENCES = """
        def cross_attention(X, C, W_q, W_k, W_v, length):
            Q, K, V = X @ W_q, C @ W_k, C @ W_v
            scores = Q @ K.T / np.sqrt(K.shape[1])
            seen = np.arange(len(K)) < length
            hidden = np.where(seen, scores, -np.inf)
            top = hidden.max(axis=1, keepdims=True)
            powers = np.exp(hidden - np.where(top == -np.inf, 0, top))
            sums = powers.sum(axis=1, keepdims=True)
            weights = powers / np.where(sums > 0, sums, 1)
            return weights @ V, weights
        """

_ROLES = FunctionChecker(  # where both sentences are as long
    gives="the output and the weights",
    right=_TWO_SENTENCES,
    cases=(_case(3, n=3, m=3, d=4, d_k=2, d_v=2, length=3),),
    output=BOTH,
    wrong={
        "X @ W_q, C @ W_k, C @ W_v => C @ W_q, X @ W_k, X @ W_v": "the roles are swapped: the "
        "translation X asks, so it makes the queries; the source C makes keys and values.",
        "C @ W_v => X @ W_v": "the values come from X. What is carried away lies behind the keys, "
        "so the values are made from the source, C.",
        "C @ W_k => X @ W_k": "the keys come from X. What the translation is compared with is the "
        "source, so the keys are made from C.",
        "C @ W_k => X @ W_k ;; C @ W_v => X @ W_v": "all three come from X: this is "
        "self-attention. Keys and values are made from the source, C.",
        "X @ W_q => C @ W_q": "all three come from C: this is self-attention of the source. The "
        "queries are made from X.",
    },
    praise="the roles are right.",
)


class CrossChecker(FunctionChecker):
    """Checks a function, and sees whether a wrong answer mixes up the roles."""

    def __call__(self, function: Any) -> Finding:
        """Judge the reader's function."""
        finding = super().__call__(function)
        roles = finding if finding.status == "correct" else _ROLES(function)
        return roles if roles.message in (_ROLES.wrong or {}).values() else finding


EXERCISES["ex-cross-attention"] = CrossChecker(
    gives="the output and the weights",
    right=_TWO_SENTENCES,
    cases=(
        _case(0, n=1, m=2, d=2, d_k=2, d_v=1, length=2),
        _case(1, n=3, m=4, d=3, d_k=2, d_v=2, length=2),
        _case(2, n=4, m=6, d=5, d_k=3, d_v=2, length=4),
    ),
    edges=(
        (ones((2, 2)), 30 * ones((3, 2)), *(10 * array([[1.0, 0], [0, 1]]),) * 2, ones((2, 1)), 2),
        (ones((2, 2)), ones((3, 2)), ones((2, 1)), ones((2, 1)), ones((2, 2)), 0),
        (ones((1, 1)), array([[1.0], [2000.0]]), *(ones((1, 1)),) * 3, 1),
        (-1e15 * ones((1, 1)), array([[1.0], [0.0]]), *(ones((1, 1)),) * 3, 1),
    ),
    output=BOTH,
    draw=random_case(
        lambda n, m, d, d_k, d_v: ((n, d), (m, d), (d, d_k), (d, d_k), (d, d_v), whole(1, m + 1)),
        scale=0.5,
    ),
    wrong={
        "np.where(seen, scores, -np.inf) => scores": "the padding is looked at too. Only the first "
        "length tokens of C are real.",
        "np.where(seen, scores, -np.inf) => scores ;; return weights => "
        "weights = weights * seen; return weights": "the weights of the padding are set to "
        "zero after the softmax, so the rows no longer sum to one. Mask the scores, before it.",
        "scores, -np.inf => scores, 0": "a score of zero is not no score: exp(0) is 1, so the "
        "padding still counts. Give it minus infinity, or hand softmax a mask.",
        "/ np.sqrt(K.shape[1]) =>": "the scores are not divided by the square root of d_k.",
        "K.shape[1] => X.shape[1]": "the scores are divided by the square root of d, the size of a "
        "token. Divide by that of d_k, the size of a query.",
        "weights @ V, weights => weights, weights @ V": "the output comes first, then the weights.",
        "< length => >= length": "the mask is upside down: the first length tokens are real, the "
        "rest is padding.",
        "< length => <= length": "one token of padding is looked at. Counted from 0, the real ones "
        "are those below length.",
        "hidden.max(axis=1 => hidden.max(axis=0 ;; powers.sum(axis=1 => powers.sum(axis=0": "the "
        "softmax runs over the tokens of the translation. Each of them shares out its weight among "
        "those of the source: use the last axis.",
        Shows(
            lambda got, right: (
                bool(right[1][0, 0] == 1 and got[1][0, 0] != 1) and not got[1][0, 1] > 0
            ),
            edge=True,
        ): "where the padding has by far the largest score, the softmax "
        "leaves nothing for the real tokens. Hide the scores before the softmax, not the weights "
        "after it.",
        Shows(lambda got, right: bool(right[1][0, 0] == 1 and got[1][0, 1] > 0), edge=True): "the "
        "padding got weight, because the score of a real token was still lower than the number in "
        "its place. Only -np.inf always hides.",
        Shows(lambda got, right: right[1].any() and bool(isnan(got[1]).any()), edge=True): "large "
        "scores overflow in the exponential. Subtract the largest score of each row first, or use "
        "the library's softmax.",
        Shows(lambda got, right: not right[1].any() and bool(isnan(got[1]).any()), edge=True): "a "
        "row that may look at nothing gives 0/0, which is NaN. If length is zero, output and "
        "weights should be zero; the mask= of the library's softmax does that.",
        Shows(lambda got, right: not right[1].any() and bool(got[1].any()), edge=True): "if length "
        "is zero, nothing may be looked at, but the weights are not zero. A large negative number "
        "hides only as long as something else is left to look at.",
    },
    praise="the translation looks at the source, and never at its padding.",
)

EXERCISES["ex-spot-the-error"] = ChoiceChecker(
    right="d",
    explanations={
        "a": "large scores are still large after that. What prevents overflow is subtracting the "
        "largest score; the division keeps the scores' spread near one.",
        "b": "zeroed weights leave a row that no longer sums to one. A mask on the scores lets the "
        "softmax share the whole weight among the rest.",
        "c": "a picture of weights does not prove that: the same head may look there for another "
        "reason, such as a habit of looking at nouns.",
        "d": "every output is a weighted sum over the words, and a sum does not depend on the "
        "order of its terms.",
    },
)
