"""Training: gradients against nudges, Adam against a plain loop, and what is learned in the end."""

import math

import numpy as np
import oracles
import pytest
from checks import refusals

import attention_lib as lib
from attention_lib.training import Batch

TINY = [
    lib.LookUp(d_k=2, choices=3, records=2),
    *(lib.Copying(layers, 4, 3, 3, 2) for layers in (1, 2, 3)),
]


def test_cross_entropy_is_the_loop_over_all_answers_and_returns_its_gradient(rng):
    logits, answers = rng.normal(size=(3, 2, 4)), rng.integers(4, size=(3, 2))
    loss, d_logits = lib.cross_entropy(logits, answers)
    rows = [oracles.softmax(row, [True] * 4) for row in logits.reshape(6, 4).tolist()]
    terms = [-math.log(row[i]) for row, i in zip(rows, answers.ravel(), strict=True)]
    assert loss == pytest.approx(sum(terms) / len(terms))
    numeric = lib.numeric_gradient(lambda x: lib.cross_entropy(x, answers)[0], logits)
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
    found, gradient = lib.cross_entropy([logits, np.zeros(len(logits))], [answer, 0])
    rest = math.log(len(logits))
    np.testing.assert_allclose(found, (loss + rest) / 2, rtol=1e-12)
    np.testing.assert_array_equal(gradient[0], np.array(d_logits) / 2)


def test_the_loss_over_many_answers_does_not_outgrow_a_small_dtype():
    loss, _ = lib.cross_entropy(np.zeros((1, 70000), "float16"), [0])
    assert loss == pytest.approx(math.log(70000))
    loss, d_logits = lib.cross_entropy(np.array([[3e38, -3e38]], "float32"), [1])
    assert loss == pytest.approx(6e38)
    assert (type(loss), d_logits.dtype) == (float, np.float32)
    assert lib.cross_entropy([[1e308, -5e307]] * 2, [1, 1])[0] == math.inf


@pytest.mark.parametrize("task", TINY, ids=str)
def test_gradients_are_those_that_nudging_measures(task, rng):
    parameters, batch = task.start(rng), task.draw(rng, 3)
    for array in (*parameters.values(), batch.X):
        array.setflags(write=False)
    loss, gradients = task.gradients(parameters, batch)
    assert gradients.keys() == parameters.keys()
    assert loss == pytest.approx(lib.measure(task, parameters, batch)[0])
    for name in parameters:

        def loss_at(array, name=name):
            return lib.measure(task, parameters | {name: array}, batch)[0]

        numeric = lib.numeric_gradient(loss_at, parameters[name])
        np.testing.assert_allclose(gradients[name], numeric, atol=1e-7, err_msg=name)


def test_a_table_has_different_keys_and_the_answers_stand_beside_them(rng):
    X, answers = lib.LookUp().draw(rng, 50)
    keys, values = X[..., :12], X[..., 12:]
    assert ((X == 0) | (X == 1)).all()
    assert (keys.sum(axis=-1) == 1).all()
    assert (values.sum(axis=-1) == 1).all()
    assert keys.sum(axis=1).max() == 1
    np.testing.assert_array_equal(values.argmax(axis=-1), answers)


def test_a_text_ends_in_a_key_it_has_shown_and_the_answer_came_after_it(rng):
    X, answers = lib.Copying().draw(rng, 50)
    for tokens, answer in zip(X.argmax(axis=-1), answers, strict=True):
        keys, values = tokens[:-1:2].tolist(), tokens[1::2].tolist()
        assert max(keys) < 6 <= min(values)
        assert len(set(keys)) == len(set(values)) == 4
        assert values[keys.index(tokens[-1])] == answer + 6


def test_the_head_is_attention_with_three_projections(rng):
    task = lib.LookUp()
    p, (X, _) = task.start(rng), task.draw(rng, 5)
    logits, weights = task.predict(p, X)
    for i in range(5):
        right = lib.attention(X[i, :, :12] @ p["W_q"], X[i] @ p["W_k"], X[i] @ p["W_v"])
        np.testing.assert_allclose(logits[i], right[0])
        np.testing.assert_allclose(weights[i], right[1])
    for share, answers in enumerate((logits.argmin(axis=-1), logits.argmax(axis=-1))):
        assert lib.measure(task, p, Batch(X, answers))[1] == share


def test_the_layers_of_copying_add_what_they_look_up(rng):
    task = lib.Copying(layers=2)
    p, (X, _) = task.start(rng), task.draw(rng, 4)
    logits, weights = task.predict(p, X)
    for text in range(4):
        H = X[text] @ p["E"] + p["P"]
        for i in range(2):
            scores = H @ p["W_q"][i] @ (H @ p["W_k"][i]).T / math.sqrt(12)
            A = lib.softmax(scores, mask=lib.causal_mask(9))
            np.testing.assert_allclose(weights[i, text], A)
            H = H + A @ H @ p["W_v"][i]
        np.testing.assert_allclose(logits[text], H[-1] @ p["U"])


def adam_by_loop(x, gradients, rate):
    """Follow one number through Adam as the paper writes it."""
    mean = square = 0.0
    for t, gradient in enumerate(gradients, start=1):
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        x -= rate * (mean / (1 - 0.9**t)) / (math.sqrt(square / (1 - 0.999**t)) + 1e-8)
    return x


