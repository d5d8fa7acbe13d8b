"""Norms, the block and the decoder: against plain loops, and the laws they are built for."""

import numpy as np
import oracles
import pytest
from checks import assert_same, call, no_product, not_compared, refusals, refuses, shared
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, masks, sizes

import attention_lib as lib
from attention_lib.transformer import Kind, _transformer_block

FEW = settings(max_examples=30)


def test_norms_of_a_single_vector_and_of_equal_numbers():
    assert_same(lib.layer_norm([5, 5, 5]), np.zeros(3), "float64")
    assert_same(lib.rms_norm([0, 0]), np.zeros(2), "float64")
    assert_same(lib.rms_norm(np.full(3, 300, "float16")), np.ones(3), "float16")


@pytest.mark.parametrize("norm", [lib.layer_norm, lib.rms_norm])
@pytest.mark.parametrize(
    ("size", "dtype"), [(6e4, "float16"), (1e20, "float32"), (3e38, "float32"), (1e308, "float64")]
)
def test_vectors_of_any_finite_size_have_a_norm(norm, dtype, size):
    X = np.array([[1, -1, 1, 0], [1, -1, 1, 0]]) * [[size], [1]]
    expected = norm(X[[1, 1]] * [[1e6], [1]])
    assert_same(call(norm, X.astype(dtype)), expected, dtype)
    assert_same(lib.layer_norm(np.full((1, 4), size, dtype)), [[0, 0, 0, 0]], dtype)


X = np.ones((2, 3))
NO_NORM = {
    shared("d", "X", (2, 3), "gain", (2,)): (X, {"gain": np.ones(2)}),
    "gain must have shape (d,), but has shape (2, 3)": (X, {"gain": X}),
    "gain must have shape (d,), but has shape ()": (X, {"gain": 1e-5}),
    "X must have shape (..., d), but has shape ()": (1.0, {}),
    "eps must be a positive number, but is -1": (X, {"eps": -1}),
    "a vector of size 0 cannot be divided by its size: take a larger eps": (0 * X, {"eps": 0}),
}


@pytest.mark.parametrize("norm", [lib.layer_norm, lib.rms_norm])
@pytest.mark.parametrize(("message", "given"), NO_NORM.items())
def test_what_has_no_norm_is_refused(norm, message, given):
    with refuses(ValueError, message):
        norm(given[0], **given[1])


def shapes_of_block(draw, d, h, biases):
    g = draw(st.sampled_from([g for g in range(1, h + 1) if h % g == 0]))
    d_k, d_v, d_h = (draw(st.integers(1, 3)) for _ in "kvh")
    shapes = {"W_q": (h, d, d_k), "W_k": (g, d, d_k), "W_v": (g, d, d_v), "W_o": (h * d_v, d)}
    shapes |= {"W_1": (d, d_h), "W_2": (d_h, d), "gain_1": (d,), "gain_2": (d,)}
    optional = {"b_q": (h, d_k), "b_k": (g, d_k), "b_v": (g, d_v), "b_o": (d,)}
    optional |= {"b_1": (d_h,), "b_2": (d,), "bias_1": (d,), "bias_2": (d,), "W_g": (d, d_h)}
    return shapes | {name: optional[name] for name in biases}


WAYS = [(norm, name) for norm in ("before", "after") for name in ("relu", "gelu", "silu")]


@st.composite
def blocks(draw):
    """X, parameters, a mask, where the norms stand and what the network applies."""
    n, d, h, dtype = draw(sizes), draw(sizes), draw(st.integers(1, 4)), draw(dtypes)
    names = ("b_q", "b_k", "b_v", "b_o", "b_1", "b_2", "bias_1", "bias_2", "W_g")
    biases = draw(st.lists(st.sampled_from(names), unique=True))
    shapes = shapes_of_block(draw, d, h, biases)
    rng = draw(generators)
    p = {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}
    lead = draw(leads(1))[0]
    X = rng.normal(size=(*lead, n, d)).astype(dtype)
    return X, p, draw(masks((), n, n)), draw(st.sampled_from(WAYS))


