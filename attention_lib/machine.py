"""The whole model in one picture: what a trace holds, drawn from the text to the next token."""

from __future__ import annotations

from typing import Any

import numpy as np

from attention_lib._arguments import Array
from attention_lib.inside import trace
from attention_lib.weights import softmax

try:
    from bookwork.live import LiveFigure, choice, flow, live, slider, stage, token_buttons
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        'the picture of a model needs bookwork: pip install "attention_lib[figures]"'
    ) from None

FIRST = 6  # numbers of each vector are drawn
MOST = 24  # tokens are: the last ones of a longer text
TEMPERATURES = [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0]
DIGITS = {"E": 2, "P": 2, "X": 1, "A": 2, "Q": 1, "K": 1, "V": 1, "scores": 1, "weights": 2}
DIGITS |= {"found": 2, "heads": 2, "H": 1, "B": 2, "hidden": 2, "network": 1, "Y": 1}
Seen = list[Any]  # tokens, bets as texts and as shares, arrays with their names and widths


def look(model: Any, text: str, **changes: Any) -> Seen:
    """Return what `show_machine` draws of a text: lists, texts and rounded numbers.

    The `model` is SmolLM2, or the writer of `load_writer`; `changes` go to `trace`.
    """
    ids, parameters = model.pairs.encode(text)[-MOST:], getattr(model, "parameters", model)
    if not ids:
        raise ValueError("the text is empty: a model needs one token or more to go on from")
    seen = trace(parameters, ids, **changes)
    best = np.argsort(-seen["logits"], axis=1)[:, :8]  # (n, 8)
    shares = [
        np.take_along_axis(softmax(seen["logits"], temperature=T), best, 1) for T in TEMPERATURES
    ]
    told = [[_shown(model.pairs.decode([i])) for i in row] for row in (ids, *best)]
    digits = _digits(len(seen["weights"]))
    arrays = [
        [name, seen[name].shape[-1], _whole(name, seen[name], digits[name])]
        for name in DIGITS
        if name in seen
    ]
    return [told[0], told[1:], np.round(shares, 3), arrays]


def _shown(token: str) -> str:
    return token.replace(" ", "_").replace("\n", "¶")


def _digits(layers: int) -> dict[str, int]:
    """Return the decimals that are kept of each array, more of a small model."""
    return DIGITS if layers > 9 else {name: digits + 1 for name, digits in DIGITS.items()}


def _whole(name: str, array: Array, digits: int) -> Array:
    """Return the numbers that are drawn, as whole ones: the first of each vector, what is seen."""
    drawn = np.tril(array) if name in ("scores", "weights") else array[..., :FIRST]
    return np.rint(np.asarray(drawn, float) * 10.0**digits)


