"""Model answers give what the library gives; what checkers state as a number is so."""

import numpy as np
import pytest

from attention_exercises import (
    attention_pooling,
    how_attention_learns,
    multi_head_attention,
    scoring_functions,
)
from attention_lib import (
    additive_score,
    attention,
    local_mask,
    numeric_gradient,
    scaled_dot_score,
    softmax,
    softmax_backward,
    strided_mask,
)
from attention_lib.models import load_minilm_layer


def test_those_on_gradients(rng):
    Q, K, V = (rng.normal(size=shape) for shape in [(2, 3), (5, 3), (5, 4)])
    answers = how_attention_learns.EXERCISES
    _, weights = attention(Q, K, V)
    d_weights = rng.normal(size=weights.shape)
    right = softmax_backward(weights, d_weights)
    given = answers["ex-softmax-backward"].model(weights, d_weights, 0.5)
    np.testing.assert_allclose(given, 2 * right)
    measured = numeric_gradient(lambda q: attention(q[None], K, V)[0][0], Q[0])
    np.testing.assert_allclose(answers["ex-covariance"].model(Q[0], K, V), measured, atol=1e-8)


def test_those_on_scores(rng):
    Q, K, V = rng.normal(size=(4, 3)), rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    answers = scoring_functions.EXERCISES
    np.testing.assert_allclose(answers["ex-scaled-score"].model(Q, K), scaled_dot_score(Q, K))
    parameters = [rng.normal(size=shape) for shape in ((3, 5), (3, 5), 5, 5)]
    own = answers["ex-additive-score"].model(Q, K, *parameters)
    np.testing.assert_allclose(own, additive_score(Q, K, *parameters))
    mask = local_mask(4, 6, 2) | strided_mask(4, 6, 3)
    output, share = answers["ex-sparse-attention"].model(Q, K, V, 2, 3)
    np.testing.assert_allclose(output, softmax(scaled_dot_score(Q, K), mask=mask) @ V)
    assert share == mask.mean()


EXERCISES, RIGHT_T = attention_pooling.EXERCISES, attention_pooling._RIGHT_T


@pytest.mark.parametrize(("T", "right"), [(0.42, 0), (0.43, 1), (RIGHT_T, 1), (0.44, 1), (0.46, 0)])
def test_the_temperature_is_accepted_when_the_weight_rounds_to_nine_tenths(T, right):
    weight, verdict = softmax([2, 1, 0], temperature=T).max(), EXERCISES["ex-temperature"](T)
    assert (abs(weight - 0.9) <= 0.005, verdict.status == "correct") == (right, right)


@pytest.mark.parametrize(("sentence", "last_his"), [(0, 16), (1, 15)])
def test_the_praise_of_the_real_heads_has_the_numbers_of_minilm(sentence, last_his):
    real_heads = multi_head_attention.EXERCISES["ex-real-heads"]
    _, weights = real_heads.model(*multi_head_attention._real_layer(sentence))
    row, tokens = weights[1, last_his], load_minilm_layer().sentences[sentence].tokens
    assert tokens[last_his] == "his"
    praise = real_heads.praise
    assert f"{tokens[row.argmax()]} {row.max():.2f} " in praise
