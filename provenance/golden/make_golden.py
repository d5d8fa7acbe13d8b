"""Compute the results of SciPy, PyTorch and transformers, and store them for tests/test_golden.py.

    python3 -m venv golden-env
    golden-env/bin/pip install -r provenance/golden/requirements.txt
    golden-env/bin/python provenance/golden/make_golden.py           # writes tests/golden/*.npz
    golden-env/bin/python provenance/golden/make_golden.py --check   # compares with what is there

Each file holds arrays named ``case/dtype/name``. Inputs carry the names of the library's
parameters, in the library's layout and with its masks (True = may look); the peer's results
are called ``expected_…``. Inputs come from ``numpy.random.default_rng`` with a fixed seed; nothing
here imports attention_lib.
"""

import argparse
import re
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import scipy.spatial.distance
import scipy.stats
import torch
from torch.nn.functional import scaled_dot_product_attention
from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward
from transformers.models.qwen3_next.modeling_qwen3_next import torch_recurrent_gated_delta_rule

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "tests" / "golden"
CHAPTERS = HERE.parents[1] / "chapters"
SEED = 20170612  # the day "Attention Is All You Need" appeared


def normal(rng, dtype, *shapes):
    """Draw one standard normal array per shape."""
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


def named(rng, dtype, **shapes):
    """Draw one standard normal array per shape, by name."""
    return dict(zip(shapes, normal(rng, dtype, *shapes.values()), strict=True))


def tensor(x, requires_grad=False):
    """Copy an array into PyTorch."""
    return torch.tensor(x, requires_grad=requires_grad)


def mask_with_an_empty_row(n, m):
    """Allow about two thirds of the pairs, key 0 always, except that query 1 may see nothing."""
    i, j = np.indices((n, m))
    return ((i + 2 * j) % 3 != 1) & (i != 1) | ((j == 0) & (i != 1))


# SciPy


def scipy_kernels(dtype):
    """Kernels as densities of SciPy's distributions at u = |q - k| / width, rescaled."""
    rng = np.random.default_rng(SEED)
    Q, K, V = normal(rng, dtype, (7, 3), (9, 3), (9, 2))
    width = np.array(2.0, dtype)
    u = scipy.spatial.distance.cdist(Q, K) / width  # (n, m)
    kernels = {
        "gaussian": scipy.stats.norm.pdf(u) / scipy.stats.norm.pdf(0),
        "boxcar": 2 * scipy.stats.uniform.pdf(u, loc=-1, scale=2),
        "triangular": scipy.stats.triang.pdf(u, c=0.5, loc=-1, scale=2),
        "epanechnikov": scipy.stats.beta.pdf(u, 2, 2, loc=-1, scale=2),
    }
    shared = {"Q": Q, "K": K, "V": V, "width": width}
    return {
        name: shared | {"expected_kernel": kernel} | nadaraya_watson(kernel, V)
        for name, kernel in kernels.items()
    }


def nadaraya_watson(kernel, V):
    """Average the values with NumPy; a query with no key in reach gets zeros."""
    output = np.zeros((len(kernel), V.shape[1]))
    for i, row in enumerate(kernel):
        if row.any():
            output[i] = np.average(V, axis=0, weights=row)
    return {"expected_output": output}


# PyTorch: scores


def torch_scores(dtype):
    rng = np.random.default_rng(SEED)
    cases = {"additive": additive_case, "multiplicative": multiplicative_case}
    cases |= {"gated": gated_case, "top_k": top_k_case}
    return {name: make(rng, dtype) for name, make in cases.items()}


def linear(weight, bias=None):
    """Make an nn.Linear of our matrix; nn.Linear keeps the transpose, (out, in)."""
    layer = torch.nn.Linear(*weight.shape, bias=bias is not None, dtype=tensor(weight).dtype)
    layer.weight.data = tensor(weight.T)
    if bias is not None:
        layer.bias.data = tensor(bias)
    return layer


