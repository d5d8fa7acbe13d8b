"""Several heads, one by one and all at once; their output projection; the feed-forward block."""

from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, no_product, not_compared, per_pair, refusals, refuses, shared
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, masks, sizes, values

import attention_lib as lib


@st.composite
def layers(draw, grouped=False):
    """X, the four weights, a mask and perhaps a context, as keyword arguments."""
    n, m, d, d_k, d_v, d_out = (draw(sizes) for _ in "nmdkvo")
    h, dtype = draw(st.integers(1, 4)), draw(dtypes)
    g = draw(st.sampled_from([g for g in range(1, h + 1) if h % g == 0])) if grouped else h
    context = draw(st.booleans())
    lead, context_lead, mask_lead = draw(leads(3))
    shapes = {
        "X": (*lead, n, d),
        "W_q": (h, d, d_k),
        "W_k": (g, d, d_k),
        "W_v": (g, d, d_v),
        "W_o": (h * d_v, d_out),
    }
    if context:
        shapes["context"] = (*context_lead, m, d)
    layer = {name: draw(values(shape, dtype)) for name, shape in shapes.items()}
    batch = np.broadcast_shapes(lead, context_lead if context else ())
    mask_lead = mask_lead[max(0, len(mask_lead) - len(batch)) :]  # more axes would be for the heads
    either = h > 1 and mask_lead[-1:] == (h,) and batch[-1:] == (1,)
    assume(not either)  # a mask for the heads, or for as many texts, is refused
    return layer | {"mask": draw(masks(mask_lead, n, m if context else n))}


def context_of(layer):
    return layer.get("context", layer["X"])


@st.composite
def one_head(draw):
    """X (..., n, d), the three projections, and a mask."""
    n, d, d_k, d_v = (draw(sizes) for _ in "nddd")
    lead, mask_lead = draw(leads(2))
    dtype = draw(dtypes)
    shapes = (*lead, n, d), (d, d_k), (d, d_k), (d, d_v)
    X, *projections = (draw(values(shape, dtype)) for shape in shapes)
    return X, projections, draw(masks(mask_lead, n, n))


@given(one_head())
def test_self_attention_is_the_loop(head):
    X, projections, mask = head
    n = X.shape[-2]
    allowed = np.ones((n, n), bool) if mask is None else mask & np.ones((n, n), bool)
    W = dict(zip(("W_q", "W_k", "W_v"), (W.tolist() for W in projections), strict=True))
    expected = oracles.batched(oracles.self_attention, X, allowed, **W)
    assert_same(call(lib.self_attention, X, *projections, mask=mask), expected, X.dtype)


@given(layers(grouped=True))
def test_multi_head_attention_is_the_loop(layer):
    X, context, mask = layer["X"], context_of(layer), layer["mask"]
    n, m = X.shape[-2], context.shape[-2]
    allowed = np.ones((n, m), bool) if mask is None else mask & np.ones((n, m), bool)
    W = {name: layer[name].tolist() for name in ("W_q", "W_k", "W_v", "W_o")}
    expected = oracles.batched(oracles.multi_head_attention, X, context, allowed, **W)
    assert_same(call(lib.multi_head_attention, **layer), expected, X.dtype)


@given(st.data(), leads(1), sizes, sizes, st.integers(1, 3), dtypes)
def test_merge_heads_is_the_inverse_of_split_heads(data, lead, n, size, heads, dtype):
    X = data.draw(values((*lead[0], n, heads * size), dtype))
    merged = call(lib.merge_heads, call(lib.split_heads, X, heads))
    np.testing.assert_array_equal(merged, X, strict=True)


@given(layers(), generators)
def test_a_mask_shaped_like_the_weights_tells_each_head_its_own(layer, rng):
    _, weights = lib.multi_head_attention(**layer | {"mask": None})
    mask = rng.random(weights.shape) < 0.7
    output, weights = call(lib.multi_head_attention, **layer | {"mask": mask})
    total = 0
    for i, W_o in enumerate(layer["W_o"].reshape(len(layer["W_v"]), -1, layer["W_o"].shape[-1])):
        one = {name: layer[name][i : i + 1] for name in ("W_q", "W_k", "W_v")} | {"W_o": W_o}
        part, alone = lib.multi_head_attention(**layer | one | {"mask": mask[..., i, :, :]})
        assert_same(weights[..., i, :, :], alone[..., 0, :, :], weights.dtype)
        total = total + part
    assert_same(output, total, output.dtype)


