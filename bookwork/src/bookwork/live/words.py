"""Views of words: shaded text, and words with lines between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bookwork.live.frames import ALONE
from bookwork.live.options import texts_of
from bookwork.live.views import View, around_zero, choosing, common, from_zero, labels_by, table


def sentence(
    words: Iterable[Any],
    show: str = ALONE,
    *,
    at: str | None = None,
    by: str | None = None,
    reads: str = "{word}: {value}",
    **more: Any,
) -> View:
    """Draw running text whose words are shaded by their weights.

    - `words` are the words in their order; a word may come twice.
    - `show` names the array to draw, of shape (words,).
    - `at` names the control that a word sets when it is pressed, or reached with the arrow keys:
      one with an option for each word, such as ``token_buttons(words)``. It is not drawn a second
      time above the text.
    - `by` names a control that decides what the words are, as in `bars`.
    - `reads` is what a word says when it is pointed at: {word}, {value} and, with `at`, {asks}, the
      word that is chosen.
    - `more` are `limits`, `title` and `digits`, as in `heatmap`.

    Examples
    --------
    >>> sentence(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    """
    options, count = labels_by("words", words, by)
    parts = ("asks", "word", "value") if at else ("word", "value")
    options |= common(parts, reads, drawn=[show], fit=around_zero, **more)
    options |= {"show": show, "at": at and choosing("the words of the sentence", at, count)}
    tables = [table(show, "words", ["value"])]
    return View("sentence", options, {show: (count,)}, parts, tables, wide=150)


def arcs(
    words: Iterable[Any],
    show: str = ALONE,
    *,
    at: str,
    kinds: Iterable[Any] = (),
    reads: str = "{asks}, {word}: {value}",
    least: float = 0.02,
    **more: Any,
) -> View:
    """Draw words with curved lines from the chosen one to the others, thicker for larger weights.

    - `words` are the words in their order; a word may come twice.
    - `show` names the array to draw, of shape (words,).
    - `at` names the control that chooses the word, as in `sentence`.
    - `kinds` are names of several kinds of lines, each in a colour and with dashes of its own, and
      with a button that switches it on and off; of more than three only the first is on at first.
      The array then has one axis more, in front.
    - `reads` is what a word says when it is pointed at: {asks}, {word} and {value}, which with
      `kinds` lists a number for each.
    - `least` is the smallest weight that has a line.
    - `more` are `limits`, `title` and `digits`, as in `bars`.

    Examples
    --------
    >>> arcs(["a", "dog", "barks"], at="word").needs
    {'result': (3,)}
    >>> arcs(["a", "dog"], at="word", kinds=["one", "two", "three"]).needs
    {'result': (3, 2)}
    """
    words, kinds = texts_of("words", words), texts_of("kinds", kinds, 0)
    parts = ("asks", "word", "value")
    options = common(parts, reads, drawn=[show], fit=from_zero, **more)
    options |= {"show": show, "least": float(least), "words": words, "kinds": kinds}
    options["at"] = choosing("the words of the arcs", at, len(words))
    tables = [table(show, "kinds", "words") if kinds else table(show, "words", ["value"])]
    shape = (len(kinds), len(words)) if kinds else (len(words),)
    said = (*parts, "kind") if kinds else parts
    return View("arcs", options, {show: shape}, said, tables, wide=190)
