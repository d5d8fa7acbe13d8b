"""Training: gradients against nudges, Adam against a plain loop, and what is learned in the end."""

import math

import numpy as np
import pytest
from checks import refusals

from attention_lib import (
    Adam,
    Copying,
    LookUp,
    Training,
    attention,
    bits,
    causal_mask,
    cross_entropy,
    measure,
    numeric_gradient,
    softmax,
    train,
)
from attention_lib.training import Batch

TINY = [LookUp(d_k=2, choices=3, records=2), *(Copying(layers, 4, 3, 3, 2) for layers in (1, 2, 3))]


# losses and gradients


def test_cross_entropy_is_the_loop_over_all_answers(rng):
    logits, answers = rng.normal(size=(3, 2, 4)), rng.integers(4, size=(3, 2))
    loss, _ = cross_entropy(logits, answers)
    terms = []
    for place in np.ndindex(3, 2):
        powers = [math.exp(score) for score in logits[place]]
        terms.append(-math.log(powers[answers[place]] / sum(powers)))
    assert loss == pytest.approx(sum(terms) / len(terms))


def test_cross_entropy_returns_the_gradient_of_its_loss(rng):
    logits, answers = rng.normal(size=(3, 2, 4)), rng.integers(4, size=(3, 2))
    _, d_logits = cross_entropy(logits, answers)
    numeric = numeric_gradient(lambda x: cross_entropy(x, answers)[0], logits)
    np.testing.assert_allclose(d_logits, numeric, atol=1e-8)


@pytest.mark.parametrize(
    ("logits", "answer", "loss", "d_logits"),
    [
        ([-math.inf, -math.inf], 0, math.inf, [-1, 0]),
        ([0.0, -math.inf, -math.inf], 1, math.inf, [1, -1, 0]),
        ([-math.inf, -math.inf, 5.0], 2, 0, [0, 0, 0]),
        ([7.0], 0, 0, [0]),
        ([-math.inf], 0, math.inf, [-1]),
        ([math.nan, 0.0], 1, math.nan, [math.nan, math.nan]),
        ([math.inf, 0.0], 0, math.nan, [math.nan, math.nan]),
        ([1e300, -1e300], 1, 2e300, [1, -1]),
        ([1.7e308, -1.7e308], 1, math.inf, [1, -1]),
    ],
)
def test_the_loss_of_odd_scores_is_honest_and_never_warns(logits, answer, loss, d_logits):
    found, gradient = cross_entropy([logits, np.zeros(len(logits))], [answer, 0])
    rest = math.log(len(logits))
    np.testing.assert_allclose(found, (loss + rest) / 2, rtol=1e-12)
    np.testing.assert_array_equal(gradient[0], np.array(d_logits) / 2)


def test_the_loss_over_many_answers_does_not_outgrow_a_small_dtype():
    loss, _ = cross_entropy(np.zeros((1, 70000), "float16"), [0])
    assert loss == pytest.approx(math.log(70000))
    loss, d_logits = cross_entropy(np.array([[3e38, -3e38]], "float32"), [1])
    assert loss == pytest.approx(6e38)
    assert (type(loss), d_logits.dtype) == (float, np.float32)
    assert cross_entropy([[1e308, -5e307]] * 2, [1, 1])[0] == math.inf


@pytest.mark.parametrize("task", TINY, ids=str)
def test_gradients_are_those_that_nudging_measures(task, rng):
    parameters, batch = task.start(rng), task.draw(rng, 3)
    for array in (*parameters.values(), batch.X):
        array.setflags(write=False)
    loss, gradients = task.gradients(parameters, batch)
    assert gradients.keys() == parameters.keys()
    assert loss == pytest.approx(measure(task, parameters, batch)[0])
    for name in parameters:

        def loss_at(array, name=name):
            return measure(task, parameters | {name: array}, batch)[0]

        numeric = numeric_gradient(loss_at, parameters[name])
        np.testing.assert_allclose(gradients[name], numeric, atol=1e-7, err_msg=name)


# data


