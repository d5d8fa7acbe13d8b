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
            _IMPORT_TRAINING + "small = train(LookUp(d_k=2), steps=40).parameters[-1]\n",
            "95 are needed",
            "not yet",
        ),
    ),
)
