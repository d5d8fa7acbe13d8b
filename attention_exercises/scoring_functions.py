"""Exercises of the chapter "Scoring functions"."""

from bookwork.exercises import (
    Checkers,
    ChoiceChecker,
    FunctionChecker,
    Shows,
    Value,
    Values,
    parts,
    random_case,
    whole,
)
from numpy import array, isnan

from attention_exercises._rules import begin, numbers

EXERCISES: Checkers = {}


EXERCISES["ex-longer-key"] = ChoiceChecker(
    right="c",
    explanations={
        "a": "the softmax sees scores, and no keys. A longer key may score higher or lower.",
        "b": "the other keys did not change, and so their scores did not. If all scores doubled, "
        "the largest weight would grow.",
        "c": "doubled, a negative score is lower still: this key points away from the query.",
        "d": "if all weights fell they would no longer sum to one. What one loses, others gain.",
    },
)

# ex-scaled-score
_WEIGHTS = (
    "these are weights: you applied the softmax already. The exercise asks for the scores, which "
    "come before it."
)


EXERCISES["ex-scaled-score"] = FunctionChecker(
    gives="one score per query and key",
    right="""
        from attention_lib import softmax

        def scaled_scores(Q, K):
            scores = Q @ K.T / np.sqrt(K.shape[1])
            return scores
        """,
    cases=(
        (array([[2.0, 0.0, 1.0, 3.0]]), array([[1.0, 5.0, 0.0, 2.0], [3.0, 1.0, 4.0, 0.0]])),
        (array([[1.0, 2.0], [0.5, -1.0], [3.0, 1.0]]), array([[2.0, 3.0]])),
        (
            array([[1.0, 2.0, 0.0], [0.0, 1.0, 5.0], [2.0, 2.0, 1.0]]),
            array([[1.0, 0.0, 3.0], [2.0, 1.0, 0.0], [4.0, 1.0, 1.0]]),
        ),
    ),
    wrong={
        "/ np.sqrt(K.shape[1]) =>": "the dot products are not divided: this is the plain dot "
        "product. Divide by the root of d_k.",
        "np.sqrt(K.shape[1]) => K.shape[1]": "you divide by d_k itself. The standard deviation of "
        "the dot product is its root.",
        "K.shape[1] => len(K)": "you divide by the root of m, the number of keys. It should be "
        "d_k, how many numbers one key holds: K.shape[1].",
        "K.shape[1] => len(Q)": "you divide by the root of n, the number of queries. It should be "
        "d_k, how many numbers one query holds: Q.shape[1].",
        "/ np.sqrt => * np.sqrt": "you multiply by the root of d_k. The more numbers a vector "
        "holds, the larger its dot products: divide.",
        "Q @ K.T => K @ Q.T": "queries should be rows and keys columns, but yours are the other "
        "way round: Q comes first in the product.",
        "Q @ K.T => Q.T @ K.T": "Q is transposed as well. Its rows are the queries already: Q @ "
        "K.T.",
        "Q @ K.T => Q.T @ K": "Q is transposed instead of K. The last axis of both is d_k: Q @ "
        "K.T.",
        "Q @ K.T => Q @ K": "K is not transposed. The last axis of Q and the first of the second "
        "matrix must both be d_k: Q @ K.T.",
        "Q @ K.T => Q * K": "this multiplies entry by entry and adds nothing up. The dot products "
        "of all pairs are a matrix product: Q @ K.T.",
        "return scores => return softmax(scores)": _WEIGHTS,
    },
    draw=random_case(lambda n, m, d_k: ((n, d_k), (m, d_k))),
    praise="every query meets every key, and the root of d_k keeps the scores small.",
)

_DIVISORS = {
    5: "but 5 is the root of d_k, which is right only for entries of variance one. It "
    "leaves a variance of four.",
    100: "but dividing a score by c divides its variance by c squared. With 100 it "
    "would be a hundredth.",
    0.1: "but this multiplies: you were asked for what to divide by.",
    25: "but 25 is d_k. What is needed is the root of the variance.",
    -10: "and the score's would be one, but divided by -10 a good match gets a low "
    "score. Take the positive root.",
}