@pytest.mark.parametrize(
    ("X", "mask", "weights"),
    [
        ((1, 3, 4), (2, 3, 3), (1, 2, 3, 3)),
        ((1, 3, 4), (2, 1, 3), (1, 2, 3, 3)),
        ((1, 1, 3, 4), (5, 2, 3, 3), (1, 1, 2, 3, 3)),
    ],
)
def test_a_mask_that_may_be_for_heads_or_for_texts_is_refused(X, mask, weights):
    message = (
        "this mask may be meant for 2 heads or for as many texts: "
        f"mask has shape {mask} and the weights have shape {weights}; "
        "give it as many axes as the weights"
    )
    with refuses(ValueError, message):
        layer(X=X, mask=mask)()
    texts, heads = mask[:-2], (1, *mask[:-2])
    assert layer(X=X, mask=(1, *mask))()[1].shape == (*heads, 3, 3)
    assert layer(X=X, mask=(*texts, 1, *mask[-2:]))()[1].shape == (*texts, 2, 3, 3)


def test_the_number_of_axes_tells_a_mask_for_the_batch_from_one_for_the_heads(rng):
    X, W, W_o = rng.normal(size=(2, 3, 4)), rng.normal(size=(3, 2, 4, 2)), rng.normal(size=(4, 4))
    mask = np.array([np.ones((3, 3), bool), np.eye(3, dtype=bool)])
    batch, heads = (lib.multi_head_attention(X, *W, W_o, mask=m)[1] for m in (mask, mask[None]))
    for alone, free in ((batch[1], batch[0]), (heads[:, 1], heads[:, 0])):
        assert_same(alone, np.broadcast_to(np.eye(3), (2, 3, 3)), "float64")
        assert (free > 0).all()


@pytest.mark.parametrize("name", ["relu", "gelu", "silu"])
def test_minus_infinity_is_switched_off(name):
    off = lib.feed_forward([[-np.inf]], [[1]], [0], [[1]], [2], activation=name)
    assert off.tolist() == [[2]]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gelu_is_nearly_relu_far_from_0(dtype):
    far = np.array([-np.inf, -40, 0, 40, np.inf], dtype)
    np.testing.assert_array_equal(call(lib.gelu, far), np.array([0, 0, 0, 40, np.inf], dtype))


LAYER = {"X": (3, 4), "W_q": (2, 4, 5), "W_k": (2, 4, 5), "W_v": (2, 4, 6), "W_o": (12, 7)}


def layer(mask=None, **change):
    shapes = LAYER | change
    options = {} if mask is None else {"mask": np.ones(mask, bool)}
    return lambda: lib.multi_head_attention(
        **{name: np.ones(shape) for name, shape in shapes.items()}, **options
    )


def network(*shapes):
    return lambda: lib.feed_forward(*map(np.ones, ((3, 4), *shapes)))


def split(heads):
    return lambda: lib.split_heads(np.ones((5, 6)), heads)


def has(first, one, second, other):
    return f"{first} has shape {one} and {second} has shape {other}"


