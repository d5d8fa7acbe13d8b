"""Views of words, an author's sentences and the button that plays: what they are made of."""

import numpy as np
import pytest
from bookwork.live import (
    arcs,
    bars,
    checkbox,
    choice,
    curve,
    flow,
    heatmap,
    live,
    sentence,
    slider,
    stage,
    token_buttons,
)

WORDS = ["his", "dog", "and", "his", "tail"]
LOOKS = np.linspace(0, 1, 50).reshape(2, 5, 5)
ASKS = token_buttons(WORDS, value=3)
ONE = slider(0, 1, 1)
SHAPES = {"bars": (2,), "sentence": (2,), "heatmap": (1, 2), "flow": (2, 1)}


def make(function, view, **options):
    return live(function, view, name="Words", **options)


@pytest.mark.parametrize("control", [ASKS, choice(list("abcde")), slider(3, 7, 1)])
@pytest.mark.parametrize("kind", [sentence, arcs])
def test_words_stand_for_the_values_of_their_control(kind, control):
    figure = make(lambda k: LOOKS[0, 0], kind(WORDS, at="k"), k=control)
    assert figure.drawing.spec["views"][0]["at"] == "k"


def test_a_control_that_words_set_is_not_shown_a_second_time():
    word, t = token_buttons(WORDS), slider(1, 2, 1)
    both = make(lambda word, t: LOOKS[0, word] / t, sentence(WORDS, at="word"), word=word, t=t)
    assert both.children[0].children == (t,)
    assert both.drawing.controls == [word, t]
    assert both.drawing.spec["held"] == ["word"]
    alone = make(lambda word: LOOKS[0, word], arcs(WORDS, at="word"), word=token_buttons(WORDS))
    assert alone.children == (alone.drawing,)
    np.testing.assert_array_equal(alone.frame(word=2)["result"], LOOKS[0, 2])


@pytest.mark.parametrize(
    ("view", "returns", "controls"),
    [
        (sentence(WORDS, at="k"), lambda k: LOOKS[0, k], {"k": ASKS}),
        (sentence(WORDS), lambda: LOOKS[0, 1], {}),
        (arcs(WORDS, at="k"), lambda k: LOOKS[0, k], {"k": ASKS}),
        (arcs(WORDS, at="k", kinds=["x", "y"]), lambda k: LOOKS[:, k], {"k": ASKS}),
    ],
)
def test_the_shape_follows_from_the_words_their_control_and_the_kinds(view, returns, controls):
    figure = make(returns, view, **controls)
    (array,) = figure.drawing.spec["arrays"]
    assert tuple(array["shape"]) == view.needs["result"]
    with pytest.raises(ValueError, match=rf"^'result', drawn by the {view.kind}, must have shape"):
        make(lambda **given: np.ones(4), view, **controls)


@pytest.mark.parametrize(
    ("view", "control", "says"),
    [
        (sentence(WORDS, at="word"), ASKS, r"^the words .* are chosen by 'word', but .* are: k$"),
        (
            arcs(WORDS, at="k"),
            slider(0, 9, 1),
            r"^k, which chooses one of the words of the arcs, must have shape \(5,\), "
            r"but has shape \(10,\)$",
        ),
        (sentence(WORDS, at="k"), choice(list("ab")), r"one of the words of the sentence, must"),
        (sentence(WORDS, at="k"), checkbox(), r"but has shape \(2,\)$"),
    ],
)
def test_a_control_that_words_cannot_set_gets_a_sentence(view, control, says):
    with pytest.raises(ValueError, match=says):
        make(lambda k: LOOKS[0, 0], view, k=control)


def numbers(t):
    return {"guess": t / 3, "v": np.array([t, 1.0, 2.0])}


def pieces_of(**options):
    figure = make(numbers, bars(list("abc"), "v"), t=slider(0, 2, 1), **options)
    return figure.drawing.spec["says"]


def test_a_sentence_says_parts_single_numbers_and_controls():
    assert pieces_of(says="{{{label}}}: {value:.1%}, {guess:.3f} at {t}, {value}") == [
        "{",
        {"part": "label"},
        "}",
        ": ",
        {"part": "value", "digits": 1, "percent": True},
        ", ",
        {"array": "guess", "digits": 3, "percent": False},
        " at ",
        {"control": "t"},
        ", ",
        {"part": "value", "digits": 2},
    ]
    assert pieces_of() is None


def test_a_number_in_a_sentence_keeps_the_decimals_that_are_printed():
    figure = make(
        lambda t: {"far": t * 1e6 + 0.25, "near": t * 1.0, "v": np.zeros(3)},
        bars(list("abc"), "v"),
        says="{far:.0f} {far:.1f} and {near:.0%}",
        t=slider(0, 1, 1),
    )
    steps = {array["name"]: array["steps"] for array in figure.drawing.spec["arrays"]}
    assert steps == {"far": 2**32 - 1, "near": 2**8 - 1, "v": 2**8 - 1}
    np.testing.assert_allclose(figure.frame(t=1)["far"], 1e6 + 0.25)


