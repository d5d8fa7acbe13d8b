"""The specification of each exercise, a plain loop, agrees with what the library computes."""

import numpy as np
import pytest

import attention_lib
from attention_exercises import (
    attention_pooling,
    multi_head_attention,
    positions,
    queries_keys_values,
)
from attention_exercises._formulas import softmax
from attention_lib.datasets import load_minilm_layer


@pytest.mark.parametrize("m", [1, 2, 7])
def test_soft_lookup_and_search_are_attention_of_one_query(rng, m):
    q, K, V, T = rng.normal(size=3), rng.normal(size=(m, 3)), rng.normal(size=(m, 2)), 0.4
    output, weights = attention_lib.attention(
        q[None], K, V, score=lambda Q, K: attention_lib.dot_score(Q, K) / T
    )
    np.testing.assert_allclose(queries_keys_values.soft_lookup(q, K, V, T), output[0])
    found, score = queries_keys_values.search(q, K, m - 1, T)
    np.testing.assert_allclose(found, weights[0])
    assert score == pytest.approx(np.log(weights[0, -1]))


def test_unit_rows_have_length_one_and_zeros_stay(rng):
    X = np.vstack([rng.normal(size=(4, 3)), np.zeros(3)])
    rows = np.array(queries_keys_values.unit_rows(X))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 1, 0])
    np.testing.assert_allclose(rows * np.linalg.norm(X, axis=1, keepdims=True), X)


def test_match_rows_and_invert_agree_with_lookup():
    keys, values = ["a", "b", "c"], [3, 1, 2]
    rows = np.array(queries_keys_values.match_rows(keys, keys))
    assert (rows @ values).tolist() == [attention_lib.lookup(key, keys, values) for key in keys]
    assert queries_keys_values.invert(keys, values) == {3: ["a"], 1: ["b"], 2: ["c"]}


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 4)])
def test_stable_softmax_is_the_softmax(rng, shape):
    scores = rng.normal(scale=300, size=shape)
    right = attention_lib.softmax(scores)
    np.testing.assert_allclose(softmax(scores), right, atol=1e-300)


def test_pool_and_to_weights_are_the_two_halves_of_kernel_regression(rng):
    keys, values, x = rng.normal(size=5), rng.normal(size=(5, 2)), rng.normal(size=3)
    similarities = attention_lib.triangular_kernel(x[:, None], keys[:, None], 0.5)
    weights = np.array(attention_pooling.to_weights(similarities))
    output, right = attention_lib.kernel_regression(
        x, keys, values, kernel=attention_lib.triangular_kernel, width=0.5
    )
    np.testing.assert_allclose(weights, right)
    np.testing.assert_allclose([attention_pooling.pool(row, values) for row in weights], output)


def test_epanechnikov_and_predict_are_those_of_the_library(rng):
    u = np.abs(rng.normal(size=(3, 4)))
    kernel = attention_lib.epanechnikov_kernel(u.reshape(-1, 1), [[0.0]], 1.0).reshape(3, 4)
    np.testing.assert_allclose(attention_pooling.epanechnikov(u), kernel)
    x, keys, values = rng.normal(size=3), rng.normal(size=6), rng.normal(size=6)
    right, _ = attention_lib.kernel_regression(x, keys, values, width=0.7)
    np.testing.assert_allclose(attention_pooling.predict(x, keys, values, 0.7), right)


def test_the_temperature_accepted_gives_nine_tenths():
    T = attention_pooling._RIGHT_T
    assert attention_lib.softmax([2, 1, 0], temperature=T).max() == pytest.approx(0.9)
    assert attention_pooling.EXERCISES["ex-temperature"](T).status == "correct"


@pytest.mark.parametrize(("T", "right"), [(0.42, False), (0.43, True), (0.44, True), (0.46, False)])
def test_the_temperature_is_accepted_when_the_weight_rounds_to_it(T, right):
    weight = attention_lib.softmax([2, 1, 0], temperature=T).max()
    assert (abs(weight - 0.9) <= 0.005) == right
    assert (attention_pooling.EXERCISES["ex-temperature"](T).status == "correct") == right


def test_waves_shift_and_turn_are_those_of_the_library(rng):
    P = attention_lib.sinusoidal_positions(9, 6)
    np.testing.assert_allclose(positions.waves(9, 6), P, atol=1e-12)
    np.testing.assert_allclose(P[2:6] @ positions.shift(3, 6), P[5:9], atol=1e-12)
    X, places = rng.normal(size=(4, 6)), np.array([3, 0, 11, 5])
    np.testing.assert_allclose(positions.turn(X, places), attention_lib.rotary(X, places))


def test_a_new_word_and_alibi_are_the_last_row_of_attention_over_all_words(rng):
    X, K, V = rng.normal(size=(5, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    output, _ = attention_lib.attention(attention_lib.rotary(X), attention_lib.rotary(K), V)
    np.testing.assert_allclose(positions.new_word(X[-1], K, V), output[-1])
    scores, slopes = rng.normal(size=(3, 4, 4)), np.array([0.5, 0.2, 0.0])
    bias = scores + attention_lib.alibi_bias(slopes, 4)
    right = attention_lib.softmax(bias, mask=attention_lib.causal_mask(4))
    np.testing.assert_allclose(positions.alibi_weights(scores, slopes), right)


@pytest.mark.parametrize(("sentence", "last_his"), [(0, 16), (1, 15)])
def test_the_praise_of_the_real_heads_has_the_numbers_of_minilm(sentence, last_his):
    _, weights = multi_head_attention.my_layer(*multi_head_attention._real_head(sentence))
    row, tokens = weights[0, last_his], load_minilm_layer().sentences[sentence].tokens
    assert tokens[last_his] == "his"
    praise = multi_head_attention.EXERCISES["ex-real-heads"].praise
    assert f"{tokens[row.argmax()]} {row.max():.2f} " in praise
