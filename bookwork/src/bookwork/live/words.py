"""Views of words: shaded text, and words with lines between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bookwork.live.controls import Axis
from bookwork.live.frames import ALONE
from bookwork.live.limits import Fit, Limits, around_zero, from_zero, read_limits
from bookwork.live.options import Shape, common, labels_by, labels_of, table, texts_of
from bookwork.live.says import parts_of, read_sentence
from bookwork.live.views import View, find_control


def sentence(
    words: Iterable[Any],
    show: str = ALONE,
    *,
    at: str | None = None,
    by: str | None = None,
    reads: str = "{word}: {value}",
    limits: Limits = None,
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw running text whose words are shaded by their weights.

    Parameters
    ----------
    words : sequence of str
        The words in their order; a word may come twice.
    show : str
        Which array to draw, of shape (words,).
    at : str, optional
        Name of the control that a word sets when it is pressed, or reached with the arrow keys: one
        over the words, such as ``token_buttons(words)``, or over the places of those that may be
        chosen. It is not drawn a second time above the text.
    by : str, optional
        Name of a control that decides what the words are, as in `bars`; not together with `at`.
    reads : str
        What a word says when it is pointed at: {word}, {value} and, with `at`, {asks}, the word
        that is chosen.
    limits, title, digits
        As in `heatmap`.

    Examples
    --------
    >>> sentence(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    """
    if at is not None and by is not None:
        raise ValueError("words are a control (at) or follow one (by), but cannot be both")
    options, count = labels_by("words", words, by)
    parts = ("asks", "word", "value") if at else ("word", "value")
    options |= common(title, digits, show=show) | {"at": at}
    options["reads"] = read_sentence("reads", reads, parts_of(parts), digits)
    fit, tables = read_limits(limits, around_zero), [table(show, "words", ["value"])]
    return _view("sentence", options, (count,), fit, parts=parts, tables=tables, wide=150)


def arcs(
    words: Iterable[Any],
    show: str = ALONE,
    *,
    at: str | None = None,
    kinds: Iterable[Any] = (),
    reads: str = "{asks}, {word}: {value}",
    least: float = 0.02,
    limits: Limits = None,
    title: str = "",
    digits: int = 2,
) -> View:
    """Draw words with curved lines from one to the others, thicker for larger weights.

    Parameters
    ----------
    words : sequence of str
        The words in their order; a word may come twice.
    show : str
        Which array to draw. With `at`, its shape is (words,): lines from the chosen word. Without,
        it is (words, words), and the reader chooses in the figure from which word they come.
    at : str, optional
        As in `sentence`.
    kinds : sequence of str, optional
        Names of several kinds of lines, each in a colour and with dashes of its own, and with a
        button that switches it on and off; of more than three only the first is on at first. The
        array then has one axis more, in front.
    reads : str
        What a word says when it is pointed at: {asks}, {word} and {value}, which with `kinds`
        lists a number for each.
    least : float
        Smaller weights have no line.
    limits, title, digits
        As in `bars`.

    Examples
    --------
    >>> arcs(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    >>> arcs(["a", "dog"], kinds=["one", "two", "three"]).needs
    {'result': (3, 2, 2)}
    """
    words, kinds = labels_of("words", words), texts_of("kinds", kinds)
    parts: tuple[str, ...] = ("asks", "word", "value")
    options = common(title, digits, show=show) | {"at": at, "least": float(least)}
    options |= {"words": words, "kinds": kinds}
    options["reads"] = read_sentence("reads", reads, parts_of(parts), digits)
    shape = [len(each) for each in ([kinds] if kinds else []) + [words] * (1 if at else 2)]
    rows = kinds if at else [f"{kind}: {word}" for kind in kinds for word in words]
    tables = [table(show, rows or "words", ["value"] if at and not kinds else "words")]
    parts += ("kind",) if kinds else ()
    fit = read_limits(limits, from_zero)
    return _view("arcs", options, tuple(shape), fit, parts=parts, tables=tables, wide=190)


def _view(kind: str, options: dict[str, Any], shape: Shape, fit: Fit, **more: Any) -> View:
    """Return a view of words, which holds the control that they set, if there is one."""
    at = options["at"]
    view = View(kind, options, {options["show"]: shape}, fit, [options["show"]], **more)
    return replace(view, holds=(at,), settle=_settle_words) if at else view


def _settle_words(view: View, axes: Sequence[Axis]) -> View:
    """Find the word that each value of the control stands for."""
    axis, m = find_control(view, view.options["at"], axes), len(view.options["words"])
    asks: Sequence[Any] = range(m)
    if axis.numeric and all(value in range(m) for value in axis.values):
        asks = axis.values
    elif len(axis.values) != m:
        raise ValueError(
            f"the words of the {view.kind} set {axis.name!r}, so it must have one option for each "
            f"of the {m} words, or places of words from 0 to {m - 1}, but its values are: "
            f"{', '.join(map(str, axis.values))}"
        )
    return replace(view, options=view.options | {"asks": list(map(int, asks))})
