"""The backward pass of norms, block and decoder: every gradient against numeric differences."""

import numpy as np
import pytest
from checks import assert_same, call, refusals

import attention_lib as lib


def close(found, numeric, name=""):
    np.testing.assert_allclose(found, numeric, atol=1e-7, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("shape", [(6,), (3, 6), (2, 3, 6)])
def test_a_norm_passes_back_what_nudging_measures(rng, shape):
    X, d_output, gain = (rng.normal(size=s) for s in (shape, shape, 6))
    d_X, d_gain = call(lib.rms_norm_backward, X, d_output, gain, eps=0.01)
    close(
        d_X, lib.numeric_gradient(lambda x: (lib.rms_norm(x, gain, eps=0.01) * d_output).sum(), X)
    )
    close(
        d_gain,
        lib.numeric_gradient(lambda g: (lib.rms_norm(X, g, eps=0.01) * d_output).sum(), gain),
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gradients_of_a_norm_keep_the_dtype_a_gain_of_1_is_the_default_and_large_is_not_0(dtype):
    X, d_output = np.random.default_rng(0).normal(size=(2, 3, 6)).astype(dtype)
    with_gain = lib.rms_norm_backward(X, d_output, np.ones(6, dtype))
    assert_same(lib.rms_norm_backward(X, d_output), with_gain, dtype)
    large = np.array(2.0**80, dtype)
    (expected, _), (found, _) = (lib.rms_norm_backward(X * s, d_output, eps=0) for s in (1, large))
    assert_same(found * large, expected, dtype)


KINDS = ["", "without places", "layer norms", "biases of heads", "grouped"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_decoder_knows_which_way_is_down(rng, kind):
    p = lib.start_decoder(rng, tokens=5, places=6, d=4, heads=2, blocks=2)
    p = {name: 0.7 * rng.normal(size=array.shape) for name, array in p.items()}
    if kind == "without places":
        del p["P"]
    if kind == "layer norms":
        p |= {"bias": rng.normal(size=4), "bias_1": rng.normal(size=(2, 4))}
    if kind == "biases of heads":
        p |= {name: rng.normal(size=(2, 2, 2)) for name in ("b_q", "b_k", "b_v")}
        p["b_o"] = rng.normal(size=(2, 4))
    if kind == "grouped":
        p |= {name: p[name][:, :1] for name in ("W_k", "W_v")}
    tokens = rng.integers(5, size=(3, 4))
    answers = rng.integers(5, size=(3, 4))
    answers[0, 2:] = -1
    loss, gradients = lib.decoder_gradients(tokens, p, answers)
    counts = answers >= 0

    def loss_at(p):
        return lib.cross_entropy(lib.decoder_logits(tokens, p)[counts], answers[counts])[0]

    assert loss == pytest.approx(loss_at(p))
    assert gradients.keys() == p.keys()
    few = {"E", "W_k", "W_v", "gain_1", "bias", "bias_1", "b_q", "b_k", "b_v", "b_o"}
    for name in few & p.keys() if kind else p:
        numeric = lib.numeric_gradient(lambda a, name=name: loss_at(p | {name: a}), p[name])
        close(gradients[name], numeric, name)


def test_a_page_computes_the_same_gradients_in_its_own_way(rng, monkeypatch):
    parameters = lib.start_decoder(rng, tokens=7, places=16)
    tokens, answers = rng.integers(7, size=(2, 9, 16))
    loss, gradients = lib.decoder_gradients(tokens, parameters, answers)
    monkeypatch.setattr("sys.platform", "emscripten")
    same_loss, same = lib.decoder_gradients(tokens, parameters, answers)
    assert same_loss == pytest.approx(loss, rel=1e-5)
    for name, gradient in gradients.items():
        np.testing.assert_allclose(same[name], gradient, rtol=1e-3, atol=1e-6)


def test_a_token_of_which_nothing_is_asked_leaves_no_trace(rng):
    p = lib.start_decoder(rng, tokens=5, places=6, d=4, heads=2)
    loss, gradients = lib.decoder_gradients([[1, 2, 3]], p, [[2, -1, -1]])
    short, fewer = lib.decoder_gradients([1], p, [2])
    assert loss == pytest.approx(short, rel=1e-6)
    assert all(array.dtype == np.float32 for array in gradients.values())
    for name, gradient in gradients.items():
        np.testing.assert_allclose(gradient, fewer[name], atol=1e-6, err_msg=name)


DECODER = lib.start_decoder(np.random.default_rng(0), tokens=5, places=6, d=4, heads=2)
SAME = "d_output needs the shape of the output, (3, 6), but has shape "
VALUES = {
    "each token has one answer, or -1, "
    "but tokens has shape (2,) and answers has shape (1,)": lambda: lib.decoder_gradients(
        [0, 1], DECODER, [1]
    ),
    "the loss is a mean over answers, but there are none": lambda: lib.decoder_gradients(
        [0, 1], DECODER, [-1, -1]
    ),
    "answers must lie between -1 and 4, but go from 1 to 5": lambda: lib.decoder_gradients(
        [0, 1], DECODER, [1, 5]
    ),
    f"{SAME}(2, 6)": lambda: lib.rms_norm_backward(np.ones((3, 6)), np.ones((2, 6))),
    f"{SAME}(6,)": lambda: lib.rms_norm_backward(np.ones((3, 6)), np.ones(6)),
}
test_gradients_of_what_does_not_fit_are_refused = refusals(VALUES)
