"""The backward pass of norms, block and decoder: every gradient against numeric differences."""

import numpy as np
import pytest
from checks import assert_same, call, refusals

from attention_lib import (
    causal_mask,
    decoder_logits,
    layer_norm,
    numeric_gradient,
    rms_norm,
    transformer_block,
)
from attention_lib.next_token import start_decoder
from attention_lib.training import cross_entropy
from attention_lib.transformer_gradients import (
    decoder_gradients,
    layer_norm_backward,
    rms_norm_backward,
    transformer_block_backward,
)

SHAPES = {"W_q": (4, 6, 3), "W_k": (4, 6, 3), "W_v": (4, 6, 2), "W_o": (8, 6)}
SHAPES |= {"W_1": (6, 5), "b_1": (5,), "W_2": (5, 6), "b_2": (6,), "gain_1": (6,), "gain_2": (6,)}
KINDS = {
    "plain": {},
    "layer norms": {"bias_1": (6,), "bias_2": (6,)},
    "one layer norm": {"bias_2": (6,)},
    "grouped": {"W_k": (2, 6, 3), "W_v": (2, 6, 2)},
    "one key head": {"W_k": (1, 6, 3), "W_v": (1, 6, 2)},
    "biases of heads": {"b_q": (4, 3), "b_k": (4, 3), "b_v": (4, 2), "b_o": (6,)},
}


