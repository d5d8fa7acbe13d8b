"""Which cells above a cell needs: those that its names come from, and no others."""

import pytest
from bookwork.book.needs import orders


def needs(*codes):
    """Return what the last of some cells needs."""
    return orders([(code, False, None) for code in codes])[-1].needs


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["x = 1", "y = 2", "x"], [0]),
        (["x = 1", "x = 2", "x"], [1]),  # the later value
        (["x = 1", "if y: x = 2", "x"], [0, 1]),  # either
        (["x = 1", "y = x", "z = 3", "y"], [0, 1]),  # and what that needs
        (["import numpy as np", "np.ones(3)", "np.zeros(2)"], [0]),
        (["import numpy as np", "np.set_printoptions(precision=1)", "1 / 3"], [0, 1]),
        (["import numpy as np", "np.random.rand()", "1"], [0, 1]),
        (["open('a', 'w')", "open('a')"], [0]),
        (["exec('x = 1')", "x"], [0]),
        (["from shop import *", "shares([1])"], [0]),
        # what changes an object
        (["a = []", "a.append(1)", "a"], [0, 1]),
        (["a = [1]", "a[0] = 2", "a"], [0, 1]),
        (["a = [1]", "del a[0]", "a"], [0, 1]),
        (["x = 1", "x += 1", "x"], [0, 1]),
        (["a = A()", "a.b = 1", "a"], [0, 1]),
        (["a = A()", "a.work()", "a"], [0, 1]),  # nothing is made of it: it works on a
        (["a = A()", "b = a.part()", "a"], [0]),
        (["a = A()", "loss = a.step()", "a"], [0, 1]),
        (["a = data()", "a.sum()", "a"], [0, 1]),  # rather one too many
        (["a = f()", "a.fill(b, out=a)", "a.drop(inplace=True)", "a"], [0, 1, 2]),
        (["rng = np.random.default_rng(0)", "x = rng.random()", "rng.normal()"], [0, 1]),
        # other names of it
        (["a = [1]", "b = a", "b[0] = 2", "a"], [0, 1, 2]),
        (["a = [1]", "b = {'a': a}", "b['a'][0] = 2", "a"], [0, 1, 2]),
        (["a = [[1]]", "for row in a: row[0] = 2", "a"], [0, 1]),
        (["a = [1]", "b = a", "b = []", "b.append(1)", "a"], [0]),
        # functions: what they use, when they are called
        (["k = 1", "def f(): return k", "k = 2", "f()"], [1, 2]),
        (["def f(): return k", "k = 2", "g = f", "g()"], [0, 1, 2]),
        (["k = 1", "f = lambda x: k", "k = 2", "f(1)"], [0, 1, 2]),
        (["def f(): return k", "k = 2", "x = f()", "k = 3", "x"], [0, 1, 2]),
        (["a = []", "def f(): a.append(1)", "f()", "a"], [0, 1, 2]),
        (["x = 0", "def f():\n    global x\n    x = 1", "f()", "x"], [0, 1, 2]),
        (["def f(a): a[0] = 1", "a = [0]", "f(a)", "a"], [0, 1, 2]),
        (["def f(a): return a[0]", "a = [0]", "f(a)", "a"], [1]),
        (["k = 1", "class A:\n  def f(self): return k", "a = A()", "k = 2", "a.f()"], [0, 1, 2, 3]),
        # names of loops and of what is made in a cell itself
        (["for x in 'ab': pass", "for x in 'cd': print(x)", "x = 1\nx"], []),
        (["x = 1", "for x in 'cd': print(x)"], []),
        (["x = 1", "[x for x in 'ab']"], []),
        (["x = 1", "this is no Python"], []),
    ],
)
def test_a_cell_needs_what_its_names_come_from(cells, found):
    assert needs(*cells) == found


def test_what_is_apart_is_needed_only_there_and_what_starts_anew_needs_nothing_above():
    cells = [
        ("x = 1", False, None),
        ("x = 2", False, "ex-one"),
        ("x = 3", False, "solution 0"),
        ("x", False, "solution 0"),
        ("x", False, None),
        ("x", True, None),
    ]
    assert [each.needs for each in orders(cells)] == [[], [], [], [2], [0], []]


def test_a_cell_undoes_those_below_that_give_its_names_another_value_which_is_needed():
    cells = ["x = 1", "x", "x = 2", "x", "i = 1", "i = 2"]
    found = [each.undoes for each in orders([(code, False, None) for code in cells])]
    assert found == [[2], [], [], [], [], []]
