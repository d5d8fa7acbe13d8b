"""Right and wrong answers to the exercises of the chapter "The whole Transformer"."""

from answers import Answers, WrongAnswer

ANSWERS = {}


def _norm(
    centred: str = "X - X.mean(-1, keepdims=True)",
    spread: str = "X.std(-1, keepdims=True)",
    result: str = "centred / spread * gain + bias",
) -> str:
    return f"""\
def my_norm(X, gain, bias):
    centred, spread = {centred}, {spread}
    return {result}
"""


ANSWERS["ex-norm"] = Answers(
    right=(
        """\
def my_norm(X, gain, bias):
    output = np.empty_like(X)
    for i, row in enumerate(X):
        centred = row - sum(row) / len(row)
        output[i] = gain * centred / np.sqrt(np.mean(centred**2)) + bias
    return output
""",
        _norm("X.T - X.mean(axis=1)", "X.std(axis=1)", "(centred / spread).T * gain + bias"),
    ),
    wrong=(
        WrongAnswer(_norm(spread="X.std(axis=-1)"), "deviation of each row lost its axis"),
        WrongAnswer(_norm("X - X.mean(axis=-1)", "X.std(axis=-1)"), "lost its axis"),
        WrongAnswer(_norm("X - X.mean(axis=0)", "X.std(axis=0)"), "down the columns"),
        WrongAnswer(_norm("X - X.mean()", "X.std()"), "over all numbers of the matrix"),
        WrongAnswer(_norm(spread="X.var(-1, keepdims=True)"), "divides by the variance"),
        WrongAnswer(_norm(spread="X.std(-1, keepdims=True, ddof=1)"), "divided by d - 1"),
        WrongAnswer(_norm("X"), "mean of the row is not"),
        WrongAnswer(_norm("X", "np.sqrt((X**2).mean(-1, keepdims=True))"), "this is the RMS norm"),
        WrongAnswer(_norm(result="(centred / spread + bias) * gain"), "added before the gain"),
        WrongAnswer(
            _norm(spread="np.sqrt(X.var(-1, keepdims=True) + 1e-5)"), "a small number is added"
        ),
        WrongAnswer(
            """\
from attention_lib import layer_norm

def my_norm(X, gain, bias):
    return layer_norm(X, gain, bias, eps=0)
""",
            "library's own layer_norm",
        ),
    ),
)


def _half(result: str) -> str:
    return f"""\
from attention_lib import rms_norm

def half_block(X, heads):
    return {result}
"""


ANSWERS["ex-keep-stream"] = Answers(
    right=(
        """\
def half_block(X, heads):
    A = X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + 1e-5)
    return heads(A) + X
""",
        _half("np.add(X, heads(rms_norm(X)))"),
    ),
    wrong=(
        WrongAnswer(_half("rms_norm(X) + heads(rms_norm(X))"), "still replaces the stream"),
        WrongAnswer(_half("rms_norm(X + heads(X))"), "after the addition"),
        WrongAnswer(_half("X + rms_norm(heads(X))"), "what the heads found is normed"),
        WrongAnswer(_half("rms_norm(X + heads(rms_norm(X)))"), "once more at the end"),
    ),
)

