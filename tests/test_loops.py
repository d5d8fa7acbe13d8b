"""Functions against their oracles, plain loops, on drawn arrays of the shapes that they declare."""

from collections import defaultdict
from functools import partial

import oracles
import pytest
from checks import assert_same, call
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, leads, sizes, values

import attention_lib as lib


def table(similarity):
    """Return the oracle of a function that scores every pair of a query and a key."""
    return lambda Q, K, **more: oracles.pairs(Q, K, similarity, *more.values())


def additive(Q, K, **W):
    return oracles.pairs(Q, K, oracles.additive, *W.values(), [0.0] * len(W["w_v"]))


SAME, ANY = "Q: ... n d, K: ... m d", "Q: ... n d, K: ... m d_k"
HIDDEN, NETWORK = "W_q: d h, W_k: d_k h, w_v: h", "X: ... n d, W_1: d h, b_1: h, W_2: h e, b_2: e"
GATED = "X: ... n d, W_g: d h, W_1: d h, W_2: h e"
KERNELS = ["gaussian", "boxcar", "triangular", "epanechnikov"]
swiglu = partial(oracles.feed_forward, b_1=None, b_2=None, activation=oracles.silu)
LOOPS = [  # the function, its arrays, its oracle, the options of both
    (lib.dot_score, SAME, table(oracles.dot), {}),
    (lib.scaled_dot_score, SAME, table(oracles.scaled_dot), {}),
    (lib.additive_score, f"{ANY}, {HIDDEN}, b: h", table(oracles.additive), {}),
    (lib.additive_score, f"{ANY}, {HIDDEN}", additive, {}),
    (lib.multiplicative_score, f"{ANY}, W: d d_k", table(oracles.multiplicative), {}),
    *[
        (lib.gated_score, f"{SAME}, w_g: 2d", table(oracles.gated), {"b_g": b_g})
        for b_g in (-2.0, 0.0, 3.0)
    ],
    *[
        (getattr(lib, f"{name}_kernel"), SAME, table(getattr(oracles, name)), {"width": width})
        for name in KERNELS
        for width in (0.3, 1.0, 2.5)
    ],
    (lib.layer_norm, "X: ... n d, gain: d, bias: d", oracles.layer_norm, {"eps": 0.01}),
    (lib.rms_norm, "X: ... n d, gain: d", oracles.rms_norm, {"eps": 0.01}),
    (lib.swiglu, GATED, swiglu, {}),
    *[
        (
            partial(lib.feed_forward, activation=name),
            NETWORK,
            partial(oracles.feed_forward, activation=getattr(oracles, name)),
            {},
        )
        for name in ("relu", "gelu", "silu")
    ],
    (lib.split_heads, "X: ... n 2d", oracles.split_heads, {"heads": 2}),
    *[
        (lib.linear_attention, f"{SAME}, V: ... m e", oracles.linear_attention, {"causal": causal})
        for causal in (False, True)
    ],
]


@st.composite
def arrays(draw, declared):
    """Arrays of one dtype; what stands for an axis has the same length wherever it does."""
    dtype, lengths = draw(dtypes), defaultdict(lambda: draw(sizes))
    rows = dict(part.split(": ") for part in declared.split(", "))
    lead = iter(draw(leads(declared.count("..."))))
    shapes = {}
    for name, axes in rows.items():
        shapes[name] = next(lead) if "..." in axes else ()
        for axis in axes.replace("... ", "").split():
            shapes[name] += (lengths[axis.lstrip("2")] * (2 if axis[0] == "2" else 1),)
    return {name: draw(values(shape, dtype)) for name, shape in shapes.items()}


@pytest.mark.parametrize(("function", "declared", "oracle", "options"), LOOPS)
@given(st.data())
def test_a_function_is_its_loop(function, declared, oracle, options, data):
    given = data.draw(arrays(declared))
    batched = [array for name, array in given.items() if f"{name}: ..." in declared]
    rest = {name: array.tolist() for name, array in given.items() if f"{name}: ..." not in declared}
    expected = oracles.batched(oracle, *batched, **rest, **options)
    assert_same(call(function, **given, **options), expected, batched[0].dtype)
