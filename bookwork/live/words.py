"""Views of words: shaded text, and words with lines between them.

The words may be the control: pressing one sets the control that `at` names, which is then not shown
a second time above the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
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
    options |= _told(show, title, digits, reads, parts)
    fit, tables = read_limits(limits, around_zero), [table(show, "words", ["value"])]
    return replace(_view("sentence", options, (count,), fit, parts, tables, at), wide=150)


def arcs(
    words: Iterable[Any],
    show: str = ALONE,
    *,
    at: str | None = None,
    kinds: Iterable[Any] = (),
    first: int | None = None,
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
        it is (words, words), lines from all: pointing at a word leaves only those that begin there.
    at : str, optional
        As in `sentence`.
    kinds : sequence of str, optional
        Names of several kinds of lines, each in a colour and with dashes of its own, and with a
        button that switches it on and off. The array then has one axis more, in front.
    first : int, optional
        How many of the kinds are on at first. Default: all of them.
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
    options: dict[str, Any] = {"words": labels_of("words", words), "least": float(least)}
    options["kinds"] = texts_of("kinds", kinds)
    options["first"] = len(options["kinds"]) if first is None else int(first)
    parts: tuple[str, ...] = ("asks", "word", "value")
    options |= _told(show, title, digits, reads, parts)
    m, h = len(options["words"]), len(options["kinds"])
    shape: Shape = (*([h] if h else []), *([m] if at else [m, m]))
    fit, tables = read_limits(limits, from_zero), [_table_of_arcs(at, options)]
    parts += ("kind",) if h else ()
    return replace(_view("arcs", options, shape, fit, parts, tables, at), wide=190)


def _table_of_arcs(at: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Let rows be kinds of lines, words where lines begin, or both; with one row, words."""
    show, kinds = options["show"], options["kinds"]
    if at:
        return table(show, "kinds", "words") if kinds else table(show, "words", ["value"])
    both = [f"{kind}: {word}" for kind in kinds for word in options["words"]]
    return table(show, both or "words", "words")


def _told(show: str, title: str, digits: int, reads: str, parts: Sequence[str]) -> dict[str, Any]:
    """Return what both kinds of views tell the page."""
    pieces = read_sentence("reads", reads, parts_of(parts), digits)
    return common(title, digits, show=show) | {"reads": pieces}


def _view(
    kind: str,
    options: dict[str, Any],
    shape: Shape,
    fit: Fit,
    parts: tuple[str, ...],
    tables: list[dict[str, Any]],
    at: str | None,
) -> View:
    """Return a view of words, which holds the control that they set, if there is one."""
    show, options["at"] = options["show"], at
    view = View(kind, options, {show: shape}, fit, [show], parts=parts, tables=tables)
    return view if at is None else replace(view, holds=(at,), settle=partial(_settle_words, at))


def _settle_words(at: str, view: View, axes: Sequence[Axis]) -> View:
    """Find the word that each value of the control stands for."""
    axis, m = find_control(view, at, axes), len(view.options["words"])
    asks = list(range(m))
    if axis.numeric and all(value in range(m) for value in axis.values):
        asks = [int(value) for value in axis.values]
    elif len(axis.values) != m:
        raise ValueError(
            f"the words of the {view.kind} set {axis.name!r}, so it must have one option for each "
            f"of the {m} words, or places of words from 0 to {m - 1}, but its values are: "
            f"{', '.join(map(str, axis.values))}"
        )
    return replace(view, options=view.options | {"asks": asks})
