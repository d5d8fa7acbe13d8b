"""Attention that learns: three tasks, Adam, and training that is watched step by step.

Two tasks are toys of one or two heads of attention, and draw as many (synthetic) examples as are
needed; `Spelling` is words, and its model a whole Transformer, small enough to be trained while you
wait. See the chapters "How attention learns" and "A model that writes".
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_lib import _arguments as check
from attention_lib._arguments import Array, Integers
from attention_lib.backward import (
    Parameters,
    _decoder_gradients,
    _sum,
    attention_backward,
    cross_entropy,
)
from attention_lib.generation import generate
from attention_lib.pooling import attention
from attention_lib.tokens import BytePairs
from attention_lib.transformer import DECODER, _decoder
from attention_lib.weights import causal_mask

END = "."  # stands before and after every word of `Spelling`


class Batch(NamedTuple):
    """Some examples: what the model is shown, and the right answers; -1 where nothing is asked."""

    X: NDArray[Any]
    answers: Integers


Task: TypeAlias = Any  # has `start`, `draw`, `hold_out`, `predict` and `gradients`, as `LookUp`


class Records:
    """What the toys have in common: records of a key and a value, each one of some `choices`."""

    choices: int
    records: int

    def __post_init__(self) -> None:
        for name, size in vars(self).items():
            check.as_count(name, size)
        if self.records > self.choices:
            raise ValueError(f"there are no {self.records} different keys of {self.choices}")

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Draw examples to learn from."""
        raise NotImplementedError

    def hold_out(self, rng: np.random.Generator) -> Batch:
        """Draw the 200 examples that the model is tested on."""
        return self.draw(rng, 200)


@dataclass(frozen=True)
class LookUp(Records):
    """Tables of records, a key and a value each: given a key, name the value beside it.

    A record is a one-hot key and a one-hot value, laid end to end. Every record of a table is
    queried once, by its key, so a table of m `records` has m queries. One head of attention, with
    queries of length `d_k`, answers. There are as many `choices` of keys as of values.

    Examples
    --------
    >>> X, answers = LookUp().draw(np.random.default_rng(0), size=2)
    >>> X.shape, answers.shape
    ((2, 6, 24), (2, 6))
    """

    d_k: int = 8
    choices: int = 12
    records: int = 6

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
        """Return logits (size, m, choices) and weights (size, m, m)."""
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
class Copying(Records):
    """Texts ``k v k v k v k v k``: a key comes a second time; name the value that follows.

    The vectors of a token and of its position are added; then each causal layer adds what it looked
    up. Parameters: E (one row per token), P (one row per position), W_q, W_k, W_v (one matrix per
    layer), and U, which turns the last vector into one score per value.

    Examples
    --------
    >>> Copying(layers=2).draw(np.random.default_rng(0), size=3).X.shape
    (3, 9, 12)
    """

    layers: int = 2
    d: int = 24
    d_k: int = 12
    choices: int = 6
    records: int = 4

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
        """Draw one-hot texts X (size, n, 2 * choices) and the value that follows (size,)."""
        keys, values = rng.random((2, size, self.choices)).argsort(axis=-1)[..., : self.records]
        again = rng.integers(self.records, size=size)  # (size,): which record is queried
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
        d_H[:, -1] = d_logits @ U.T  # only the last token gives an answer
        d = {name: np.zeros_like(parameters[name]) for name in ("W_q", "W_k", "W_v")}
        for i in reversed(range(self.layers)):
            Q, K, V = (steps[i] @ parameters[name][i] for name in d)
            d_QKV = attention_backward(Q, K, V, d_H, mask=causal_mask(self.n))
            for name, gradient in zip(d, d_QKV, strict=True):
                d[name][i] = _sum(steps[i], gradient)
                d_H = d_H + gradient @ parameters[name][i].T
        E, P = _sum(batch.X, d_H), d_H.sum(axis=0)
        return loss, {**d, "U": _sum(last, d_logits), "E": E, "P": P}

    def _forward(self, parameters: Parameters, X: Array) -> tuple[list[Array], list[Array]]:
        """Return all vectors, before each layer and after the last, and the weights of each."""
        steps: list[Array] = [X @ parameters["E"] + parameters["P"]]  # (size, n, d)
        weights: list[Array] = []
        for i in range(self.layers):
            Q, K, V = (steps[-1] @ parameters[name][i] for name in ("W_q", "W_k", "W_v"))
            output, looks = attention(Q, K, V, mask=causal_mask(self.n))
            steps.append(steps[-1] + output)
            weights.append(looks)
        return steps, weights