def close(found, numeric, name=""):
    np.testing.assert_allclose(found, numeric, atol=1e-7, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("shape", [(6,), (3, 6), (2, 3, 6)])
def test_norms_pass_back_what_nudging_measures(rng, shape):
    X, d_output, gain, bias = (rng.normal(size=s) for s in (shape, shape, 6, 6))
    d_X, d_gain, d_bias = call(layer_norm_backward, X, d_output, gain, eps=0.01)

    def loss(X, gain, bias):
        return (layer_norm(X, gain, bias, eps=0.01) * d_output).sum()

    close(d_X, numeric_gradient(lambda x: loss(x, gain, bias), X))
    close(d_gain, numeric_gradient(lambda g: loss(X, g, bias), gain))
    close(d_bias, numeric_gradient(lambda b: loss(X, gain, b), bias))
    d_X, d_gain = call(rms_norm_backward, X, d_output, gain, eps=0.01)
    close(d_X, numeric_gradient(lambda x: (rms_norm(x, gain, eps=0.01) * d_output).sum(), X))
    close(d_gain, numeric_gradient(lambda g: (rms_norm(X, g, eps=0.01) * d_output).sum(), gain))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gradients_of_norms_keep_the_dtype_and_a_gain_of_1_is_the_default(rng, dtype):
    X, d_output = rng.normal(size=(2, 3, 6)).astype(dtype)
    for backward in (layer_norm_backward, rms_norm_backward):
        with_gain = backward(X, d_output, np.ones(6, dtype))
        assert_same(backward(X, d_output), with_gain, dtype)


@pytest.mark.parametrize("norm", ["before", "after"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("masked", "activation"), [(True, "relu"), (False, "gelu")])
def test_a_block_passes_back_what_nudging_measures(rng, kind, norm, masked, activation):
    shapes = SHAPES | KINDS[kind]
    p = {name: 0.5 * rng.normal(size=shape) for name, shape in shapes.items()}
    X, d_output = rng.normal(size=(2, 2, 4, 6))
    mask = causal_mask(4) if masked else None
    d_X, gradients = transformer_block_backward(X, p, d_output, mask, norm, activation=activation)

    def loss(X, p):
        return (transformer_block(X, p, mask, norm, activation=activation) * d_output).sum()

    assert gradients.keys() == p.keys()
    check_slopes(d_X, lambda x: loss(x, p), X, "X")
    for name, array in p.items():
        check_slopes(gradients[name], lambda a, name=name: loss(X, p | {name: a}), array, name)


def check_slopes(gradient, loss, array, name, nudge=1e-5):
    """In directions that change all numbers at once, the loss grows as the gradient says."""
    assert gradient.shape == array.shape, name
    for direction in np.random.default_rng(1).normal(size=(3, *array.shape)):
        up, down = loss(array + nudge * direction), loss(array - nudge * direction)
        close((gradient * direction).sum(), (up - down) / (2 * nudge), name)


def test_a_mask_for_several_sentences_and_a_shared_gradient_are_summed(rng):
    p = {name: 0.5 * rng.normal(size=shape) for name, shape in SHAPES.items()}
    X, d_output = rng.normal(size=(2, 1, 4, 6))
    mask = np.array([causal_mask(4), np.ones((4, 4), bool), np.zeros((4, 4), bool)])
    d_X, gradients = call_block(X, p, d_output[0], mask)

    def loss(X, p):
        return (transformer_block(X, p, mask) * d_output).sum()

    close(d_X, numeric_gradient(lambda x: loss(x, p), X))
    close(gradients["W_q"], numeric_gradient(lambda a: loss(X, p | {"W_q": a}), p["W_q"]))


def call_block(X, p, d_output, mask):
    before = [array.tobytes() for array in (X, d_output, mask, *p.values())]
    result = transformer_block_backward(X, p, d_output, mask)
    assert [array.tobytes() for array in (X, d_output, mask, *p.values())] == before
    return result


@pytest.mark.parametrize("kind", ["", "without places", "layer norms", "grouped"])
def test_a_decoder_knows_which_way_is_down(rng, kind):
    p = start_decoder(rng, tokens=5, places=6, d=4, heads=2, blocks=2)
    p = {name: 0.7 * rng.normal(size=array.shape) for name, array in p.items()}
    if kind == "without places":
        del p["P"]
    if kind == "layer norms":
        p |= {"bias": rng.normal(size=4), "bias_1": rng.normal(size=(2, 4))}
    if kind == "grouped":
        p |= {name: p[name][:, :1] for name in ("W_k", "W_v")}
    tokens = rng.integers(5, size=(3, 4))
    answers = rng.integers(5, size=(3, 4))
    answers[0, 2:] = -1
    loss, gradients = decoder_gradients(tokens, p, answers)
    counts = answers >= 0

    def loss_at(p):
        return cross_entropy(decoder_logits(tokens, p)[counts], answers[counts])[0]

    assert loss == pytest.approx(loss_at(p))
    assert gradients.keys() == p.keys()
    few = {"E", "W_k", "W_v", "gain_1", "bias", "bias_1"}
    for name in few & p.keys() if kind else p:
        numeric = numeric_gradient(lambda a, name=name: loss_at(p | {name: a}), p[name])
        close(gradients[name], numeric, name)


def test_a_token_of_which_nothing_is_asked_leaves_no_trace(rng):
    p = start_decoder(rng, tokens=5, places=6, d=4, heads=2)
    loss, gradients = decoder_gradients([[1, 2, 3]], p, [[2, -1, -1]])
    short, fewer = decoder_gradients([1], p, [2])
    assert loss == pytest.approx(short, rel=1e-6)
    assert all(array.dtype == np.float32 for array in gradients.values())
    for name, gradient in gradients.items():
        np.testing.assert_allclose(gradient, fewer[name], atol=1e-6, err_msg=name)


# bad input


X, BLOCK = np.ones((3, 6)), {name: np.ones(shape) for name, shape in SHAPES.items()}
DECODER = start_decoder(np.random.default_rng(0), tokens=5, places=6, d=4, heads=2)
SAME = "d_output needs the shape of the output, (3, 6), but has shape "
VALUES = {
    "each token has one answer, or -1, "
    "but tokens has shape (2,) and answers has shape (1,)": lambda: decoder_gradients(
        [0, 1], DECODER, [1]
    ),
    "the loss is a mean over answers, but there are none": lambda: decoder_gradients(
        [0, 1], DECODER, [-1, -1]
    ),
    "answers must lie between -1 and 4, but go from 1 to 5": lambda: decoder_gradients(
        [0, 1], DECODER, [1, 5]
    ),
    f"{SAME}(2, 6)": lambda: transformer_block_backward(X, BLOCK, X[:2]),
    f"{SAME}(6,)": lambda: rms_norm_backward(X, np.ones(6)),
    "norm must be 'before' or 'after', but is 1": lambda: transformer_block_backward(
        X, BLOCK, X, norm=1
    ),
}
test_gradients_of_what_does_not_fit_are_refused = refusals(VALUES)
