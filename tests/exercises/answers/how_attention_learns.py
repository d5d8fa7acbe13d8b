"""Answers to the exercises of "How attention learns": right ones, and wrong ones readers give."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-jacobian"] = Answers(
    right=(
        """\
alpha = np.array([0.7, 0.2, 0.1])
change = (np.diag(alpha) - np.outer(alpha, alpha))[1] @ [1, 0, 1]
""",
    ),
    wrong=(
        WrongAnswer("change = np.zeros((3, 3))\n", "the answer is one number", "wrong shape"),
        WrongAnswer('change = "-0.16"\n', "the answer is one number", "wrong shape"),
        WrongAnswer("change = 0.5\n", "it is not 0.5", "not yet"),
    ),
)


def _backward(result: str) -> str:
    return f"""\
def back_through_softmax(weights, d_weights, T):
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)
    return {result}
"""


ANSWERS["ex-softmax-backward"] = Answers(
    wrong=(
        WrongAnswer(
            _backward(
                "[d @ (np.diag(w) - np.outer(w, w)) / T for w, d in zip(weights, d_weights)]"
            ),
            "a whole Jacobian is built",
        ),
    ),
)


def _slope(
    result: str = "(V - w @ V).T * w @ (K - w @ K) / root",
    scores: str = "K @ q / root",
    done: str = "[True] * 4",
) -> str:
    return f"""\
def slope(q, K, V):
    root = np.sqrt(len(q))
    w = softmax({scores})
    return {result}


done = {done}
"""


_NUDGED = "you nudge the query"

ANSWERS["ex-covariance"] = Answers(
    wrong=(
        WrongAnswer(
            """\
from attention_lib import attention

def slope(q, K, V):
    f = lambda x: attention(x[None], K, V)[0][0]
    return np.stack([(f(q + e) - f(q - e)) / 2e-5 for e in 1e-5 * np.eye(len(q))], axis=1)

done = [True] * 4
""",
            _NUDGED,
        ),
        WrongAnswer(
            _slope(done="[True, False, False, False]"),
            "point 2 is still open: by the Jacobian",
            "not yet",
        ),
        WrongAnswer(
            _slope(done="True"), "done should have 4 entries, True or False", "wrong shape"
        ),
    ),
)


_BY_HAND = """\
angle = 2 * np.pi * np.arange(12) / 12
circle = np.column_stack([np.cos(angle), np.sin(angle)])
nothing = np.zeros((12, 12))
small = {
    "W_q": 90 * circle,
    "W_k": np.vstack([circle, nothing[:, :2]]),
    "W_v": np.vstack([nothing, 9 * np.eye(12)]),
}
"""
_IMPORT_TRAINING = "from attention_lib.training import LookUp, train\n\n"

ANSWERS["ex-small-head"] = Answers(
    right=(
        _IMPORT_TRAINING
        + """\
small = train(LookUp(d_k=2), seed=0, steps=200, rate=0.1, every=200).parameters[-1]
small["W_q"] = 3 * small["W_q"]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
small = {"W_q": [[1.0], [1.0, 2.0]], "W_k": np.ones((6, 2)), "W_v": np.ones((4, 4))}
""",
            "W_q should be an array of numbers",
            "wrong shape",
        ),
        WrongAnswer(
            _IMPORT_TRAINING + "run = train(LookUp(d_k=2), seed=0)\nsmall = run.parameters[-1]\n",
            "the rows are blurred",
            "not yet",
        ),
        WrongAnswer(
            _IMPORT_TRAINING
            + "small = train(LookUp(d_k=2), rate=30.0, every=100).parameters[-1]\n",
            "The steps were too long",
        ),
        WrongAnswer(
            _IMPORT_TRAINING + "small = train(LookUp(d_k=2), rate=1.0, every=100).parameters[-1]\n",
            "The steps were too long",
        ),
        WrongAnswer(
            _IMPORT_TRAINING
            + """\
run = train(LookUp(d_k=2), seed=0, steps=10)
small = run.parameters[0]
""",
            "Has anything been learned?",
        ),
        WrongAnswer(
            _BY_HAND + 'small["W_v"] = small["W_v"][::-1]\n', "W_v hands out the wrong thing"
        ),
        WrongAnswer(_BY_HAND + 'small["W_q"] = -small["W_k"][:12]\n', "steps must go downhill"),
        WrongAnswer(_BY_HAND + 'small["W_q"] = np.full((12, 2), np.inf)\n', "a lower rate"),
        WrongAnswer(
            _IMPORT_TRAINING + "small = train(LookUp(d_k=8), steps=5).parameters[-1]\n",
            "W_q should have shape (12, 2), for queries and keys of size two, but has shape "
            "(12, 8)",
            "wrong shape",
        ),
        WrongAnswer(
            _IMPORT_TRAINING + "small = train(LookUp(d_k=2), steps=5)\n",
            "pass a dictionary with the matrices",
            "wrong shape",
        ),
        WrongAnswer(
            'small = {"W_q": 1, "W_k": 2, "W_v": 3}\n',
            "should be an array of numbers",
            "wrong shape",
        ),
        WrongAnswer(
            _IMPORT_TRAINING + "small = train(LookUp(d_k=2), steps=40).parameters[-1]\n",
            "95 are needed",
            "not yet",
        ),
    ),
)