def test_a_table_has_different_keys_and_the_answers_stand_beside_them(rng):
    X, answers = LookUp().draw(rng, 50)
    keys, values = X[..., :12], X[..., 12:]
    assert ((X == 0) | (X == 1)).all()
    assert (keys.sum(axis=-1) == 1).all()
    assert (values.sum(axis=-1) == 1).all()
    assert keys.sum(axis=1).max() == 1
    np.testing.assert_array_equal(values.argmax(axis=-1), answers)


def test_a_text_ends_in_a_key_it_has_shown_and_the_answer_came_after_it(rng):
    X, answers = Copying().draw(rng, 50)
    for tokens, answer in zip(X.argmax(axis=-1), answers, strict=True):
        keys, values = tokens[:-1:2].tolist(), tokens[1::2].tolist()
        assert max(keys) < 6 <= min(values)
        assert len(set(keys)) == len(set(values)) == 4
        assert values[keys.index(tokens[-1])] == answer + 6


# models


def test_the_head_is_attention_with_three_projections(rng):
    task = LookUp()
    p, (X, _) = task.start(rng), task.draw(rng, 5)
    logits, weights = task.predict(p, X)
    for i in range(5):
        right = attention(X[i, :, :12] @ p["W_q"], X[i] @ p["W_k"], X[i] @ p["W_v"])
        np.testing.assert_allclose(logits[i], right[0])
        np.testing.assert_allclose(weights[i], right[1])


def test_the_layers_of_copying_add_what_they_look_up(rng):
    task = Copying(layers=2)
    p, (X, _) = task.start(rng), task.draw(rng, 4)
    logits, weights = task.predict(p, X)
    for text in range(4):
        H = X[text] @ p["E"] + p["P"]
        for i in range(2):
            scores = H @ p["W_q"][i] @ (H @ p["W_k"][i]).T / math.sqrt(12)
            A = softmax(scores, mask=causal_mask(9))
            np.testing.assert_allclose(weights[i, text], A)
            H = H + A @ H @ p["W_v"][i]
        np.testing.assert_allclose(logits[text], H[-1] @ p["U"])


def test_measure_counts_right_answers(rng):
    task = LookUp()
    parameters, batch = task.start(rng), task.draw(rng, 20)
    logits, _ = task.predict(parameters, batch.X)
    assert measure(task, parameters, Batch(batch.X, logits.argmax(axis=-1)))[1] == 1
    assert measure(task, parameters, Batch(batch.X, logits.argmin(axis=-1)))[1] == 0


# Adam


def adam_by_loop(x, gradients, rate):
    """Follow one number through Adam as the paper writes it."""
    mean = square = 0.0
    for t, gradient in enumerate(gradients, start=1):
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        x -= rate * (mean / (1 - 0.9**t)) / (math.sqrt(square / (1 - 0.999**t)) + 1e-8)
    return x


def test_adam_moves_every_number_as_a_plain_loop_does(rng):
    start, gradients = rng.normal(size=(2, 3)), rng.normal(size=(20, 2, 3))
    parameters = {"W": start.copy(), "still": np.ones(2)}
    adam = Adam(parameters, rate=0.1)
    for gradient in gradients:
        adam.step({"W": gradient, "still": np.zeros(2)})
    right = [[adam_by_loop(start[i, j], gradients[:, i, j], 0.1) for j in range(3)] for i in (0, 1)]
    np.testing.assert_allclose(parameters["W"], right)
    np.testing.assert_array_equal(parameters["still"], [1, 1])


# training


def test_a_run_is_decided_by_its_seed():
    same, other = (train(LookUp(), seed, steps=12, every=4) for seed in (3, 4))
    again = train(LookUp(), 3, steps=12)
    assert same.losses == again.losses[::4]
    assert same.losses != other.losses
    assert same.steps == [0, 4, 8, 12]
    assert train(LookUp(), steps=0).steps == [0]
    for name, array in same.parameters[-1].items():
        np.testing.assert_array_equal(array, again.parameters[-1][name])


def test_gradients_may_be_lists_or_whole_numbers():
    one, other = Adam({"x": np.ones(2)}, 0.1), Adam({"x": np.ones(2)}, 0.1)
    one.step({"x": [3, -4]})
    other.step({"x": np.array([3.0, -4.0])})
    np.testing.assert_array_equal(one.parameters["x"], other.parameters["x"])


