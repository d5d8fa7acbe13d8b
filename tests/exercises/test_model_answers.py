"""Model answers give what the library gives, where it has a function for the same."""

import numpy as np

from attention_exercises import how_attention_learns, scoring_functions
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