ANSWERS["ex-absolute"] = Answers(
    right=(
        "W_1 = [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]\nW_2 = [[2, 0, 0], [0, 2, 0], [0, 0, 2]]\n",
        "order = np.eye(3)[[2, 0, 1]]\nW_1, W_2 = -order.T, 2 * order\n",
        "W_1, O = np.hstack([np.eye(3), -np.eye(3)]), np.zeros((3, 3))\n"
        "W_2 = np.vstack([O, 2 * np.eye(3)])\n",
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
    right=(
        "parameters, share = 1_774_464, 0.67\n",
        "parameters, share = np.int64(1774464), 66.6\n",
    ),
    wrong=(
        WrongAnswer("parameters, share = 1_769_472, 0.67\n", "the matrices only"),
        WrongAnswer("parameters, share = 1_772_928, 0.67\n", "the norms are missing"),
        WrongAnswer("parameters, share = 1_771_008, 0.67\n", "biases of the six matrices"),
        WrongAnswer("parameters, share = 1_773_696, 0.67\n", "A block has two"),
        WrongAnswer("parameters, share = 591_360, 0.67\n", "the attention alone"),
        WrongAnswer("parameters, share = 1_181_568, 0.67\n", "the network alone"),
        WrongAnswer("parameters, share = 1_773_312, 0.67\n", "it has 4 × 384"),
        WrongAnswer("parameters, share = 10_646_784, 0.67\n", "Count one"),
        WrongAnswer("parameters, share = 1_774_464, 0.334\n", "that is the share of"),
        WrongAnswer("parameters, share = 1_774_464, 2\n", "Divide by all parameters"),
        WrongAnswer("parameters, share = 1_774_464, 1_181_568\n", "number of its parameters"),
        WrongAnswer("parameters, share = 1_000_000, 0.67\n", "is not 1000000", "not yet"),
        WrongAnswer("parameters, share = 1_774_464, 0.5\n", "share is not 0.5", "not yet"),
        WrongAnswer("parameters, share = 'many', 0.5\n", "is one number", "wrong shape"),
        WrongAnswer("parameters, share = 1_774_464, float('nan')\n", "is not nan", "not yet"),
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
    right=(
        _block(),
        """\
import math
from attention_lib import softmax

def my_layer(X, W_q, W_k, W_v, b_q, b_k, b_v, W_o, b_o):
    outputs = []
    for r in range(len(W_q)):
        Q, K, V = X @ W_q[r] + b_q[r], X @ W_k[r] + b_k[r], X @ W_v[r] + b_v[r]
        outputs.append(softmax(Q @ K.T / np.sqrt(K.shape[-1])) @ V)
    return np.concatenate(outputs, axis=-1) @ W_o + b_o

def my_norm(X, gain, bias):
    centred = X - X.mean(axis=-1, keepdims=True)
    return centred / X.std(axis=-1, keepdims=True) * gain + bias

def my_block(X, p):
    names = ("W_q", "W_k", "W_v", "b_q", "b_k", "b_v", "W_o", "b_o")
    H = my_norm(X + my_layer(X, *(p[name] for name in names)), p["gain_1"], p["bias_1"])
    hidden = H @ p["W_1"] + p["b_1"]
    hidden = hidden * (1 + np.vectorize(math.erf)(hidden / np.sqrt(2))) / 2
    return my_norm(H + hidden @ p["W_2"] + p["b_2"], p["gain_2"], p["bias_2"])
""",
        _block(
            project=_STEPS["project"].replace(
                ' + p["b_" + r][:, None] for r in "qkv"',
                ' + (r != "k") * p["b_" + r][:, None] for r in "qkv"',
            )
        ),
    ),
    wrong=(
        WrongAnswer(_block(hidden='hidden = np.maximum(0, H @ p["W_1"] + p["b_1"])'), "has gelu"),
        WrongAnswer(
            _block(
                hidden='z = H @ p["W_1"] + p["b_1"]\n    '
                "hidden = z / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))"
            ),
            "approximation by tanh",
        ),
        WrongAnswer(_block(hidden='hidden = H @ p["W_1"] + p["b_1"]'), "nothing stands between"),
        WrongAnswer(_block(hidden='hidden = gelu(H @ p["W_1"])'), "b_1 is missing"),
        WrongAnswer(_block(thought='thought = hidden @ p["W_2"]'), "b_2 is missing"),
        WrongAnswer(
            _block(found='found = merge_heads(attention(Q, K, V)[0]) @ p["W_o"]'),
            "b_o is missing",
        ),
        WrongAnswer(
            _block(first='H = layer_norm(found, p["gain_1"], p["bias_1"])'), "X is not added"
        ),
        WrongAnswer(
            _block(last='return layer_norm(thought, p["gain_2"], p["bias_2"])'), "H is not added"
        ),
        WrongAnswer(
            _block(last='return layer_norm(X + thought, p["gain_2"], p["bias_2"])'),
            "The stream is now H",
        ),
        WrongAnswer(_block(first="H = X + found"), "the first norm is missing"),
        WrongAnswer(
            _block(
                first='H = layer_norm(X + found, p["gain_2"], p["bias_2"])',
                last='return layer_norm(H + thought, p["gain_1"], p["bias_1"])',
            ),
            "are swapped",
        ),
        WrongAnswer(
            """\
from attention_lib import attention, gelu, layer_norm, merge_heads

def my_block(X, p):
    A = layer_norm(X, p["gain_1"], p["bias_1"])
    Q, K, V = (A @ p["W_" + r] + p["b_" + r][:, None] for r in "qkv")
    H = X + merge_heads(attention(Q, K, V)[0]) @ p["W_o"] + p["b_o"]
    B = layer_norm(H, p["gain_2"], p["bias_2"])
    return H + gelu(B @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]
""",
            "stand before the parts",
        ),
        WrongAnswer(
            """\
from attention_lib import transformer_block

def my_block(X, p):
    return transformer_block(X, p, norm="after", activation="gelu")
""",
            "library's own transformer_block",
        ),
        WrongAnswer(
            _block(found='found = merge_heads(softmax(Q @ K.mT) @ V) @ p["W_o"] + p["b_o"]'),
            "not divided by the square root",
        ),
        WrongAnswer(
            _block(found='p["W_o"] *= 1\n    ' + _STEPS["found"] + '\n    p["b_o"] += 1'),
            "changed its input p",
        ),
    ),
)


_DECODER = {
    "own": "Y = Y + look(rms_norm(Y), own, mask=causal_mask(len(Y)))",
    "cross": "Y = Y + look(rms_norm(Y), cross, context=encoded)",
    "last": 'return Y + np.maximum(0, rms_norm(Y) @ p["W_1"]) @ p["W_2"]',
}


def _decoder(**changed: str) -> str:
    lines = "\n    ".join((_DECODER | changed).values())
    return f"""\
from attention_lib import causal_mask, multi_head_attention, rms_norm

def look(A, W, **more):
    return multi_head_attention(A, *W, **more)[0]

def decoder_block(Y, encoded, p):
    own = [p[name] for name in ("W_q", "W_k", "W_v", "W_o")]
    cross = [p[name] for name in ("C_q", "C_k", "C_v", "C_o")]
    {lines}
"""


ANSWERS["ex-decoder-block"] = Answers(
    right=(
        _decoder(),
        _decoder(own="n = len(Y)\n    Y = Y + look(rms_norm(Y), own, mask=np.tri(n, dtype=bool))"),
        _decoder(
            cross="A = rms_norm(Y)\n    H = Y + look(A, cross, context=encoded)",
            last='B = rms_norm(H)\n    return H + np.maximum(B @ p["W_1"], 0) @ p["W_2"]',
        ),
    ),
    wrong=(
        WrongAnswer(_decoder(own="Y = Y + look(rms_norm(Y), own)"), "sees the words after it"),
        WrongAnswer(_decoder(cross="Y = Y + look(rms_norm(Y), cross)"), "encoded is not used"),
        WrongAnswer(_decoder(cross="pass"), "cross-attention is missing"),
        WrongAnswer(_decoder(last="return Y"), "the network is missing"),
        WrongAnswer(_decoder(own="pass"), "own heads are missing"),
        WrongAnswer(
            _decoder(cross="Y = look(rms_norm(Y), cross, context=encoded)"),
            "cross-attention found replaces",
        ),
        WrongAnswer(
            _decoder(own="Y = look(rms_norm(Y), own, mask=causal_mask(len(Y)))"),
            "own heads found replaces",
        ),
        WrongAnswer(
            _decoder(last='return np.maximum(0, rms_norm(Y) @ p["W_1"]) @ p["W_2"]'),
            "network returned replaces",
        ),
        WrongAnswer(
            _decoder(cross="Y = Y + look(Y, cross, context=encoded)"),
            "norm before the cross-attention",
        ),
        WrongAnswer(
            _decoder(cross="Y = Y + look(rms_norm(Y), cross, context=rms_norm(encoded))"),
            "normed once more",
        ),
        WrongAnswer(
            _decoder(last='return Y + np.maximum(0, Y @ p["W_1"]) @ p["W_2"]'),
            "norm before the network",
        ),
        WrongAnswer(
            _decoder(own=_DECODER["cross"], cross=_DECODER["own"]),
            "look at themselves first",
        ),
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
