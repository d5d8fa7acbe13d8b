"""Linear attention and the delta rule: loops, parallel against recurrent form, laws, bad input."""

import math
from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, not_compared, refusals, without_value
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, generators, leads, sizes, values

import attention_lib as lib


@st.composite
def texts(draw):
    """Queries, keys and values of the same tokens, whose leading axes broadcast."""
    n, d_k, d_v = (draw(sizes) for _ in "ndd")
    dtype, (q, k, v) = draw(dtypes), draw(leads(3))
    return (
        draw(values((*q, n, d_k), dtype)),
        draw(values((*k, n, d_k), dtype)),
        draw(values((*v, n, d_v), dtype)),
    )


def unit(K):
    return K / np.linalg.norm(K, axis=-1, keepdims=True)


@given(st.data(), sizes, dtypes)
def test_features_are_the_loop_and_positive(data, n, dtype):
    X = data.draw(values((n, 3), dtype))
    found = call(lib.elu_plus_one, X)
    assert_same(found, [[oracles.elu_plus_one(x) for x in row] for row in X.tolist()], dtype)
    assert (found > 0).all()
    with np.errstate(all="raise", under="ignore"):
        assert lib.elu_plus_one([1e5, -1e5]).tolist() == [100001.0, 0.0]


def test_any_feature_map_without_negative_numbers_will_do_and_where_all_are_zero_so_is_the_output():
    Q, K, V = np.random.default_rng(1).normal(size=(3, 4, 3))

    def relu(X):  # in place, and 0 for token 0
        np.maximum(X, 0, out=X)
        return np.concatenate([X, np.ones_like(X[..., :1])], axis=-1) * (np.arange(4) > 0)[:, None]

    weights = np.maximum(relu(Q.copy()) @ relu(K.copy()).T, 0)  # (n, n)
    for causal in (False, True):
        seen = np.where(lib.causal_mask(4), weights, 0) if causal else weights
        total = seen.sum(axis=1, keepdims=True)
        expected = seen @ V / np.where(total == 0, 1, total)
        assert not expected[0].any()
        assert_same(
            call(lib.linear_attention, Q, K, V, feature=relu, causal=causal), expected, "float64"
        )
    assert_same(lib.linear_attention_recurrent(Q, K, V, feature=relu)[0], expected, "float64")


@pytest.mark.parametrize(
    "low", [("float16", -10, -20), ("float32", -60, -110), ("float64", -400, -800)]
)
def test_weights_that_are_small_are_still_weights_and_what_makes_all_keys_small_cancels(low):
    dtype, low, lower = low
    Q, K, V = np.array([[[low], [0]], [[low], [low]], [[40], [60]]], dtype)
    assert_same(call(lib.linear_attention, Q, K, V), [[50], [50]], dtype)
    assert_same(call(lib.linear_attention, Q, K, V, causal=True), [[40], [50]], dtype)
    assert_same(call(lib.linear_attention_recurrent, Q, K, V)[0], [[40], [50]], dtype)
    K, V = np.array([[[lower], [lower], [0]], [[1], [3], [5]]], dtype)
    assert_same(lib.linear_attention(Q[1:], K[:2], V[:2]), [[2]], dtype)
    assert_same(lib.linear_attention(Q[1:], K, V), [[5]], dtype)


@given(texts())
def test_parallel_and_recurrent_form_are_equal(text):
    output, _ = call(lib.linear_attention_recurrent, *text)
    assert_same(output, lib.linear_attention(*text, causal=True), text[0].dtype)


@given(texts(), st.sampled_from([0.0, 0.5, 0.9, 1.0]))
def test_what_is_not_kept_fades_with_the_distance(text, keep):
    output, _ = lib.linear_attention_recurrent(*text, keep=keep)
    expected = oracles.batched(oracles.linear_attention, *text, causal=True, keep=keep)
    assert_same(output, expected, text[0].dtype)


@given(texts(), generators)
def test_delta_rule_is_the_loop(text, rng):
    Q, K, V = text[0], unit(text[1] + 0.1), text[2]
    K = K.astype(Q.dtype)
    rate, keep = rng.random(2)
    expected = oracles.batched(oracles.delta_rule, Q, K, V, rate=rate, keep=keep)
    assert_same(call(lib.delta_rule, Q, K, V, rate=rate, keep=keep), expected, Q.dtype)