@FEW
@given(blocks(), st.sampled_from([None, 50.0]))
def test_a_block_is_the_loop(block, base):
    X, p, mask, (norm, activation) = block
    n = X.shape[-2]
    allowed = np.ones((n, n), bool) if mask is None else mask & np.ones((n, n), bool)
    lists = {name: array.tolist() for name, array in p.items()}
    own = getattr(oracles, activation)
    base = None if p["W_q"].shape[-1] % 2 else base
    loop = oracles.transformer_block
    expected = oracles.batched(loop, X, allowed, p=lists, norm=norm, activation=own, base=base)
    found = call(lib.transformer_block, X, p, mask, norm, activation=activation, rotary_base=base)
    assert_same(found, expected, X.dtype)


@given(generators, st.integers(1, 4))
def test_a_block_that_remembers_its_keys_continues_a_text(rng, start):
    shapes = {"W_q": (4, 6, 2), "W_k": (2, 6, 2), "W_v": (2, 6, 3), "W_o": (12, 6)}
    shapes |= {"W_1": (6, 8), "W_g": (6, 8), "W_2": (8, 6), "gain_1": (6,), "gain_2": (6,)}
    p, X = {name: rng.normal(size=s) for name, s in shapes.items()}, rng.normal(size=(5, 6))
    whole = lib.transformer_block(X, p, lib.causal_mask(5), activation="silu", rotary_base=100)
    kind = Kind(activation="silu", gated=True, base=100.0)
    past = _transformer_block(X[:start], p, lib.causal_mask(start), kind)
    rest = lib.causal_mask(5 - start, 5, align="end")
    after = _transformer_block(X[start:], p, rest, kind, past).output
    assert_same(np.concatenate([past.output, after]), whole, "float64")


SHAPES = {"W_q": (2, 4, 3), "W_k": (2, 4, 3), "W_v": (2, 4, 3), "W_o": (6, 4)}
SHAPES |= {"W_1": (4, 8), "W_2": (8, 4), "gain_1": (4,), "gain_2": (4,)}
NAMES = (
    "parameters are W_q, W_k, W_v, W_o, W_1, W_2, gain_1, gain_2, "
    "b_q, b_k, b_v, b_o, b_1, b_2, bias_1, bias_2, W_g, but "
)


def ones(shapes):
    return {name: np.ones(shape) for name, shape in shapes.items()}


def block(X=(3, 4), norm="before", activation="relu", **change):
    shapes = {name: shape for name, shape in (SHAPES | change).items() if shape is not None}
    return lambda: lib.transformer_block(np.ones(X), ones(shapes), norm=norm, activation=activation)


HIDDEN = "these meet in one hidden layer, so all need the same length d_h, but "
NO_BLOCK = {
    f"{NAMES}'gain_1' is missing": block(gain_1=None),
    f"{NAMES}'W_3' is not one of them": block(W_3=(2, 3)),
    f"{NAMES}'W_q' is missing and 'Wq' is not one of them": block(W_q=None, Wq=(2, 4, 3)),
    not_compared((2, 4, 3), (2, 4), "W_q", "b_q"): block(b_q=(2, 4)),
    "b_v must have shape (g, d_v), but has shape (3,)": block(b_v=(3,)),
    shared("d", "X", (3, 4), "b_o", (6,)): block(b_o=(6,)),
    no_product("X", (3, 4), "W_1", (5, 8)): block(W_1=(5, 8)),
    no_product("W_1", (4, 8), "W_2", (7, 4)): block(W_2=(7, 4)),
    "W_1 must have shape (d, d_h), but has shape (1, 4, 8)": block(W_1=(1, 4, 8)),
    shared("d", "X", (3, 4), "W_2", (8, 5)): block(W_2=(8, 5)),
    shared("d", "X", (3, 4), "W_o", (6, 5)): block(W_o=(6, 5)),
    shared("d", "X", (3, 4), "gain_2", (3,)): block(gain_2=(3,)),
    shared("d", "X", (3, 4), "bias_1", (1,)): block(bias_1=(1,)),
    f"{HIDDEN}W_1 has shape (4, 8) and b_1 has shape (4,)": block(b_1=(4,)),
    f"{HIDDEN}W_1 has shape (4, 8) and W_g has shape (4, 7)": block(W_g=(4, 7)),
    "norm must be 'before' or 'after', but is 'pre'": block(norm="pre"),
    "activation must be 'relu' or 'gelu' or 'silu', but is 'tanh'": block(activation="tanh"),
    "X needs one vector per row, shape (..., rows, length), but has shape (4,); "
    "a single vector x goes in as [x]": block(X=(4,)),
}
TYPES = {
    "X must hold real numbers, but its dtype is <U1": lambda: lib.rms_norm(["a"]),
    "parameters must map names to arrays, as in {'W_q': …}, but are a list": lambda: (
        lib.transformer_block(np.ones((3, 4)), [1, 2])
    ),
}
test_what_is_no_block_is_refused = refusals(NO_BLOCK, TYPES)