def pairs(Q, K):
    """Repeat queries and keys so that row (i, j) of each holds query i and key j."""
    shape = (*Q.shape[:-1], K.shape[-2])
    rows = tensor(Q)[..., :, None, :].expand(*shape, -1)
    columns = tensor(K)[..., None, :, :].expand(*shape, -1)
    return rows.contiguous(), columns.contiguous()  # (..., n, m, d_q), (..., n, m, d_k)


def additive_case(rng, dtype):
    inputs = named(rng, dtype, Q=(2, 4, 3), K=(2, 6, 5))
    W = named(rng, dtype, W_q=(3, 7), W_k=(5, 7), w_v=(7,), b=(7,))
    queries, keys = pairs(**inputs)
    hidden = torch.tanh(linear(W["W_q"], W["b"])(queries) + linear(W["W_k"])(keys))
    return inputs | W | {"expected_scores": linear(W["w_v"][:, None])(hidden)[..., 0]}


def multiplicative_case(rng, dtype):
    Q, K, W = normal(rng, dtype, (2, 4, 3), (2, 6, 5), (3, 5))
    bilinear = torch.nn.Bilinear(3, 5, 1, bias=False, dtype=tensor(Q).dtype)
    bilinear.weight.data = tensor(W[None])
    return {"Q": Q, "K": K, "W": W, "expected_scores": bilinear(*pairs(Q, K))[..., 0]}


def gated_case(rng, dtype):
    Q, K, w_g, b_g = normal(rng, dtype, (2, 4, 3), (2, 6, 3), (6,), (1,))
    queries, keys = pairs(Q, K)
    gate = torch.sigmoid(linear(w_g[:, None], b_g)(torch.cat([queries, keys], dim=-1)))[..., 0]
    scores = gate * torch.linalg.vecdot(queries, keys)
    return {"Q": Q, "K": K, "w_g": w_g, "b_g": b_g[0], "expected_scores": scores}


def top_k_case(rng, dtype):
    (scores,) = normal(rng, dtype, (2, 4, 6))
    best = torch.topk(tensor(scores), k=2, dim=-1).indices
    mask = torch.zeros(scores.shape, dtype=torch.bool).scatter(-1, best, True)
    return {"scores": scores, "k": 2, "expected_mask": mask}


# PyTorch: scaled dot-product attention and its gradients


def sdpa_inputs(dtype):
    """Inputs of each case: Q, K, V and, where there is one, the mask."""
    rng = np.random.default_rng(SEED)
    plain = normal(rng, dtype, (4, 3), (6, 3), (6, 5))
    batch = normal(rng, dtype, (2, 4, 3), (2, 6, 3), (2, 6, 2))
    heads = normal(rng, dtype, (2, 1, 4, 3), (1, 3, 6, 3), (2, 3, 6, 2))
    tall = normal(rng, dtype, (6, 3), (4, 3), (4, 5))
    long = [50 * x for x in normal(rng, dtype, (3, 16), (5, 16), (5, 2))]
    mask = mask_with_an_empty_row(4, 6)
    head_masks = np.stack([mask, np.tri(4, 6, dtype=bool), ~mask])  # (h, n, m)
    parts = {"plain": plain, "batch": batch, "broadcast_heads": heads, "large_scores": long}
    parts |= {"causal_more_keys": plain, "causal_fewer_keys": tall}
    cases = {name: dict(zip("QKV", arrays, strict=True)) for name, arrays in parts.items()}
    cases["mask_with_an_empty_row"] = cases["batch"] | {"mask": mask}
    cases["mask_per_head"] = cases["broadcast_heads"] | {"mask": head_masks}
    return cases


def sdpa(Q, K, V, case_name, case):
    mask = tensor(case["mask"]) if "mask" in case else None
    causal = case_name.startswith("causal")
    return scaled_dot_product_attention(Q, K, V, attn_mask=mask, is_causal=causal)


def torch_sdpa(dtype):
    cases = sdpa_inputs(dtype)
    for name, case in cases.items():
        Q, K, V = (tensor(case[x]) for x in "QKV")
        case["expected_output"] = sdpa(Q, K, V, name, case)
    return cases


