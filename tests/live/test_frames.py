"""Frames: what is stored is what the function returned, at every position of the controls."""

import itertools

import numpy as np
import pytest

from attention_lib import softmax
from bookwork.live import checkbox, choice, slider
from bookwork.live.controls import read_axis
from bookwork.live.frames import FINE_STEPS, STEPS, call, check_budget, evaluate, pack

SCORES = np.array([[1.0, 2.0, 3.0], [0.0, -1.0, 4.0]])


def axes_of(**controls):
    return [read_axis(name, control) for name, control in controls.items()]


def evaluated(function, axes, tell=None):
    start = call(function, axes, [axis.start for axis in axes])
    return evaluate(function, axes, start, tell)


def check_every_position(function, axes, frames):
    for places in itertools.product(*(range(len(axis.values)) for axis in axes)):
        arguments = {a.name: a.values[i] for a, i in zip(axes, places, strict=True)}
        np.testing.assert_allclose(frames[places], function(**arguments), atol=1e-12)


def test_a_vectorised_function_is_called_for_the_whole_grid_at_once():
    calls = []

    def weights(temperature, shift):
        calls.append(np.shape(temperature))
        return softmax(SCORES + shift * np.array([0, 1, 0]), temperature=temperature)

    axes = axes_of(temperature=slider(0.5, 4, 0.5, value=1), shift=slider(-3, 3, 1))
    frames = evaluated(weights, axes)["result"]
    assert calls.count((8, 1, 1, 1)) == 1
    assert len(calls) < 8 * 7 / 2
    check_every_position(weights, axes, frames)


def test_choices_are_looped_over_and_numbers_are_not():
    axes = axes_of(temperature=slider(0.5, 10, 0.5), kind=choice(["rows", "flat"]))

    def named(temperature, kind):
        return softmax(SCORES if kind == "rows" else 0 * SCORES, temperature=temperature)

    frames = evaluated(named, axes)["result"]
    assert frames.shape == (20, 2, 2, 3)
    check_every_position(named, axes, frames)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda t, u: np.full((2, 3), float(t)), id="asks for a number"),
        pytest.param(lambda t, u: SCORES * 2 if t > 1 else SCORES, id="branches"),
        pytest.param(lambda t, u: SCORES[:, [int(t) % 3, 0, 0]], id="indexes"),
        pytest.param(lambda t, u: SCORES * np.sum(t), id="is wrong on grids, silently"),
        pytest.param(lambda t, u: SCORES * 1e-12 * np.sum(t), id="is wrong by little"),
        pytest.param(
            lambda t, u: SCORES * np.where(t == 5, np.size(t), t), id="is wrong at one value"
        ),
        pytest.param(
            lambda t, u: SCORES * np.where((t == 8) & (u == 0), np.size(t), t),
            id="is wrong in one corner",
        ),
        pytest.param(lambda t, u: SCORES + (t + 1) ** (3 * u), id="outgrows the integers"),
        pytest.param(
            lambda t, u: SCORES + np.multiply(t, 2, out=t if np.ndim(t) else None) + 0 * u,
            id="writes into its arguments",
        ),
    ],
)
def test_a_function_that_does_not_vectorise_is_called_for_each_position(function):
    axes = axes_of(t=slider(0, 8, 1), u=slider(0, 8, 1))
    check_every_position(function, axes, evaluated(function, axes)["result"])


def test_one_control_is_never_guessed():
    """Each of its positions would be looked at anyway."""

    def wrong_on_grids(t):
        assert np.ndim(t) == 0
        return SCORES * t

    axes = axes_of(t=slider(0, 8, 1))
    check_every_position(wrong_on_grids, axes, evaluated(wrong_on_grids, axes)["result"])


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32])
def test_frames_are_floats_whatever_the_function_returns(dtype):
    def at_least(t, u):
        return (SCORES * (1 + 0 * u) > t).astype(dtype)

    frames = evaluated(at_least, axes_of(t=slider(0, 8, 1), u=slider(0, 8, 1)))
    assert frames["result"].dtype == float


@pytest.mark.parametrize(
    "result", [2, True, np.float32(2), np.array(2.0), [1, 2], (1.0, 2.0), [[1], [2]]]
)
def test_a_frame_may_be_a_number_or_a_list(result):
    frames = evaluated(lambda t: result, axes_of(t=slider(0, 1, 1)))
    np.testing.assert_array_equal(frames["result"], np.array([result, result], float))


def test_arrays_of_different_ranks_keep_their_shapes():
    def both(t):
        return {"weights": softmax(SCORES, temperature=t), "mean": SCORES.mean() * t}

    frames = evaluated(both, axes_of(t=slider(1, 4, 1)))
    assert {name: array.shape for name, array in frames.items()} == {
        "weights": (4, 2, 3),
        "mean": (4,),
    }


