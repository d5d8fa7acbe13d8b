"""Views of words: shaded text, words with lines between them, a sentence with numbers in it.

The words may be the control: pressing one sets the control that `at` names, which is then not shown
a second time above the picture. A sentence such as ``"{row} reads {guess:.1f}"`` is taken apart
here; the page only puts in what its pieces say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import Formatter
from typing import Any

from bookwork.live.controls import Axis
from bookwork.live.frames import ALONE, Frame
from bookwork.live.limits import Limits, around_zero, from_zero, read_limits
from bookwork.live.options import Shape, check_reads, common, labels_by, labels_of, table, texts_of
from bookwork.live.views import View, find_control

FORMAT = re.compile(r"\.(\d{1,2})([f%])|d")
Piece = str | dict[str, Any]  # words, or what stands in their place
Named = tuple[str, str]  # a name between braces, and how to print it


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

    Examples
    --------
    >>> sentence(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    """
    if at is not None and by is not None:
        raise ValueError("words are a control (at) or follow one (by), but cannot be both")
    options, count = labels_by("words", words, by)
    parts = ("asks", "word", "value") if at else ("word", "value")
    options |= common(title, digits, show=show, reads=check_reads(reads, *parts))
    scale, tables = read_limits(limits, around_zero), [table(show, "words", ["value"])]
    view = View("sentence", options, {str(show): (count,)}, scale, parts=parts, tables=tables)
    return _set_by_words(view, at)


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

    Examples
    --------
    >>> arcs(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    >>> arcs(["a", "dog"], kinds=["one", "two", "three"]).needs
    {'result': (3, 2, 2)}
    """
    options: dict[str, Any] = {"words": labels_of("words", words), "least": float(least)}
    options["kinds"] = texts_of("kinds", kinds)
    parts: tuple[str, ...] = ("asks", "word", "value")
    options |= common(title, digits, show=show, reads=check_reads(reads, *parts))
    m, h = len(options["words"]), len(options["kinds"])
    shape: Shape = (*([h] if h else []), *([m] if at else [m, m]))
    scale, tables = read_limits(limits, from_zero), [_table_of_arcs(at, options)]
    parts += ("kind",) if h else ()
    view = View("arcs", options, {str(show): shape}, scale, parts=parts, tables=tables)
    return _set_by_words(view, at)


def _table_of_arcs(at: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Let rows be kinds of lines, words where lines begin, or both; with one row, words."""
    show, kinds = options["show"], options["kinds"]
    if at:
        return table(show, "kinds", "words") if kinds else table(show, "words", ["value"])
    both = [f"{kind}: {word}" for kind in kinds for word in options["words"]]
    return table(show, both or "words", "words")


def _set_by_words(view: View, at: str | None) -> View:
    """Let a view hold the control that its words set, if there is one."""
    view.options["at"] = at
    return view if at is None else replace(view, holds=(at,), settle=_settle_words)


def _settle_words(view: View, axes: Sequence[Axis], frame: Frame) -> View:
    """Find the word that each value of the control stands for."""
    axis, m = find_control(view, view.options["at"], axes), len(view.options["words"])
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


def text(template: str, *, title: str = "", digits: int = 2) -> View:
    """Draw a sentence with numbers in it that follow the controls.

    Parameters
    ----------
    template : str
        The sentence. A name between braces stands for a single number that the function returns,
        or for what a control is set to. ``{guess:.1f}`` prints one decimal, ``{share:.0%}`` a share
        as per cent and ``{count:d}`` no decimals.
    title : str
        As in `heatmap`.
    digits : int
        Decimals of numbers for which the sentence does not say.

    Examples
    --------
    >>> text("The curve reads {guess:.1f} after {steps} steps").kind
    'text'
    """
    pieces, options = read_sentence("the text", template), common(title, digits)

    def settle(view: View, axes: Sequence[Axis], frame: Frame) -> View:
        return _with_pieces(view, _settle_sentence("the text", pieces, digits, axes, frame))

    return View("text", options, {}, from_zero, settle=settle)


def says_of(template: str, views: Sequence[View]) -> View:
    """Return an author's sentence on a figure as a view that is not drawn.

    It may say what `text` can, and the parts of the largest number in the first view that has any.
    """
    pieces = read_sentence("says", template)
    view = next((each for each in views if each.parts), views[0])

    def settle(said: View, axes: Sequence[Axis], frame: Frame) -> View:
        _check_one_meaning(view, [piece[0] for piece in pieces if isinstance(piece, tuple)], axes)
        digits = view.options["digits"]
        return _with_pieces(said, _settle_sentence("says", pieces, digits, axes, frame, view.parts))

    return View("says", common("", 2), {}, from_zero, settle=settle)


def _check_one_meaning(view: View, named: Sequence[str], axes: Sequence[Axis]) -> None:
    """Refuse a name that is a part of the view and a control, unless both are the asking word."""
    same = {"asks"} & set(view.holds)
    for axis in axes:
        if axis.name in named and axis.name in view.parts and axis.name not in same:
            raise ValueError(
                f"{{{axis.name}}} in says may be a part of the {view.kind} or a control: "
                "give the control another name"
            )


def read_sentence(who: str, template: str) -> list[str | Named]:
    """Take a sentence apart into words and names.

    Examples
    --------
    >>> read_sentence("the text", "after {steps} steps: {guess:.1f}")
    ['after ', ('steps', ''), ' steps: ', ('guess', '.1f')]
    """
    if not isinstance(template, str):
        raise TypeError(f"{who} is a sentence with names between braces, but is {template!r}")
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        raise ValueError(
            f"{who} has a brace without its partner: {template!r}; a brace that is meant as one "
            "is written twice"
        ) from None
    found: list[str | Named] = []
    for words, name, form, conversion in parsed:
        found += [words] if words else []
        if name is not None:
            found.append((f"{name}!{conversion}" if conversion else name, form or ""))
    return found


def _settle_sentence(
    who: str,
    sentence: Sequence[str | Named],
    digits: int,
    axes: Sequence[Axis],
    frame: Frame,
    parts: Sequence[str] = (),
) -> list[Piece]:
    """Find each name among the parts of a view, the single numbers and the controls."""
    labels = [axis.name for axis in axes]
    pieces: list[Piece] = []
    for each in sentence:
        if isinstance(each, str):
            pieces.append(each)
            continue
        name, _ = each
        if name in parts:
            pieces.append({"part": name} | _printed(who, each, digits, name == "value"))
        elif name in frame:
            if frame[name].ndim:
                shape = frame[name].shape
                raise ValueError(f"{who} can say single numbers, but {name!r} has shape {shape}")
            pieces.append({"array": name} | _printed(who, each, digits, True))
        elif name in labels:
            pieces.append({"control": name} | _printed(who, each, digits, False))
        else:
            singles = [other for other in frame if frame[other].ndim == 0]
            known = ", ".join(f"{{{other}}}" for other in [*parts, *singles, *labels])
            raise ValueError(f"{who} can say {known or 'no name'}, but asks for {{{name}}}")
    return pieces


def _printed(who: str, named: Named, digits: int, is_number: bool) -> dict[str, Any]:
    """Return how to print what a name stands for: a number, or something that is a text already."""
    name, form = named
    if not form:
        return {"digits": digits} if is_number else {}
    if not is_number:
        raise ValueError(f"{who} says {{{name}}} as it stands: leave out {form!r} after its name")
    match = FORMAT.fullmatch(form)
    if not match or int(match[1] or 0) > 20:
        raise ValueError(
            f"{who} can print {{{name}:.2f}}, {{{name}:.0%}} or {{{name}:d}}, "
            f"but asks for {{{name}:{form}}}"
        )
    return {"digits": int(match[1] or 0), "percent": match[2] == "%"}


def _with_pieces(view: View, pieces: Sequence[Piece]) -> View:
    """Return a view that needs the single numbers of a sentence, with the decimals it prints."""
    decimals: dict[str, int] = {}
    for piece in pieces:
        if isinstance(piece, dict) and "array" in piece:
            needed = piece["digits"] + 2 * piece.get("percent", False)
            decimals[piece["array"]] = max(needed, decimals.get(piece["array"], 0))
    return replace(
        view,
        options=view.options | {"pieces": pieces},
        needs=dict.fromkeys(decimals, ()),
        decimals=decimals,
        tables=[table(name, [name], ["value"], name, digits=n) for name, n in decimals.items()],
    )
