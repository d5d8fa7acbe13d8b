"""Attention that learns: two small tasks, the gradients of their losses, and Adam.

See the chapter "How attention learns". A task makes its own (synthetic) examples, as many as one
likes, so a model is tested on examples drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib._shapes import Array, as_count, as_floats, as_integers, as_positive, shapes_of
from attention_lib.gradients import attention_backward
from attention_lib.pooling import attention
from attention_lib.weights import causal_mask, softmax

Parameters = dict[str, Array]


class Batch(NamedTuple):
    """Some examples: what the model is shown, and the right answers, as whole numbers."""

    X: Array
    answers: NDArray[np.integer[Any]]


class Task(Protocol):
    """What `train` needs to know of a task."""

    def start(self, rng: np.random.Generator) -> Parameters:
        """Draw random parameters to start from."""

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Draw `size` examples."""

    def predict(self, parameters: Parameters, X: Array) -> tuple[Array, Array]:
        """Return one score per possible answer, and the weights of attention."""

    def gradients(self, parameters: Parameters, batch: Batch) -> tuple[float, Parameters]:
        """Return the loss, and how it changes with each parameter."""


@dataclass(frozen=True)
class LookUp:
    """Tables of records, a key and a value each: given a key, name the value beside it.

    A record is a one-hot key and a one-hot value, laid end to end. Every record of a table is asked
    for once, by its key, so a table of m records has m queries. One head of attention answers.

    Parameters
    ----------
    d_k : int
        Length of queries and keys.
    choices : int
        How many keys there are to draw from, and how many values.
    records : int
        How many of them a table holds: m. Its keys differ; its values may repeat.

    Examples
    --------
    >>> task = LookUp()
    >>> rng = np.random.default_rng(0)
    >>> parameters, batch = task.start(rng), task.draw(rng, size=2)
    >>> sum(matrix.size for matrix in parameters.values())
    576
    >>> logits, weights = task.predict(parameters, batch.X)
    >>> batch.X.shape, logits.shape, weights.shape, batch.answers.shape
    ((2, 6, 24), (2, 6, 12), (2, 6, 6), (2, 6))
    """

    d_k: int = 8
    choices: int = 12
    records: int = 6

    def __post_init__(self) -> None:
        """Refuse sizes that make no table."""
        _check_sizes(self, "table")

    def start(self, rng: np.random.Generator) -> Parameters:
        """Draw W_q (choices, d_k), W_k (2 * choices, d_k) and W_v (2 * choices, choices)."""
        c = self.choices
        shapes = {"W_q": (c, self.d_k), "W_k": (2 * c, self.d_k), "W_v": (2 * c, c)}
        return {name: 0.3 * rng.normal(size=shape) for name, shape in shapes.items()}

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Draw tables X (size, m, 2 * choices) and the number of each record's value (size, m)."""
        keys = rng.random((size, self.choices)).argsort(axis=1)[:, : self.records]  # (size, m)
        values = rng.integers(self.choices, size=keys.shape)  # (size, m)
        one_hot = np.eye(self.choices)
        return Batch(np.concatenate([one_hot[keys], one_hot[values]], axis=-1), values)

    def predict(self, parameters: Parameters, X: Array) -> tuple[Array, Array]:
        """Return logits (size, m, choices) and weights (size, m, m): query i on record j."""
        return attention(*self._project(parameters, X))

    def gradients(self, parameters: Parameters, batch: Batch) -> tuple[float, Parameters]:
        """Return the loss, and how it changes with W_q, W_k and W_v."""
        Q, K, V = self._project(parameters, batch.X)
        logits, _ = attention(Q, K, V)
        loss, d_logits = cross_entropy(logits, batch.answers)
        d_Q, d_K, d_V = attention_backward(Q, K, V, d_logits)
        X, asked = batch.X, batch.X[..., : self.choices]
        return loss, {"W_q": _sum(asked, d_Q), "W_k": _sum(X, d_K), "W_v": _sum(X, d_V)}

    def _project(self, parameters: Parameters, X: Array) -> tuple[Array, Array, Array]:
        asked = X[..., : self.choices]  # (size, m, choices): the keys
        return asked @ parameters["W_q"], X @ parameters["W_k"], X @ parameters["W_v"]


