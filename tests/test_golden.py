"""Answers of peers, such as PyTorch, which provenance/golden/make_golden.py stored in golden/."""

from pathlib import Path

import numpy as np
import pytest

import attention_lib as lib

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


def regression(kernel):
    def kernel_and_average(Q, K, V, width):
        output, _ = lib.kernel_regression(Q, K, V, kernel=kernel, width=width)
        return {"kernel": kernel(Q, K, width), "output": output}

    return kernel_and_average


def single(function, name="output", **options):
    """Return a function whose only result has a name."""

    def answer(**inputs):
        return {name: function(**inputs, **options)}

    return answer


def top_k_mask(scores, k):
    return {"mask": lib.top_k_mask(scores, int(k))}


def named(function, names, **options):
    """Return a function whose results have names."""

    def answer(**inputs):
        return dict(zip(names.split(), function(**inputs, **options), strict=True))

    return answer


WEIGHED, SLOPES = "output weights", "dQ dK dV"


def multi_head(X, W_q, W_k, W_v, W_o, mask=None, context=None, lengths=None):
    if lengths is not None:
        padding = lib.padding_mask(lengths, (X if context is None else context).shape[-2])
        mask = padding if mask is None else padding & mask
    output, weights = lib.multi_head_attention(X, W_q, W_k, W_v, W_o, mask=mask, context=context)
    return {"output": output, "weights": weights, "average": weights.mean(axis=-3)}


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


def rms_norm(X, gain, eps, d_output):
    d_X, d_gain = lib.rms_norm_backward(X, d_output, gain, eps=float(eps))
    return {"output": lib.rms_norm(X, gain, eps=float(eps)), "d_X": d_X, "d_gain": d_gain}


def block(norm, activation="relu"):
    def forward(X, mask=None, **parameters):
        return {"output": lib.transformer_block(X, parameters, mask, norm, activation=activation)}

    return forward


def decoder(tokens, answers, **parameters):
    loss, gradients = lib.decoder_gradients(tokens, parameters, answers)
    logits = lib.decoder_logits(tokens, parameters)
    named = {f"d_{name}": gradient for name, gradient in gradients.items()}
    return {"logits": logits, "loss": np.array(loss, logits.dtype), **named}


def with_sinks(Q, K, V, sink):
    scores, mask = lib.scaled_dot_score(Q, K), lib.causal_mask(Q.shape[-2])
    weights = lib.softmax(scores, mask=mask, sink=sink[:, None, None])
    return {"output": weights @ V, "weights": weights}