def torch_sdpa_gradients(dtype):
    rng = np.random.default_rng(SEED + 1)
    cases = sdpa_inputs(dtype)
    for name in ("batch", "large_scores", "causal_more_keys"):
        del cases[name]
    for name, case in cases.items():
        Q, K, V = (tensor(case[x], requires_grad=True) for x in "QKV")
        output = sdpa(Q, K, V, name, case)
        (case["d_output"],) = normal(rng, dtype, output.shape)
        output.backward(tensor(case["d_output"]))
        for x, leaf in zip("QKV", (Q, K, V), strict=True):
            case[f"expected_d{x}"] = leaf.grad
    return cases


# PyTorch: the lines that a chapter shows


def shown_in(chapter):
    """Return the code for PyTorch that a chapter shows but cannot run."""
    text = (CHAPTERS / f"{chapter}.md").read_text(encoding="utf-8")
    return re.search(r"^```python\n(import torch\n.*?)^```$", text, re.M | re.S)[1]


def torch_self_attention(dtype):
    """Give the toy of the chapter to its own lines: two sentences, the second of two words."""
    inputs = {
        "X": [[[2, 0], [0, 0], [1, 1], [0, 2]], [[1, 1], [0, 2], [0, 0], [0, 0]]],
        "W_q": [[0], [2]],
        "W_k": [[1], [0]],
        "W_v": [[1, 0], [0, 0]],
    }
    inputs = {name: np.array(x, dtype) for name, x in inputs.items()}
    inputs["mask"] = np.array([[[True] * 4], [[True, True, False, False]]])
    namespace = inputs | {"batch": inputs["X"]}
    exec(shown_in("self_attention"), namespace)
    return {"toy": inputs | {"expected_output": namespace["O"]}}


# PyTorch: nn.MultiheadAttention