@pytest.mark.parametrize("kind", [np.asarray, np.ndarray.tolist, lambda x: (9 * x).astype(int)])
def test_adam_moves_every_number_as_a_plain_loop_does(rng, kind):
    start, gradients = rng.normal(size=3), [kind(x) for x in rng.normal(size=(20, 3))]
    parameters = {"W": start.copy(), "still": np.ones(2)}
    adam = lib.Adam(parameters, rate=0.1)
    for gradient in gradients:
        adam.step({"W": gradient, "still": [0, 0]})
    columns = zip(start, np.transpose(gradients), strict=True)
    np.testing.assert_allclose(parameters["W"], [adam_by_loop(x, g, 0.1) for x, g in columns])
    np.testing.assert_array_equal(parameters["still"], [1, 1])


def test_a_run_is_decided_by_its_seed():
    same, other = (lib.train(lib.LookUp(), seed, steps=12, every=4) for seed in (3, 4))
    again = lib.train(lib.LookUp(), 3, steps=12)
    assert same.losses == again.losses[::4]
    assert same.losses != other.losses
    assert same.steps == [0, 4, 8, 12]
    assert lib.train(lib.LookUp(), steps=0).steps == [0]
    assert_equal(same.parameters[-1], again.parameters[-1])


class Stops(dict):
    """Gradients at which Stop is pressed when Adam has taken a part of its step."""

    def items(self):
        pairs = list(super().items())
        self.items = lambda: self.stop(pairs)
        return pairs

    def stop(self, pairs):
        yield pairs[0]
        raise KeyboardInterrupt


def stop_before(gradients):
    raise KeyboardInterrupt


@pytest.mark.parametrize("stop", [stop_before, Stops])
def test_a_step_that_is_stopped_anywhere_was_not_taken_and_the_run_goes_on(monkeypatch, stop):
    task, plain = lib.LookUp(), lib.LookUp.gradients
    straight, stopped = lib.Training(task, seed=3), lib.Training(task, seed=3)
    for _ in range(8):
        straight.step()
    for _ in range(3):
        stopped.step()
    loss, before = stopped.loss, {name: W.copy() for name, W in stopped.parameters.items()}

    def gradients(*given):
        loss, found = plain(*given)
        return loss, stop(found)

    with monkeypatch.context() as patched:
        patched.setattr(lib.LookUp, "gradients", gradients)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                stopped.step()
    assert (stopped.steps, stopped.loss) == (3, loss)
    assert_equal(stopped.parameters, before)
    for _ in range(5):
        stopped.step()
    assert (stopped.steps, stopped.loss) == (straight.steps, straight.loss)
    assert_equal(stopped.parameters, straight.parameters)


def assert_equal(parameters, expected):
    for name, W in expected.items():
        np.testing.assert_array_equal(parameters[name], W)


X = {"x": np.ones(2), "y": np.ones((2, 3))}
ROW = "each row of scores has one right answer, "
SAME = "each number needs its own gradient, so both need the same shape, "


def losing(shape, answers):
    return lambda: lib.cross_entropy(np.zeros(shape), answers)


def stepping(name, gradient):
    return lambda: lib.Adam(X, 1).step({name: gradient})


VALUES = {
    f"{ROW}but logits has shape (2, 3, 4) and answers has shape (3,)": losing((2, 3, 4), [0] * 3),
    "answers must lie between 0 and 3, but go from -1 to 4": losing((2, 4), [-1, 4]),
    "the loss is a mean over answers, but there are none: logits has shape (0, 3)": losing(
        (0, 3), []
    ),
    "each row needs at least one possible answer, but logits has shape (1, 0)": losing((1, 0), [0]),
    "there are no 6 different keys of 4": lambda: lib.LookUp(choices=4, records=6),
    "d_k must be at least 1, but is 0": lambda: lib.LookUp(d_k=0),
    "every must be at least 1, but is 0": lambda: lib.train(lib.LookUp(), every=0),
    "steps must be at least 0, but is -1": lambda: lib.train(lib.LookUp(), steps=-1),
    "size must be at least 1, but is 0": lambda: lib.Training(lib.LookUp(), size=0),
    "rate must be a positive number, but is 0": lambda: lib.train(lib.LookUp(), steps=0, rate=0),
    "rate must be a positive number, but is nan": lambda: lib.Adam(X, math.nan),
    f"{SAME}but y has shape (2, 3) and its gradient has shape (3,)": stepping("y", np.ones(3)),
}
TYPES = {
    "answers must be whole numbers, but their dtype is float64": losing((1, 1), [0.0]),
    "records must be a whole number, but is 2.0": lambda: lib.LookUp(records=2.0),
    "steps must be a whole number, but is 1.5": lambda: lib.train(lib.LookUp(), steps=1.5),
    "nats must hold real numbers, but its dtype is <U1": lambda: lib.bits("1"),
    "gradient must hold real numbers, but its dtype is <U1": stepping("x", "a"),
    "parameters must map names to arrays, as in {'W_q': …}, but are a list": lambda: lib.Adam(
        [], 0.1
    ),
}
test_what_does_not_fit_is_refused = refusals(VALUES, TYPES)