ONE_DTYPE = {"scipy_kernels": "float64", "torch_self_attention": "float32"}
ONE_DTYPE |= {"transformers_delta_rule": "float32"}
SHAPES_AND_MASKS = "plain broadcast_heads mask_with_an_empty_row mask_per_head"
CAUSAL = "causal_more_keys causal_fewer_keys"
CONTEXTS = "cross cross_padding cross_mask cross_mask_per_sentence cross_padding_and_mask"
PLAIN, BACKWARD = lib.attention_backward, lib.blockwise_attention_backward
CASES = [  # the file, what answers, and the cases
    ("scipy_kernels", regression(lib.gaussian_kernel), "gaussian"),
    ("scipy_kernels", regression(lib.boxcar_kernel), "boxcar"),
    ("scipy_kernels", regression(lib.triangular_kernel), "triangular"),
    ("scipy_kernels", regression(lib.epanechnikov_kernel), "epanechnikov"),
    ("torch_scores", single(lib.additive_score, "scores"), "additive"),
    ("torch_scores", single(lib.multiplicative_score, "scores"), "multiplicative"),
    ("torch_scores", single(lib.gated_score, "scores"), "gated"),
    ("torch_scores", top_k_mask, "top_k"),
    ("torch_sdpa", named(lib.attention, WEIGHED), f"{SHAPES_AND_MASKS} batch large_scores"),
    ("torch_sdpa", named(lib.attention, WEIGHED, causal=True), CAUSAL),
    ("torch_sdpa", single(lib.blockwise_attention, block=2), f"{SHAPES_AND_MASKS} large_scores"),
    ("torch_sdpa", single(lib.blockwise_attention, block=2, causal=True), CAUSAL),
    ("torch_sdpa_gradients", named(PLAIN, SLOPES), SHAPES_AND_MASKS),
    (
        "torch_sdpa_gradients",
        named(PLAIN, SLOPES, causal=True),
        "causal_fewer_keys",
    ),
    ("torch_sdpa_gradients", named(BACKWARD, SLOPES, block=2), SHAPES_AND_MASKS),
    ("torch_sdpa_gradients", named(BACKWARD, SLOPES, block=2, causal=True), "causal_fewer_keys"),
    ("torch_self_attention", named(lib.self_attention, WEIGHED), "toy"),
    ("torch_multihead", multi_head, f"self self_unbatched one_head_identity_output {CONTEXTS}"),
    ("torch_multihead", multi_head, "self_causal"),
    ("torch_multihead", single_head, "one_head_identity_output"),
    ("torch_two_heads", multi_head, "batch"),
    ("torch_positions", rotary, "rotary rotary_default"),
    ("torch_positions", alibi, "alibi"),
    ("torch_grouped", multi_head, "1_of_4 2_of_4 4_of_4"),
    ("torch_norms", single(lib.layer_norm), "layer"),
    ("torch_norms", rms_norm, "rms"),
    ("torch_block", block("before"), "before before_causal"),
    ("torch_block", block("after"), "after"),
    ("torch_block", block("after", "gelu"), "after_gelu_biases"),
    ("torch_decoder", decoder, "grouped"),
    ("torch_linear", single(lib.linear_attention), "whole"),
    ("torch_linear", single(lib.linear_attention, causal=True), "causal"),
    ("torch_linear", named(lib.linear_attention_recurrent, "output state"), "causal"),
    ("transformers_delta_rule", named(lib.delta_rule, "output last"), "gated"),
    ("transformers_sink", with_sinks, "causal"),
]
EACH = [
    (file, case, dtype, run)
    for file, run, cases in CASES
    for case in cases.split()
    for dtype in ([ONE_DTYPE[file]] if file in ONE_DTYPE else OF_THE_LARGEST)
]
NOTHING_TO_SEE = ("torch_multihead", "cross_nothing_to_see")


@pytest.mark.parametrize(("file", "case", "dtype", "run"), EACH)
def test_the_library_answers_as_the_peer(file, case, dtype, run):
    inputs, expected = load(file, case, dtype)
    assert_answers(run(**inputs), expected, dtype, ROUNDINGS.get(file, 1))


@pytest.mark.parametrize("dtype", OF_THE_LARGEST)
def test_nothing_to_see_gives_zeros_where_multihead_attention_of_pytorch_gives_nan(dtype):
    inputs, expected = load(*NOTHING_TO_SEE, dtype)
    assert list(inputs["lengths"]) == [0, 4]  # sentence 0 of the context has no words
    assert all(np.isnan(answer[0]).all() for answer in expected.values())
    zeros_instead = {name: np.nan_to_num(answer, nan=0) for name, answer in expected.items()}
    assert_answers(multi_head(**inputs), zeros_instead, dtype)


def test_every_stored_case_is_tested():
    stored = set()
    for path in GOLDEN.glob("*.npz"):
        if path.stem.endswith(("_minilm", "_smollm2")):  # which their own tests read
            continue
        with np.load(path) as arrays:
            stored |= {(path.stem, *name.split("/")[:2]) for name in arrays.files}
    tested = {each[:3] for each in EACH} | {(*NOTHING_TO_SEE, dtype) for dtype in OF_THE_LARGEST}
    assert stored == tested