OWN_VALUES = "each head of keys needs its own values, so W_k and W_v need as many heads, but "
EVENLY = "query heads share key heads evenly, so the number in W_k must divide that in W_q, but "
MIXES = "W_o mixes 2 heads of length 6 laid end to end, so it needs 12 rows, but "
HIDDEN = "these meet in one hidden layer, so all need the same length d_h, but "
ONE_K, ONE_V, THREE = (1, 4, 5), (1, 4, 6), {"W_k": (3, 4, 5), "W_v": (3, 4, 6), "W_o": (24, 7)}
VALUES = {
    "W_q must have shape (h, d, d_k), but has shape (4, 5)": layer(W_q=(4, 5)),
    "W_k must have shape (g, d_c, d_k), but has shape (1, 2, 4, 5)": layer(W_k=(1, 2, 4, 5)),
    "W_v must have shape (g, d_c, d_v), but has shape (4, 6)": layer(W_v=(4, 6)),
    "W_o must have shape (h*d_v, d_out), but has shape (2, 6, 7)": layer(W_o=(2, 6, 7)),
    OWN_VALUES + has("W_k", ONE_K, "W_v", (2, 4, 6)): layer(W_k=ONE_K),
    OWN_VALUES + has("W_k", (2, 4, 5), "W_v", ONE_V): layer(W_v=ONE_V, W_o=(6, 7)),
    EVENLY + has("W_q", (4, 4, 5), "W_k", (3, 4, 5)): layer(W_q=(4, 4, 5), **THREE),
    EVENLY + has("W_q", (2, 4, 5), "W_k", (4, 4, 5)): layer(W_k=(4, 4, 5), W_v=(4, 4, 6)),
    MIXES + has("W_v", ONE_V, "W_o", (6, 7)): layer(W_k=ONE_K, W_v=ONE_V, W_o=(6, 7)),
    MIXES + has("W_v", (2, 4, 6), "W_o", (6, 7)): layer(W_o=(6, 7)),
    no_product("X", (3, 4), "W_q", (2, 3, 5)): layer(W_q=(2, 3, 5)),
    no_product("context", (8, 3), "W_k", (2, 4, 5)): layer(context=(8, 3)),
    shared("d_c", "W_k", (2, 4, 5), "W_v", (2, 3, 6)): layer(W_v=(2, 3, 6)),
    not_compared((2, 4, 5), (2, 4, 1), "W_q", "W_k"): layer(W_k=(2, 4, 1)),
    per_pair("mask", (5, 3, 3), (2, 3, 3)): layer(mask=(5, 3, 3)),
    per_pair("mask", (3, 3, 3), (2, 3, 3)): layer(mask=(3, 3, 3)),
    per_pair("mask", (2, 3, 3), (5, 3, 3)): layer(X=(5, 3, 4), mask=(2, 3, 3)),
    per_pair("mask", (5, 5, 3, 3), (5, 2, 3, 3)): layer(X=(5, 3, 4), mask=(5, 5, 3, 3)),
    per_pair("mask", (2, 2, 3, 3), (5, 2, 3, 3)): layer(X=(5, 3, 4), mask=(2, 2, 3, 3)),
    "rows cannot be cut into 4 equal heads, but X has shape (5, 6)": split(4),
    "rows cannot be cut into 12 equal heads, but X has shape (5, 6)": split(12),
    "heads must be at least 1, but is 0": split(0),
    "X must have shape (..., h, n, d_v), but has shape (5, 6)": partial(
        lib.merge_heads, np.ones((5, 6))
    ),
    no_product("X", (3, 4), "W_1", (5, 6)): network((5, 6), (6,), (6, 2), (2,)),
    no_product("W_1", (4, 6), "W_2", (5, 2)): network((4, 6), (6,), (5, 2), (2,)),
    HIDDEN + has("W_1", (4, 6), "b_1", (1,)): network((4, 6), (1,), (6, 2), (2,)),
    "b_2 must have shape (d_out,), but has shape ()": network((4, 6), (6,), (6, 2), ()),
    "activation must be 'relu' or 'gelu' or 'silu', but is 'swish'": lambda: lib.feed_forward(
        [[1]], [[1]], [1], [[1]], [1], activation="swish"
    ),
}
TYPES = {
    "heads must be a whole number, but is 1.5": split(1.5),
    "X must hold real numbers, but its dtype is <U1": lambda: lib.gelu(["a"]),
}
for name in ("W_q", "W_k", "W_v"):
    W = {"W_q": np.ones((4, 2)), "W_k": np.ones((4, 2)), "W_v": np.ones((4, 2))}
    W[name] = np.ones((3, 2))
    VALUES[no_product("X", (5, 4), name, (3, 2))] = partial(
        lib.self_attention, np.ones((5, 4)), **W
    )
test_what_does_not_fit_is_refused = refusals(VALUES, TYPES)
