"""One head: projections of one sequence, and what permuting it does."""

import numpy as np
import oracles
from checks import assert_same, call, no_product, not_compared, refusals
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, leads, masks, sizes, values

from attention_lib import self_attention


@st.composite
def heads(draw):
    """X (..., n, d), the three projections, and a mask."""
    n, d, d_k, d_v = (draw(sizes) for _ in "nddd")
    lead, mask_lead = draw(leads(2))
    dtype = draw(dtypes)
    shapes = (*lead, n, d), (d, d_k), (d, d_k), (d, d_v)
    X, *projections = (draw(values(shape, dtype)) for shape in shapes)
    return X, projections, draw(masks(mask_lead, n, n))


@given(heads())
def test_self_attention_is_the_loop(head):
    X, projections, mask = head
    n = X.shape[-2]
    allowed = np.ones((n, n), bool) if mask is None else mask & np.ones((n, n), bool)
    W = dict(zip(("W_q", "W_k", "W_v"), (W.tolist() for W in projections), strict=True))
    expected = oracles.batched(oracles.self_attention, X, allowed, **W)
    assert_same(call(self_attention, X, *projections, mask=mask), expected, X.dtype)


# bad input


def projecting(*shapes):
    return lambda: self_attention(np.ones((5, 4)), *map(np.ones, shapes))


VALUES = {
    no_product("X", (5, 4), "W_q", (3, 2)): projecting((3, 2), (4, 2), (4, 2)),
    no_product("X", (5, 4), "W_k", (3, 2)): projecting((4, 2), (3, 2), (4, 2)),
    no_product("X", (5, 4), "W_v", (3, 2)): projecting((4, 2), (4, 2), (3, 2)),
    not_compared((4, 2), (4, 3), "W_q", "W_k"): projecting((4, 2), (4, 3), (4, 2)),
}
test_projections_that_do_not_fit_are_refused = refusals(VALUES)
