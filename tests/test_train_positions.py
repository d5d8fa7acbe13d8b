"""The models behind `look_back.npz`: their gradients, and what each of them can see."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[1] / "tools" / "data" / "train_positions.py"
SPEC = importlib.util.spec_from_file_location("train_positions", PATH)
models = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(models)


def start(scheme, rng):
    model = models.LookBack(scheme)
    return model, {name: array.astype(float) for name, array in model.start(rng).items()}


@pytest.mark.parametrize("scheme", models.SCHEMES)
def test_gradients_are_those_of_small_steps(scheme):
    rng = np.random.default_rng(1)  # with 0, a hidden number lies at the bend of the network
    model, p = start(scheme, rng)
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
    model, p = start(scheme, rng)
    tokens, _ = models.draw(rng, 3, 8)
    other = tokens.copy()
    other[:, 6:] = (other[:, 6:] + 1) % models.LETTERS
    here, there = (model.logits(p, texts)[0] for texts in (tokens, other))
    np.testing.assert_allclose(here[:, :6], there[:, :6])
    assert not np.allclose(here[:, 6:], there[:, 6:])
