"""Room in reserve, and which variables are named when it is needed."""

from collections import deque

import numpy as np
import pytest
from page.reader import load

page_memory = load("page_memory")


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


def test_the_reserve_is_given_back_when_code_fails():
    reserve = page_memory.Reserve()
    with pytest.raises(ZeroDivisionError), reserve:
        len(reserve.blocks) / 0
    assert reserve.blocks == []


class Holder:
    """An object of the reader's."""

    def __init__(self, held):
        self.held = held


class Odd:
    """An object that cannot be measured."""

    def __sizeof__(self):
        raise ValueError


MB = 10**6


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (np.zeros(MB), 8 * MB),
        (bytearray(MB), MB),
        ([bytearray(1000) for _ in range(2000)], 2 * MB),
        (deque(bytearray(1000) for _ in range(2000)), 2 * MB),
        ({i: bytearray(1000) for i in range(2000)}, 2 * MB),
        ({str(i) * 250 for i in range(1000, 3000)}, 2 * MB),
        (Holder(bytearray(MB)), MB),
        ([[bytearray(1000)] * 10 for _ in range(1000)], 1 * MB),
        ([bytearray(MB)] * 1000, MB),
        ((), 0),
    ],
)
def test_the_size_of_a_value_is_about_right(value, size):
    found = page_memory.size_of(value)
    assert size * 0.95 <= found <= size * 1.3 + 100


def test_up_to_three_large_variables_are_named_the_largest_first():
    sizes = {"a": 20, "b": 40, "c": 1, "d": 30, "e": 15}
    namespace = {name: np.empty(size * MB, "u1") for name, size in sizes.items()}
    namespace |= {"odd": Odd(), "numpy": np}
    assert [name for name, _ in page_memory.largest(namespace)] == ["b", "d", "a"]
    assert page_memory.advice({"b": namespace["b"], "d": namespace["d"]}).endswith(
        "The largest: b (about 40 MB), d (about 30 MB). Delete what you no longer need: del b"
    )
