"""Answers of SciPy, PyTorch and ONNX, stored in tests/golden/ by tools/golden/make_golden.py."""

from pathlib import Path

import numpy as np
import pytest

import attention_lib as lib
from attention_lib import transformer_gradients

GOLDEN = Path(__file__).parent / "golden"
OF_THE_LARGEST = {"float32": 2e-6, "float64": 1e-12}  # outputs, scores and gradients
OF_EACH_ENTRY = {"float32": 1e-5, "float64": 1e-12}  # weights: the small ones count as well


# How many times as far: what is left of a gradient behind a block is smaller than what was added up
# for it, and each processor adds up in an order of its own.
ROUNDINGS = {"torch_block": 4, "torch_decoder": 4}


def load(file, case, dtype):
    """Return the inputs and the peer's answers of one case; a missing file or case raises."""
    with np.load(GOLDEN / f"{file}.npz") as arrays:
        prefix = f"{case}/{dtype}/"
        found = {k.removeprefix(prefix): arrays[k] for k in arrays.files if k.startswith(prefix)}
    expected = {k.removeprefix("expected_"): found.pop(k) for k in [*found] if "expected_" in k}
    if not expected:
        raise LookupError(f"{file}.npz holds no {case} in {dtype}")
    return found, expected


def assert_answers(results, expected, dtype, roundings=1):
    """Compare each answer of the peer with the result of the same name."""
    for name, answer in expected.items():
        result = results[name]
        assert type(result) is np.ndarray
        assert result.dtype == answer.dtype
        assert result.shape == answer.shape
        relative = OF_EACH_ENTRY[dtype] if name == "weights" else 0
        largest = np.abs(answer).max()
        tolerance = roundings * OF_THE_LARGEST[dtype]
        absolute = np.finfo(dtype).tiny if name == "weights" else tolerance * largest
        np.testing.assert_allclose(result, answer, relative, absolute, equal_nan=False)


def softmax(x, axis=-1, temperature=1.0, mask=None):
    return {"weights": lib.softmax(x, int(axis), temperature, mask)}


def regression(kernel):
    def kernel_and_average(Q, K, V, width):
        output, _ = lib.kernel_regression(Q, K, V, kernel=kernel, width=width)
        return {"kernel": kernel(Q, K, width), "output": output}

    return kernel_and_average


def score(function):
    def scores(**inputs):
        return {"scores": function(**inputs)}

    return scores


def top_k_mask(scores, k):
    return {"mask": lib.top_k_mask(scores, int(k))}


def softmax_backward(weights, d_weights):
    return {"d_scores": lib.softmax_backward(weights, d_weights)}


def feed_forward(activation):
    return lambda **inputs: {"output": lib.feed_forward(**inputs, activation=activation)}


def attention(Q, K, V, mask=None):
    output, weights = lib.attention(Q, K, V, mask=mask)
    return {"output": output, "weights": weights}


def causal_attention(Q, K, V):
    return attention(Q, K, V, lib.causal_mask(Q.shape[-2], K.shape[-2]))


def padded_attention(Q, K, V, lengths):
    return attention(Q, K, V, lib.padding_mask(lengths[:, None], K.shape[-2]))


def local_attention(Q, K, V, window):
    return attention(Q, K, V, lib.local_mask(Q.shape[-2], K.shape[-2], int(window)))


def packed_heads_attention(Q, K, V, heads):
    split = (lib.split_heads(x, int(heads)) for x in (Q, K, V))
    output, weights = lib.attention(*split)
    return {"output": lib.merge_heads(output), "weights": weights}


def blockwise(Q, K, V, mask=None, causal=False):
    return {"output": lib.blockwise_attention(Q, K, V, mask=mask, causal=causal, block=2)}


def causal_blockwise(Q, K, V):
    return blockwise(Q, K, V, causal=True)


def gradients(Q, K, V, d_output, mask=None):
    dQ, dK, dV = lib.attention_backward(Q, K, V, d_output, mask=mask)
    return {"dQ": dQ, "dK": dK, "dV": dV}


