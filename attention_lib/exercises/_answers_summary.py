"""Right and wrong answers to the exercises of the chapter "Summary"."""

from attention_lib.exercises._table import Answers, WrongAnswer

TELL_THE_PATH = Answers(
    solution="done = [True, True, True, True, True]\n",
    others=("done = (True,) * 5\n", "done = [not False for _ in range(5)]\n"),
    wrong=(
        WrongAnswer("done = [True, True, False, True, True]\n", "point 3 is still open", "not yet"),
        WrongAnswer('done = ["yes"] * 5\n', "point 1 of done is 'yes'"),
        WrongAnswer("done = [False] * 5\n", "point 1 is still open", "not yet"),
        WrongAnswer("done = True\n", "done should hold 5 times True or False", "wrong shape"),
        WrongAnswer("done = [True] * 4\n", "done should hold 5 times True or False", "wrong shape"),
    ),
)


def _shapes(
    queries: str = "(10, 16)",
    weights: str = "(8, 10, 10)",
    end_to_end: str = "(10, 96)",
    output: str = "(10, 64)",
) -> str:
    return f"{queries = !s}\n{weights = !s}\n{end_to_end = !s}\n{output = !s}\n"


SHAPES = Answers(
    solution=_shapes(),
    others=(
        _shapes("[10, 16]", "[8, 10, 10]", "[10, 96]", "[10, 64]"),
        _shapes(end_to_end="(10, 8 * 12)"),
    ),
    wrong=(
        WrongAnswer(_shapes(queries="(10, 8)"), "here d_k is given: 16"),
        WrongAnswer(_shapes(queries="(8, 10, 16)"), "queries of all heads"),
        WrongAnswer(_shapes(queries="(10, 64)"), "queries: that is X"),
        WrongAnswer(_shapes(queries="(16, 10)"), "the other way round"),
        WrongAnswer(_shapes(weights="(10, 10)"), "that is one head"),
        WrongAnswer(_shapes(weights="(10, 10, 8)"), "heads come first"),
        WrongAnswer(_shapes(weights="(8, 10, 16)"), "weights: those are the queries"),
        WrongAnswer(_shapes(weights="(8, 10, 12)"), "those are the heads' outputs"),
        WrongAnswer(_shapes(end_to_end="(10, 128)"), "queries side by side"),
        WrongAnswer(_shapes(end_to_end="(10, 12)"), "8 of them stand side by side"),
        WrongAnswer(_shapes(end_to_end="(80, 12)"), "rows stay one for each token"),
        WrongAnswer(_shapes(end_to_end="(10, 64)"), "64 comes only after W_o"),
        WrongAnswer(_shapes(output="(10, 96)"), "that is before W_o"),
        WrongAnswer(_shapes(output="(8, 10, 64)"), "no axis of heads is left"),
        WrongAnswer(_shapes(output="(64, 10)"), "count rows and columns", "not yet"),
        WrongAnswer(_shapes(output="640"), "should be a shape such as (3, 4)", "wrong shape"),
    ),
)


def _cross(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def cross_attention(X, C, W_q, W_k, W_v, length):\n{body}"


_PROJECT = "Q, K, V = X @ W_q, C @ W_k, C @ W_v"
_SCALE = "scores = Q @ K.T / np.sqrt(K.shape[1])"
_REAL = "real = np.arange(len(C)) < length"
_RETURN = "return weights @ V, weights"

CROSS_ATTENTION = Answers(
    solution=_cross(_PROJECT, _SCALE, _REAL, "weights = softmax(scores, mask=real[None])", _RETURN),
    others=(
        _cross(
            "C, m = C[:length], len(C)",
            _PROJECT,
            "weights = np.zeros((len(X), m))",
            "weights[:, :length] = softmax(Q @ K.T / np.sqrt(W_q.shape[1]))",
            "return weights[:, :length] @ V, weights",
        ),
        "from attention_lib import attention\n\n"
        + _cross(_REAL, "return attention(X @ W_q, C @ W_k, C @ W_v, mask=real[None])"),
    ),
    wrong=(
        WrongAnswer(
            _cross(_PROJECT, _SCALE, "weights = softmax(scores)", _RETURN),
            "padding is looked at too",
        ),
        WrongAnswer(
            _cross(
                _PROJECT, _SCALE, "weights = softmax(scores)", "weights[:, length:] = 0", _RETURN
            ),
            "Mask the scores, before it",
        ),
        WrongAnswer(
            _cross(
                _PROJECT, _SCALE, "scores[:, length:] = 0", "weights = softmax(scores)", _RETURN
            ),
            "a score of zero is not no score",
        ),
        WrongAnswer(
            _cross(_PROJECT, _REAL, "weights = softmax(Q @ K.T, mask=real[None])", _RETURN),
            "not divided by the square root of d_k",
        ),
        WrongAnswer(
            _cross(
                _PROJECT,
                _REAL,
                "weights = softmax(Q @ K.T / np.sqrt(X.shape[1]), mask=real[None])",
                _RETURN,
            ),
            "Divide by that of d_k",
        ),
        WrongAnswer(
            _cross(
                _PROJECT,
                _SCALE,
                _REAL,
                "weights = softmax(scores, mask=real[None])",
                "return weights, weights @ V",
            ),
            "the output comes first",
        ),
        WrongAnswer(
            _cross(
                _PROJECT,
                _SCALE,
                "real = np.arange(len(C)) < length - 1",
                "weights = softmax(scores, mask=real[None])",
                _RETURN,
            ),
            "it should return",
            "not yet",
        ),
        WrongAnswer(_cross("return X @ W_q"), "the output and the weights", "wrong shape"),
    ),
)

SPOT_THE_ERROR = Answers(
    solution='answer = "c"\n',
    others=('answer = "C"\n', 'answer = "(c)"\n'),
    wrong=(
        WrongAnswer('answer = "a"\n', "subtracting the largest score"),
        WrongAnswer('answer = "b"\n', "no longer sums to one"),
        WrongAnswer('answer = "d"\n', "does not prove that"),
        WrongAnswer("answer = None, 3\n", 'one of "a", "b", "c", "d"', "wrong shape"),
    ),
)
