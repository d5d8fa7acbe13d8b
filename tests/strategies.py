"""What hypothesis draws: shapes, dtypes, values, masks. Values come from a drawn seed."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

dtypes = st.sampled_from(["float32", "float64"])
sizes = st.integers(1, 5)
generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def leads(count):
    """Leading axes that broadcast together, 0 to 2 of them, for each of `count` arrays."""
    shapes = mutually_broadcastable_shapes(num_shapes=count, max_dims=2, max_side=3)
    return shapes.map(lambda drawn: drawn.input_shapes)


@st.composite
def values(draw, shape, dtype="float64"):
    """Smooth numbers, or small integers for their ties and zeros."""
    rng = draw(generators)
    smooth = draw(st.booleans())
    array = rng.normal(size=shape) if smooth else rng.integers(-2, 3, size=shape)
    return array.astype(dtype)


@st.composite
def masks(draw, lead, n, m):
    """None, or booleans with about one row in four all False; an axis may have size 1."""
    if draw(st.booleans()):
        return None
    rng = draw(generators)
    n, m = draw(st.sampled_from([(n, m), (n, m), (1, m), (n, 1)]))
    return (rng.random((*lead, n, m)) < 0.6) & (rng.random((*lead, n, 1)) < 0.75)


class Problem(NamedTuple):
    """Queries, keys, values and a mask whose leading axes broadcast."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    mask: np.ndarray | None

    @property
    def allowed(self):
        """The mask, written out for every pair of query and key."""
        mask = np.array(True) if self.mask is None else self.mask
        shape = (self.Q.shape[-2], self.K.shape[-2])
        return np.broadcast_to(mask, np.broadcast_shapes(mask.shape, shape))


@st.composite
def problems(draw, batches=True):
    n, m, d_k, d_v = (draw(sizes) for _ in "nmdd")
    dtype = draw(dtypes)
    q, k, v, lead = draw(leads(4)) if batches else ((),) * 4
    return Problem(
        draw(values((*q, n, d_k), dtype)),
        draw(values((*k, m, d_k), dtype)),
        draw(values((*v, m, d_v), dtype)),
        draw(masks(lead, n, m)),
    )