@pytest.mark.parametrize(
    ("view", "more"),
    [
        (bars(list("ab"), digits=0), {"says": "{value:.2f}"}),
        (bars(list("ab"), digits=0, reads="{value:.2f}"), {}),
        (heatmap(["a"], list("bc"), digits=0, reads="{value:.0%}"), {}),
        (sentence(list("ab"), digits=0, reads="{value:.2f}"), {}),
        (flow([stage("result", says="{values:.2f}")], rows=["a", "b"], at="t", digits=0), {}),
    ],
)
def test_a_number_that_is_said_keeps_the_decimals_that_are_printed(view, more):
    """It was printed as 399.99, from codes that were made for no decimals."""
    figure = make(lambda t: np.reshape([400.0 * t, np.pi], SHAPES[view.kind]), view, t=ONE, **more)
    (array,) = figure.drawing.spec["arrays"]
    assert (array["high"] - array["low"]) / array["steps"] < 0.01 / 50


def test_a_number_in_a_table_keeps_the_decimals_that_are_printed():
    """Weights were printed with four, from codes that were made for none."""
    view = curve([0, 1], "fit", points=([0, 1], [0, 1]), weights="weights", digits=0)
    figure = make(lambda t: {"fit": [0, 9], "weights": [70 * t, 1 / 3]}, view, t=ONE)
    (array,) = (each for each in figure.drawing.spec["arrays"] if each["name"] == "weights")
    (table,) = (t for t in figure.drawing.spec["views"][0]["tables"] if t["array"] == "weights")
    assert (array["high"] - array["low"]) / array["steps"] / 2 <= 10.0 ** -table["digits"] / 100


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{guesses}", r"can say {t}, {guess}, .*, but asks for {guesses}$"),
        ("{}", r"can say .*, but asks for {}$"),
        ("{v}", r"can say .*, but asks for {v}$"),
        ("{t:.1f}", r"can say .*, but asks for {t:\.1f}$"),
        ("{guess:>8}", r"can say .* {x:\.2f}, {x:\.0%} or {x:d}, but asks for {guess:>8}$"),
        ("{guess:.99f}", r"can say .*, but asks for {guess:\.99f}$"),
        ("{guess!r}", r"can say .*, but asks for {guess!r}$"),
    ],
)
def test_a_sentence_that_cannot_be_said_gets_a_sentence(template, says):
    with pytest.raises(ValueError, match="^says " + says):
        pieces_of(says=template)


def test_the_first_view_with_numbers_tells_what_is_largest():
    grid = {"M": np.eye(2), "v": np.ones(3), "guess": 1.0}
    views = [heatmap(list("ab"), list("cd"), "M"), bars(list("abc"), "v")]
    spec = make(lambda: grid, views, says="{row}, {column}").drawing.spec
    assert spec["says"] == [{"part": "row"}, ", ", {"part": "column"}]
    with pytest.raises(ValueError, match=r"^says can say {guess}, {row}, {column}, {value}, and"):
        make(lambda: grid, views, says="{label}")


def test_a_name_that_means_a_control_and_a_part_is_the_part():
    figure = make(lambda asks: LOOKS[0, asks], sentence(WORDS, at="asks"), says="{asks}", asks=ASKS)
    assert figure.drawing.spec["says"] == [{"part": "asks"}]


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"play": "step"}, ValueError, r"plays 'step', but the controls .* figure are: t$"),
        ({"says": 3}, ValueError, r"^says is a sentence with names between braces, but is 3"),
    ],
)
def test_what_cannot_be_played_or_said_gets_a_sentence(given, error, says):
    with pytest.raises(error, match=says):
        make(numbers, bars(list("abc"), "v"), t=slider(0, 2, 1), **given)


def test_a_control_of_one_value_cannot_be_played():
    with pytest.raises(ValueError, match=r"^the control t has only one value, so there is nothing"):
        make(numbers, bars(list("abc"), "v"), t=slider(1, 1, 1), play="t")


# labels that follow a control


LISTS = [["anna", "nan"], ["x", "yz"], ["b", "c"]]


@pytest.mark.parametrize("kind", [sentence, bars])
def test_labels_may_follow_a_control(kind):
    figure = make(lambda k: np.array([k, 1.0]), kind(LISTS, by="k"), k=slider(0, 2, 1))
    (view,) = figure.drawing.spec["views"]
    assert view["words" if kind is sentence else "labels"] == LISTS
    assert view["by"] == "k"
    assert figure.drawing.spec["arrays"][0]["shape"] == (2,)


@pytest.mark.parametrize("kind", [sentence, bars])
@pytest.mark.parametrize(
    ("lists", "by", "error", "says"),
    [
        (LISTS, "t", ValueError, "{name} follow 't', but the controls of the figure are: k"),
        (LISTS[:2], "k", ValueError, r"{name}, a list for each value of 'k', must have shape \(3"),
        (
            [["a"], ["b", "c"], ["d"]],
            "k",
            ValueError,
            r"each list of {name} must have shape \(1,\), but has shape \(2,\)",
        ),
        ([["a"], [], ["b"]], "k", ValueError, "{name} needs at least one label, but has none"),
    ],
)
def test_labels_that_do_not_fit_their_control_are_refused(kind, lists, by, error, says):
    name = "words" if kind is sentence else "labels"
    with pytest.raises(error, match=says.format(name=name)):
        make(lambda k: np.ones(2), kind(lists, by=by), k=slider(0, 2, 1))
