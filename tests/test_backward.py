"""Backward passes: against loops over the Jacobian, and against numeric differences."""

import math
from functools import partial

import numpy as np
import oracles
import pytest
from checks import assert_same, call, per_pair, refusals, refuses
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, leads, masks, problems, sizes, values

import attention_lib as lib


@given(st.data(), leads(1), sizes, sizes, dtypes)
def test_softmax_backward_is_the_whole_jacobian(data, lead, n, m, dtype):
    scores, d_weights = (data.draw(values((*lead[0], n, m), dtype)) for _ in "sd")
    weights = lib.softmax(scores, mask=data.draw(masks((), n, m)))
    expected = oracles.batched(oracles.softmax_backward, weights, d_weights)
    assert_same(call(lib.softmax_backward, weights, d_weights), expected, dtype)


def assert_close_slopes(gradient, numeric):
    assert gradient.shape == numeric.shape
    np.testing.assert_allclose(gradient, numeric, rtol=1e-5, atol=1e-7)


def with_upstream(data, problem):
    output, _ = lib.attention(*problem[:3], mask=problem.mask)
    return data.draw(values(output.shape, problem.Q.dtype))


@given(st.data(), problems())
def test_attention_backward_is_the_numeric_gradient(data, problem):
    problem = problem._replace(**{name: getattr(problem, name).astype(float) for name in "QKV"})
    d_output = with_upstream(data, problem)
    gradients = call(lib.attention_backward, *problem[:3], d_output, mask=problem.mask)
    for name, gradient in zip("QKV", gradients, strict=True):

        def loss(x, name=name):
            Q, K, V, mask = problem._replace(**{name: x})
            return np.sum(lib.attention(Q, K, V, mask=mask)[0] * d_output)

        assert_close_slopes(gradient, lib.numeric_gradient(loss, getattr(problem, name)))


@pytest.mark.parametrize(("n", "m"), [(2, 0), (0, 2)])
def test_with_zero_keys_or_zero_queries_gradients_are_zero(n, m):
    shapes = (n, 3), (m, 3), (m, 4)
    gradients = lib.attention_backward(*map(np.ones, shapes), np.ones((n, 4)))
    assert_same(gradients, tuple(map(np.zeros, shapes)), "float64")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e308])
def test_masked_places_leak_into_no_gradient_nor_do_zero_weights(rng, bad):
    Q, K, V = rng.normal(size=(3, 2)), rng.normal(size=(4, 2)), rng.normal(size=(4, 2))
    mask = np.ones((3, 4), bool)
    mask[:, 1], mask[2] = False, False
    expected = lib.attention_backward(Q, K, V, np.ones((3, 2)), mask=mask)
    Q[2], K[1], V[1] = bad, bad, bad
    gradients = call(lib.attention_backward, Q, K, V, np.ones((3, 2)), mask=mask)
    assert_same(gradients, expected, "float64")
    slopes = lib.softmax_backward([[0.5, 0.5, 0.0]], [[1, 0, bad]])
    np.testing.assert_array_equal(slopes, [[0.25, -0.25, 0]])


@pytest.mark.parametrize("place", ["Q", "K", "V", "d_output"])
def test_nan_in_an_allowed_place_spoils_the_queries_that_look_at_it_and_no_other(rng, place):
    arrays = {name: rng.normal(size=(3, 2)) for name in ("Q", "K", "V", "d_output")}
    mask = np.array([[True, False, False], [False, True, True], [False, True, False]])
    expected = lib.attention_backward(**arrays, mask=mask)
    arrays[place][0] = math.nan
    gradients = lib.attention_backward(**arrays, mask=mask)
    for gradient, same in zip(gradients, expected, strict=True):
        assert_same(gradient[1:], same[1:], "float64")
    assert np.isnan(gradients[0][0]).all()
    mask[0, 0] = False  # now nobody looks at it
    assert np.isfinite(lib.attention_backward(**arrays, mask=mask)).all()
    assert np.isnan(lib.attention_backward(**arrays)[2]).all() == (place != "V")


def backward(*shapes, **options):
    return lambda: lib.attention_backward(*map(np.ones, shapes), **options)


SAME = "d_output needs the shape of the output, "
MASK = np.ones((5, 2, 3), bool)
VALUES = {
    "each weight needs one gradient, so both need the same shape, but weights has shape (2, 3) "
    "and d_weights has shape (3,)": lambda: lib.softmax_backward(np.ones((2, 3)), np.ones(3)),
    f"{SAME}(2, 1), but has shape (1, 1)": backward((2, 3), (4, 3), (4, 1), (1, 1)),
    f"{SAME}(2, 5), but has shape (2, 1)": backward((2, 3), (4, 3), (4, 5), (2, 1)),
    f"{SAME}(2, 1, 1, 1), but has shape (3, 1, 1)": backward(
        (2, 1, 1, 1), (1, 1), (1, 1), (3, 1, 1)
    ),
    f"{SAME}(5, 2, 1), but has shape (4, 2, 1)": backward(
        (2, 2), (3, 2), (3, 1), (4, 2, 1), mask=MASK
    ),
    per_pair("mask", (5, 2, 3), (4, 2, 3)): backward((2, 2), (3, 2), (4, 3, 1), (2, 1), mask=MASK),
}
NO_SOFTMAX = "weights are the result of a softmax, so none is negative and they sum to 1 at most"
NO_WEIGHTS = {"5 or some sum to 12": [5, 7], "-0.5 or some sum to 1": [1.5, -0.5]}
NO_WEIGHTS["0.2 or some sum to 1.1"] = [[0.5, 0.5], [0.9, 0.2]]
for said, weights in NO_WEIGHTS.items():
    VALUES[f"{NO_SOFTMAX}, but one is {said}"] = partial(lib.softmax_backward, weights, weights)