def blockwise_gradients(Q, K, V, d_output, mask=None, causal=False):
    backward = lib.blockwise_attention_backward
    dQ, dK, dV = backward(Q, K, V, d_output, mask=mask, causal=causal, block=2)
    return {"dQ": dQ, "dK": dK, "dV": dV}


def causal_blockwise_gradients(Q, K, V, d_output):
    return blockwise_gradients(Q, K, V, d_output, causal=True)


def causal_gradients(Q, K, V, d_output):
    return gradients(Q, K, V, d_output, lib.causal_mask(Q.shape[-2], K.shape[-2]))


def self_attention(X, W_q, W_k, W_v, mask):
    return {"output": lib.self_attention(X, W_q, W_k, W_v, mask=mask)[0]}


def multi_head(X, W_q, W_k, W_v, W_o, mask=None, context=None, lengths=None):
    if lengths is not None:
        padding = lib.padding_mask(lengths, context.shape[-2])  # (batch, 1, m)
        mask = padding if mask is None else padding & mask
    output, weights = lib.multi_head_attention(X, W_q, W_k, W_v, W_o, mask=mask, context=context)
    return {"output": output, "weights": weights}


def two_heads(X, lengths, **matrices):
    output, weights = lib.multi_head_attention(
        X, **matrices, mask=lib.padding_mask(lengths, X.shape[-2])
    )
    return {"output": output, "weights": weights, "average": weights.mean(axis=-3)}


def causal_multi_head(mask, **inputs):
    np.testing.assert_array_equal(mask, lib.causal_mask(*mask.shape))
    return multi_head(**inputs, mask=lib.causal_mask(*mask.shape))


def single_head(X, W_q, W_k, W_v, W_o):
    """One head whose W_o changes nothing is self_attention; PyTorch keeps the axis of heads."""
    np.testing.assert_array_equal(W_o, np.eye(len(W_o)))
    output, weights = lib.self_attention(X, W_q[0], W_k[0], W_v[0])
    return {"output": output, "weights": weights[..., None, :, :]}


def rotary(X, positions=None, base=10000.0):
    return {"turned": lib.rotary(X, positions, base=float(base))}


def alibi(Q, K, V, slopes):
    n, m = Q.shape[-2], K.shape[-2]
    bias, mask = lib.alibi_bias(slopes, n, m), lib.causal_mask(n, m, align="end")
    output, weights = lib.attention_with_bias(Q, K, V, bias=bias, mask=mask)
    return {"output": output, "weights": weights}


def layer_norm(X, gain, bias, eps, d_output):
    answers = transformer_gradients.layer_norm_backward(X, d_output, gain, eps=float(eps))
    output = {"output": lib.layer_norm(X, gain, bias, eps=float(eps))}
    return output | dict(zip(("d_X", "d_gain", "d_bias"), answers, strict=True))


def rms_norm(X, gain, eps, d_output):
    d_X, d_gain = transformer_gradients.rms_norm_backward(X, d_output, gain, eps=float(eps))
    return {"output": lib.rms_norm(X, gain, eps=float(eps)), "d_X": d_X, "d_gain": d_gain}


def block(norm, activation="relu"):
    def forward_and_backward(X, d_output, mask=None, **parameters):
        output = lib.transformer_block(X, parameters, mask, norm, activation=activation)
        backward = transformer_gradients.transformer_block_backward
        d_X, gradients = backward(X, parameters, d_output, mask, norm, activation=activation)
        named = {f"d_{name}": gradient for name, gradient in gradients.items()}
        return {"output": output, "d_X": d_X, **named}

    return forward_and_backward


def decoder(tokens, answers, **parameters):
    loss, gradients = transformer_gradients.decoder_gradients(tokens, parameters, answers)
    logits = lib.decoder_logits(tokens, parameters)
    named = {f"d_{name}": gradient for name, gradient in gradients.items()}
    return {"logits": logits, "loss": np.array(loss, logits.dtype), **named}


def linear(causal):
    return lambda **inputs: {"output": lib.linear_attention(**inputs, causal=causal)}


def recurrent(Q, K, V):
    return {"output": lib.linear_attention_recurrent(Q, K, V)[0]}


def delta_rule(Q, K, V, **options):
    output, last = lib.delta_rule(Q, K, V, **options)
    return {"output": output, "last": last}