def heads_from_packed(in_proj_weight, out_proj_weight, h):
    """Turn PyTorch's packed weights into one projection per head.

    ``in_proj_weight`` (3 d, d) stacks the matrices of the queries, keys and values; each
    multiplies from the left (``W @ x``) and its d rows are h blocks of d_k rows, one per head.
    Ours multiply rows from the right (``x @ W``), so head i takes block i, transposed: (d, d_k).
    ``out_proj.weight`` (d, d) is transposed for the same reason; its columns, our rows, already
    run head by head.
    """
    d = in_proj_weight.shape[1]
    blocks = in_proj_weight.reshape(3, h, d // h, d)  # (3, h, d_k, d)
    W_q, W_k, W_v = blocks.swapaxes(-1, -2)  # (h, d, d_k) each
    return {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": out_proj_weight.T}


def biases_from_packed(in_proj_bias, h):
    """Turn PyTorch's packed bias (3 d,) into one for each head, (h, d_k)."""
    return dict(zip(("b_q", "b_k", "b_v"), in_proj_bias.reshape(3, h, -1), strict=True))


def multihead_case(rng, h, X, context=None, lengths=None, mask=None, W_o=None):
    d, dtype = X.shape[-1], X.dtype
    in_weight, out_weight = normal(rng, dtype, (3 * d, d), (d, d))
    out_weight = out_weight if W_o is None else W_o.T
    layer = torch.nn.MultiheadAttention(d, h, bias=False, batch_first=True, dtype=tensor(X).dtype)
    layer.in_proj_weight.data = tensor(in_weight)
    layer.out_proj.weight.data = tensor(out_weight)
    source = X if context is None else context  # (..., m, d)
    output, weights = layer(
        *(tensor(x) for x in (X, source, source)),
        key_padding_mask=None if lengths is None else hidden_keys(lengths, source.shape[-2]),
        attn_mask=None if mask is None else hidden_pairs(mask, h),
        average_attn_weights=False,
    )
    given = {"X": X, "context": context, "lengths": lengths, "mask": mask}
    case = {name: x for name, x in given.items() if x is not None}
    case |= heads_from_packed(in_weight, out_weight, h)
    return case | {"expected_output": output, "expected_weights": weights}


def hidden_keys(lengths, m):
    """Make a key_padding_mask (batch, m): PyTorch's True means hidden."""
    return tensor(np.arange(m) >= lengths[:, None])


def hidden_pairs(mask, h):
    """Make an attn_mask, (n, m) or one per head (batch * h, n, m): PyTorch's True means hidden."""
    return tensor(~mask if mask.ndim == 2 else ~mask.repeat(h, axis=0))


def torch_multihead(dtype):
    rng = np.random.default_rng(SEED)
    X, context = normal(rng, dtype, (2, 3, 6), (2, 5, 6))
    lengths = np.array([3, 5])
    mask = rng.random((2, 3, 5)) < 0.6
    mask[..., 0] = True
    causal = np.tri(3, dtype=bool)
    return {
        "self": multihead_case(rng, 3, X),
        "self_unbatched": multihead_case(rng, 2, X[0]),
        "self_causal": multihead_case(rng, 2, X, mask=causal),
        "cross": multihead_case(rng, 3, X, context),
        "cross_padding": multihead_case(rng, 3, X, context, lengths),
        "cross_mask": multihead_case(rng, 3, X, context, mask=mask[0]),
        "cross_mask_per_sentence": multihead_case(rng, 3, X, context, mask=mask),
        "cross_padding_and_mask": multihead_case(rng, 3, X, context, lengths, mask[0]),
        "cross_nothing_to_see": multihead_case(rng, 3, X, context, np.array([0, 4])),
        "one_head_identity_output": multihead_case(rng, 1, X, W_o=np.eye(6, dtype=dtype)),
    }


def torch_two_heads(dtype):
    """The toy of the chapter on heads, as its code for PyTorch computes it."""
    dog, wagged, his, tail = [2, 0], [0, 0], [1, 1], [0, 2]
    padding, lengths = [0, 0], np.array([4, 2, 3])
    texts = [dog, wagged, his, tail], [his, tail, padding, padding], [his, dog, wagged, padding]
    batch = np.array(texts).astype(dtype)
    W_q, W_k = np.array([[[0], [2]], [[2], [0]]]), np.array([[[1], [0]], [[0], [1]]])
    W_v, W_o = np.array([[[1], [0]], [[0], [1]]]), np.eye(2)
    layer = torch.nn.MultiheadAttention(
        embed_dim=2, num_heads=2, bias=False, batch_first=True, dtype=tensor(batch).dtype
    )
    packed = [W.swapaxes(-1, -2).reshape(2, 2) for W in (W_q, W_k, W_v)]
    layer.in_proj_weight.data = tensor(np.concatenate(packed).astype(dtype))
    layer.out_proj.weight.data = tensor(W_o.T.astype(dtype))
    x, hidden = tensor(batch), hidden_keys(lengths, 4)
    output, weights = layer(x, x, x, key_padding_mask=hidden, average_attn_weights=False)
    _, average = layer(x, x, x, key_padding_mask=hidden)
    matrices = {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": W_o}
    case = {name: W.astype(dtype) for name, W in matrices.items()}
    case |= {"X": batch, "lengths": lengths, "expected_average": average}
    return {"batch": case | {"expected_output": output, "expected_weights": weights}}


# PyTorch: positions, grouped heads


def torch_positions(dtype):
    rng = np.random.default_rng(SEED)
    X, Q, K, V = normal(rng, dtype, (2, 5, 6), (2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 2))
    positions, base = np.array([0, 1, 2, 7, 300]), np.array(100.0)
    slopes = np.array([0.5, 0.25, 0.125], dtype)
    return {
        "rotary": {"X": X, "positions": positions, "base": base}
        | {"expected_turned": rotary(X, positions, 100.0)},
        "rotary_default": {"X": X, "expected_turned": rotary(X, np.arange(5), 10000.0)},
        "alibi": {"Q": Q, "K": K, "V": V, "slopes": slopes}
        | {"expected_output": alibi(Q, K, V, slopes)},
    }


def rotary(X, positions, base):
    """Turn pairs as complex numbers: multiply by e to the power of i times the angle."""
    d = X.shape[-1]
    speeds = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = torch.outer(tensor(positions).double(), speeds)
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(tensor(X).double().reshape(*X.shape[:-1], d // 2, 2))
    return torch.view_as_real(pairs * turns).flatten(-2).to(tensor(X).dtype)


def alibi(Q, K, V, slopes):
    """Scaled dot-product attention with a bias that grows with distance, under a causal mask."""
    n, m = Q.shape[-2], K.shape[-2]
    i, j = torch.arange(m - n, m)[:, None], torch.arange(m)
    bias = -tensor(slopes)[:, None, None] * (i - j)
    bias = bias.masked_fill(j > i, -torch.inf)
    return scaled_dot_product_attention(*map(tensor, (Q, K, V)), attn_mask=bias)


def torch_grouped(dtype):
    rng = np.random.default_rng(SEED)
    return {f"{g}_of_4": grouped_case(rng, dtype, g) for g in (1, 2, 4)}


def grouped_case(rng, dtype, g):
    projections = {"W_q": (4, 6, 5), "W_k": (g, 6, 5), "W_v": (g, 6, 2), "W_o": (8, 6)}
    case = named(rng, dtype, X=(2, 3, 6), **projections)
    t = {name: tensor(array) for name, array in case.items()}
    Q, K, V = (t["X"][:, None] @ t[name] for name in ("W_q", "W_k", "W_v"))
    heads = scaled_dot_product_attention(Q, K, V, enable_gqa=True)  # (2, 4, 3, 2)
    return case | {"expected_output": heads.transpose(1, 2).flatten(-2) @ t["W_o"]}


# PyTorch: norms, block, decoder


def torch_norms(dtype):
    rng = np.random.default_rng(SEED)
    X, gain, bias, d_output = normal(rng, dtype, (2, 3, 5), (5,), (5,), (2, 3, 5))
    layer = torch.nn.LayerNorm(5, eps=1e-3, dtype=tensor(X).dtype)
    layer.weight.data, layer.bias.data = tensor(gain), tensor(bias)
    rms = torch.nn.RMSNorm(5, eps=1e-3, dtype=tensor(X).dtype)
    rms.weight.data = tensor(gain)
    inputs, leaf = {"X": X, "gain": gain, "eps": np.array(1e-3)}, tensor(X, requires_grad=True)
    output = rms(leaf)
    output.backward(tensor(d_output))
    answers = {"expected_output": output, "expected_d_X": leaf.grad}
    answers["expected_d_gain"] = rms.weight.grad
    return {
        "layer": inputs | {"bias": bias, "expected_output": layer(tensor(X))},
        "rms": inputs | {"d_output": d_output} | answers,
    }


def torch_block(dtype):
    rng = np.random.default_rng(SEED)
    return {
        "before": block_case(rng, dtype, norm_first=True),
        "after": block_case(rng, dtype, norm_first=False),
        "before_causal": block_case(rng, dtype, norm_first=True, mask=np.tri(4, dtype=bool)),
        "after_gelu_biases": block_case(rng, dtype, norm_first=False, gelu_and_biases=True),
    }


def block_case(rng, dtype, norm_first, mask=None, gelu_and_biases=False):
    """nn.TransformerEncoderLayer with h = 2, mostly without the biases of its heads."""
    X, _, W_in, W_out = normal(rng, dtype, (2, 4, 6), (2, 4, 6), (18, 6), (6, 6))
    shapes = {"W_1": (6, 9), "b_1": (9,), "W_2": (9, 6), "b_2": (6,)}
    shapes |= {"gain_1": (6,), "bias_1": (6,), "gain_2": (6,), "bias_2": (6,)}
    own = named(rng, dtype, **shapes)
    layer = torch.nn.TransformerEncoderLayer(
        *(6, 2, 9, 0, "gelu" if gelu_and_biases else "relu"),
        batch_first=True,
        norm_first=norm_first,
        dtype=tensor(X).dtype,
    )
    parts = {"W_1": layer.linear1.weight, "b_1": layer.linear1.bias, "W_2": layer.linear2.weight}
    parts |= {"b_2": layer.linear2.bias, "gain_1": layer.norm1.weight, "bias_1": layer.norm1.bias}
    parts |= {"gain_2": layer.norm2.weight, "bias_2": layer.norm2.bias}
    for name, part in parts.items():
        part.data = tensor(own[name].T)
    heads = layer.self_attn
    heads.in_proj_weight.data, heads.out_proj.weight.data = tensor(W_in), tensor(W_out)
    if gelu_and_biases:
        b_in, own["b_o"] = normal(rng, dtype, (18,), (6,))
        heads.in_proj_bias.data, heads.out_proj.bias.data = tensor(b_in), tensor(own["b_o"])
        own |= biases_from_packed(b_in, 2)
    output = layer(tensor(X), src_mask=None if mask is None else tensor(~mask))
    case = {"X": X, "expected_output": output} | own | heads_from_packed(W_in, W_out, 2)
    return case if mask is None else case | {"mask": mask}


def torch_decoder(dtype):
    """Two blocks with RMS norms before, two key heads for four query heads, padding in the end."""
    rng = np.random.default_rng(SEED)
    shapes = {"E": (7, 8), "P": (6, 8), "gain": (8,), "U": (8, 7)}
    shapes |= {"W_q": (2, 4, 8, 3), "W_k": (2, 2, 8, 3), "W_v": (2, 2, 8, 2), "W_o": (2, 8, 8)}
    shapes |= {"W_1": (2, 8, 9), "W_2": (2, 9, 8), "gain_1": (2, 8), "gain_2": (2, 8)}
    own = named(rng, dtype, **shapes)
    tokens, answers = rng.integers(7, size=(2, 3, 5))
    answers[1, 3:] = -1
    p = {name: tensor(array, requires_grad=True) for name, array in own.items()}
    logits = decoder(tensor(tokens), p)
    loss = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), tensor(answers.flatten()), ignore_index=-1
    )
    loss.backward()
    case = own | {"tokens": tokens, "answers": answers}
    case |= {"expected_logits": logits, "expected_loss": loss}
    case |= {f"expected_d_{name}": part.grad for name, part in p.items()}
    return {"grouped": case}


def decoder(tokens, p):
    X = torch.nn.functional.embedding(tokens, p["E"]) + p["P"][: tokens.shape[-1]]
    for i in range(2):
        layer = {name: part[i] for name, part in p.items() if part.dim() > 1 or "gain_" in name}
        A = torch.nn.functional.rms_norm(X, (8,), layer["gain_1"], eps=1e-5)[:, None]
        Q, K, V = (A @ layer[name] for name in ("W_q", "W_k", "W_v"))
        heads = scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
        X = X + heads.transpose(1, 2).flatten(-2) @ layer["W_o"]
        B = torch.nn.functional.rms_norm(X, (8,), layer["gain_2"], eps=1e-5)
        X = X + torch.relu(B @ layer["W_1"]) @ layer["W_2"]
    return torch.nn.functional.rms_norm(X, (8,), p["gain"], eps=1e-5) @ p["U"]


# PyTorch and transformers: linear attention, the delta rule, sinks


def torch_linear(dtype):
    """Causal linear attention by cumulative sums of outer products, and without a mask."""
    rng = np.random.default_rng(SEED)
    Q, K, V = normal(rng, dtype, (2, 3, 7, 4), (2, 3, 7, 4), (2, 3, 7, 5))
    q, k = (torch.nn.functional.elu(tensor(X)) + 1 for X in (Q, K))
    products = torch.einsum("bhnk,bhnv->bhnkv", k, tensor(V))
    case = {"Q": Q, "K": K, "V": V}
    answers = {"whole": (products.sum(2, keepdim=True), k.sum(2, keepdim=True))}
    answers["causal"] = products.cumsum(2), k.cumsum(2)
    return {
        name: case | {"expected_output": (q[..., None] * sums).sum(-2) / (q * total).sum(-1, True)}
        for name, (sums, total) in answers.items()
    }


def transformers_delta_rule(dtype):
    """The gated delta rule of Qwen3-Next, which divides queries by the root of d_k."""
    rng = np.random.default_rng(SEED)
    Q, K, V, state = normal(rng, dtype, (2, 3, 6, 4), (2, 3, 6, 4), (2, 3, 6, 5), (2, 3, 4, 5))
    K = K / np.linalg.norm(K, axis=-1, keepdims=True)
    rate, keep = rng.random((2, 2, 3, 6)).astype(dtype)
    parts = (tensor(X).transpose(1, 2) for X in (2 * Q, K, V, np.log(keep), rate))  # d_k is 4
    output, last = torch_recurrent_gated_delta_rule(*parts, tensor(state), True)
    case = {"Q": Q, "K": K, "V": V, "rate": rate, "keep": keep, "state": state}
    return {"gated": case | {"expected_output": output.transpose(1, 2), "expected_last": last}}


def transformers_sink(dtype):
    """The attention of gpt-oss: one learned sink for each head."""
    rng = np.random.default_rng(SEED)
    Q, K, V, sinks = normal(rng, dtype, (2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 5, 2), (3,))
    module = torch.nn.Module()
    module.num_key_value_groups, module.sinks = 1, tensor(sinks)
    hidden = torch.where(tensor(np.tri(5, dtype=bool)), 0.0, -torch.inf)
    parts = tensor(Q), tensor(K), tensor(V), hidden.to(tensor(Q).dtype)
    output, weights = eager_attention_forward(module, *parts, scaling=0.5)
    expected = {"expected_weights": weights, "expected_output": output.transpose(1, 2)}
    return {"causal": {"Q": Q, "K": K, "V": V, "sink": sinks} | expected}


# Files

FLOATS = (np.float32, np.float64)
ONE_FLOAT = {
    scipy_kernels: (np.float64,),  # cdist and scipy.stats return only float64
    torch_self_attention: (np.float32,),  # as the chapter shows it
    transformers_delta_rule: (np.float32,),  # it computes in no other
}
FILES = ONE_FLOAT | dict.fromkeys(
    [
        *(torch_scores, torch_sdpa, torch_sdpa_gradients, torch_multihead, torch_two_heads),
        *(torch_positions, torch_grouped, torch_norms, torch_block, torch_decoder, torch_linear),
        transformers_sink,
    ],
    FLOATS,
)


def arrays_of(make, dtypes):
    """Name every array of one file: case/dtype/name."""
    return {
        f"{case}/{np.dtype(dtype)}/{name}": as_array(x)
        for dtype in dtypes
        for case, contents in make(dtype).items()
        for name, x in contents.items()
    }


def as_array(x):
    return np.array(x.detach() if isinstance(x, torch.Tensor) else x, order="C")


def check_versions():
    """Stop unless the peers are the pinned ones."""
    lines = (HERE / "requirements.txt").read_text().splitlines()
    for pin in (line for line in lines if "==" in line):
        package, wanted = pin.split("==")
        found = version(package).partition("+")[0]  # 2.13.0+cpu is 2.13.0
        if found != wanted:
            sys.exit(f"{package} must be {wanted}, as pinned in requirements.txt, but is {found}")


def compare(path, arrays):
    """Stop unless the stored file holds these arrays, up to a few roundings."""
    with np.load(path) as stored:
        if sorted(stored.files) != sorted(arrays):
            sys.exit(
                f"{path.name} contains other arrays than the script makes; run it without --check"
            )
        for name, x in arrays.items():
            tolerance = 1e-6 if x.dtype == np.float32 else 1e-13
            np.testing.assert_allclose(stored[name], x, tolerance, tolerance, err_msg=name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the stored files")
    check = parser.parse_args().check
    check_versions()
    torch.set_num_threads(1)
    for make, dtypes in FILES.items():
        path = GOLDEN / f"{make.__name__}.npz"
        arrays = arrays_of(make, dtypes)
        if check:
            compare(path, arrays)
        else:
            np.savez_compressed(path, **arrays)
        print(f"{path.name}: {len(arrays)} arrays, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
