"""Right and wrong answers to the exercises of the chapter "The whole Transformer"."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-absolute"] = Answers(
    right=(
        "W_1 = [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]\nW_2 = [[2, 0, 0], [0, 2, 0], [0, 0, 2]]\n",
    ),
    wrong=(
        WrongAnswer("W_1, W_2 = -np.eye(3), np.eye(3)\n", "Add it twice"),
        WrongAnswer("W_1, W_2 = np.eye(3), 2 * np.eye(3)\n", "W_1 needs a minus"),
        WrongAnswer("W_1, W_2 = np.eye(3), -2 * np.eye(3)\n", "two signs"),
        WrongAnswer("W_1, W_2 = -np.eye(3), -2 * np.eye(3)\n", "W_2 should be positive"),
        WrongAnswer("W_1, W_2 = np.zeros((3, 3)), np.eye(3)\n", "nothing is added"),
        WrongAnswer(
            "W_1 = np.hstack([np.eye(3), -np.eye(3)])\nW_2 = np.vstack([np.eye(3), np.eye(3)])\n",
            "gives |x|",
        ),
        WrongAnswer(
            "W_1 = np.hstack([np.eye(3), -np.eye(3)])\nW_2 = np.vstack([np.eye(3), -np.eye(3)])\n",
            "this doubles every number",
        ),
        WrongAnswer(
            "W_1, W_2 = -np.eye(3), 3 * np.eye(3)\n", "[-5, 1, 2] becomes [10, 1, 2]", "not yet"
        ),
        WrongAnswer("W_1, W_2 = -np.eye(2), 2 * np.eye(2)\n", "W_1 needs 3 rows", "wrong shape"),
        WrongAnswer("W_1, W_2 = -1, 2\n", "W_1 should be a matrix", "wrong shape"),
        WrongAnswer("W_1, W_2 = -np.eye(3), np.abs\n", "W_2 should be a matrix", "wrong shape"),
    ),
)

ANSWERS["ex-block-parameters"] = Answers(
    wrong=(
        WrongAnswer(
            "parameters, share = 3540096, 0.6\n",
            "share is not 0.6. Divide the parameters of the network by all of the block.",
            "not yet",
        ),
    ),
)

ANSWERS["ex-decoder-block"] = Answers(
    wrong=(
        WrongAnswer(
            """\
from attention_lib import causal_mask, multi_head_attention, rms_norm

def decoder_block(Y, encoded, p):
    own = [p[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    return Y + multi_head_attention(rms_norm(Y), *own, mask=causal_mask(len(Y)))
""",
            "take the first",
        ),
    ),
)

ANSWERS["ex-mixture"] = Answers(
    right=(
        """\
from attention_lib import softmax, top_k_mask

def mixture(X, W_r, W_1, W_2, k):
    scores = X @ W_r
    gates = softmax(scores, mask=top_k_mask(scores, k))
    found = np.maximum(0, X @ W_1) @ W_2
    return np.einsum("ij,jik->ik", gates, found)
""",
        """\
def mixture(X, W_r, W_1, W_2, k):
    powers = np.exp(X @ W_r)
    output = np.zeros(X.shape)
    kept = powers * (powers >= np.sort(powers, axis=1)[:, [-k]])
    for e in range(len(W_1)):
        chosen = kept[:, e] > 0
        gate = kept[chosen, e] / kept[chosen].sum(axis=1)
        output[chosen] += gate[:, None] * (np.maximum(0, X[chosen] @ W_1[e]) @ W_2[e])
    return output
""",
    ),
)