EXERCISES["ex-variance"] = Values(
    (
        Value(
            "variance",
            100,
            {
                25: "25 would be right if the entries of the key had variance one. They have "
                "variance four.",
                50: "the standard deviation of the key's entries is two, but variances multiply: "
                "one times four for each product.",
                125: "the variances of the two factors are multiplied, not added: one times four "
                "for each product.",
                4: "that is the variance of one product. The dot product adds up 25 of them.",
                10: "that is the standard deviation. The variance is its square.",
                400: "four is a variance already, so it is not squared.",
                2500: "the products are independent, so their variances add up: 25 times, not 25 "
                "squared.",
            },
            advice="the variance is not {}. What is the variance of one product?",
        ),
        Value(
            "divisor",
            10,
            begin("the variance is right, ", _DIVISORS),
            advice="the variance is right, but with {} the score's variance is not one.",
        ),
    ),
    praise="25 products of variance four add up to 100, and its root is 10.",
)


# ex-additive-score
def _network(n: int, m: int, d_q: int, d_k: int, d_h: int) -> list[tuple[int, ...]]:
    return [(n, d_q), (m, d_k), (d_q, d_h), (d_k, d_h), (d_h,), (d_h,)]


EXERCISES["ex-additive-score"] = FunctionChecker(
    gives="one score per query and key",
    right="""
        from attention_lib import softmax

        def additive_scores(Q, K, W_q, W_k, w_v, b):
            pairs = (Q @ W_q)[:, None, :] + (K @ W_k)[None, :, :]
            scores = np.tanh(pairs + b) @ w_v
            return scores
        """,
    cases=(
        (
            array([[1.0]]),
            array([[0.5], [-2.0]]),
            array([[0.5]]),
            array([[1.0]]),
            array([2.0]),
            array([0.25]),
        ),
        numbers(1, *_network(n=2, m=2, d_q=2, d_k=3, d_h=2)),
        numbers(2, *_network(n=3, m=2, d_q=2, d_k=1, d_h=3)),
    ),
    wrong={
        "np.tanh(pairs => (pairs": "the tanh is missing. Without it the network is linear, and the "
        "query drops out of the softmax: it adds the same to every key.",
        "np.tanh(pairs + b) @ w_v => np.tanh((pairs + b) @ w_v)": "the tanh comes last in your "
        "score. It bends the hidden layer; w_v is applied after it.",
        "pairs + b => pairs": "the bias is missing: add b inside the tanh.",
        "np.tanh(pairs + b) => (np.tanh(pairs) + b)": "the bias is outside the tanh. Add it to the "
        "two projections, before the tanh.",
        "np.tanh(pairs + b) @ w_v => np.tanh(pairs) @ w_v + b": "the bias comes after w_v. Add it "
        "to the two projections, before the tanh.",
        " @ w_v => .sum(axis=-1)": "the hidden layer is added up without w_v. Multiply by it: @ "
        "w_v.",
        "Q @ W_q => Q @ W_k ;; K @ W_k => K @ W_q": "W_q and W_k have changed places: W_q belongs "
        "to the queries.",
        "@ w_v => * w_v": "these are the hidden layers of all pairs, bent and weighted but not "
        "added up. One pair should give one number: a product with w_v.",
        "return scores => return scores.T": "queries should be rows and keys columns, but yours "
        "are the other way round.",
        "(Q @ W_q)[:, None, :] + (K @ W_k)[None, :, :] => Q @ W_q + K @ W_k": "queries and keys "
        "are added row by row, so query i meets key i only. Every query should meet every key: "
        "give each an axis of its own, [:, None, :] and [None, :, :].",
        "return scores => return softmax(scores)": _WEIGHTS,
    },
    draw=random_case(_network),
    praise="one small network per pair, and queries and keys may differ in size.",
)

# ex-thin
_NOT_SQUARE = (
    "W has one row for each entry of the query and one column for each entry of the key, so it is "
    "not square here."
)
_ROWS_AND_COLUMNS = "How many rows and columns does a matrix have here?"

_THIN = {
    20_000: "thin counts one matrix only, and there are two: W_k is left out.",
    10_000: "thin counts one matrix only, and there are two: W_q is left out.",
    80_000: "thin is the size of the product of the two. Only the two thin matrices are stored.",
    4_000_000: "thin multiplies all three sizes. Count each of the two matrices and add.",
    200_000_000: "thin multiplies the two matrices' sizes. Both are stored: add them.",
    650: "thin adds up the sizes. A matrix holds rows times columns.",
}