def start_decoder(
    rng: np.random.Generator, tokens: int, places: int, d: int = 32, heads: int = 4, blocks: int = 1
) -> Parameters:
    """Draw random parameters for `decoder_logits` to start from, in float32.

    `d` is the length of a vector and `places` how many tokens the model sees at once. The hidden
    layer of each feed-forward network has 4 d numbers.

    Examples
    --------
    >>> parameters = start_decoder(np.random.default_rng(0), tokens=27, places=12)
    >>> sum(array.size for array in parameters.values())
    14656
    """
    sizes = {"tokens": tokens, "places": places, "d": d, "heads": heads, "blocks": blocks}
    c, n, d, h, many = (check.as_count(name, size) for name, size in sizes.items())
    if d % h != 0:
        raise ValueError(f"vectors of length {d} cannot be cut into {h} equal heads")
    inwards: dict[str, tuple[int, ...]] = dict.fromkeys(("W_q", "W_k", "W_v"), (many, h, d, d // h))
    inwards |= {"W_o": (many, d, d), "W_1": (many, d, 4 * d), "W_2": (many, 4 * d, d), "U": (d, c)}
    drawn = {"E": 0.1 * rng.normal(size=(c, d)), "P": 0.1 * rng.normal(size=(n, d))}
    for name, shape in inwards.items():
        scale = 0.3 if name in ("W_o", "W_2") else 1.0  # what is added begins small
        drawn[name] = scale / math.sqrt(shape[-2]) * rng.normal(size=shape)
    drawn |= {"b_1": np.zeros((many, 4 * d)), "b_2": np.zeros((many, d)), "gain": np.ones(d)}
    drawn |= {"gain_1": np.ones((many, d)), "gain_2": np.ones((many, d))}
    return {name: drawn[name].astype(np.float32) for name in DECODER if name in drawn}


@dataclass(frozen=True)
class Spelling:
    """Words, letter by letter: after each letter, name the next, or the end of the word.

    A tenth of the words, always the same ones, is held out. The other numbers are the size of the
    model; see `start_decoder`.

    Examples
    --------
    >>> task = Spelling(["anna", "hannah", "ann", "nan", "han"])
    >>> task.letters.tokens, task.places
    (('.', 'a', 'h', 'n'), 7)
    >>> task.examples(["ann"])  # after each letter its answer; -1 where none is asked
    Batch(X=array([[0, 1, 3, 3, 0, 0, 0]]), answers=array([[ 1,  3,  3,  0, -1, -1, -1]]))
    """

    words: Sequence[str]
    d: int = 32
    heads: int = 4
    blocks: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.words, str) or not len(self.words):
            raise ValueError(f"words must be a list of some words, but are {self.words!r}")
        for word in self.words:
            if not isinstance(word, str) or not word or END in word:
                raise ValueError(
                    f"a word is a string of letters without {END!r}, which marks its end, "
                    f"but one is {word!r}"
                )

    @cached_property
    def letters(self) -> BytePairs:
        """The letters of the words as tokens; number 0 is the end of a word."""
        return BytePairs([END, *sorted(set("".join(self.words)))])

    @cached_property
    def places(self) -> int:
        """Number of letters that the model sees at once: the longest word and the end before it."""
        return 1 + max(map(len, self.words))

    @cached_property
    def _order(self) -> Integers:
        return np.random.default_rng(0).permutation(len(self.words))

    @cached_property
    def _known(self) -> Batch:
        return self.examples([self.words[i] for i in self._order[len(self.words) // 10 :]])

    def examples(self, words: Sequence[str]) -> Batch:
        """Return letters X (words, places), the end first, and what comes after each."""
        X = np.zeros((len(words), self.places), int)
        answers = np.full_like(X, -1)
        for i, word in enumerate(words):
            numbers = self.letters.encode(word)
            if len(numbers) >= self.places:
                raise ValueError(
                    f"this model has room for {self.places - 1} letters, "
                    f"but {word!r} has {len(numbers)}"
                )
            X[i, 1 : len(numbers) + 1] = numbers
            answers[i, : len(numbers) + 1] = [*numbers, 0]
        return Batch(X, answers)

    def start(self, rng: np.random.Generator) -> Parameters:
        """Draw the parameters of a small decoder."""
        c = len(self.letters.tokens)
        return start_decoder(rng, c, self.places, self.d, self.heads, self.blocks)

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Draw `size` of the words that are not held out."""
        i = rng.integers(len(self._known.X), size=size)
        return Batch(self._known.X[i], self._known.answers[i])

    def hold_out(self, rng: np.random.Generator) -> Batch:
        """Return the words that are held out, or all if there are fewer than ten."""
        held_out = self._order[: len(self.words) // 10]
        return self.examples([self.words[i] for i in held_out]) if len(held_out) else self._known

    def predict(self, parameters: Parameters, X: NDArray[Any]) -> tuple[Array, Array]:
        """Return logits (size, places, letters) and weights (blocks, size, h, places, places)."""
        logits, steps = _decoder(X, parameters)
        return logits, np.array([step.weights for step in steps])

    def gradients(self, parameters: Parameters, batch: Batch) -> tuple[float, Parameters]:
        """Return the loss, and how it changes with each parameter."""
        end = 1 + np.nonzero(batch.answers >= 0)[1].max(initial=-1)  # nothing is asked from here on
        return _decoder_gradients(batch.X[:, :end], parameters, batch.answers[:, :end])

    def write(
        self,
        parameters: Parameters,
        count: int,
        temperature: float = 0.8,
        rng: int | np.random.Generator | None = None,
    ) -> list[str]:
        """Write `count` words of the model's own; one that finds no end is cut off."""
        starts = np.zeros((check.as_count("count", count), 1), int)
        rows = generate(parameters, starts, self.places - 1, temperature, rng=rng)[:, 1:]
        return [self.letters.decode(row).split(END)[0] for row in rows]


class Adam:
    r"""Walk downhill with a separate step length for every number (Kingma and Ba, 2015).

    Keeps running means of each gradient, :math:`g`, and of its square, :math:`s`, and moves each
    number of `parameters`, in place, by :math:`-\mathrm{rate} \cdot g / \sqrt{s}`: about one rate
    per step while the gradient keeps its sign, less when it wavers.

    Examples
    --------
    >>> parameters = {"x": np.array([1.0, -1.0])}
    >>> Adam(parameters, rate=0.1).step({"x": np.array([1000.0, -0.001])})
    >>> parameters["x"].round(3)
    array([ 0.9, -0.9])
    """

    def __init__(self, parameters: Parameters, rate: float) -> None:
        check.as_size("rate", rate)
        check.mapping(parameters)
        self.parameters, self.rate, self.steps = parameters, rate, 0
        self.means = {name: np.zeros_like(array) for name, array in parameters.items()}
        self.squares = {name: np.zeros_like(array) for name, array in parameters.items()}

    def step(self, gradients: Parameters) -> None:
        """Take one step against the gradients."""
        for name, array in gradients.items():
            self._check_gradient(name, array)
        self.steps += 1
        for name, array in gradients.items():
            gradient = np.asarray(array)
            self.means[name] += 0.1 * (gradient - self.means[name])
            self.squares[name] += 0.001 * (gradient**2 - self.squares[name])
            mean = self.means[name] / (1 - 0.9**self.steps)  # corrects for the start at 0
            square = self.squares[name] / (1 - 0.999**self.steps)
            self.parameters[name] -= self.rate * mean / (np.sqrt(square) + 1e-8)

    def _check_gradient(self, name: str, gradient: ArrayLike) -> None:
        read, array = check.as_numbers("gradient", gradient), self.parameters[name]
        reason = "each number needs its own gradient, so both need the same shape"
        check.require(read.shape == array.shape, reason, **{name: array, "its gradient": read})


def measure(task: Task, parameters: Parameters, batch: Batch) -> tuple[float, float]:
    """Return the loss on some examples and the fraction of right answers.

    Examples
    --------
    >>> task, rng = LookUp(), np.random.default_rng(0)
    >>> loss, right = measure(task, task.start(rng), task.draw(rng, size=1000))
    >>> print(round(loss, 1), round(right, 2))  # nothing is learned yet: one of 12 is guessed
    2.5 0.08
    """
    logits, _ = task.predict(parameters, batch.X)
    counts = batch.answers >= 0
    logits, answers = logits[counts], batch.answers[counts]
    loss, _ = cross_entropy(logits, answers)
    return loss, float(np.mean(logits.argmax(axis=-1) == answers))


def bits(nats: float) -> float:
    """Turn a loss in nats, which counts with :math:`e`, into bits, which count with 2.

    Examples
    --------
    >>> loss, _ = cross_entropy([[0, 0, 0, 0]], [1])  # one of four, all equally likely
    >>> bits(loss)
    2.0
    """
    check.as_floats(nats=nats)
    return nats / math.log(2)


class Training:
    """A training run that can be watched step by step, stopped anywhere, and goes on.

    Its `steps`, `loss` and `parameters` are those after the last whole step of `Adam`, which learns
    from `size` fresh examples. The same seed gives the same steps.

    Examples
    --------
    >>> training = Training(LookUp(), seed=0)
    >>> for _ in range(100):
    ...     training.step()
    >>> training.steps, measure(training.task, training.parameters, training.held_out)[1] > 0.95
    (100, True)
    """

    def __init__(self, task: Task, seed: int = 0, rate: float = 0.05, size: int = 16) -> None:
        self.task, self.size = task, check.as_count("size", size)
        rng = np.random.default_rng(seed)
        parameters, self.held_out = task.start(rng), task.hold_out(rng)
        self._now = rng, Adam(parameters, rate), math.nan

    @property
    def steps(self) -> int:
        """Number of steps taken."""
        return self._now[1].steps

    @property
    def parameters(self) -> Parameters:
        """What was learned; the next step makes new arrays and leaves these as they are."""
        return self._now[1].parameters

    @property
    def loss(self) -> float:
        """Loss on the examples of the last step, before learning from them; NaN at the start."""
        return self._now[2]

    def step(self) -> None:
        """Take one step, or none at all if something interrupts it."""
        rng, adam, _ = copy.deepcopy(self._now)
        loss, gradients = self.task.gradients(adam.parameters, self.task.draw(rng, self.size))
        adam.step(gradients)
        self._now = rng, adam, loss


class Run(NamedTuple):
    """What `train` saw on its way, as lists of the same length."""

    steps: list[int]
    losses: list[float]  # on held-out examples
    accuracies: list[float]  # on the same ones: the fraction of right answers
    parameters: list[Parameters]


def train(
    task: Task,
    seed: int = 0,
    steps: int = 100,
    rate: float = 0.05,
    size: int = 16,
    every: int = 1,
) -> Run:
    """Take all steps of a `Training`; measure on held-out examples at the start and after `every`.

    Examples
    --------
    >>> run = train(LookUp(), seed=0, steps=100, every=50)
    >>> run.steps
    [0, 50, 100]
    >>> run.accuracies[-1] > 0.95
    True
    """
    steps, every = check.as_count("steps", steps, least=0), check.as_count("every", every)
    training, seen = Training(task, seed, rate, size), []
    for step in range(steps + 1):
        if step > 0:
            training.step()
        if step % every == 0:
            parameters = training.parameters
            seen.append((step, *measure(task, parameters, training.held_out), parameters))
    return Run(*map(list, zip(*seen, strict=True)))