# stopped and going on


class Stops(dict):
    """Gradients at which Stop is pressed when Adam has taken a part of its step."""

    read = 0

    def items(self):
        self.read += 1
        pairs = list(super().items())
        yield pairs[0]
        if self.read == 2:
            raise KeyboardInterrupt
        yield from pairs[1:]


class Interrupted(LookUp):
    """A task that is stopped at some calls: before the gradients are there, or while Adam steps."""

    def gradients(self, parameters, batch):
        loss, gradients = super().gradients(parameters, batch)
        when = next(WHEN, "")
        if when == "before":
            raise KeyboardInterrupt
        return loss, Stops(gradients) if when == "between" else gradients


WHEN = iter(())


@pytest.mark.parametrize("when", ["before", "between"])
def test_a_step_that_is_stopped_anywhere_was_not_taken_and_the_run_goes_on_as_if_it_had_not_been(
    monkeypatch, when
):
    straight, stopped = Training(LookUp(), seed=3), Training(Interrupted(), seed=3)
    monkeypatch.setitem(globals(), "WHEN", iter(["", "", "", when, when]))
    for _ in range(8):
        straight.step()
    for _ in range(3):
        stopped.step()
    loss, before = stopped.loss, {name: W.copy() for name, W in stopped.parameters.items()}
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            stopped.step()
        assert (stopped.steps, stopped.loss) == (3, loss)
        for name, W in before.items():
            np.testing.assert_array_equal(stopped.parameters[name], W)
    for _ in range(5):
        stopped.step()
    assert (stopped.steps, stopped.loss) == (straight.steps, straight.loss)
    for name, W in straight.parameters.items():
        np.testing.assert_array_equal(stopped.parameters[name], W)


# bad input

X = {"x": np.ones(2), "y": np.ones((2, 3))}
VALUES = {
    "each row of scores has one right answer, "
    "but logits has shape (2, 3, 4) and answers has shape (3,)": lambda: cross_entropy(
        np.zeros((2, 3, 4)), [0, 0, 0]
    ),
    "answers must lie between 0 and 3, but go from -1 to 4": lambda: cross_entropy(
        np.zeros((2, 4)), [-1, 4]
    ),
    "the loss is a mean over answers, but there are none: logits has shape (0, 3)": lambda: (
        cross_entropy(np.zeros((0, 3)), [])
    ),
    "each row needs at least one possible answer, but logits has shape (1, 0)": lambda: (
        cross_entropy(np.zeros((1, 0)), [0])
    ),
    "there are no 6 different keys of 4": lambda: LookUp(choices=4, records=6),
    "d_k must be at least 1, but is 0": lambda: LookUp(d_k=0),
    "every must be at least 1, but is 0": lambda: train(LookUp(), every=0),
    "steps must be at least 0, but is -1": lambda: train(LookUp(), steps=-1),
    "size must be at least 1, but is 0": lambda: Training(LookUp(), size=0),
    "rate must be a positive number, but is 0": lambda: train(LookUp(), steps=0, rate=0),
    "rate must be a positive number, but is nan": lambda: Adam(X, math.nan),
    "each number needs its own gradient, so both need the same shape, "
    "but y has shape (2, 3) and its gradient has shape (3,)": lambda: Adam(X, 1).step(
        {"y": np.ones(3)}
    ),
}
TYPES = {
    "answers must be whole numbers, but their dtype is float64": lambda: cross_entropy(
        [[0]], [0.0]
    ),
    "records must be a whole number, but is 2.0": lambda: LookUp(records=2.0),
    "steps must be a whole number, but is 1.5": lambda: train(LookUp(), steps=1.5),
    "nats must hold real numbers, but its dtype is <U1": lambda: bits("1"),
    "gradient must hold real numbers, but its dtype is <U1": lambda: Adam(X, 1).step({"x": "a"}),
    "parameters must map names to arrays, as in {'W_q': …}, but are a list": lambda: Adam([], 0.1),
}


test_what_does_not_fit_is_refused = refusals(VALUES, TYPES)