EXERCISES["ex-thin"] = Values(
    (
        Value(
            "full",
            80_000,
            {
                600: "W has a number for each entry of the query and each entry of the key: "
                "multiply the two sizes.",
                160_000: _NOT_SQUARE,
                40_000: _NOT_SQUARE,
            },
            advice="full is not {}. " + _ROWS_AND_COLUMNS,
        ),
        Value(
            "thin",
            30_000,
            begin("full is right, but ", _THIN),
            advice="full is right, but thin is not {}. " + _ROWS_AND_COLUMNS,
        ),
    ),
    praise="400 · 200 numbers in one matrix, (400 + 200) · 50 in two thin ones.",
)

EXERCISES["ex-squeeze-excite"] = FunctionChecker(
    gives="an array of the shape of X",
    right="""
        from attention_lib import softmax

        def squeeze_excite(X, W_1, W_2):
            hidden = np.maximum(0, X.mean(axis=0) @ W_1)
            gates = 1 / (1 + np.exp(-(hidden @ W_2)))
            return X * gates
        """,
    cases=(
        (array([[1.0, 2.0], [3.0, -6.0]]), array([[1.0], [0.5]]), array([[2.0, -1.0]])),
        numbers(4, (2, 3), (3, 2), (2, 3)),
        numbers(5, (3, 2), (2, 2), (2, 2)),
    ),
    wrong={
        "X * gates => gates": "these are the gates. Multiply each channel of X by its gate.",
        "X.mean(axis=0) => X": "the squeeze is missing: every position makes gates of its own. "
        "Average over the positions first, axis 0.",
        "np.maximum(0, X.mean(axis=0) @ W_1) => X.mean(axis=0) @ W_1": "this cuts nothing off "
        "between the two matrices: the maximum with 0 is missing.",
        "1 / (1 + np.exp(-(hidden @ W_2))) => softmax(hidden @ W_2)": "the gates go through a "
        "softmax, so that they compete and sum to one. Here each gate is a sigmoid of its own.",
        "1 / (1 + np.exp(-(hidden @ W_2))) => hidden @ W_2": "the sigmoid is missing: a gate lies "
        "between 0 and 1.",
        "X.mean => X.sum": "you add up the positions instead of averaging them. The squeeze should "
        "not depend on how many positions an image has.",
        "axis=0 => axis=1": "the average is taken over the channels, axis 1. The squeeze averages "
        "over the positions, axis 0, and keeps the channels.",
    },
    draw=random_case(lambda n, d, d_h: ((n, d), (d, d_h), (d_h, d))),
    praise="each channel passes through a gate of its own. Now compare your answers with the "
    "solution.",
)


EXERCISES["ex-choose-score"] = ChoiceChecker(
    right="d",
    explanations={
        "a": "a dot product needs two vectors of the same size, and these have 512 and 300 "
        "numbers.",
        "b": "scaling changes how large the scores are, not which vectors can be compared: 512 and "
        "300 numbers have no dot product.",
        "c": "it can compare the two, and learn how, but it runs a tanh layer for each of millions "
        "of pairs. Another one fits as well and is a single matrix product.",
        "d": "a learned matrix stands between the two sizes, and all pairs are one matrix product.",
    },
)