@dataclass(frozen=True)
class Copying:
    """Texts ``k v k v k v k v k``: a key comes for the second time; name the value to come.

    A token's vector and its place's vector are added; then each causal layer adds what it looked
    up. Parameters: E (one row per token), P (one row per place), W_q, W_k, W_v (one matrix per
    layer), and U, which turns the last vector into one score per value.

    Parameters
    ----------
    layers : int
        How many layers of attention.
    d, d_k : int
        Length of a token's vector, and of its queries and keys.
    choices : int
        How many keys there are to draw from, and how many values.
    records : int
        How many pairs a text holds. Its keys differ, and so do its values.

    Examples
    --------
    >>> task = Copying(layers=2)
    >>> rng = np.random.default_rng(0)
    >>> parameters, batch = task.start(rng), task.draw(rng, size=3)
    >>> sum(matrix.size for matrix in parameters.values())
    2952
    >>> logits, weights = task.predict(parameters, batch.X)
    >>> batch.X.shape, logits.shape, weights.shape, batch.answers.shape
    ((3, 9, 12), (3, 6), (2, 3, 9, 9), (3,))
    """

    layers: int = 2
    d: int = 24
    d_k: int = 12
    choices: int = 6
    records: int = 4

    def __post_init__(self) -> None:
        """Refuse sizes that make no text."""
        _check_sizes(self, "text")

    @property
    def n(self) -> int:
        """Number of tokens in a text."""
        return 2 * self.records + 1

    def start(self, rng: np.random.Generator) -> Parameters:
        """Draw vectors with entries around 1, and matrices that keep them so."""
        d, c, many = self.d, self.choices, self.layers
        W_q, W_k = (rng.normal(size=(many, d, self.d_k)) / np.sqrt(d) for _ in "qk")
        W_v, U = rng.normal(size=(many, d, d)) / np.sqrt(d), rng.normal(size=(d, c)) / np.sqrt(d)
        E, P = rng.normal(size=(2 * c, d)), rng.normal(size=(self.n, d))
        return {"E": E, "P": P, "W_q": W_q, "W_k": W_k, "W_v": W_v, "U": U}

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Draw one-hot texts X (size, n, 2 * choices) and the value to come (size,)."""
        keys, values = rng.random((2, size, self.choices)).argsort(axis=-1)[..., : self.records]
        again = rng.integers(self.records, size=size)  # (size,): which record is asked for
        rows = np.arange(size)
        tokens = np.stack([keys, values + self.choices], axis=-1).reshape(size, -1)
        tokens = np.column_stack([tokens, keys[rows, again]])  # (size, n)
        return Batch(np.eye(2 * self.choices)[tokens], values[rows, again])

    def predict(self, parameters: Parameters, X: Array) -> tuple[Array, Array]:
        """Return logits (size, choices) and weights (layers, size, n, n)."""
        steps, weights = self._forward(parameters, X)
        return steps[-1][:, -1] @ parameters["U"], np.array(weights)

    def gradients(self, parameters: Parameters, batch: Batch) -> tuple[float, Parameters]:
        """Return the loss, and how it changes with each parameter."""
        steps, _ = self._forward(parameters, batch.X)  # layers + 1 of (size, n, d)
        last, U = steps[-1][:, -1], parameters["U"]  # (size, d), (d, choices)
        loss, d_logits = cross_entropy(last @ U, batch.answers)
        d_H = np.zeros_like(steps[-1])
        d_H[:, -1] = d_logits @ U.T  # only the last token is asked
        found, d_H = self._layers_back(parameters, steps, d_H)
        E, P = _sum(batch.X, d_H), d_H.sum(axis=0)
        return loss, {**found, "U": _sum(last, d_logits), "E": E, "P": P}

    def _forward(self, parameters: Parameters, X: Array) -> tuple[list[Array], list[Array]]:
        """Return all vectors, before each layer and after the last, and the weights of each."""
        steps: list[Array] = [X @ parameters["E"] + parameters["P"]]  # (size, n, d)
        weights: list[Array] = []
        for i in range(self.layers):
            Q, K, V = _projected(parameters, i, steps[-1])
            output, found = attention(Q, K, V, mask=causal_mask(self.n))
            steps.append(steps[-1] + output)
            weights.append(found)
        return steps, weights

    def _layers_back(
        self, parameters: Parameters, steps: list[Array], d_H: Array
    ) -> tuple[Parameters, Array]:
        """Walk from the last layer to the first; return their gradients and that of their input."""
        found = {name: np.zeros_like(parameters[name]) for name in ("W_q", "W_k", "W_v")}
        for i in reversed(range(self.layers)):
            Q, K, V = _projected(parameters, i, steps[i])
            backward = attention_backward(Q, K, V, d_H, mask=causal_mask(self.n))
            for name, gradient in zip(found, backward, strict=True):
                found[name][i] = _sum(steps[i], gradient)
                d_H = d_H + gradient @ parameters[name][i].T
        return found, d_H


def _check_sizes(task: LookUp | Copying, example: str) -> None:
    for field in fields(task):
        as_count(field.name, getattr(task, field.name))
    if task.records > task.choices:
        raise ValueError(f"a {example} cannot hold {task.records} different keys of {task.choices}")


def _projected(parameters: Parameters, i: int, H: Array) -> tuple[Array, Array, Array]:
    """Return Q, K and V of layer `i`."""
    return H @ parameters["W_q"][i], H @ parameters["W_k"][i], H @ parameters["W_v"][i]


def _sum(X: Array, d_Y: Array) -> Array:
    """Return the gradient of W where Y = X @ W, added up over all rows of all examples."""
    return X.reshape(-1, X.shape[-1]).T @ d_Y.reshape(-1, d_Y.shape[-1])


def cross_entropy(logits: ArrayLike, answers: ArrayLike) -> tuple[float, Array]:
    r"""Measure how unlikely the right answers are: the mean of :math:`-\log` of their probability.

    The probabilities are the softmax of the logits.

    Parameters
    ----------
    logits : array_like, shape (..., c)
        One score for each of c possible answers.
    answers : array_like of int, shape (...)
        The right ones, from 0 to c - 1.

    Returns
    -------
    loss : float
        0 if every right answer is certain, log(c) if all answers are equally likely, infinite if
        one is impossible (a score of −inf).
    d_logits : ndarray, shape (..., c)
        How the loss changes with each score: probability minus one-hot, over the number of answers.

    Examples
    --------
    >>> loss, d_logits = cross_entropy(np.array([[0.0, 0.0]]), np.array([1]))
    >>> round(loss, 3)  # log(2)
    0.693
    >>> d_logits
    array([[ 0.5, -0.5]])
    """
    (logits,) = as_floats(logits=logits)
    answers = as_integers("answers", answers)
    _check_answers(logits, answers)
    peak = logits.max(axis=-1, keepdims=True).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # an infinite score makes the loss NaN
        shifted = logits - np.where(peak == -np.inf, 0, peak)
        chosen = np.take_along_axis(shifted, answers[..., None], axis=-1)  # (..., 1)
        total = np.exp(shifted).sum(axis=-1, keepdims=True)  # (..., 1), 0 if nothing is possible
        loss = float((np.log(np.where(total == 0, 1, total)) - chosen).mean())
    right = np.eye(logits.shape[-1], dtype=logits.dtype)[answers]  # (..., c), one-hot
    return loss, (softmax(logits) - right) / answers.size


def _check_answers(logits: Array, answers: NDArray[np.integer[Any]]) -> None:
    if logits.ndim == 0 or answers.shape != logits.shape[:-1]:
        raise ValueError(
            "each row of scores has one right answer, "
            f"but {shapes_of(logits=logits, answers=answers)}"
        )
    if answers.size == 0:
        raise ValueError(
            f"the loss is a mean over answers, but there are none: {shapes_of(logits=logits)}"
        )
    last = logits.shape[-1] - 1
    if last < 0:
        raise ValueError(
            f"each row needs at least one possible answer, but {shapes_of(logits=logits)}"
        )
    if np.any((answers < 0) | (answers > last)):
        raise ValueError(
            f"answers must lie between 0 and {last}, but go from {answers.min()} to {answers.max()}"
        )


class Adam:
    r"""Walk downhill with a step length of its own for every number (Kingma and Ba, 2015).

    Keeps running means of each gradient, :math:`g`, and of its square, :math:`s`, and moves each
    number by :math:`-\mathrm{rate} \cdot g / \sqrt{s}`: about one rate per step while the gradient
    keeps its sign, less when it wavers.

    Parameters
    ----------
    parameters : dict of ndarray
        What is learned; `step` changes these arrays.
    rate : float
        The usual length of a step.

    Examples
    --------
    >>> parameters = {"x": np.array([1.0, -1.0])}
    >>> Adam(parameters, rate=0.1).step({"x": np.array([1000.0, -0.001])})
    >>> parameters["x"].round(3)
    array([ 0.9, -0.9])
    """

    def __init__(self, parameters: Parameters, rate: float) -> None:
        as_positive("rate", rate, np.dtype(np.float64))
        self.parameters, self.rate, self.steps = parameters, rate, 0
        self.means = {name: np.zeros_like(array) for name, array in parameters.items()}
        self.squares = {name: np.zeros_like(array) for name, array in parameters.items()}

    def step(self, gradients: Parameters) -> None:
        """Take one step against the gradients."""
        for name, gradient in gradients.items():
            self._check_gradient(name, np.shape(gradient))
        self.steps += 1
        for name, gradient in gradients.items():
            self.means[name] += 0.1 * (gradient - self.means[name])
            self.squares[name] += 0.001 * (gradient**2 - self.squares[name])
            mean = self.means[name] / (1 - 0.9**self.steps)  # both began at 0: make up for it
            square = self.squares[name] / (1 - 0.999**self.steps)
            self.parameters[name] -= self.rate * mean / (np.sqrt(square) + 1e-8)

    def _check_gradient(self, name: str, shape: tuple[int, ...]) -> None:
        if name not in self.parameters:
            learned = ", ".join(self.parameters)
            raise ValueError(f"there is a gradient for {name!r}, but only {learned} are learned")
        if shape != self.parameters[name].shape:
            raise ValueError(
                f"each number needs its own gradient, so both need the same shape, but {name} has "
                f"shape {self.parameters[name].shape} and its gradient has shape {shape}"
            )


class Run(NamedTuple):
    """What was seen at some steps of a training: lists of one length."""

    steps: list[int]
    losses: list[float]  # on examples held out
    accuracies: list[float]  # on the same ones: the share of right answers
    parameters: list[Parameters]


def measure(task: Task, parameters: Parameters, batch: Batch) -> tuple[float, float]:
    """Return the loss on some examples and the share of them that is answered right.

    Examples
    --------
    >>> task, rng = LookUp(), np.random.default_rng(0)
    >>> loss, accuracy = measure(task, task.start(rng), task.draw(rng, size=200))
    >>> bool(accuracy < 0.2)  # nothing is learned yet
    True
    """
    logits, _ = task.predict(parameters, batch.X)
    loss, _ = cross_entropy(logits, batch.answers)
    return loss, float(np.mean(logits.argmax(axis=-1) == batch.answers))


def train(
    task: Task,
    seed: int = 0,
    steps: int = 100,
    rate: float = 0.05,
    size: int = 16,
    every: int = 1,
    tell: Callable[[float], None] | None = None,
) -> Run:
    """Train on examples drawn anew for each step, and look now and then at examples held out.

    Parameters
    ----------
    task : Task
        `LookUp` or `Copying`.
    seed : int
        Where the random numbers begin: the same seed gives the same run.
    steps : int
        How many steps of `Adam` to take.
    rate : float
        How long they are.
    size : int
        How many examples each step is taken from.
    every : int
        Look at every so many steps, the start included.
    tell : callable, optional
        Is told, after each step, how much of the training is done, from 0 to 1.

    Returns
    -------
    Run
        Steps, losses, accuracies and copies of the parameters, wherever it looked.

    Examples
    --------
    >>> run = train(LookUp(), seed=0, steps=100, every=50)
    >>> run.steps
    [0, 50, 100]
    >>> run.accuracies[-1] > 0.95
    True
    """
    steps, size = as_count("steps", steps, least=0), as_count("size", size)
    every = as_count("every", every)
    rng = np.random.default_rng(seed)
    parameters, held_out = task.start(rng), task.draw(rng, 200)
    adam, run = Adam(parameters, rate), Run([], [], [], [])
    for step in range(steps + 1):
        if step > 0:
            adam.step(task.gradients(parameters, task.draw(rng, size))[1])
        if step % every == 0:
            _record(run, step, parameters, measure(task, parameters, held_out))
        if tell is not None:
            tell(step / max(steps, 1))
    return run


def _record(run: Run, step: int, parameters: Parameters, measured: tuple[float, float]) -> None:
    run.steps.append(step)
    run.losses.append(measured[0])
    run.accuracies.append(measured[1])
    run.parameters.append({name: array.copy() for name, array in parameters.items()})