def with_sinks(Q, K, V, sink):
    scores, mask = lib.scaled_dot_score(Q, K), lib.causal_mask(Q.shape[-2])
    weights = lib.softmax(scores, mask=mask, sink=sink[:, None, None])
    return {"output": weights @ V, "weights": weights}


FLOATS = ("float32", "float64")
CASES = [
    ("scipy_softmax", FLOATS, "axis_-1", softmax),
    ("scipy_softmax", FLOATS, "axis_0", softmax),
    ("scipy_softmax", FLOATS, "axis_1", softmax),
    ("scipy_softmax", FLOATS, "large_values", softmax),
    ("scipy_softmax", FLOATS, "large_close_values", softmax),
    ("scipy_softmax", FLOATS, "temperature", softmax),
    ("scipy_softmax", FLOATS, "masked", softmax),
    ("scipy_kernels", ("float64",), "gaussian", regression(lib.gaussian_kernel)),
    ("scipy_kernels", ("float64",), "boxcar", regression(lib.boxcar_kernel)),
    ("scipy_kernels", ("float64",), "triangular", regression(lib.triangular_kernel)),
    ("scipy_kernels", ("float64",), "epanechnikov", regression(lib.epanechnikov_kernel)),
    ("torch_scores", FLOATS, "additive", score(lib.additive_score)),
    ("torch_scores", FLOATS, "multiplicative", score(lib.multiplicative_score)),
    ("torch_scores", FLOATS, "gated", score(lib.gated_score)),
    ("torch_scores", FLOATS, "top_k", top_k_mask),
    ("torch_softmax_backward", FLOATS, "plain", softmax_backward),
    ("torch_softmax_backward", FLOATS, "masked", softmax_backward),
    ("torch_softmax_backward", FLOATS, "saturated", softmax_backward),
    ("torch_feed_forward", FLOATS, "relu", feed_forward("relu")),
    ("torch_feed_forward", FLOATS, "gelu", feed_forward("gelu")),
    ("torch_sdpa", FLOATS, "plain", attention),
    ("torch_sdpa", FLOATS, "batch", attention),
    ("torch_sdpa", FLOATS, "broadcast_heads", attention),
    ("torch_sdpa", FLOATS, "large_scores", attention),
    ("torch_sdpa", FLOATS, "causal_more_keys", causal_attention),
    ("torch_sdpa", FLOATS, "causal_fewer_keys", causal_attention),
    ("torch_sdpa", FLOATS, "mask_with_an_empty_row", attention),
    ("torch_sdpa", FLOATS, "mask_per_head", attention),
    ("torch_sdpa", FLOATS, "plain", blockwise),
    ("torch_sdpa", FLOATS, "broadcast_heads", blockwise),
    ("torch_sdpa", FLOATS, "large_scores", blockwise),
    ("torch_sdpa", FLOATS, "causal_more_keys", causal_blockwise),
    ("torch_sdpa", FLOATS, "causal_fewer_keys", causal_blockwise),
    ("torch_sdpa", FLOATS, "mask_with_an_empty_row", blockwise),
    ("torch_sdpa", FLOATS, "mask_per_head", blockwise),
    ("torch_sdpa_gradients", FLOATS, "plain", gradients),
    ("torch_sdpa_gradients", FLOATS, "broadcast_heads", gradients),
    ("torch_sdpa_gradients", FLOATS, "causal_fewer_keys", causal_gradients),
    ("torch_sdpa_gradients", FLOATS, "mask_with_an_empty_row", gradients),
    ("torch_sdpa_gradients", FLOATS, "mask_per_head", gradients),
    ("torch_self_attention", ("float32",), "toy", self_attention),
    ("torch_sdpa_gradients", FLOATS, "plain", blockwise_gradients),
    ("torch_sdpa_gradients", FLOATS, "broadcast_heads", blockwise_gradients),
    ("torch_sdpa_gradients", FLOATS, "causal_fewer_keys", causal_blockwise_gradients),
    ("torch_sdpa_gradients", FLOATS, "mask_with_an_empty_row", blockwise_gradients),
    ("torch_sdpa_gradients", FLOATS, "mask_per_head", blockwise_gradients),
    ("torch_multihead", FLOATS, "self", multi_head),
    ("torch_multihead", FLOATS, "self_unbatched", multi_head),
    ("torch_multihead", FLOATS, "self_causal", causal_multi_head),
    ("torch_multihead", FLOATS, "cross", multi_head),
    ("torch_multihead", FLOATS, "cross_padding", multi_head),
    ("torch_multihead", FLOATS, "cross_mask", multi_head),
    ("torch_multihead", FLOATS, "cross_mask_per_sentence", multi_head),
    ("torch_multihead", FLOATS, "cross_padding_and_mask", multi_head),
    ("torch_multihead", FLOATS, "one_head_identity_output", multi_head),
    ("torch_multihead", FLOATS, "one_head_identity_output", single_head),
    ("torch_two_heads", FLOATS, "batch", two_heads),
    ("torch_positions", FLOATS, "rotary", rotary),
    ("torch_positions", FLOATS, "rotary_default", rotary),
    ("torch_positions", FLOATS, "alibi", alibi),
    ("torch_grouped", FLOATS, "1_of_4", multi_head),
    ("torch_grouped", FLOATS, "2_of_4", multi_head),
    ("torch_grouped", FLOATS, "4_of_4", multi_head),
    ("torch_norms", FLOATS, "layer", layer_norm),
    ("torch_norms", FLOATS, "rms", rms_norm),
    ("torch_block", FLOATS, "before", block("before")),
    ("torch_block", FLOATS, "after", block("after")),
    ("torch_block", FLOATS, "before_causal", block("before")),
    ("torch_block", FLOATS, "after_gelu_biases", block("after", "gelu")),
    ("torch_decoder", FLOATS, "grouped", decoder),
    ("torch_linear", FLOATS, "whole", linear(causal=False)),
    ("torch_linear", FLOATS, "causal", linear(causal=True)),
    ("torch_linear", FLOATS, "causal", recurrent),
    ("transformers_delta_rule", ("float32",), "gated", delta_rule),
    ("transformers_sink", FLOATS, "causal", with_sinks),
    ("onnx_attention", FLOATS, "plain", attention),
    ("onnx_attention", FLOATS, "causal", causal_attention),
    ("onnx_attention", FLOATS, "mask", attention),
    ("onnx_attention", FLOATS, "padding", padded_attention),
    ("onnx_attention", FLOATS, "window", local_attention),
    ("onnx_attention", FLOATS, "packed_heads", packed_heads_attention),
]
NOTHING_TO_SEE = ("torch_multihead", "cross_nothing_to_see")


