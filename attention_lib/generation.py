"""How a decoder writes: score what may come next, choose one, append it, and again.

The keys and values of earlier tokens do not change when a token is appended, so they are kept (the
cache) and each step computes one row instead of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Integers, Mask, Numbers, takes
from attention_lib.transformer import Steps, _as_decoder, _as_tokens, _decoder
from attention_lib.weights import softmax, top_k_mask

Model: TypeAlias = Any  # with `as_ids`, `next_logits`: a decoder of its own, as a `LanguageModel`


@takes("weights: ... c")
def top_p_mask(weights: Numbers, p: float) -> Mask:
    """Keep the likeliest answers, as few as make up a share `p` of the weight.

    At least one in each row is kept; of equal ones the first. Rows of `weights` sum to 1.

    Examples
    --------
    >>> top_p_mask([0.5, 0.1, 0.3, 0.1], p=0.7).astype(int)
    array([1, 0, 1, 0])
    """
    share = _as_share("p", p)
    order = np.argsort(-weights, axis=-1, kind="stable")  # (..., c)
    sums = np.take_along_axis(weights, order, axis=-1).cumsum(axis=-1, dtype=np.float64)
    before = np.concatenate([np.zeros_like(sums[..., :1]), sums[..., :-1]], axis=-1)
    mask = np.empty(weights.shape, dtype=bool)
    np.put_along_axis(mask, order, before < share, axis=-1)
    return mask


@takes("logits: ... c")
def next_token_weights(
    logits: Numbers, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Array:
    """Turn the scores of a decoder into how likely each token is to be chosen.

    A `temperature` below 1 makes likely tokens likelier, one above 1 unlikely ones. With `top_k`
    the choice is among so many of the best; with `top_p` among the best that together have this
    share of the weight, of those that `top_k` leaves.

    Examples
    --------
    >>> next_token_weights([2.0, 1.0, 0.0], top_k=2).round(2)
    array([0.73, 0.27, 0.  ])
    """
    if temperature == 0:
        raise ValueError("temperature must be above 0; for the likeliest token, pass top_k=1")
    check.as_size("temperature", temperature)
    mask = None
    if top_k is not None:
        mask = top_k_mask(logits, min(check.as_count("top_k", top_k), logits.shape[-1]))
    weights = softmax(logits, temperature=temperature, mask=mask)
    share = 1.0 if top_p is None else _as_share("top_p", top_p)
    if share == 1:  # everything, also what is too unlikely to change a sum
        return weights
    likely = top_p_mask(weights, share)
    mask = likely if mask is None else mask & likely
    return softmax(logits, temperature=temperature, mask=mask)


def _as_share(name: str, value: float) -> float:
    """Read a number above 0 and at most 1."""
    share = np.asarray(check.as_numbers(name, value), np.float64)
    if not (share.ndim == 0 and 0 < share <= 1):
        raise ValueError(f"{name} must be above 0 and at most 1, but is {value!r}")
    return float(share)


def _choose(weights: Array, rng: np.random.Generator) -> Integers:
    """Draw one token for each row of weights (..., c); one of weight 0 is never drawn."""
    sums = weights.cumsum(axis=-1, dtype=np.float64)  # (..., c)
    drawn = np.asarray(rng.random(weights.shape[:-1]))[..., None] * sums[..., -1:]
    return np.asarray((sums <= drawn).sum(axis=-1))


def generate(
    parameters: Mapping[str, ArrayLike] | Model,
    tokens: ArrayLike,
    count: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    rng: int | np.random.Generator | None = None,
    cache: bool = True,
) -> Integers:
    """Let a decoder write on, token by token; return the beginning and what was written after it.

    When all its places are taken, it forgets the older half of what it sees and goes on.

    Parameters
    ----------
    parameters : mapping of str to array_like, or LanguageModel
        Those of `decoder_logits`; or a model, which writes one text, as long as it has places.
    tokens : array_like of int, shape (..., n)
        The beginning, at least one token and no more than there are places. With axes before the
        last, several texts are written at once.
    temperature, top_k, top_p : float, int, float
        How to choose; see `next_token_weights`. For the likeliest token each time, ``top_k=1``.
    rng : int or Generator, optional
        The seed, or the source, of the random numbers. Default: 0, so the text is always the same.
    cache : bool
        Keep the keys and values of earlier tokens. The text is the same without.

    Examples
    --------
    >>> from attention_lib import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> generate(parameters, [0, 3], count=4, top_k=1)[:2]
    array([0, 3])
    """
    count = check.as_count("count", count, least=0)
    written = islice(write(parameters, tokens, temperature, top_k, top_p, rng, cache), count)
    new = [token[..., None] for token in written]
    return np.concatenate([check.as_integers("tokens", tokens), *new], axis=-1)


def write(
    parameters: Mapping[str, ArrayLike] | Model,
    tokens: ArrayLike,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    rng: int | np.random.Generator | None = None,
    cache: bool = True,
) -> Iterator[Integers]:
    """Write on without end: yield what `generate` collects, one token of each text at a time.

    Examples
    --------
    >>> from attention_lib import start_decoder
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=5, places=8, d=4, heads=2)
    >>> int(next(write(parameters, [0, 3], rng=1))) in range(5)
    True
    """
    check.flag("cache", cache)
    if hasattr(parameters, "next_logits"):
        model: Any = parameters  # perhaps one that is read when it is first asked
        text, places, score = model.as_ids(tokens), None, model.next_logits
    else:
        p = _as_decoder(parameters)
        places = len(p["P"]) if "P" in p else None
        text, score = _as_tokens("tokens", tokens, p), partial(_next, p)
    check.require(text.shape[-1] > 0, "a decoder needs a token or more to go on from", tokens=text)
    next_token_weights(np.zeros(2), temperature, top_k, top_p)  # refuse bad ones now
    source = np.random.default_rng(0 if rng is None else rng)

    def choose(logits: Array) -> Integers:
        weights = next_token_weights(logits, temperature, top_k, top_p)
        if not (weights.sum(axis=-1) > 0).all():
            raise ValueError(
                "no next token can be drawn, since the scores of the decoder hold NaN or infinity: "
                "are all its parameters finite?"
            )
        return _choose(weights, source)

    return _write(score, text, places, choose, cache)


def _next(p: Mapping[str, Array], tokens: Integers, past: list[Steps]) -> Array:
    """Score what comes after tokens that stand after those of `past`, which takes them, too."""
    logits, past[:] = _decoder(tokens, p, past or None)
    return logits[..., -1, :]


def _write(
    score: Callable[[Integers, list[Any]], Array],
    text: Integers,
    places: int | None,
    choose: Callable[[Array], Integers],
    cache: bool,
) -> Iterator[Integers]:
    """Yield the next token, and the next: with `cache` only what is new is computed."""
    new, past = text, list[Any]()
    while True:
        if places and text.shape[-1] > places:
            text = new = text[..., -max(1, places // 2) :]
            past = []
        token = choose(score(new, past))
        yield token
        text = np.concatenate([text, token[..., None]], axis=-1)
        new, past = (text[..., -1:], past) if cache else (text, [])
