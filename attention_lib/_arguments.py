"""The library's checks: every argument is read and checked here, once, or refused with a sentence.

The other modules call it `check`: ``check.softmax`` checks the arguments of `softmax`. It returns
arrays of one floating dtype whose shapes fit, so that the formula needs no checks of its own. Every
message gives the reason first and then the shapes or numbers that do not fit.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from itertools import pairwise
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Mask: TypeAlias = NDArray[np.bool_]
Score: TypeAlias = Callable[[Array, Array], Array]  # (Q, K) to scores (..., n, m)
Feature: TypeAlias = Callable[[Array], Array]  # rows of length d_k to rows of features >= 0
Kernel: TypeAlias = Callable[..., Array]  # (Q, K, width=…) to similarities >= 0 (..., n, m)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

LARGEST = {np.dtype(kind): float(np.finfo(kind).max) for kind in ("float16", "float32", "float64")}
KERNELS = ["gaussian_kernel", "boxcar_kernel", "triangular_kernel", "epanechnikov_kernel"]
SCORES = ["scaled_dot_score", "dot_score", "additive_score", "multiplicative_score", "gated_score"]
BLOCK = {  # the parameters of a Transformer block: True for those that it cannot do without
    **dict.fromkeys(["W_q", "W_k", "W_v", "W_o", "W_1", "W_2", "gain_1", "gain_2"], True),
    **dict.fromkeys(["b_q", "b_k", "b_v", "b_o", "b_1", "b_2", "bias_1", "bias_2"], False),
}
DECODER = {"E": True, "P": False, **BLOCK, "gain": True, "bias": False, "U": True}
MASK_HINTS = dict.fromkeys("iu", "; if 1 means 'may look', pass mask == 1") | {
    "f": "; if it was made to be added to scores (0 keeps, -inf hides), pass mask == 0"
}


def ignore_overflow(formula: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Suppress warnings about NaN, infinity and overflow, which a mask may hide."""

    @wraps(formula)
    def without_warnings(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        with np.errstate(over="ignore", invalid="ignore"):
            return formula(*args, **kwargs)

    return without_warnings


def named_options(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Say which arguments go in by name, where Python only counts those that were given."""
    kinds = {name: p.kind for name, p in inspect.signature(function).parameters.items()}
    places = [
        name for name, kind in kinds.items() if kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    named = [f"{name}=…" for name in kinds if name not in places]

    @wraps(function)
    def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if len(args) > len(places):
            raise TypeError(
                f"{function.__name__} takes {', '.join(places)}; "
                f"all else goes in by name, as {' or '.join(named)}"
            )
        return function(*args, **kwargs)

    return checked


def as_floats(**arrays: ArrayLike) -> tuple[Array, ...]:
    """Read named inputs as floating arrays of one dtype: float32 stays, integers become float.

    A plain Python float, such as 3.5, has no dtype of its own and follows the others.
    """
    read = {name: _as_numbers(name, value) for name, value in arrays.items()}
    own = [array for name, array in read.items() if type(arrays[name]) is not float]
    floating = [array.dtype for array in own if array.dtype.kind == "f"]
    dtype = np.result_type(*floating) if floating else np.float64
    return tuple(np.asarray(array, dtype) for array in read.values())


def as_rows(**arrays: ArrayLike) -> tuple[Array, ...]:
    """Read arrays of one vector per row, whose leading axes go together."""
    read = dict(zip(arrays, as_floats(**arrays), strict=True))
    check_rows(**read)
    check_leading(**read)
    return tuple(read.values())


def _as_numbers(name: str, value: ArrayLike) -> NDArray[Any]:
    array = _as_array(name, value)
    if value is None:
        raise TypeError(f"{name} must hold real numbers, but is None")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, but its dtype is {array.dtype}")
    return array


def _as_array(name: str, value: ArrayLike) -> NDArray[Any]:
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, whose gaps would be read as numbers: fill them first"
        )
    try:
        return np.asarray(value)
    except ValueError:
        reason = f"{name} must be a rectangular array, but its rows differ in length"
        if isinstance(value, tuple) and all(isinstance(part, np.ndarray) for part in value):
            shapes = " and ".join(str(part.shape) for part in value)
            reason = (
                f"{name} must be one array, but is a tuple of arrays of shapes {shapes}: "
                "an output and its weights?"
            )
        raise ValueError(reason) from None


def as_integers(name: str, value: ArrayLike) -> NDArray[np.integer[Any]]:
    """Read whole numbers, such as lengths or positions, or an empty list."""
    array = _as_array(name, value)
    if array.size > 0 and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, but their dtype is {array.dtype}")
    return array if array.size > 0 else array.astype(np.int64)


def as_positive(name: str, value: ArrayLike, dtype: np.dtype[Any]) -> Array:
    """Read a temperature or width: above zero, and never rounded to zero or infinity by `dtype`."""
    numbers = np.asarray(_as_numbers(name, value), np.float64)
    if not np.all((numbers > 0) & np.isfinite(numbers)):
        raise ValueError(f"{name} must be a positive number, but is {value!r}")
    limits = np.finfo(dtype)
    return numbers.clip(float(limits.tiny), float(limits.max)).astype(dtype)


def as_size(name: str, value: float) -> float:
    """Read one number above zero."""
    number = as_positive(name, value, np.dtype(np.float64))
    if number.ndim > 0:
        raise ValueError(f"{name} must be a positive number, but is {value!r}")
    return float(number)


def as_generator(name: str, seed: int | np.random.Generator) -> np.random.Generator:
    """Return the source of random numbers that belongs to a seed."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a whole number of at least 0, but is {seed!r}") from None


def as_share(name: str, value: float) -> float:
    """Read a number above 0 and at most 1."""
    share = np.asarray(_as_numbers(name, value), np.float64)
    if not (share.ndim == 0 and 0 < share <= 1):
        raise ValueError(f"{name} must be above 0 and at most 1, but is {value!r}")
    return float(share)


def check_temperature(temperature: float) -> None:
    """Require one temperature above 0, and say how to choose the best instead."""
    number = np.asarray(_as_numbers("temperature", temperature), np.float64)
    if not (number.ndim == 0 and 0 < number < np.inf):
        raise ValueError(
            f"temperature must be a positive number, but is {temperature!r}; "
            "for the likeliest token each time, pass top_k=1"
        )


def as_count(name: str, value: int, least: int = 1) -> int:
    """Read a whole number that is at least `least`."""
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, but is {value!r}") from None
    if count < least:
        raise ValueError(f"{name} must be at least {least}, but is {count}")
    return count


def check_flag(name: str, value: object, hint: str = "") -> None:
    """Require True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, but is a {type(value).__name__}{hint}")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Require one of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, but is {value!r}")


def as_booleans(mask: ArrayLike) -> Mask:
    array = _as_array("mask", mask)
    if array.ndim == 0 and array.dtype.kind == "b":
        raise TypeError(
            f"mask must have one entry per query and key, but is {mask!r}; no mask is mask=None"
        )
    if array.size == 0:  # an empty list has no dtype of its own
        array = array.astype(bool)
    if array.dtype.kind != "b":
        raise TypeError(
            "mask must be boolean, True where a query may look at a key, "
            f"but its dtype is {array.dtype}{MASK_HINTS.get(array.dtype.kind, '')}"
        )
    return array


def shapes_of(**arrays: NDArray[Any]) -> str:
    """Return the shapes in words: ``Q has shape (3, 4) and K has shape (5, 8)``."""
    return " and ".join(f"{name} has shape {array.shape}" for name, array in arrays.items())


def require(fits: bool, reason: str, **arrays: NDArray[Any]) -> None:
    """Refuse arrays that do not fit: the reason first, then their shapes."""
    if not fits:
        raise ValueError(f"{reason}, but {shapes_of(**arrays)}")


def joint_shape(*shapes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the shape that all of these broadcast to, or None if they do not."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def outline(*shape: int) -> Array:
    """Return an array that takes no memory: only its shape matters."""
    return np.broadcast_to(np.zeros(()), shape)


def check_per_pair(name: str, array: NDArray[Any], shape: tuple[int, ...], hint: str = "") -> None:
    """Require that `array` holds one entry per score of `shape`, or broadcasts to that."""
    pair, joint = shape[-2:], joint_shape(array.shape, shape)
    if joint is None or joint[-len(pair) :] != pair:
        raise ValueError(
            f"{name} must have one entry per query and key, or broadcast to that, "
            f"but {name} has shape {array.shape} and the scores have shape {shape}{hint}"
        )


def check_rows(**arrays: Array) -> None:
    """Require one vector per row: at least two axes."""
    for name, array in arrays.items():
        if array.ndim < 2:
            raise ValueError(
                f"{name} needs one vector per row, shape (..., rows, length), "
                f"but has shape {array.shape}; a single vector x goes in as [x]"
            )


def check_leading(**arrays: NDArray[Any]) -> tuple[int, ...]:
    """Return what the axes before the last two broadcast to, or say which shapes clash."""
    joint = joint_shape(*(array.shape[:-2] for array in arrays.values()))
    reason = "the axes before the last two must be equal or 1 to go together"
    require(joint is not None, reason, **arrays)
    return joint or ()


def check_product(**arrays: Array) -> None:
    """Require that the first array times the second is a matrix product."""
    (left, A), (right, B) = arrays.items()
    reason = f"each row of {left} is multiplied by {right}, so {right} needs {A.shape[-1]} rows"
    require(A.shape[-1] == B.shape[-2], reason, **arrays)


def outline_of_product(**arrays: Array) -> Array:
    """Return the outline of the first array times the second, or say why there is no product."""
    check_rows(**arrays)
    check_product(**arrays)
    A, B = arrays.values()
    return outline(*check_leading(**arrays), A.shape[-2], B.shape[-1])


def check_same_length(Q: Array, K: Array) -> tuple[int, ...]:
    """Require queries and keys that can be compared; return the shape of their scores."""
    reason = "queries and keys are compared, so both need the same length d_k"
    require(Q.shape[-1] == K.shape[-1], reason, Q=Q, K=K)
    require(Q.shape[-1] > 0, "queries and keys need at least one number", Q=Q, K=K)
    return *check_leading(Q=Q, K=K), Q.shape[-2], K.shape[-2]


def wide_enough(Q: Array, K: Array) -> np.dtype[Any]:
    """Return their dtype, or a wider one if finite numbers are so large that a score overflows."""
    limit = LARGEST.get(Q.dtype, math.inf)
    if float(np.vdot(Q, Q)) * float(np.vdot(K, K)) < limit:  # quick, and nearly always so
        return Q.dtype
    most = Q.shape[-1] * _largest(Q) * _largest(K)
    if most <= limit:
        return Q.dtype
    return np.dtype(np.float64 if math.isfinite(most) else np.longdouble)


def widen(Q: Array, K: Array) -> tuple[Array, Array]:
    """Return queries and keys in a dtype that holds their scores: −inf means hidden, not large."""
    dtype = wide_enough(Q, K)
    return Q.astype(dtype, copy=False), K.astype(dtype, copy=False)


def _largest(X: Array) -> float:
    """Return the size of the largest finite number."""
    high, low = float(X.max(initial=0)), float(X.min(initial=0))
    if math.isfinite(high - low):
        return max(high, -low)
    return float(np.abs(X).max(initial=0, where=np.isfinite(X)))


def check_values(K: Array, V: Array) -> None:
    """Require one value per key."""
    reason = "each key needs one value, so K and V need the same number of rows"
    require(K.shape[-2] == V.shape[-2], reason, K=K, V=V)


def check_mask(mask: ArrayLike | None, scores: Array, **values: Array) -> Mask | None:
    """Read a mask that goes with the scores, and both with the values."""
    allowed = {} if mask is None else {"mask": as_booleans(mask)}
    for array in allowed.values():
        check_per_pair("mask", array, scores.shape)
    check_leading(scores=scores, **allowed, **values)
    return allowed.get("mask")


def check_pairs(Q: Array, K: Array, V: Array, mask: ArrayLike | None) -> Mask | None:
    """Check everything that scaled dot-product attention needs, and return the mask."""
    scores = outline(*check_same_length(Q, K))
    check_values(K, V)
    return check_mask(mask, scores, V=V)


def check_function(name: str, function: object, takes: str, known: Sequence[str]) -> None:
    """Require a function that takes these arguments; otherwise suggest a known one."""
    listed = " and ".join(takes.rsplit(", ", 1))
    if not callable(function) or isinstance(function, type):
        such = f"{function}_{name}" if f"{function}_{name}" in known else known[0]
        message = f"{name} must be a function of {listed}, such as {such}, but is {function!r}"
        raise TypeError(message)
    arguments = takes.split(", ")
    try:  # checked as it will be called: with width=…
        inspect.signature(function).bind(*arguments[:2], **dict.fromkeys(arguments[2:]))
    except ValueError:  # some functions written in C do not say what they take
        return
    except TypeError:
        wants = ", ".join(inspect.signature(function).parameters)
        own = getattr(function, "__name__", repr(function))
        raise TypeError(
            f"{name} is called with {listed}, but {own} takes {wants}: "
            f"give it the rest, as in {name}=lambda {takes}: {own}({wants})"
        ) from None


def check_answer(call: str, scores: ArrayLike, Q: Array, K: Array) -> Array:
    """Read the result of a score or a kernel, in the dtype of `Q`: one number per pair."""
    if scores is None or isinstance(scores, tuple):  # of arrays that would become a batch
        gave = "None: end it with return" if scores is None else "a tuple"
        raise TypeError(f"{call} must give one array, but gave {gave}")
    (scores,) = as_floats(scores=scores)
    n, m = Q.shape[-2], K.shape[-2]
    shape = joint_shape(scores.shape, (*check_leading(Q=Q, K=K), 1, 1))
    if shape is None or scores.shape[-2:] != (n, m):
        raise ValueError(
            f"{call} must give one number per query and key, shape (..., {n}, {m}), "
            f"but gave shape {scores.shape} for Q of shape {Q.shape} and K of shape {K.shape}"
        )
    return np.broadcast_to(scores, shape).astype(Q.dtype, copy=False)


def queries_and_keys(Q: ArrayLike, K: ArrayLike) -> tuple[Array, Array]:
    Q, K = as_rows(Q=Q, K=K)
    check_same_length(Q, K)
    return Q, K


def additive_score(b: ArrayLike | None, **arrays: ArrayLike) -> tuple[Array, ...]:
    Q, K, W_q, W_k, w_v, b = as_floats(**arrays, b=0 if b is None else b)
    as_rows(Q=Q, K=K, W_q=W_q, W_k=W_k)
    check_product(Q=Q, W_q=W_q)
    check_product(K=K, W_k=W_k)
    d_h, bias = W_q.shape[-1:], {"b": b} if b.ndim > 0 else {}  # a single number fits any layer
    reason = (
        "W_q, W_k, w_v and b meet in one hidden layer, "
        "so W_q and W_k need d_h columns and w_v and b need shape (d_h,)"
    )
    fits = W_k.shape[-1:] == w_v.shape == d_h and b.shape in ((), d_h)
    require(fits, reason, W_q=W_q, W_k=W_k, w_v=w_v, **bias)
    return Q, K, W_q, W_k, w_v, b


def multiplicative_score(Q: ArrayLike, K: ArrayLike, W: ArrayLike) -> tuple[Array, ...]:
    Q, W, K = as_rows(Q=Q, W=W, K=K)
    reason = "W stands between a query and a key, so its shape must be (d_q, d_k)"
    require(W.shape[-2:] == (Q.shape[-1], K.shape[-1]), reason, Q=Q, W=W, K=K)
    return Q, K, W


def gated_score(Q: ArrayLike, K: ArrayLike, w_g: ArrayLike, b_g: ArrayLike) -> tuple[Array, ...]:
    Q, K, w_g = as_floats(Q=Q, K=K, w_g=w_g)
    (b_g,) = as_floats(b_g=b_g)  # read alone, it does not widen the dtype of the others
    as_rows(Q=Q, K=K)
    reason = "the gate reads a query and a key end to end, so w_g needs shape (d_q + d_k,)"
    require(w_g.shape == (Q.shape[-1] + K.shape[-1],), reason, Q=Q, K=K, w_g=w_g)
    check_per_pair("b_g", b_g, check_same_length(Q, K))
    return Q, K, w_g, b_g.astype(Q.dtype)


def kernel(Q: ArrayLike, K: ArrayLike, width: ArrayLike) -> tuple[Array, Array, Array]:
    Q, K = as_rows(Q=Q, K=K)
    shape = check_same_length(Q, K)
    width = as_positive("width", width, Q.dtype)
    hint = f"; one for each key has shape ({shape[-1]},), one for each query ({shape[-2]}, 1)"
    check_per_pair("width", width, shape, hint)
    return Q, K, width


def softmax(
    x: ArrayLike,
    axis: int,
    temperature: ArrayLike,
    mask: ArrayLike | None,
    sink: ArrayLike | None,
) -> tuple[Array, int, Array, Mask | None, Array | None]:
    (x,) = as_floats(x=x)
    try:  # counted from the end: mask and temperature may bring batch axes in front
        axis = normalize_axis_index(axis, x.ndim) - x.ndim
    except (TypeError, ValueError):
        raise ValueError(
            "weights sum to one along one axis of the scores, "
            f"but axis is {axis!r} and {shapes_of(x=x)}"
        ) from None
    temperature = as_positive("temperature", temperature, x.dtype)
    check_shared("temperature", temperature, x, axis)
    if sink is not None:
        sink = as_score("sink", sink, x.dtype)
        check_shared("sink", sink, x, axis)
    return x, axis, temperature, check_mask(mask, x), sink


def check_shared(name: str, array: Array, x: Array, axis: int) -> None:
    """Require one number for all the scores whose weights sum to one."""
    shared = array.ndim < -axis or array.shape[axis] == 1
    if not shared or joint_shape(array.shape, x.shape) is None:
        raise ValueError(
            f"all weights that sum to one share one {name}, "
            f"but {name} has shape {array.shape} and the scores have shape {x.shape}"
        )


def as_score(name: str, value: ArrayLike, dtype: np.dtype[Any]) -> Array:
    """Read scores of any size; a finite one is never rounded to infinity by `dtype`."""
    scores, limit = np.asarray(_as_numbers(name, value), np.float64), float(np.finfo(dtype).max)
    return np.where(np.isfinite(scores), scores.clip(-limit, limit), scores).astype(dtype)


def queries_keys_values(**arrays: ArrayLike) -> tuple[Array, Array, Array]:
    Q, K, V = as_rows(**arrays)
    check_same_length(Q, K)
    check_values(K, V)
    return Q, K, V


def linear_attention(feature: Feature, **arrays: ArrayLike) -> tuple[Array, Array, Array]:
    """Read queries, keys and values; return the features of the first two instead of them."""
    Q, K, V = queries_keys_values(**arrays)
    check_function("feature", feature, "X", ["elu_plus_one"])
    features_of_Q, features_of_K = (check_features(feature(X.copy()), X) for X in (Q, K))
    reason = "features of queries and keys are compared, so both need the same length"
    fits = features_of_Q.shape[-1] == features_of_K.shape[-1]
    require(fits, reason, features_of_Q=features_of_Q, features_of_K=features_of_K)
    return features_of_Q, features_of_K, V


def check_similarities(similarities: Array) -> None:
    """Require what has shares: nothing negative."""
    if (similarities < 0).any():
        raise ValueError(
            "weights are shares of similarities, so none may be negative, "
            f"but kernel(Q, K, width) gave {np.nanmin(similarities):.3g}"
        )


def check_features(features: ArrayLike, X: Array) -> Array:
    """Read what a feature map gave for `X`: one row for each row, and nothing negative."""
    if features is None:
        raise TypeError("feature(X) must give one array, but gave None: end it with return")
    (read,) = as_floats(features=features)
    if read.shape[:-1] != X.shape[:-1] or read.shape[-1] == 0:
        raise ValueError(
            "feature(X) must give one row of features for each row of X, "
            f"but gave shape {read.shape} for X of shape {X.shape}"
        )
    if (read < 0).any():
        raise ValueError(
            "weights are products of features, so none may be negative, "
            f"but feature(X) gave {read.min():.3g}"
        )
    return read.astype(X.dtype, copy=False)


def recurrence(
    state: ArrayLike | None, Q: Array, K: Array, V: Array, **shares: ArrayLike
) -> tuple[Array, ...]:
    """Read the memory of a recurrence, zeros by default, and shares with one number per token."""
    reason = "each token has one query and one key, so Q and K need the same number of rows"
    require(Q.shape[-2] == K.shape[-2], reason, Q=Q, K=K)
    lead, shape = check_leading(Q=Q, K=K, V=V), (K.shape[-1], V.shape[-1])
    read = np.zeros((*lead, *shape)) if state is None else as_floats(state=state)[0]
    if read.shape[-2:] != shape or joint_shape(read.shape[:-2], lead) != lead:
        raise ValueError(
            f"state must have shape {(*lead, *shape)}, as an earlier call returned it, "
            f"but has shape {read.shape}"
        )
    S = np.broadcast_to(read, (*lead, *shape)).astype(np.promote_types(K.dtype, np.float32))
    per_token = (*lead, K.shape[-2])
    return S, *(as_shares(name, value, per_token, S.dtype) for name, value in shares.items())


def as_shares(name: str, value: ArrayLike, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Read one number from 0 to 1 for each token, or one for all; return one for each."""
    shares = np.asarray(_as_numbers(name, value), np.float64)
    if not np.all((shares >= 0) & (shares <= 1)):
        raise ValueError(f"{name} must lie between 0 and 1, but is {value!r}")
    if joint_shape(shares.shape, shape) != shape:
        raise ValueError(
            f"{name} is one number, or one for each token, shape {shape}, "
            f"but has shape {shares.shape}"
        )
    return np.broadcast_to(shares, shape).astype(dtype)


def value_weighted(
    weights: ArrayLike, V: ArrayLike, W_o: ArrayLike | None
) -> tuple[Array, Array, Array | None]:
    given = {"weights": weights, "V": V} | ({} if W_o is None else {"W_o": W_o})
    weights, V, *output = as_rows(**given)
    reason = "each weight belongs to one value, so weights need a column for each row of V"
    require(weights.shape[-1] == V.shape[-2], reason, weights=weights, V=V)
    for W in output:
        check_product(V=V, W_o=W)
    return weights, V, output[0] if output else None


def induction_score(weights: ArrayLike, tokens: Sequence[Hashable]) -> tuple[Array, list[Hashable]]:
    (weights,) = as_rows(weights=weights)
    if isinstance(tokens, str):
        raise TypeError("tokens must be a list of tokens, but are one string: split it first")
    read = tokens.tolist() if isinstance(tokens, np.ndarray) else list(tokens)
    if weights.shape[-2:] != (len(read), len(read)):
        raise ValueError(
            "every token looks at every token, so weights need shape (..., n, n), "
            f"but there are {len(read)} tokens and weights have shape {weights.shape}"
        )
    return weights, read


def without_heads(
    parameters: Mapping[str, ArrayLike],
    heads: Iterable[tuple[int, int]],
    instead: ArrayLike | None,
) -> tuple[dict[str, Array], list[tuple[int, int]], Array]:
    _, p = as_parameters(parameters, DECODER)
    check_decoder(p)
    (blocks, h), d_v = p["W_q"].shape[:2], p["W_v"].shape[-1]
    chosen = [_as_head(pair, blocks, h) for pair in heads]
    (means,) = as_floats(instead=np.zeros((blocks, h, d_v)) if instead is None else instead)
    if means.shape != (blocks, h, d_v):
        raise ValueError(
            f"instead has one vector for each head of each block, shape {(blocks, h, d_v)}, "
            f"but has shape {means.shape}"
        )
    return p, chosen, means.astype(p["W_o"].dtype)


def _as_head(pair: tuple[int, int], blocks: int, h: int) -> tuple[int, int]:
    try:
        block, head = map(operator.index, pair)
    except (TypeError, ValueError):
        raise TypeError(
            f"heads are pairs (block, head), as in [(0, 3)], but one is {pair!r}"
        ) from None
    if not (0 <= block < blocks and 0 <= head < h):
        raise ValueError(
            f"there is no head {head} in block {block}: blocks count from 0 to {blocks - 1}, "
            f"heads from 0 to {h - 1}"
        )
    return block, head


def circuit(**arrays: ArrayLike) -> tuple[Array, ...]:
    """Read matrices each of which is multiplied by the next."""
    read = dict(zip(arrays, as_rows(**arrays), strict=True))
    for left, right in pairwise(read):
        check_product(**{left: read[left], right: read[right]})
    return tuple(read.values())


def lookup(query: Hashable, keys: Sequence[Hashable], values: Sequence[Any]) -> None:
    for name, given in (("keys", keys), ("values", values)):
        if not hasattr(given, "__len__"):
            raise TypeError(f"{name} must be a list, but are a {type(given).__name__}")
    if len(keys) != len(values):
        raise ValueError(
            f"each key needs one value, but there are {len(keys)} keys and {len(values)} values"
        )
    for name, value in [("the query", query), *(("each key", key) for key in keys)]:
        try:
            hash(value)
        except TypeError:
            raise TypeError(
                f"an exact look-up compares whole keys, so {name} must be hashable "
                f"(a string, a number, a tuple), but it is a {type(value).__name__}"
            ) from None


def attention(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, mask: ArrayLike | None, score: Score
) -> tuple[Array, Array, Array, Mask | None, Score]:
    Q, K, V = as_rows(Q=Q, K=K, V=V)
    check_values(K, V)
    check_function("score", score, "Q, K", SCORES)

    def checked_score(Q: Array, K: Array) -> Array:
        scores = check_answer("score(Q, K)", score(Q.copy(), K.copy()), Q, K)
        check_mask(mask, scores, V=V)
        return scores

    return Q, K, V, None if mask is None else as_booleans(mask), checked_score


def kernel_regression(
    x: ArrayLike, keys: ArrayLike, values: ArrayLike, kernel: Kernel
) -> tuple[Array, Array, Array]:
    x, keys, values = as_floats(x=x, keys=keys, values=values)
    Q, K = (x, keys) if keys.ndim > 1 else (np.atleast_1d(x)[..., None], keys[..., None])
    V = values if values.ndim > 1 else values[..., None]  # numbers are vectors of length 1
    reason = "each key needs one value, so keys and values need the same number of rows"
    fits = K.ndim > 1 and V.ndim > 1 and K.shape[-2] == V.shape[-2]
    require(fits, reason, keys=keys, values=values)
    check_leading(keys=K, values=V)
    check_rows(x=Q)
    check_function("kernel", kernel, "Q, K, width", KERNELS)
    return Q, K, V


def self_attention(
    mask: ArrayLike | None, **arrays: ArrayLike
) -> tuple[Array, Array, Array, Array, Mask | None]:
    X, W_q, W_k, W_v = as_floats(**arrays)
    Q = outline_of_product(X=X, W_q=W_q)  # (..., n, d_k)
    K = outline_of_product(X=X, W_k=W_k)  # (..., n, d_k)
    V = outline_of_product(X=X, W_v=W_v)  # (..., n, d_v)
    return X, W_q, W_k, W_v, check_pairs(Q, K, V, mask)


def as_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    """Read the dtype of positions."""
    try:
        read = np.dtype(dtype)
    except TypeError:
        read = None
    if read is None or read.kind != "f":
        said = repr(dtype) if read is None else read
        raise TypeError(f"positions lie between -1 and 1, so dtype must be floating, but is {said}")
    return read


def rotary(X: ArrayLike, positions: ArrayLike | None, base: float) -> tuple[Array, Array, float]:
    (X,) = as_rows(X=X)
    require(X.shape[-1] % 2 == 0, "numbers are turned in pairs, so d must be even", X=X)
    places = _as_numbers("positions", np.arange(X.shape[-2]) if positions is None else positions)
    joint = joint_shape(places.shape, X.shape[:-1])
    fits = joint is not None and joint[-1] == X.shape[-2]
    require(fits, "each row has one position", X=X, positions=places)
    if places.ndim == 0 and places.dtype.kind == "f":
        raise TypeError(
            f"positions are one for each row, but are {positions!r}; a base goes in as base=…"
        )
    return X, places.astype(np.float64), as_size("base", base)


def attention_with_bias(
    mask: ArrayLike | None, **arrays: ArrayLike
) -> tuple[Array, Array, Array, Array, Mask | None]:
    if np.asarray(arrays["bias"]).dtype.kind == "b":
        raise TypeError("bias is added to the scores, but is boolean: a mask goes in as mask=…")
    Q, K, V, bias = as_floats(**arrays)
    as_rows(Q=Q, K=K, V=V)
    check_values(K, V)
    shape = check_same_length(Q, K)
    check_per_pair("bias", bias, shape)
    shape = np.broadcast_shapes(bias.shape, shape)
    return Q, K, V, bias, check_mask(mask, outline(*shape), V=V)


def check_axes(axes: str, **arrays: Array) -> None:
    """Require the axes that are named, and no others: ``check_axes("(h, d, d_k)", W_q=W_q)``."""
    for name, array in arrays.items():
        if array.ndim != axes.count(",") + 1:
            raise ValueError(f"{name} must have shape {axes}, but has shape {array.shape}")


def check_heads(W_q: Array, W_k: Array, W_v: Array, W_o: Array) -> None:
    check_axes("(h, d, d_k)", W_q=W_q, W_k=W_k)
    check_axes("(h, d, d_v)", W_v=W_v)
    check_axes("(h * d_v, d_out)", W_o=W_o)
    (h, g), d_v = (len(W_q), len(W_k)), W_v.shape[-1]
    reason = "each head of keys needs its own values, so W_k and W_v need as many heads"
    require(g == len(W_v), reason, W_k=W_k, W_v=W_v)
    reason = "query heads share key heads evenly, so the number in W_k must divide that in W_q"
    require(g == h or (g > 0 and h % g == 0), reason, W_q=W_q, W_k=W_k)
    reason = f"W_o mixes {h} heads of length {d_v} laid end to end, so it needs {h * d_v} rows"
    require(len(W_o) == h * d_v, reason, W_v=W_v, W_o=W_o)


def check_mask_of_heads(mask: ArrayLike, shape: tuple[int, ...]) -> Mask:
    """Read a mask that broadcasts against weights of shape (..., h, n, m)."""
    array = as_booleans(mask)
    if array.ndim >= len(shape):
        check_per_pair("mask", array, shape)
        return array
    check_per_pair("mask", array, (*shape[:-3], *shape[-2:]))
    if array.ndim > 2 and array.shape[-3] == shape[-3] > 1 == shape[-4]:
        raise ValueError(
            f"this mask may be meant for {shape[-3]} heads or for as many texts: "
            f"mask has shape {array.shape} and the weights have shape {shape}; "
            "give it as many axes as the weights"
        )
    return np.atleast_2d(array)[..., None, :, :]  # (..., 1, n, m)


def multi_head_attention(
    X: ArrayLike, mask: ArrayLike | None, context: ArrayLike | None, **learned: ArrayLike
) -> tuple[Array, Array, Array, Array, Array, Mask | None, Array]:
    context = X if context is None else context
    X, context, W_q, W_k, W_v, W_o = as_floats(X=X, context=context, **learned)
    as_rows(X=X, context=context)
    check_heads(W_q, W_k, W_v, W_o)
    check_product(X=X, W_q=W_q)
    check_product(context=context, W_k=W_k)
    check_product(context=context, W_v=W_v)
    Q = outline_of_product(X=X[..., None, :, :], W_q=W_q)  # (..., h, n, d_k)
    K = outline_of_product(context=context[..., None, :, :], W_k=W_k)  # (..., g, m, d_k)
    shape = check_same_length(Q, K[..., :1, :, :] if len(W_k) < len(W_q) else K)
    allowed = None if mask is None else check_mask_of_heads(mask, shape)
    return X, W_q, W_k, W_v, W_o, allowed, context


def check_activation(activation: str) -> None:
    """Require a function that stands between the two matrices of a network."""
    check_choice("activation", activation, ["relu", "gelu"])


def feed_forward(**arrays: ArrayLike) -> tuple[Array, ...]:
    X, W_1, b_1, W_2, b_2 = as_floats(**arrays)
    check_rows(W_1=W_1, W_2=W_2)
    reason = "a bias is added to each row that leaves its matrix, so both need the same length"
    require(b_1.shape == W_1.shape[-1:], reason, W_1=W_1, b_1=b_1)
    require(b_2.shape == W_2.shape[-1:], reason, W_2=W_2, b_2=b_2)
    hidden = outline_of_product(X=X, W_1=W_1)  # (..., n, d_h)
    outline_of_product(hidden=hidden, W_2=W_2)
    return X, W_1, b_1, W_2, b_2


def norm(
    X: ArrayLike, gain: ArrayLike | None, bias: ArrayLike | None, eps: float
) -> tuple[Array, Array, Array, float]:
    given = {"gain": 1 if gain is None else gain, "bias": 0 if bias is None else bias}
    X, g, b = as_floats(X=X, **given)
    require(X.ndim > 0 and X.shape[-1] > 0, "a norm is taken over the numbers of a vector", X=X)
    learned = {"gain": None if gain is None else g, "bias": None if bias is None else b}
    check_scales(X.shape[-1], {k: array for k, array in learned.items() if array is not None})
    (size,) = as_floats(eps=eps)
    if not (size.ndim == 0 and 0 <= size < np.inf):
        raise ValueError(f"eps must be a number of at least 0, but is {eps!r}")
    return X, g, b, float(size)


def check_sizes(sizes: Array) -> None:
    """Require vectors that can be divided by their size."""
    if (sizes == 0).any():
        raise ValueError("a vector of size 0 cannot be divided by its size: take a larger eps")


def check_scales(d: int, arrays: Mapping[str, Array]) -> None:
    """Require vectors with one number for each of the `d` numbers of a word."""
    for name, array in arrays.items():
        if array.shape != (d,):
            raise ValueError(
                f"{name} has one number for each of a vector, shape ({d},), "
                f"but has shape {array.shape}"
            )


def check_mapping(parameters: object) -> None:
    """Require parameters that have names."""
    if not isinstance(parameters, Mapping):
        raise TypeError(
            "parameters must map names to arrays, as in {'W_q': …}, "
            f"but are a {type(parameters).__name__}"
        )


def as_parameters(
    parameters: Any, known: Mapping[str, bool], **more: ArrayLike
) -> tuple[list[Array], dict[str, Array]]:
    """Read a mapping of the names that are `known`, in one dtype with `more`, which comes first."""
    check_mapping(parameters)
    missing = [name for name, needed in known.items() if needed and name not in parameters]
    strange = [name for name in parameters if name not in known]
    if missing or strange:
        said = f"{missing[0]!r} is missing" if missing else f"{strange[0]!r} is not one of them"
        raise ValueError(f"parameters are {', '.join(known)}, but {said}")
    read = as_floats(**more, **parameters)
    return [*read[: len(more)]], dict(zip(parameters, read[len(more) :], strict=True))


def transformer_block(
    X: ArrayLike,
    parameters: Mapping[str, ArrayLike],
    mask: ArrayLike | None,
    norm: str,
    activation: str,
) -> tuple[Array, dict[str, Array], Mask | None]:
    check_choice("norm", norm, ["before", "after"])
    check_activation(activation)
    (X,), p = as_parameters(parameters, BLOCK, X=X)
    return X, p, check_block(X, p, mask)


def transformer_block_backward(
    X: ArrayLike,
    parameters: Mapping[str, ArrayLike],
    d_output: ArrayLike,
    mask: ArrayLike | None,
    norm: str,
    activation: str,
) -> tuple[Array, dict[str, Array], Array, Mask | None]:
    check_choice("norm", norm, ["before", "after"])
    check_activation(activation)
    (X, d_output), p = as_parameters(parameters, BLOCK, X=X, d_output=d_output)
    allowed = check_block(X, p, mask)
    lead = () if allowed is None else allowed.shape[:-3]
    shape = (*np.broadcast_shapes(X.shape[:-2], lead), *X.shape[-2:])
    check_d_output(d_output, shape)
    return X, p, d_output, allowed


def check_d_output(d_output: Array, shape: tuple[int, ...]) -> None:
    """Require one gradient for each number of an output of this shape; batches may share them."""
    if joint_shape(d_output.shape, shape) != shape or d_output.shape[-2:] != shape[-2:]:
        raise ValueError(
            f"d_output needs the shape of the output, {shape}, but has shape {d_output.shape}"
        )


def norm_backward(
    X: ArrayLike, d_output: ArrayLike, gain: ArrayLike | None, eps: float
) -> tuple[Array, Array, Array, float]:
    X, d_output = as_floats(X=X, d_output=d_output)
    X, gain, _, eps = norm(X, gain, None, eps)
    if d_output.shape != X.shape:
        raise ValueError(
            f"d_output needs the shape of the output, {X.shape}, but has shape {d_output.shape}"
        )
    return X, d_output.astype(X.dtype), gain, eps


def check_head_biases(p: Mapping[str, Array]) -> None:
    """Require one number for each that a projection returns: (h, d_k) for queries, and so on."""
    shapes = {f"b_{key}": p[f"W_{key}"].shape[::2] for key in "qkv"} | {"b_o": p["W_o"].shape[-1:]}
    for name, shape in shapes.items():
        if name in p and p[name].shape != shape:
            raise ValueError(
                f"{name} is added to what {name.replace('b', 'W')} returns, shape {shape}, "
                f"but has shape {p[name].shape}"
            )


def check_block(X: Array, p: Mapping[str, Array], mask: ArrayLike | None) -> Mask | None:
    """Require parameters that fit rows of `X` and each other; return the mask for all heads."""
    d = X.shape[-1:]
    check_rows(X=X)
    learned = {name: p[name] for name in ("W_q", "W_k", "W_v", "W_o")}
    allowed = multi_head_attention(X, mask, None, **learned)[-2]
    check_head_biases(p)
    check_axes("(d, d_h)", W_1=p["W_1"])
    check_axes("(d_h, d)", W_2=p["W_2"])
    b_1, b_2 = (p.get(f"b_{i}", outline(p[f"W_{i}"].shape[-1])) for i in (1, 2))
    feed_forward(X=X, W_1=p["W_1"], b_1=b_1, W_2=p["W_2"], b_2=b_2)
    for name in ("W_o", "W_2"):
        reason = f"what a part returns is added to X, so {name} needs {d[0]} columns"
        require(p[name].shape[-1:] == d, reason, X=X, **{name: p[name]})
    check_scales(d[0], {name: p[name] for name in p if name.startswith(("gain", "bias"))})
    return allowed


def decoder(
    tokens: ArrayLike, parameters: Mapping[str, ArrayLike]
) -> tuple[NDArray[np.integer[Any]], dict[str, Array]]:
    _, p = as_parameters(parameters, DECODER)
    check_decoder(p)
    return as_tokens("tokens", tokens, p), p


def check_decoder(p: Mapping[str, Array]) -> None:
    """Require parameters of a decoder that fit each other."""
    check_axes("(c, d)", E=p["E"])
    c, d = p["E"].shape
    require(p["U"].shape == (d, c), "U turns a vector into one score per token", E=p["E"], U=p["U"])
    if "P" in p:
        reason = "the vectors of a token and of its place are added"
        require(p["P"].shape[1:] == (d,) and p["P"].ndim == 2, reason, E=p["E"], P=p["P"])
    check_scales(d, {name: p[name] for name in ("gain", "bias") if name in p})
    blocks = {name: p[name] for name in BLOCK if name in p}
    sizes = {array.shape[:1] for array in blocks.values()}
    reason = "the first axis of these is that of the blocks, so it must be as long in all"
    require(len(sizes) == 1 and sizes != {()}, reason, **blocks)
    require(sizes != {(0,)}, "a decoder has at least one block", W_q=p["W_q"])
    for i in range(len(p["W_q"])):
        check_block(outline(1, d), {name: array[i] for name, array in blocks.items()}, None)


def as_tokens(
    name: str, tokens: ArrayLike, p: Mapping[str, Array], least: int = 0
) -> NDArray[np.integer[Any]]:
    """Read numbers of tokens that a decoder knows, no more of them than it has places."""
    if isinstance(tokens, str):
        raise TypeError(f"{name} must be whole numbers, but are a text: encode it first")
    numbers, c = as_integers(name, tokens), len(p["E"])
    require(numbers.ndim > 0, f"{name} are a text, shape (..., n)", **{name: numbers})
    if np.any((numbers < least) | (numbers >= c)):
        raise ValueError(
            f"{name} must lie between {least} and {c - 1}, "
            f"but go from {numbers.min()} to {numbers.max()}"
        )
    places = len(p["P"]) if "P" in p else numbers.shape[-1]
    if numbers.shape[-1] > places:
        raise ValueError(
            f"this decoder has {places} places, but the text has {numbers.shape[-1]} tokens: "
            f"give it the last {places}"
        )
    return numbers


def check_weights(weights: Array) -> None:
    """Require weights that a token can be drawn by: numbers that are not all 0."""
    if not (weights.sum(axis=-1) > 0).all():
        raise ValueError(
            "no next token can be drawn, since the scores of the decoder hold NaN or infinity: "
            "are all its parameters finite?"
        )


def decoder_gradients(
    tokens: ArrayLike, parameters: Mapping[str, ArrayLike], answers: ArrayLike
) -> tuple[NDArray[np.integer[Any]], dict[str, Array], NDArray[np.integer[Any]]]:
    numbers, p = decoder(tokens, parameters)
    right = as_tokens("answers", answers, p, least=-1)
    reason = "each token has one answer, or -1"
    require(right.shape == numbers.shape, reason, tokens=numbers, answers=right)
    if not np.any(right >= 0):
        raise ValueError("the loss is a mean over answers, but there are none")
    return numbers, p, right


def softmax_backward(weights: ArrayLike, d_weights: ArrayLike) -> tuple[Array, Array]:
    weights, d_weights = as_floats(weights=weights, d_weights=d_weights)
    reason = "each weight needs one gradient, so both need the same shape"
    require(weights.shape == d_weights.shape, reason, weights=weights, d_weights=d_weights)
    reason = "weights are the result of a softmax, so none is negative and they sum to 1 at most"
    if (weights < 0).any():
        raise ValueError(f"{reason}, but one is {np.nanmin(weights):.3g}")
    sums = np.nan_to_num(weights).sum(axis=-1, dtype=np.float64)
    if (sums > 1.01).any():  # rounded sums of small dtypes included
        raise ValueError(f"{reason}, but some sum to {sums.max():.3g}")
    return weights, d_weights


def value_of_function(result: Any) -> Array:
    """Read what a function returned whose slopes are measured: a number, or one array of them."""
    arrays = isinstance(result, list) and any(isinstance(part, np.ndarray) for part in result)
    said = f"a {type(result).__name__}"
    try:
        if arrays or isinstance(result, tuple):  # these may go together, but are not one
            raise TypeError
        if np.asarray(result).dtype.kind == "b":
            said = "booleans"
            raise TypeError
        (value,) = as_floats(result=result)
    except (TypeError, ValueError):
        raise TypeError(
            f"function must return a number or one array of numbers, but returned {said}"
        ) from None
    return value.copy()  # the function may write its next result into the same array


def check_slope(above: Array, below: Array, shape: tuple[int, ...], step: float) -> None:
    """Require results of one shape, in a dtype that shows what a step of this length changes."""
    for value in (above, below):
        if value.shape != shape:
            raise ValueError(
                "function must return arrays of one shape, wherever it is called, "
                f"but returned shapes {shape} and {value.shape}"
            )
    eps = float(np.finfo(above.dtype).eps)
    if above.dtype.itemsize < 8 and step < eps**0.5:
        raise ValueError(
            f"function rounds its result to {above.dtype}, which drowns a step of {step:g}: "
            f"compute in float64, or take step={eps ** (1 / 3):.1g}"
        )


def attention_backward(
    mask: ArrayLike | None, **arrays: ArrayLike
) -> tuple[Array, Array, Array, Array, Mask | None]:
    Q, K, V, d_output = as_rows(**arrays)
    allowed = check_pairs(Q, K, V, mask)
    leads = [part.shape[:-2] for part in (Q, K, V, allowed) if part is not None]
    check_d_output(d_output, (*np.broadcast_shapes(*leads), Q.shape[-2], V.shape[-1]))
    return Q, K, V, d_output, allowed


def blockwise_attention(
    mask: ArrayLike | None, causal: bool, block: int, **arrays: ArrayLike
) -> tuple[Array, Array, Array, Mask | None, int]:
    Q, K, V = as_rows(**arrays)
    check_flag("causal", causal, "; a mask goes in as mask=…")
    allowed, block = check_pairs(Q, K, V, mask), as_count("block", block)
    pairs = outline(Q.shape[-2], K.shape[-2]) if allowed is None else np.atleast_2d(allowed)
    lead = check_leading(Q=Q, K=K, V=V, mask=pairs)
    Q, K, V = (np.broadcast_to(part, (*lead, *part.shape[-2:])) for part in (Q, K, V))
    if allowed is not None:
        allowed = np.broadcast_to(allowed, (*lead, Q.shape[-2], K.shape[-2]))
    return Q, K, V, allowed, block
