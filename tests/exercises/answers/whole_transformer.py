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
    right=("parameters, share = 3_540_096, 0.75\n",),
    wrong=(
        WrongAnswer("parameters, share = 1_000_000, 0.75\n", "is not 1000000", "not yet"),
        WrongAnswer("parameters, share = 3_540_096, 0.5\n", "share is not 0.5", "not yet"),
        WrongAnswer("parameters, share = 'many', 0.5\n", "is one number", "wrong shape"),
        WrongAnswer("parameters, share = 3_540_096, float('nan')\n", "is not nan", "not yet"),
    ),
)

_IMPORTS = "from attention_lib import attention, gelu, layer_norm, merge_heads, softmax\n\n"
_STEPS = {
    "project": 'Q, K, V = (X @ p["W_" + r] + p["b_" + r][:, None] for r in "qkv")',
    "found": 'found = merge_heads(attention(Q, K, V)[0]) @ p["W_o"] + p["b_o"]',
    "first": 'H = layer_norm(X + found, p["gain_1"], p["bias_1"])',
    "hidden": 'hidden = gelu(H @ p["W_1"] + p["b_1"])',
    "thought": 'thought = hidden @ p["W_2"] + p["b_2"]',
    "last": 'return layer_norm(H + thought, p["gain_2"], p["bias_2"])',
}


def _block(**changed: str) -> str:
    """Return the solution with some of its lines replaced."""
    lines = "\n    ".join((_STEPS | changed).values())
    return f"{_IMPORTS}def my_block(X, p):\n    {lines}\n"


ANSWERS["ex-block"] = Answers(
    wrong=(
        WrongAnswer(
            _block(found='p["W_o"] *= 1\n    ' + _STEPS["found"] + '\n    p["b_o"] += 1'),
            "changed its input p",
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
