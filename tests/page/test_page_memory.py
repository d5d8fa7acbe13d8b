"""Memory in reserve, and which variable is named when it is used up."""

import numpy as np
import pytest
from checks import load
from page.reader import WEB

page_memory = load(WEB / "page_memory.py")


class Machine:
    """Stands in for `numpy.empty` on a machine with so many blocks of memory."""

    def __init__(self, blocks):
        self.left = blocks

    def __call__(self, size, dtype):
        if not self.left:
            raise MemoryError
        self.left -= 1
        return object()


@pytest.mark.parametrize(("there", "held"), [(400, 96), (192, 96), (96, 48), (3, 1), (0, 0)])
def test_half_of_what_is_left_is_held_and_not_more_than_enough(monkeypatch, there, held):
    monkeypatch.setattr(page_memory, "empty", Machine(there))
    reserve = page_memory.Reserve()
    with reserve:
        assert len(reserve.blocks) == held
    assert reserve.blocks == []


class Odd:
    """An object that cannot be measured."""

    def __sizeof__(self):
        raise ValueError


MB = 10**6


@pytest.mark.parametrize(
    "large", [np.zeros(4 * MB), [bytearray(MB)] * 32, dict.fromkeys(range(32), bytearray(MB))]
)
def test_the_largest_variable_is_named(large):
    advice = page_memory.advice({"small": 1, "large": large, "np": np, "odd": Odd()})
    told = "The largest: large (about 32 MB). Delete what you no longer need: del large"
    assert advice == f"{page_memory.FULL} {told}"
    assert page_memory.advice({"small": 1, "odd": Odd()}) == page_memory.FULL
