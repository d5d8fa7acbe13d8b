"""Where a word stands: waves to add to it, an angle to turn it by, a penalty for distance.

Attention by itself does not see order. `sinusoidal_positions` are added to the words before the
first layer; `rotary` turns queries and keys, and `alibi_bias` is added to scores, in every layer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Numbers, takes


def sinusoidal_positions(n: int, d: int, *, dtype: DTypeLike = "float64") -> Array:
    r"""Return one vector per position, to be added to the words so that order can be seen.

    Columns come in pairs: :math:`\sin(i/10000^{2c/d})` and :math:`\cos(i/10000^{2c/d})` for pair
    ``c`` of position ``i``; if d is odd, the last pair lacks its cosine. Moving by some positions
    turns each pair by the same angle everywhere. As `dtype` pass that of the words, ``X.dtype``:
    positions in float64 would turn float32 words into float64.

    Examples
    --------
    >>> sinusoidal_positions(3, 4).round(2)
    array([[ 0.  ,  1.  ,  0.  ,  1.  ],
           [ 0.84,  0.54,  0.01,  1.  ],
           [ 0.91, -0.42,  0.02,  1.  ]])
    """
    n, d, dtype = check.as_count("n", n, least=0), check.as_count("d", d), np.dtype(dtype)
    if dtype.kind != "f":
        raise TypeError(
            f"positions lie between -1 and 1, so dtype must be floating, but is {dtype}"
        )
    speed = 10000.0 ** (-np.arange(0, d, 2) / d)  # (pairs,)
    angles = np.arange(n)[:, None] * speed  # (n, pairs)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (n, pairs, 2)
    return pairs.reshape(n, 2 * len(speed))[:, :d].astype(dtype, copy=False)


@takes("X: ... n d")
def rotary(X: Numbers, positions: ArrayLike | None = None, *, base: float = 10000.0) -> Array:
    r"""Turn each vector by angles that grow with its position.

    The numbers of a vector come in pairs :math:`(x_{2c}, x_{2c+1})`; at position ``i`` each pair is
    turned by the angle :math:`i \cdot \mathrm{base}^{-2c/d}`. Once queries and keys are turned,
    a score depends on how far apart the two stand, not on where. No vector changes its length.

    The rows of `X`, of even length, stand at `positions`, (..., n), by default at 0, 1, …, n - 1.
    The larger the `base`, the slower the last pairs turn.

    Examples
    --------
    A query two places after its key has the same score anywhere:

    >>> q, k = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]])
    >>> near, far = (rotary(q, [i + 2]) @ rotary(k, [i]).T for i in (0, 100))
    >>> print(near.round(3), far.round(3))
    [[-6.396]] [[-6.396]]
    """
    check.require(X.shape[-1] % 2 == 0, "numbers are turned in pairs, so d must be even", X=X)
    return _rotary(X, _as_places(positions, X), check.as_size("base", base))


def _rotary(X: Array, places: Array, base: float) -> Array:
    """Compute `rotary` of vectors at these places."""
    d = X.shape[-1]
    angles = places[..., None] * base ** (-np.arange(0, d, 2) / d)  # (..., n, d / 2), float64
    cos, sin = np.cos(angles).astype(X.dtype), np.sin(angles).astype(X.dtype)
    x, y = X[..., 0::2], X[..., 1::2]  # (..., n, d / 2)
    turned = np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)  # (..., n, d / 2, 2)
    return turned.reshape(*turned.shape[:-2], d)


def _as_places(positions: ArrayLike | None, X: Array) -> Array:
    """Read where each row of `X` stands."""
    given = np.arange(X.shape[-2]) if positions is None else positions
    places = check.as_numbers("positions", given)
    joint = check.joint_shape(places.shape, X.shape[:-1])
    fits = joint is not None and joint[-1] == X.shape[-2]
    check.require(fits, "each row has one position", X=X, positions=places)
    if places.ndim == 0 and places.dtype.kind == "f":
        raise TypeError(
            f"positions are one for each row, but are {positions!r}; a base goes in as base=…"
        )
    return places.astype(np.float64)


@takes("slopes: h")
def alibi_bias(slopes: Numbers, n: int, m: int | None = None) -> Array:
    r"""Return what is added to scores so that each head prefers the near past (ALiBi).

    Head ``r`` takes :math:`s_r\,(i - j)` off the score of query ``i`` and key ``j``. It goes with a
    causal mask: keys after the query, which that mask hides, get the same number added. The result,
    (h, n, m), is for `attention_with_bias`.

    The `slopes` say how steeply each head forgets; the paper takes 1/2, 1/4, … 1/256 for 8 heads.
    The last of `n` queries stands at the last of `m` keys (by default as many), as with
    ``causal_mask(n, m, align="end")``.

    Examples
    --------
    >>> alibi_bias([0.5], n=3)
    array([[[ 0. ,  0.5,  1. ],
            [-0.5,  0. ,  0.5],
            [-1. , -0.5,  0. ]]])
    """
    n = check.as_count("n", n, least=0)
    m = n if m is None else check.as_count("m", m, least=0)
    ahead = np.arange(m) - np.arange(m - n, m)[:, None]  # (n, m): j - i
    return slopes[:, None, None] * ahead.astype(slopes.dtype)  # (h, n, m)