def test_long_work_reports_how_far_it_has_come(monkeypatch):
    clock = itertools.count(0, 0.9)
    monkeypatch.setattr("bookwork.live.frames.time.monotonic", lambda: next(clock))
    told = []
    evaluated(lambda t: np.full(3, float(t)), axes_of(t=slider(0, 9, 1)), told.append)
    assert told == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])


@pytest.mark.parametrize(
    ("function", "error", "says"),
    [
        (lambda t: np.ones((t,)), ValueError, r"\(1,\)} at the start and .*\(2,\)} at t = 2"),
        (
            lambda t: np.array([1.0, np.nan]) if t == 3 else np.ones(2),
            ValueError,
            r"result holds NaN or infinity at t = 3",
        ),
        (lambda t: np.array(["a"] * 2), TypeError, r"result must hold numbers, but at t = 1"),
        (lambda t: None, TypeError, r"result must hold numbers, but at t = 1 its dtype is object"),
        (
            lambda t: (np.ones(2), np.ones((2, 2))),
            TypeError,
            r"^result must be one array, but at t = 1 it is a tuple of 2: return a dictionary with",
        ),
        (
            lambda t: [[1], [1, 2]],
            TypeError,
            r"^result must be one array, but at t = 1 its rows differ in length$",
        ),
        (
            lambda t: np.ma.masked_equal([1, 2, 3], t),
            ValueError,
            r"^result holds masked entries at t = 1, which cannot be drawn$",
        ),
    ],
)
def test_a_frame_that_cannot_be_drawn_gets_a_sentence(function, error, says):
    with pytest.raises(error, match=says):
        evaluated(function, axes_of(t=slider(1, 3, 1)))


@pytest.mark.parametrize("also", [checkbox(), choice(list("abcdefgh"))])
def test_an_array_that_comes_and_goes_gets_a_sentence(also):
    def sometimes(t, also):
        last = {"e": t * np.ones(3)} if also in (True, "h") else {}
        return {"weights": t * np.ones(3)} | last

    says = r"{'weights': \(3,\)} at the start and .*'e': \(3,\)} at t = 1, also = (True|h)$"
    with pytest.raises(ValueError, match=says):
        evaluated(sometimes, axes_of(t=slider(1, 3, 1), also=also))


def test_an_array_that_only_single_calls_return_gets_a_sentence():
    def sometimes(t, u):
        last = {"e": np.ones(3)} if np.size(t) == 1 and t > 2 else {}
        return {"weights": (t + u) * np.ones(3)} | last

    with pytest.raises(ValueError, match=r"at the start and .*'e': \(3,\)} at t = 3, u = 0$"):
        evaluated(sometimes, axes_of(t=slider(1, 8, 1), u=slider(0, 8, 1)))


@pytest.mark.parametrize(("scale", "steps"), [(1e-6, STEPS), (1.0, STEPS), (4e4, FINE_STEPS)])
def test_the_codes_are_off_by_at_most_half_a_step(scale, steps):
    array = np.random.default_rng(0).normal(size=(7, 5, 4)) * scale
    packed = pack("x", array, 1)
    step = (packed.high - packed.low) / steps
    decoded = packed.low + step * packed.codes
    assert np.abs(decoded - array).max() <= step / 2 * (1 + 1e-9)
    assert step == pytest.approx((array.max() - array.min()) / packed.steps)


def test_constant_arrays_and_constant_axes_are_stored_once():
    array = np.broadcast_to(np.arange(6.0).reshape(3, 1, 2), (3, 50, 2))
    packed = pack("x", array, 2)
    assert (packed.codes.shape, packed.shape) == ((3, 1, 2), (2,))
    packed = pack("x", np.full((4, 2), 0.3), 1)
    assert (packed.codes.tolist(), packed.low) == ([[0, 0]], 0.3)


def test_numbers_too_far_apart_are_refused():
    says = r"^x reaches from -1e\+308 to 1e\+308, too far to be drawn$"
    with pytest.raises(ValueError, match=says):
        pack("x", np.array([-1e308, 1e308]), 1)


def test_frames_over_budget_are_refused_and_the_finest_control_is_named():
    axes = axes_of(coarse=slider(0, 1, 1), fine=slider(0.0, 1.0, 0.01))
    check_budget(20_200, axes, 20_200)
    with pytest.raises(ValueError, match=r"20,200 bytes .* 20,199; fine has 101 steps: give it f"):
        check_budget(20_200, axes, 20_199)


def test_a_frame_over_budget_without_controls_is_refused():
    says = r"^this figure would need 6 bytes of frames, more than its budget of 1$"
    with pytest.raises(ValueError, match=says):
        check_budget(6, [], 1)