def show_machine(
    seen: Seen, name: str, layer: int = 0, head: int = 0, before: Seen | None = None
) -> LiveFigure:
    """Draw what `look` returned: all heads, one block of them opened, and the bets.

    With what it returned `before` a change, of as many tokens, the differences are drawn.
    """
    tokens, labels, shares, arrays = seen
    of = {array: width for array, width, _ in arrays}
    kept = {array: np.asarray(whole, float) for array, _, whole in arrays}
    if before is not None:
        if len(before[0]) != len(tokens):
            raise ValueError(
                f"before there were {len(before[0])} tokens, now there are {len(tokens)}"
            )
        kept = {array: kept[array] - np.asarray(whole, float) for array, _, whole in before[3]}
    digits = _digits(len(kept["weights"]))
    kept = {array: whole / 10.0 ** digits[array] for array, whole in kept.items()}
    layers, heads = kept["weights"].shape[:2]

    def block(layer: int, head: int) -> dict[str, Array]:
        chosen = {name: array[layer] for name, array in kept.items() if name not in "EP"}
        return {name: each if each.ndim == 2 else each[head] for name, each in chosen.items()}

    def bets(temperature: float) -> dict[str, Array]:
        return {"bets": shares[TEMPERATURES.index(temperature)]}

    def enter() -> dict[str, Array]:
        return {name: kept[name] for name in "EP" if name in kept}

    def part(array: str, label: str, link: str, says: str, **more: Any) -> Any:
        more |= {"says": says, "label": label, "link": link, "digits": digits[array]}
        square = array in ("scores", "weights")
        own = {"columns": tokens, "causal": True} if square else {"of": of[array]}
        return stage(array, **more, **own, by_frame=array != "weights")

    whole, heads_of = "whole_transformer.html", "multi_head_attention.html"
    vectors = [
        part(
            "E",
            "vectors",
            "self_attention.html#fill-in-the-blank",
            "“{row}” becomes a vector of numbers: {values}, …",
        ),
    ]
    if "P" in kept:
        vectors.append(
            part(
                "P",
                "positions",
                "positions.html",
                below="vectors",
                says="Its position has a vector, too, which is added: {values}, …",
            ),
        )
    steps = [
        *vectors,
        stage("weights", tiles=("layer", "head"), label="all heads", link=heads_of, columns=tokens,
              after={each["label"]: "row" for each in vectors}, causal=True,
              says=f"The vectors pass through {layers} layers, from left to right. Each small "
              "square is a head: the weights of all tokens. Press one to open it below."),
        stage("bets", bars=labels, label="bets", link="a_model_that_writes.html#choose-with-care",
              after="all heads", colour="purple",
              says="After “{row}” the model bets most on “{largest}”: {value}."),
        part("X", "X", f"{whole}#add-do-not-replace", opens="all heads",
             says="This is the vector of “{row}” when it enters the layer: {values}, …"),
        part("A", "norm", f"{whole}#a-common-magnitude", after="X",
             says="A norm gives it a common magnitude: {values}, …"),
        part("Q", "Q", "self_attention.html#three-vectors-for-every-word", after="norm",
             colour="blue", says="Its query in this head, what it looks for: {values}, …"),
        part("K", "K", "self_attention.html#three-vectors-for-every-word", after="norm",
             colour="orange", says="Its key, by which others find it: {values}, …"),
        part("V", "V", "self_attention.html#three-vectors-for-every-word", after="norm",
             colour="green", says="Its value, for others to carry away: {values}, …"),
        part("scores", "scores", "scoring_functions.html#scaled-keep-the-scores-small",
             after={"Q": "row", "K": "all"},
             says="The query of “{row}” meets the keys so far. It fits “{largest}” best: {value}."),
        part("weights", "weights", "scoring_functions.html#masks-which-pairs-count",
             after="scores", below="scores",
             says="A softmax makes weights. “{row}” looks most at “{largest}”: {value}."),
        part("found", "found", "attention_pooling.html", after={"weights": "row", "V": "all"},
             colour="purple", says="The weights mix the values: {values}, …"),
        part("heads", "heads", f"{heads_of}#lay-the-heads-end-to-end-then-mix", after="found",
             says=f"What all {heads} heads found goes through W_o: {{values}}, …"),
        part("H", "X + heads", f"{whole}#add-do-not-replace", after={"X": "row", "heads": "row"},
             says="It is added to the vector of “{row}”: {values}, …"),
        part("B", "norm ", f"{whole}#a-common-magnitude", after="X + heads",
             says="Another norm: {values}, …"),
        part("hidden", "network", f"{whole}#what-each-word-does-alone", after="norm ",
             says="Each hidden number says how well “{row}” fits a learned key: {values}, …"),
        part("network", "adds", f"{whole}#what-each-word-does-alone", after="network",
             says="What the network adds: {values}, …"),
        part("Y", "Y", f"{whole}#the-block-and-the-stack",
             after={"X + heads": "row", "adds": "row"},
             says="This leaves the layer, and enters the next: {values}, …"),
    ]  # fmt: skip
    return live(
        [enter, block, bets],
        flow(steps, rows=tokens, at="token"),
        name=name,
        layer=slider(0, layers - 1, 1, value=layer, name="layer"),
        head=slider(0, heads - 1, 1, value=head, name="head"),
        temperature=choice(TEMPERATURES, value=1.0, name="temperature"),
        token=token_buttons(tokens, value=len(tokens) - 1, name="token"),
    )
