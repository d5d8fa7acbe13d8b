"""A view that makes no sense is refused where it is made, with a sentence that says why."""

import numpy as np
import pytest

from bookwork.live import arcs, bars, curve, flow, heatmap, plane, sentence, stage

ROWS = ["the", "dog", "barks"]
NUMBERS = [
    (lambda: plane(points=[[1, 2, 3]]), r"points must have shape \(m, 2\), but .* \(1, 3\)"),
    (lambda: plane(points=[[1, 2]], region="disc"), r"is 'hull' or 'cone' of fixed points"),
    (lambda: plane(points="moving", region="hull"), r"^a region is .* of fixed points"),
    (lambda: plane(points=[[0, np.inf]]), r"^points holds NaN or infinity, which cannot be"),
    (lambda: plane(handle="q", drag=("x",)), r"^drag takes the names of two controls, across"),
    (lambda: plane(handle="q", drag=("x", "x")), r"two controls, .* but is \('x', 'x'\)$"),
    (lambda: plane(result="o", drag=("x", "y")), r"^drag moves the handle, but the plane has"),
    (lambda: plane(points=np.eye(2), labels=["a"]), r"there are 2 points, but 1 labels$"),
    (lambda: plane(rings=np.eye(2), moves_to=[[0, 1]]), r"there are 2 rings, but 1 places$"),
    (lambda: plane(points=np.eye(2), ends=["x", "y"]), r"^ends names the places where points"),
    (
        lambda: plane(points=np.eye(2), moves_to="after", ends=["x"]),
        r"^ends needs one name for each point; there are 2 points, but 1 names$",
    ),
    (lambda: plane(handle=[0, 1], moves_to="after"), r"^moves_to says where points or rings"),
    (lambda: plane(handle=[0, 1], arrows="rings"), r"asks for 'rings', but .* has handle$"),
    (lambda: plane(limits="wide"), r"^limits are two numbers, .* but are 'wide'$"),
    (lambda: curve([0, 1], "fit", weights="w"), r"^weights belong to points, but the curve"),
    (lambda: curve([0, 1], points=([0, 1, 2], [0, 1])), r"across and up, .* lengths 3 and 2$"),
    (lambda: curve([[0, 1]], "fit"), r"x must have shape \(m,\), but has shape \(1, 2\)"),
    (lambda: curve(["a", "b"], "fit"), r"^x must hold numbers, of shape \(m,\)$"),
    (lambda: curve([2, 2], "fit"), r"^a curve needs at least two places x, but has 1$"),
    (lambda: curve([0, 1], reading="guess"), r"^a reading needs a control on the axis: give"),
    (lambda: curve([0, 1], labels=["a"]), r"there are 0 points, but 1 labels$"),
    (lambda: curve([0, 1], []), r"^a curve needs at least one line to show, but has none$"),
    (lambda: curve([1, 2], log="z"), r"^log is 'x', 'y' or 'xy', but is 'z'$"),
    (lambda: curve([0, 1], log="x"), r"^log needs places x above 0, but some are not$"),
    (lambda: curve([1, 2], log="y", limits=(0, 9)), r"^log needs limits above 0, but they are"),
    (lambda: bars(list("abc"), limits=(1, 0)), r"^limits are two numbers, the lower one first"),
    (lambda: bars(list("abc"), digits=-1), r"^digits is a whole number from 0 to 20, but is"),
    (lambda: heatmap([], list("ab")), r"^rows needs at least one label, but has none$"),
    (lambda: heatmap(["a"], range(151)), r"^a heatmap has room for 150 columns, .* are 151: show"),
    (lambda: bars(list("ab"), reads="{row}"), r"^reads can say {label}, {value}, but asks for"),
]
LABELS = [
    (lambda: bars(3), r"^labels is a list of labels, but is 3$"),
    (lambda: bars("abc"), r"^labels is a list of labels, but is 'abc': write \['abc'\]$"),
    (lambda: bars({"a"}), r"^labels is a list of labels, but is {'a'}$"),
    (lambda: bars([["a", "b"]]), r"one of them is \['a', 'b'\]; lists for .* need `by`, its"),
    (lambda: heatmap(np.eye(2), ["a"]), r"^rows is a list of labels, but one of them is array"),
    (lambda: plane(points=[[0, 1]], arrows=3), r"^arrows is a list of kinds, but is 3$"),
    (lambda: curve([0, 1], points=3), r"^points is a list of two lists, but is 3$"),
]
WORDS = [
    (lambda: sentence([]), r"^words needs at least one label, but has none$"),
    (lambda: sentence("a dog"), r"^words is a list .*: write \['a', 'dog'\]$"),
    (lambda: sentence(3, by="pet"), r"^words is a list of lists, but is 3$"),
    (lambda: arcs(["a", "b"], kinds=2), r"^kinds is a list of labels, but is 2$"),
    (lambda: sentence(["a"], reads="{asks}"), r"^reads can say {word}, {value},"),
    (lambda: arcs(["a"], reads="{row}"), r"^reads can say {asks}, {word}"),
    (lambda: bars(["a"], reads=3), r"^reads is a sentence with names between braces, but is"),
    (lambda: bars(["a"], reads="{a"), r"^reads has a brace without its partner: '{a'; a br"),
    (lambda: bars(["a"], reads="{label!r}"), r"^reads can say .*, but asks for {label!r}$"),
    (lambda: bars(["a"], reads="{label:d}"), r"^reads says {label} as it stands: leave out 'd'"),
]
FLOWS = [
    (lambda: stage("K", colour="red"), r"^a colour is one of blue, .* purple, but is 'red'$"),
    (lambda: stage("K", after={"X": "rows"}), r"^a row of 'K' is made of a 'row', a 'column'"),
    (lambda: stage("K", says="{token} asks"), r"^says can say {row}, {values}, but asks for"),
    (lambda: stage("K", columns=[]), r"^columns needs at least one label, but has none$"),
    (lambda: flow([], rows=ROWS), r"^a flow needs at least one stage, but has none$"),
    (lambda: flow(["X", "X"], rows=ROWS), r"^two stages are called 'X': give each a name of"),
    (
        lambda: flow([stage("K", after="X")], rows=ROWS),
        r"^the stage 'K' comes after 'X', but no stage before it has that name; those before "
        r"it are: none$",
    ),
    (lambda: flow(["X", stage("K", after="Q")], rows=ROWS), r"'Q', but .* before it are: X$"),
    (lambda: flow(["X"], rows=ROWS, reads="{token}"), r"^reads can say {stage}, {row}, {column}"),
    (lambda: flow(["X", 3], rows=ROWS), r"^a flow is made of stages, but one is 3: use stage\(…\)"),
]


@pytest.mark.parametrize(("make_view", "says"), [*NUMBERS, *LABELS, *WORDS, *FLOWS])
def test_a_view_that_makes_no_sense_gets_a_sentence(make_view, says):
    with pytest.raises((TypeError, ValueError), match=says):
        make_view()