@pytest.mark.parametrize("memory", [lib.linear_attention_recurrent, lib.delta_rule])
@pytest.mark.parametrize("cut", [0, 1, 4, 6])
def test_a_text_may_be_read_in_two_parts(memory, cut):
    rng = np.random.default_rng(2)
    Q, K, V = rng.normal(size=(3, 2, 6, 4))
    K, keep = unit(K), rng.random((2, 6))
    whole, last = memory(Q, K, V, keep=keep)
    first, state = memory(Q[:, :cut], K[:, :cut], V[:, :cut], keep=keep[:, :cut])
    rest = Q[:, cut:], K[:, cut:], V[:, cut:]
    second, end = memory(*rest, keep=keep[:, cut:], state=state)
    assert_same(np.concatenate([first, second], axis=1), whole, "float64")
    assert_same(end, last, "float64")


def test_every_token_may_have_its_own_rate_and_gate():
    Q, K, V = np.random.default_rng(3).normal(size=(3, 5, 4))
    K, rate = unit(K), np.array([1.0, 0.0, 0.3, 1.0, 0.5])
    output, state = lib.delta_rule(Q, K, V, rate=rate, keep=rate[::-1])
    parts, S = [], None
    for t in range(5):
        one = slice(t, t + 1)
        row, S = lib.delta_rule(Q[one], K[one], V[one], rate=rate[t], keep=rate[4 - t], state=S)
        parts.append(row)
    assert_same(output, np.concatenate(parts), "float64")
    assert_same(state, S, "float64")


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("where", [0, 1, 2])
def test_the_future_never_leaks(bad, where):
    text = np.random.default_rng(6).normal(size=(3, 5, 4))
    before = lib.linear_attention(*text, causal=True)[:3]
    text[where, 3:] = bad
    with np.errstate(all="raise", under="ignore"):
        after = lib.linear_attention(*text, causal=True)
        recurrent, _ = lib.linear_attention_recurrent(*text)
        corrected, _ = lib.delta_rule(*text)
    assert_same(after[:3], before, "float64")
    assert_same(recurrent[:3], before, "float64")
    assert np.isfinite(corrected[:3]).all()
    assert not np.isfinite(after[3:]).all(axis=-1).any()


ONE = np.ones((2, 3))


ROWS = "feature(X) must give one row of features for each row of X, but gave shape "


def linear(**options):
    return lambda: lib.linear_attention(**({"Q": ONE, "K": ONE, "V": ONE} | options))


VALUES = {
    not_compared((2, 3), (2, 4)): linear(K=np.ones((2, 4))),
    without_value((2, 3), (3, 1)): linear(V=np.ones((3, 1))),
    f"{ROWS}(2,) for X of shape (2, 3)": linear(feature=lambda X: X.sum(axis=-1)),
    f"{ROWS}(2, 0) for X of shape (2, 3)": linear(feature=lambda X: X[..., :0]),
    "weights are products of features, so none may be negative, but feature(X) gave -2": linear(
        feature=lambda X: -2 * X
    ),
}
TYPES = {
    "causal must be True or False, but is a int": linear(causal=1),
    "feature must be a function of X, such as elu_plus_one, but is 'elu'": linear(feature="elu"),
    "feature(X) must hold real numbers, but is None": linear(feature=lambda X: None),
}
test_what_linear_attention_cannot_take_is_refused = refusals(VALUES, TYPES)


EACH = "each token has one query, one key and one value, so all need the same number of rows, "
FIVE = np.ones((5, 2, 3))
MEMORIES = {lib.linear_attention_recurrent: (5, 3, 4), lib.delta_rule: (5, 3, 3)}
FOUR = np.ones((4, 3))
SHARES = [
    (f"{name} must lie between 0 and 1, but is {value!r}", {name: value})
    for name in ("rate", "keep")
    for value in (-0.1, 1.5, math.nan, [0.5, 2.0])
]
SHARES = [(message, partial(lib.delta_rule, ONE, ONE, ONE, **share)) for message, share in SHARES]
FEW = "keep needs shape () or (5, 2), one for each token, but keep has shape (3,)"
MORE = f"{EACH}but Q has shape (2, 3) and K has shape (4, 3)"
SHARES += [(FEW, partial(memory, FIVE, ONE, ONE, keep=[1, 1, 1])) for memory in MEMORIES]
SHARES += [(MORE, partial(memory, ONE, FOUR, FOUR)) for memory in MEMORIES]
STATES = [
    (
        f"state must have shape {wanted}, as it was returned, but state has shape {shape}",
        partial(memory, FIVE, ONE, ONE, state=np.ones(shape)),
    )
    for memory, wanted in MEMORIES.items()
    for shape in [(3, 2), (3,), (2, 3, 3), (2, 3, 4)]
]
test_what_a_memory_cannot_take_is_refused = refusals([*SHARES, *STATES])
