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


def test_the_answer_is_the_letter_three_places_before(rng):
    tokens, answers = models.draw(rng, 4, 7)
    assert (tokens[:, 0] == models.LETTERS).all()
    assert (answers[:, :4] == -1).all()
    assert (answers[:, 4:] == tokens[:, 1:5]).all()


def test_one_layer_without_places_sees_no_order_and_two_do(rng, monkeypatch):
    tokens, _ = models.draw(rng, 1, 5)
    tokens[0, 1:] = [0, 1, 2, 3, 4]
    swapped = tokens[:, [0, 3, 2, 1, 4, 5]]
    for blocks, same in ((1, True), (2, False)):
        monkeypatch.setattr(models, "BLOCKS", blocks)
        model, p = start("none", rng)
        last = [model.logits(p, texts)[0][0, -1] for texts in (tokens, swapped)]
        assert np.allclose(*last) == same
