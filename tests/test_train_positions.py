"""The models behind `look_back.npz`: their gradients, and what each of them can see."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[1] / "provenance" / "data" / "train_positions.py"
SPEC = importlib.util.spec_from_file_location("train_positions", PATH)
models = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(models)


KINDS = [(scheme,) for scheme in models.SCHEMES]
KINDS += [("rotary", hands) for hands in models.HANDS if hands != "as trained"]


def start(kind, rng):
    model = models.LookBack(*kind)
    return model, {name: array.astype(float) for name, array in model.start(rng).items()}


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_gradients_are_those_of_small_steps(kind):
    rng = np.random.default_rng(1)  # with 0, a hidden number lies at the bend of the network
    model, p = start(kind, rng)
    tokens, answers = models.draw(rng, 2, 6)
    _, gradients = model.gradients(p, tokens, answers)
    assert gradients.keys() == p.keys()
    for name in p:
        way, step = rng.normal(size=p[name].shape), 1e-6
        there, back = (
            model.gradients(p | {name: p[name] + sign * step * way}, tokens, answers)[0]
            for sign in (1, -1)
        )
        slope = (there - back) / (2 * step)
        assert (gradients[name] * way).sum() == pytest.approx(slope, rel=1e-4, abs=1e-7), name


@pytest.mark.parametrize("scheme", models.SCHEMES)
def test_no_letter_sees_a_later_one(scheme, rng):
    model, p = start((scheme,), rng)
    tokens, _ = models.draw(rng, 3, 8)
    other = tokens.copy()
    other[:, 6:] = (other[:, 6:] + 1) % models.LETTERS
    here, there = (model.logits(p, texts)[0] for texts in (tokens, other))
    np.testing.assert_allclose(here[:, :6], there[:, :6])
    assert not np.allclose(here[:, 6:], there[:, 6:])


def test_hands_turn_a_third_as_far_all_or_the_slowest_or_those_that_never_came_round():
    X = np.tile([[1.0, 0.0]], (1, 4))  # four hands
    turned = {name: turn(X, np.array([1])).reshape(4, 2) for name, turn in models.HANDS.items()}
    angles = {name: np.arctan2(*pairs.T[::-1]) for name, pairs in turned.items()}  # (4,) each
    slower = {name: angles["as trained"] / found for name, found in angles.items()}
    np.testing.assert_allclose(slower["interpolated"], [3, 3, 3, 3])
    np.testing.assert_allclose(slower["larger base"], 3 ** (np.arange(4) / 3))
    np.testing.assert_allclose(slower["by parts"], [1, 3, 3, 3])


def test_what_the_hands_add_is_the_score(rng):
    Q, K = rng.normal(size=(2, 7, models.HEADS, 5, models.D_K))
    scores = (Q @ K.mT).mean(axis=(0, 1))[-1, ::-1] / np.sqrt(models.D_K)  # by distance
    np.testing.assert_allclose(models.hand_terms(Q, K).sum(axis=-1), scores)
