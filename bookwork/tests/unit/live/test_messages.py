"""A view that makes no sense is refused where it is made, with a sentence that says why."""

import numpy as np
import pytest
from bookwork.live import arcs, bars, curve, flow, heatmap, plane, sentence, stage


def make_flow(steps, **options):
    return flow(steps, rows=["the", "dog", "barks"], at="asks", **options)


NUMBERS = [
    (lambda: plane(points=[[1, 2, 3]]), r"^points must have shape \(labels, 2\), but has .*1, 3"),
    (lambda: plane(points=[[1, 2]], region="disc"), r"^region is one of 'hull', 'cone', but is 'd"),
    (lambda: plane(points="moving", region="hull"), r"^points must be an array .* it is 'moving'$"),
    (lambda: plane(points=[[0, np.inf]]), r"^points must be finite, but it holds NaN or infinity$"),
    (
        lambda: plane(points=np.eye(2), labels=["a"]),
        r"^points must have shape \(labels = 1, 2\), but has shape \(2, 2\)$",
    ),
    (
        lambda: plane(rings=np.eye(2), moves_to=[[0, 1]]),
        r"^after must have shape \(labels = 2, 2\), but has shape \(1, 2\)$",
    ),
    (
        lambda: plane(points=np.eye(2), moves_to="a", ends=["x"]),
        r"^ends must have shape \(labels = 2,\), but has shape \(1,\)$",
    ),
    (lambda: plane(handle=[0, 1], arrows="ring"), r"^arrows is one of .*'rings'.* but is 'ring'$"),
    (lambda: plane(handle=[1, 1], called={"ball": "b"}), r"^called is one of 'points', .* 'ball'$"),
    (lambda: plane(limits="wide"), r"^limits must be an array of numbers, but it is 'wide'$"),
    (
        lambda: curve([0, 1], points=([0, 1, 2], [0, 1])),
        r"^points must be an array of numbers, but",
    ),
    (lambda: curve([[0, 1]], "fit"), r"^x must have shape \(places,\), but has shape \(1, 2\)$"),
    (lambda: curve(["a", "b"], "fit"), r"^x must be an array of numbers, but it is \['a"),
    (lambda: curve([0, 1], []), r"^show needs at least one label, but has none$"),
    (lambda: curve([1, 2], log="z"), r"^log is one of 'x', 'y', 'xy', but is 'z'$"),
    (lambda: bars(list("abc"), limits=(1, 0)), r"^limits are two numbers, the lower one first"),
    (lambda: bars(list("abc"), digits=-1), r"^digits is a whole number from 0 to 20, but is"),
    (lambda: heatmap([], list("ab")), r"^rows needs at least one label, but has none$"),
    (lambda: heatmap(["a"], range(151)), r"^a heatmap has room for 150 columns, .* are 151: show"),
]
LABELS = [
    (lambda: bars(3), r"^labels is a list of labels, but is 3$"),
    (lambda: bars("abc"), r"^labels is a list of labels, but is 'abc': write \['abc'\]$"),
    (lambda: bars({"a"}), r"^labels is a list of labels, but is {'a'}$"),
    (lambda: bars([["a", "b"]]), r"^labels is a list of labels, but one of them is \['a', 'b'\]$"),
    (lambda: heatmap(np.eye(2), ["a"]), r"^rows is a list of labels, but one of them is array"),
]
WORDS = [
    (lambda: sentence([]), r"^words needs at least one label, but has none$"),
    (lambda: sentence("a dog"), r"^words is a list .*: write \['a', 'dog'\]$"),
    (lambda: sentence(3, by="pet"), r"^words is a list of lists, but is 3$"),
    (lambda: arcs(["a", "b"], at="k", kinds=2), r"^kinds is a list of labels, but is 2$"),
    (lambda: sentence(["a"], reads="{asks}"), r"^reads can say {word}, {value}, .* for {asks}$"),
    (lambda: bars(["a"], reads=3), r"^reads is a sentence with names between braces, but is 3"),
    (lambda: bars(["a"], reads="{a"), r"^reads is a sentence .*; a brace that is meant as one is"),
    (lambda: bars(["a"], reads="{label!r}"), r"^reads can say .*, but asks for {label!r}$"),
    (lambda: bars(["a"], reads="{label:d}"), r"^reads can say .*, but asks for {label:d}$"),
]
FLOWS = [
    (lambda: stage("K", colour="red"), r"^colour is one of 'blue', .* 'purple', but is"),
    (lambda: stage("K", after={"X": "rows"}), r"^the part of X is one of 'row', 'all', but is"),
    (
        lambda: make_flow([stage("K", says="{token} asks")]),
        r"^says can say {row}, {values}, .*but asks for {token}$",
    ),
    (lambda: make_flow([stage("X"), stage("X")]), r"^two stages are called .X.: give each"),
    (
        lambda: make_flow([stage("X"), stage("K", after="Q")]),
        r"^what the stage 'K' comes after is one of 'X', but is 'Q'$",
    ),
]


@pytest.mark.parametrize(("make_view", "says"), [*NUMBERS, *LABELS, *WORDS, *FLOWS])
def test_a_view_that_makes_no_sense_gets_a_sentence(make_view, says):
    with pytest.raises((TypeError, ValueError), match=says):
        make_view()