@pytest.fixture
def decoder(rng):
    p = lib.start_decoder(rng, tokens=6, places=7, d=8, heads=2, blocks=2)
    return {name: rng.normal(size=array.shape) for name, array in p.items()}


def test_the_steps_of_a_decoder_are_those_of_its_blocks(decoder):
    steps = lib.decoder_steps([1, 2, 3], decoder)
    start = decoder["E"][[1, 2, 3]] + decoder["P"][:3]
    for i, (before, step) in enumerate(zip([start, steps[0].output], steps, strict=True)):
        assert_same(step.X, before, "float64")
        layer = {name: W[i] for name, W in decoder.items() if name not in ("gain", *"EPU")}
        W = {name: layer[name] for name in ("W_q", "W_k", "W_v", "W_o")}
        found, weights = lib.multi_head_attention(step.A, **W, mask=lib.causal_mask(3))
        output = lib.transformer_block(step.X, layer, lib.causal_mask(3))
        assert_same(
            (step.weights, step.S - step.X, step.output), (weights, found, output), "float64"
        )
    last = lib.rms_norm(steps[-1].output, decoder["gain"]) @ decoder["U"]
    assert_same(lib.decoder_logits([1, 2, 3], decoder), last, "float64")
    assert lib.decoder_logits(np.zeros((2, 0), int), decoder).shape == (2, 0, 6)


LONG = "this decoder has 7 places, but the text has 9 tokens: give it the last 7"
TEXTS = [
    ([0, 6], ValueError, "tokens must lie between 0 and 5, but go from 0 to 6"),
    ([-1, 2], ValueError, "tokens must lie between 0 and 5, but go from -1 to 2"),
    ([0.0, 1.0], TypeError, "tokens must be whole numbers, but their dtype is float64"),
    (3, ValueError, "tokens are a text, shape (..., n), but tokens has shape ()"),
    ([0] * 9, ValueError, LONG),
]
BOTH = "E has a vector and U a score for each token, so both need the same number of tokens, "
CHANGES = [
    ({"U": (8, 5)}, f"{BOTH}but E has shape (6, 8) and U has shape (8, 5)"),
    ({"P": (7, 3)}, shared("d", "E", (6, 8), "P", (7, 3))),
    ({"E": (6,)}, "E must have shape (c, d), but has shape (6,)"),
    ({"gain": (3,)}, shared("d", "E", (6, 8), "gain", (3,))),
    ({"W_1": (2, 4, 32)}, no_product("E", (6, 8), "W_1", (2, 4, 32))),
]


def test_a_text_or_parameters_that_a_decoder_cannot_read_are_refused(decoder):
    for tokens, error, message in TEXTS:
        with refuses(error, message):
            lib.decoder_logits(tokens, decoder)
    for change, message in CHANGES:
        with refuses(ValueError, message):
            lib.decoder_logits([0], decoder | ones(change))


def test_blocks_of_different_number_are_refused(decoder):
    empty = {
        name: array if name in ("gain", *"EPU") else array[:0] for name, array in decoder.items()
    }
    with refuses(ValueError, "a decoder has at least one block, but W_q has shape (0, 2, 8, 4)"):
        lib.decoder_logits([0], empty)
    reason = "the first axis of these is that of the blocks, so it must be as long in all, but "
    with pytest.raises(ValueError, match=f"^{reason}W_q has shape"):
        lib.decoder_logits([0], decoder | {"W_o": decoder["W_o"][:1]})
