"""Writing: choices against loops, with the cache as without it, and what is refused."""

import math
from itertools import islice

import numpy as np
import oracles
import pytest
from checks import assert_same, call, refusals, refuses
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, sizes, values

import attention_lib as lib
from attention_lib.generation import _choose


def top_p_by_loop(weights, p):
    total, kept = 0.0, []
    for j in sorted(range(len(weights)), key=lambda j: (-weights[j], j)):
        if total < p:
            kept.append(j)
        total += weights[j]
    return [j in kept for j in range(len(weights))]


@given(st.data(), leads(1), sizes, sizes, st.floats(0.05, 1), dtypes)
def test_top_p_is_the_loop(data, lead, n, c, p, dtype):
    weights = lib.softmax(data.draw(values((*lead[0], n, c), dtype)))
    rows = [top_p_by_loop(row, p) for row in weights.reshape(-1, c).tolist()]
    assert_same(call(lib.top_p_mask, weights, p), np.reshape(rows, weights.shape), "bool")


def test_top_p_keeps_at_least_one_and_at_1_all_that_can_be_chosen(rng):
    assert lib.top_p_mask([0.2, 0.5, 0.3], 0.01).tolist() == [False, True, False]
    assert lib.top_p_mask([0.2, 0.5, 0.3], 1).tolist() == [True, True, True]
    assert lib.top_p_mask([0.25, 0.25, 0.25, 0.25], 0.5).tolist() == [True, True, False, False]
    for logits in ([0.0, -40, -50], rng.normal(size=5000).astype("float32")):
        every = lib.next_token_weights(logits, top_p=1.0)
        np.testing.assert_array_equal(every, lib.next_token_weights(logits))


@given(generators, st.integers(1, 6), st.floats(0.1, 1), st.floats(0.2, 3))
def test_weights_are_a_softmax_over_what_is_kept(rng, k, p, temperature):
    logits = rng.normal(size=(3, 6))
    found = call(lib.next_token_weights, logits, temperature, k, p)
    for row, weights in zip(logits.tolist(), found, strict=True):
        best = oracles.top_k_mask([row], k)[0]
        likely = top_p_by_loop(oracles.softmax(row, best, temperature), p)
        both = [a and b for a, b in zip(best, likely, strict=True)]
        assert_same(weights, np.array(oracles.softmax(row, both, temperature)), "float64")


def test_tokens_are_drawn_as_often_as_their_weights_say(rng):
    weights = np.array([0.0, 0.5, 0.0, 0.2, 0.3, 0.0])
    drawn = _choose(np.broadcast_to(weights, (20000, 6)), rng)
    shares = np.bincount(drawn, minlength=6) / 20000
    np.testing.assert_allclose(shares, weights, atol=0.02)
    assert shares[[0, 2, 5]].tolist() == [0, 0, 0]


@pytest.fixture
def decoder(rng):
    p = lib.start_decoder(rng, tokens=9, places=8, d=8, heads=2, blocks=2)
    return {name: rng.normal(size=array.shape) for name, array in p.items()}


def write_by_loop(p, tokens, count):
    """Write the best token each time, from the whole text: no cache, no batch."""
    text = list(tokens)
    seen = list(tokens)
    for _ in range(count):
        seen = seen[-4:] if len(seen) > 8 else seen
        token = int(np.argmax(lib.decoder_logits(seen, p)[-1]))
        text, seen = [*text, token], [*seen, token]
    return text


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("begin", [[0], [3, 1, 4], [1] * 8])
def test_greedy_writing_is_the_loop_also_when_the_places_are_full(decoder, begin, cache):
    found = lib.generate(decoder, begin, 20, top_k=1, cache=cache)
    assert found.tolist() == write_by_loop(decoder, begin, 20)


@pytest.mark.parametrize("options", [{}, {"temperature": 0.5}, {"top_k": 3}, {"top_p": 0.8}])
@pytest.mark.parametrize("shape", [(1,), (3,), (4, 2), (2, 3, 5)])
def test_writing_with_the_cache_is_writing_without_it(decoder, rng, options, shape):
    begin = rng.integers(9, size=shape)
    found = [
        lib.generate(decoder, begin, 25, rng=np.random.default_rng(5), cache=cache, **options)
        for cache in (True, False)
    ]
    np.testing.assert_array_equal(*found)
    np.testing.assert_array_equal(found[0][..., : shape[-1]], begin)
    assert found[0].shape == (*shape[:-1], shape[-1] + 25)


def test_the_cache_serves_grouped_heads_and_a_decoder_without_places(decoder):
    before = {name: array.copy() for name, array in decoder.items()}
    p = decoder | {name: decoder[name][:, :1] for name in ("W_k", "W_v")}
    del p["P"]
    found = [
        call(lib.generate, p, np.array([1, 2]), 30, rng=3, cache=cache) for cache in (True, False)
    ]
    np.testing.assert_array_equal(*found)
    for name, array in before.items():
        np.testing.assert_array_equal(decoder[name], array)


def test_a_seed_decides_the_text_and_the_default_is_one(decoder):
    again = [lib.generate(decoder, [1], 30, temperature=5, rng=rng) for rng in (7, 7, 8, None, 0)]
    assert again[0].tolist() == again[1].tolist() != again[2].tolist()
    assert again[3].tolist() == again[4].tolist()
    few = islice(lib.write(decoder, [1], temperature=5, rng=7), 6)
    assert [int(token) for token in few] == again[0][1:7].tolist()


DECODER = lib.start_decoder(np.random.default_rng(0), tokens=9, places=8, d=8, heads=2)


def writing(begin=(0,), count=0, **options):
    """Return what must be refused before the first token."""
    return lambda: lib.generate(DECODER, begin, count, **options)


VALUES = {
    "a decoder needs a token or more to go on from, but tokens has shape (0,)": writing([]),
    "this decoder has 8 places, but the text has 9 tokens: give it the last 8": writing([0] * 9),
    "tokens must lie between 0 and 8, but go from 9 to 9": writing([9]),
    "count must be at least 0, but is -1": writing(count=-1),
    "temperature must be above 0; for the likeliest token, pass top_k=1": writing(temperature=0),
    "temperature must be a positive number, but is nan": writing(temperature=math.nan),
    "top_k must be at least 1, but is 0": writing(top_k=0),
    "top_p must be above 0 and at most 1, but is 0": writing(top_p=0),
    "top_p must be above 0 and at most 1, but is 1.5": writing(top_p=1.5),
}
TYPES = {
    "tokens must be whole numbers, but are a text: encode it first": writing("abc"),
    "top_k must be a whole number, but is 1.5": writing(top_k=1.5),
    "cache must be True or False, but is a str": writing(cache="no"),
}
test_what_cannot_be_written_is_refused_before_the_first_token = refusals(VALUES, TYPES)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("options", [{}, {"top_k": 1}, {"top_p": 0.5}])
def test_a_decoder_that_is_not_finite_writes_nothing(decoder, bad, options):
    message = (
        "no next token can be drawn, since the scores of the decoder hold NaN or infinity: "
        "are all its parameters finite?"
    )
    with refuses(ValueError, message):
        lib.generate(decoder | {"U": np.full(decoder["U"].shape, bad)}, [1], 3, **options)