for step in (0, -1e-6, math.nan, math.inf):
    said = f"step must be a positive number, but is {step!r}"
    VALUES[said] = partial(lib.numeric_gradient, np.sum, [1.0], step)
test_what_does_not_fit_is_refused = refusals(VALUES)


def test_the_way_back_takes_rounded_weights_and_those_beside_a_sink(rng):
    for weights in (lib.softmax(np.zeros(3000, "float16")), lib.softmax([1.0, 1.0], sink=1.0)):
        lib.softmax_backward(weights, np.ones_like(weights))
    scores, d_weights = rng.normal(size=(2, 4))
    numeric = lib.numeric_gradient(lambda x: lib.softmax(x, sink=0.5) @ d_weights, scores)
    assert_close_slopes(lib.softmax_backward(lib.softmax(scores, sink=0.5), d_weights), numeric)


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=4), st.sampled_from([1e-6, 1e-3, 0.5]))
def test_numeric_gradient_is_the_loop(x, step):
    def function(x):
        return sum((i + 1) * entry**3 for i, entry in enumerate(x))

    expected = oracles.numeric_gradient(function, x, step)
    np.testing.assert_allclose(
        lib.numeric_gradient(function, x, step), expected, rtol=1e-5, atol=1e-7
    )


def test_numeric_gradient_has_the_shape_of_the_output_then_of_the_input(rng):
    x, A = rng.normal(size=(3, 2)), rng.normal(size=(4, 3))
    slopes = call(lib.numeric_gradient, lambda x: A @ x, x)  # (4, 2, 3, 2)
    assert_same(slopes, np.einsum("ik,jl->ijkl", A, np.eye(2)), "float64")
    assert_close_slopes(call(lib.numeric_gradient, np.sum, x), np.ones((3, 2)))
    assert_close_slopes(lib.numeric_gradient(np.sin, 0.0), np.array(1.0))


def test_numeric_gradient_works_in_float64_whatever_it_is_given():
    for x in ([1, 2], np.array([1, 2], "float32"), np.array([1, 2], "int8")):
        seen = []
        slopes = lib.numeric_gradient(lambda x, seen=seen: seen.append(x.dtype) or np.sum(x**2), x)
        np.testing.assert_allclose(slopes, [2, 4], rtol=1e-6)
        assert {slopes.dtype, *seen} == {np.dtype("float64")}
    for size in (1e3, 1e10, -1e100):  # large numbers are nudged further
        slopes = lib.numeric_gradient(lambda x: (x**2).sum(), [size, 1.0])
        assert slopes[0] == pytest.approx(2 * size, rel=1e-6)


def test_numeric_gradient_survives_a_function_that_changes_its_argument_or_its_result():
    def careless(x):
        x *= 2
        return np.sum(x)

    buffer, x = np.empty(2), np.array([1.0, 2.0])
    assert_close_slopes(call(lib.numeric_gradient, careless, x), np.array([2.0, 2.0]))
    slopes = lib.numeric_gradient(lambda x: np.multiply(x, 3, out=buffer), x)
    assert_close_slopes(slopes, 3 * np.eye(2))


@pytest.mark.parametrize("x", [[1.0, 1e12], [0.0, -1e12]])
def test_a_step_too_small_to_move_x_is_refused(x):
    message = f"step 1e-06 does not change x = {x[1]:g}: take a larger one"
    with refuses(ValueError, message):
        lib.numeric_gradient(np.sum, x, step=1e-6)
    np.testing.assert_allclose(lib.numeric_gradient(np.sum, x, step=1.0), [1, 1])


@pytest.mark.parametrize(("dtype", "step"), [("float32", 0.005), ("float16", 0.1)])
def test_a_step_that_drowns_in_the_rounding_of_the_function_is_refused(dtype, step):
    def rounded(x):
        return (x.astype(dtype) ** 2).sum()

    said = f"function rounds its result to {dtype}, which drowns a step of 1e-06: "
    with refuses(ValueError, f"{said}compute in float64, or take step={step}"):
        lib.numeric_gradient(rounded, [1.0])
    np.testing.assert_allclose(lib.numeric_gradient(rounded, [1.0], step), [2], rtol=1e-2)


def nudging(result):
    return lambda: lib.numeric_gradient(lambda x: result, [1.0])


TYPES = {
    "function must return a number or one array of numbers, not a tuple": nudging(
        lib.attention(np.eye(2), np.eye(2), np.eye(2))
    ),
    "function(x) must hold real numbers, but is None": nudging(None),
    "function(x) must hold real numbers, but its dtype is <U1": nudging("a"),
    "function must be a function of x, such as np.sum, but is array([1., 1.])": lambda: (
        lib.numeric_gradient(np.ones(2), [1.0])
    ),
    "function is called with x, but dot_score takes Q, K: "
    "give it the rest, as in function=lambda x: dot_score(Q, K)": lambda: lib.numeric_gradient(
        lib.dot_score, [1.0]
    ),
}
test_a_function_that_gives_no_array_of_numbers_is_refused = refusals({}, TYPES)
