"""Frames: what is stored is what the function returned, at every position of the controls."""

import numpy as np
import pytest
from bookwork.live import checkbox, choice, slider
from bookwork.live.controls import read_axis
from bookwork.live.frames import BUDGET, FINE_STEPS, STEPS, call, check_budget, evaluate, pack

SCORES = np.array([[1.0, 2.0, 3.0], [0.0, -1.0, 4.0]])


def axes_of(**controls):
    return [read_axis(name, control) for name, control in controls.items()]


def evaluated(function, axes):
    start = call(function, axes, [axis.start for axis in axes])
    return evaluate(function, axes, start, start)


def test_every_position_is_asked_for_by_itself():
    """A function that compares would be wrong on a whole grid of numbers at once."""

    def found(query, key, kind):
        assert np.ndim(query) == np.ndim(key) == 0
        hit = np.array_equal(query, key) if kind == "exact" else abs(query - key) < 2
        return np.array([hit, not hit], float)

    axes = axes_of(query=slider(0, 9, 1), key=slider(1, 10, 1), kind=choice(["exact", "near"]))
    frames = evaluated(found, axes)["result"]
    assert frames.shape == (10, 10, 2, 2)
    for places in np.ndindex(10, 10, 2):
        values = {axis.name: axis.values[k] for axis, k in zip(axes, places, strict=True)}
        np.testing.assert_array_equal(frames[places], found(**values))


def test_what_stays_the_same_under_a_control_is_kept_once_along_it():
    def maps(x, power):
        return {"map": np.arange(4.0) ** power, "here": x**power}

    frames = evaluated(maps, axes_of(x=slider(0, 9, 1), power=choice([1, 2])))
    assert (frames["map"].shape, frames["here"].shape) == ((1, 2, 4), (10, 2))
    np.testing.assert_array_equal(frames["map"][0, 1], [0, 1, 4, 9])


@pytest.mark.parametrize(
    ("differs", "shape"),
    [
        (lambda x, y, z: False, (1, 1, 1)),
        (lambda x, y, z: y == 2, (1, 3, 1)),
        (lambda x, y, z: x == y == z == 2, (3, 3, 3)),
        (lambda x, y, z: x == 1 and z == 1, (3, 1, 3)),
        (lambda x, y, z: x == z, (3, 1, 3)),
    ],
)
def test_an_array_grows_along_the_controls_that_change_it_wherever_they_do(differs, shape):
    def function(x, y, z):
        return np.array([1.0, differs(x, y, z)])

    axes = axes_of(x=slider(0, 2, 1), y=slider(0, 2, 1), z=slider(0, 2, 1))
    (frames,) = evaluated(function, axes).values()
    assert frames.shape == (*shape, 2)
    everywhere = np.broadcast_to(frames, (3, 3, 3, 2))
    for places in np.ndindex(3, 3, 3):
        np.testing.assert_array_equal(everywhere[places], function(*places))


def test_only_what_changes_counts_for_the_budget():
    def function(t):
        return {"large": np.arange(20_000.0), "small": t}

    axes = axes_of(t=slider(0.0, 1.0, 0.01))
    frames = evaluated(function, axes)
    assert {name: array.size for name, array in frames.items()} == {"large": 20_000, "small": 101}
    with pytest.raises(ValueError, match=r"^this figure would need 4,040,\d+ bytes .*2,000,000"):
        evaluated(lambda t: {"large": t + np.arange(20_000.0)}, axes)


@pytest.mark.parametrize("result", [2, True, np.float32(2), np.array(2.0), (1.0, 2.0), [[1], [2]]])
def test_a_frame_may_be_a_number_or_a_list(result):
    frames = evaluated(lambda t: result, axes_of(t=slider(0, 1, 1)))
    np.testing.assert_array_equal(frames["result"], np.array([result], float))


@pytest.mark.parametrize(
    ("function", "error", "says"),
    [
        (lambda t: np.ones((t,)), ValueError, r"\(1,\)} at the start and .*\(2,\)} at t = 2"),
        (
            lambda t: [np.nan if t == 3 else 1.0],
            ValueError,
            r"^result must be finite, but at t = 3 it holds NaN or inf",
        ),
        (lambda t: np.array(["a"] * 2), TypeError, r"an array of numbers, but at t = 1 it is arr"),
        (lambda t: None, TypeError, r"^result must be an array .* at t = 1 it is None$"),
        (lambda t: None if t == 2 else [1], TypeError, r"^result must be .* at t = 2 it is None$"),
        (lambda t: {"weights": None}, TypeError, r"^weights must be .* at t = 1 it is None$"),
        (lambda t: np.array([1 / (t - 2)]), ValueError, r"^the function fails at t = 2: Zero"),
        (lambda t: {"soft": 1}["hard"], ValueError, r"fails at t = 1: KeyError: 'hard'$"),
        (lambda t: next(iter(())), ValueError, r"^the function fails at t = 1: StopIteration$"),
        (lambda t: (np.ones(2), np.ones(3)), TypeError, r"an array .* t = 1 it is \(array"),
        (lambda t: [[1], [1, 2]], TypeError, r"^result .* numbers, but at t = 1 it is \[\[1\], "),
    ],
)
def test_a_frame_that_cannot_be_drawn_gets_a_sentence(function, error, says):
    with pytest.raises(error, match=says):
        evaluated(function, axes_of(t=slider(1, 3, 1)))


def test_a_function_that_fails_keeps_its_own_error_as_the_cause():
    with pytest.raises(ValueError, match=r"^the function fails at its only position: Zero") as told:
        evaluated(lambda: np.array([1 / 0]), [])
    assert isinstance(told.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("also", [checkbox(), choice(list("abcdefgh"))])
def test_an_array_that_comes_and_goes_gets_a_sentence(also):
    def sometimes(t, also):
        last = {"e": t * np.ones(3)} if also in (True, "h") else {}
        return {"weights": t * np.ones(3)} | last

    says = r"{'weights': \(3,\)} at the start and .*'e': \(3,\)} at t = 1, also = (True|h)$"
    with pytest.raises(ValueError, match=says):
        evaluated(sometimes, axes_of(t=slider(1, 3, 1), also=also))


@pytest.mark.parametrize(("scale", "steps"), [(1e-6, STEPS), (1.0, STEPS), (4e4, FINE_STEPS)])
def test_the_codes_are_off_by_at_most_half_a_step(scale, steps):
    array = np.random.default_rng(0).normal(size=(7, 5, 4)) * scale
    (packed,), buffer = pack({"x": array}, 1, 0)
    step = (packed["high"] - packed["low"]) / steps
    codes = np.frombuffer(buffer, "<u2" if steps == STEPS else "<u4").reshape(array.shape)
    assert np.abs(packed["low"] + step * codes - array).max() <= step / 2 * (1 + 1e-9)
    assert (packed["counts"], packed["shape"], packed["steps"]) == ((7,), (5, 4), steps)


def test_numbers_too_far_apart_are_refused():
    says = r"^x reaches from -1e\+308 to 1e\+308, too far to be drawn$"
    with pytest.raises(ValueError, match=says):
        pack({"x": np.array([-1e308, 1e308])}, 1, 0)


def test_frames_over_budget_are_refused_and_the_finest_control_is_named():
    axes = axes_of(coarse=slider(0, 1, 1), fine=slider(0.0, 1.0, 0.01))
    check_budget(BUDGET, axes)
    with pytest.raises(ValueError, match=r"2,000,001 bytes .*; fine has 101 steps: give it fewer"):
        check_budget(BUDGET + 1, axes)