EXERCISES["ex-sparse-attention"] = FunctionChecker(
    gives="two things, an output of one row per query and a share",
    right="""
        def sparse_attention(Q, K, V, window, stride):
            apart = np.arange(len(Q))[:, None] - np.arange(len(K))
            local, strided = abs(apart) < window, apart % stride == 0
            mask = local | strided
            scores = Q @ K.T / np.sqrt(K.shape[1])
            hidden = np.where(mask, scores, -np.inf)
            powers = np.exp(hidden - hidden.max(axis=1, keepdims=True))
            weights = powers / powers.sum(axis=1, keepdims=True)
            return np.nan_to_num(weights) @ V, mask.mean()
        """,
    cases=(
        (
            array([[1.0, 0.0, 2.0, 1.0]] * 2),
            array([[2.0, 1.0, 0.0, 1.0], [0.0, 3.0, 1.0, 2.0]]),
            array([[10.0], [20.0]]),
            1,
            2,
        ),
        (*numbers(6, (5, 2), (5, 2), (5, 2)), 2, 3),
        (*numbers(7, (4, 3), (8, 3), (8, 1)), 2, 4),
    ),
    edges=(
        (
            array([[1000.0, 0.0], [0.0, 1000.0], [500.0, 500.0]]),
            array([[2.0, 1.0], [1.0, 2.0], [-2.0, -1.0]]),
            array([[1.0], [2.0], [3.0]]),
            1,
            2,
        ),
        (array([[1.0], [2.0]]), array([[1.0], [2000.0]]), array([[1.0], [2.0]]), 1, 2),
        (array([[-1e15], [1.0]]), array([[1.0], [0.0]]), array([[1.0], [2.0]]), 1, 2),
    ),
    output=parts("the output", "the share"),
    wrong={
        "np.where(mask, scores, -np.inf) => scores ;; np.nan_to_num(weights) => "
        "(weights * mask)": "the mask comes after the softmax, so the weights that are "
        "left no longer sum to one. Hide the scores, then take the softmax.",
        "np.where(mask, scores, -np.inf) => scores ;; return np.nan_to_num(weights) => "
        "weights *= mask; return weights / weights.sum(axis=1, keepdims=True)": "where a "
        "hidden pair has by far the largest score, the softmax leaves nothing for the others, and "
        "0/0 is NaN. Hide the scores before the softmax, not the weights after it.",
        "-np.inf => -1e9": "a hidden pair got weight, because a score that counts was still lower "
        "than the number in its place. Only -np.inf always hides.",
        "np.where(mask, scores, -np.inf) => scores * mask": "hidden scores are set to 0, but a "
        "score of 0 still gets a weight. Set them to -np.inf, or pass the mask to softmax.",
        "np.where(mask, scores, -np.inf) => scores": "the share is right, but the mask has no "
        "effect: every query looks at every key.",
        "/ np.sqrt(K.shape[1]) =>": "the scores are not divided by the root of d_k: this is the "
        "plain dot product.",
        (
            "hidden.max(axis=1 => hidden.max(axis=0 ;; powers.sum(axis=1 => powers.sum(axis=0",
            "hidden.max(axis=1 => hidden.max(axis=0 ;; powers.sum(axis=1 => powers.sum(axis=0 ;; "
            "np.nan_to_num(weights) => weights",
        ): "the softmax runs over the queries. Every query shares out its weight among the keys, "
        "along the last axis.",
        (
            "local | strided => local & strided",
            "local | strided => local & strided ;; np.nan_to_num(weights) => weights",
        ): "a pair must be in both of your patterns. It may look if it is in the window or on the "
        "stride: combine the two masks with |.",
        (
            "local | strided => local",
            "local | strided => local ;; np.nan_to_num(weights) => weights",
        ): "this is the window alone. A query may also look at places a multiple of stride away.",
        "local | strided => strided": "this is the stride alone. A query may also look at places "
        "fewer than window away.",
        "< window => <= window": "your window is one place too wide: fewer than window places "
        "away, not up to window.",
        "abs(apart) => apart": "your window has no end on one side: take the distance, np.abs(i - "
        "j).",
        (
            "< window => <= window // 2",
            "< window => < max(1, window // 2)",
        ): "your window reaches half as far as it should: fewer than window places away, on either "
        "side.",
        "mask.mean() => 1 - mask.mean()": "the output is right, but the share is that of the "
        "hidden pairs. The exercise asks for the share that may look.",
        "mask.mean() => local.mean() + strided.mean()": "the output is right, but the share adds "
        "up both patterns, and pairs that are in both count twice. Take the mean of the joint "
        "mask.",
        "mask.mean() => mask.sum()": "the output is right, but this is how many pairs may look. "
        "Divide by the number of all pairs.",
        Shows(lambda got, right: bool(isnan(got[0]).any()), edge=True): "large scores overflow. "
        "Subtract the largest score of each row before the exponential, or use softmax.",
    },
    draw=random_case(
        lambda n, m, d_k, d_v: ((n, d_k), (m, d_k), (m, d_v), whole(1, 6), whole(2, m + 1))
    ),
    praise="every query looks near, and now and then far, at the pairs that your share counts.",
)
