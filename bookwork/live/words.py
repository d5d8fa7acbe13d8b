"""Views of words: shaded text, words with lines between them, a sentence with numbers in it.

The words may be the control: pressing one sets the control that `at` names, which is then not shown
a second time above the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bookwork.live.controls import Axis
from bookwork.live.frames import ALONE, Frame
from bookwork.live.limits import Limits, around_zero, from_zero, read_limits, unit_or
from bookwork.live.options import Shape, check_reads, common, labels_by, labels_of, table, texts_of
from bookwork.live.says import decimals_of, read_sentence, settle_sentence
from bookwork.live.views import View, find_control, settle_by


def sentence(
    words: Iterable[Any],
    show: str = ALONE,
    *,
    at: str | None = None,
    by: str | None = None,
    reads: str = "{word}: {value}",
    limits: Limits = "auto",
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

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> sentence(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    """
    if at is not None and by is not None:
        raise ValueError("words are a control (at) or follow one (by), but cannot be both")
    options, count = labels_by("words", words, by)
    options["at"] = at
    parts = ("asks", "word", "value") if at else ("word", "value")
    options |= common(title, digits, show=show, reads=check_reads(reads, *parts))
    scale = read_limits(limits, around_zero, unit_or(around_zero))
    needs: dict[str, Shape] = {str(show): (count,)}
    view = View("sentence", options, needs, scale, (str(show),), parts=parts, settle=settle_by)
    return _with_words(replace(view, tables=[table(show, "words", ["value"])]))


def arcs(
    words: Iterable[Any],
    show: str = ALONE,
    *,
    at: str | None = None,
    kinds: Iterable[Any] = (),
    reads: str = "{asks}, {word}: {value}",
    least: float = 0.02,
    limits: Limits = "auto",
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
    reads : str
        What a word says when it is pointed at: {asks}, {word} and {value}, which with `kinds`
        lists a number for each.
    least : float
        Smaller weights have no line.
    limits, title, digits
        As in `bars`.

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> arcs(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    >>> arcs(["a", "dog"], kinds=["one", "two", "three"]).needs
    {'result': (3, 2, 2)}
    """
    options: dict[str, Any] = {"words": labels_of("words", words), "at": at}
    options |= {"kinds": texts_of("kinds", kinds), "least": float(least)}
    options |= common(title, digits, show=show, reads=check_reads(reads, "asks", "word", "value"))
    m = len(options["words"])
    shape = (m,) if at else (m, m)
    needs: dict[str, Shape] = {
        str(show): (len(options["kinds"]), *shape) if options["kinds"] else shape
    }
    parts = ("asks", "word", "value", *(["kind"] if options["kinds"] else []))
    scale = read_limits(limits, from_zero, unit_or(from_zero))
    tables = [_table_of_arcs(show, options)]
    return _with_words(
        View("arcs", options, needs, scale, (str(show),), parts=parts, tables=tables)
    )


def _table_of_arcs(show: str, options: dict[str, Any]) -> dict[str, Any]:
    """Let rows be kinds of lines, words where lines begin, or both; with one row, words."""
    words, kinds = options["words"], options["kinds"]
    if options["at"]:
        return table(show, "kinds", "words") if kinds else table(show, "words", ["value"])
    both = [f"{kind}: {word}" for kind in kinds for word in words]
    return table(show, both or "words", "words")


def text(template: str, *, title: str = "", digits: int = 2) -> View:
    """Draw a sentence with numbers in it that follow the controls.

    Parameters
    ----------
    template : str
        The sentence. A name between braces stands for a single number that the function returns,
        or for what a control is set to. ``{guess:.1f}`` prints one decimal, ``{share:.0%}`` a share
        as per cent and ``{count:d}`` no decimals.
    title : str
        Stands above, if several views stand side by side.
    digits : int
        Decimals of numbers for which the sentence does not say.

    Returns
    -------
    View
        For `live`.

    Examples
    --------
    >>> text("The curve reads {guess:.1f} after {steps} steps").kind
    'text'
    """
    options = common(title, digits) | {"pieces": read_sentence("the text", template)}
    return View("text", options, {}, from_zero, (), settle=_settle_text)


def says_of(template: str, views: Sequence[View]) -> View:
    """Return an author's sentence on a figure as a view that is not drawn.

    It may say what `text` can, and the parts of the largest number in the first view that has any.
    """
    pieces = read_sentence("says", template)
    view = next((each for each in views if each.parts), views[0])

    def settle(said: View, axes: Sequence[Axis], frame: Frame) -> View:
        named = [name for name, _ in (piece for piece in pieces if not isinstance(piece, str))]
        _check_one_meaning(view, named, axes)
        digits = view.options["digits"]
        return _with_pieces(said, settle_sentence("says", pieces, digits, axes, frame, view.parts))

    return View("says", common("", 2), {}, from_zero, (), settle=settle)


def _check_one_meaning(view: View, named: Sequence[str], axes: Sequence[Axis]) -> None:
    """Refuse a name that is a part of the view and a control, unless both are the asking word."""
    same = {"asks"} & set(view.holds)
    for axis in axes:
        if axis.name in named and axis.name in view.parts and axis.name not in same:
            raise ValueError(
                f"{{{axis.name}}} in says may be a part of the {view.kind} or a control: "
                "give the control another name"
            )


def _settle_text(view: View, axes: Sequence[Axis], frame: Frame) -> View:
    digits = view.options["digits"]
    return _with_pieces(
        view, settle_sentence("the text", view.options["pieces"], digits, axes, frame)
    )


def _with_pieces(view: View, pieces: list[Any]) -> View:
    decimals = decimals_of(pieces)
    return replace(
        view,
        options=view.options | {"pieces": pieces},
        needs=dict.fromkeys(decimals, ()),
        decimals=decimals,
        tables=[table(name, [name], ["value"], name, count) for name, count in decimals.items()],
    )


def _with_words(view: View) -> View:
    """Let a view hold the control that its words set, if there is one."""
    at = view.options["at"]
    return view if at is None else replace(view, holds=(at,), settle=_settle_words)


def _settle_words(view: View, axes: Sequence[Axis], frame: Frame) -> View:
    """Find the word that each value of the control stands for."""
    axis = find_control(view, view.options["at"], axes)
    return replace(view, options=view.options | {"asks": _asking(view, axis)})


def _asking(view: View, axis: Axis) -> list[int]:
    m = len(view.options["words"])
    if axis.numeric and all(value in range(m) for value in axis.values):
        return [int(value) for value in axis.values]
    if len(axis.values) == m:
        return list(range(m))
    raise ValueError(
        f"the words of the {view.kind} set {axis.name!r}, so it must have one option for each of "
        f"the {m} words, or places of words from 0 to {m - 1}, but its values are: "
        f"{', '.join(map(str, axis.values))}"
    )