@pytest.mark.parametrize(
    ("file", "case", "dtype", "run"),
    [
        pytest.param(file, case, dtype, run, id=f"{file}-{case}-{dtype}-{run.__name__}")
        for file, dtypes, case, run in CASES
        for dtype in dtypes
    ],
)
def test_the_library_answers_as_the_peer(file, case, dtype, run):
    inputs, expected = load(file, case, dtype)
    assert_answers(run(**inputs), expected, dtype, ROUNDINGS.get(file, 1))


@pytest.mark.parametrize("dtype", FLOATS)
def test_nothing_to_see_gives_zeros_where_multihead_attention_of_pytorch_gives_nan(dtype):
    inputs, expected = load(*NOTHING_TO_SEE, dtype)
    assert list(inputs["lengths"]) == [0, 4]  # sentence 0 of the context has no words
    assert all(np.isnan(answer[0]).all() for answer in expected.values())
    zeros_instead = {name: np.nan_to_num(answer, nan=0) for name, answer in expected.items()}
    assert_answers(multi_head(**inputs), zeros_instead, dtype)


def test_every_stored_case_is_tested():
    stored = set()
    for path in GOLDEN.glob("*.npz"):
        if path.stem.endswith("_minilm"):  # which tests/test_minilm.py reads
            continue
        with np.load(path) as arrays:
            stored |= {(path.stem, *name.split("/")[:2]) for name in arrays.files}
    tested = {(file, case, dtype) for file, dtypes, case, _ in CASES for dtype in dtypes}
    tested |= {(*NOTHING_TO_SEE, dtype) for dtype in FLOATS}
    assert stored == tested
