"""Draw the diagrams of the book into images/, each by one function.

    python -m images.drawn.draw_diagrams          write them all
    python -m images.drawn.draw_diagrams heads    write one

The numbers in them are computed here, by the library, as the cells of their chapters compute them;
chapters have the numbers that _toc.yml gives them. A test draws all anew and compares.
"""

import sys

import numpy as np
import yaml

from attention_lib import decoder_logits, rotary, softmax
from attention_lib.models import load_book_titles, load_names_model, load_word_vectors
from images.drawn.drawing import CELL, LARGE, Drawing
from tools import ROOT

IMAGES = ROOT / "images"
CONTENTS = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PARTS = [part["chapters"] for part in CONTENTS["parts"] if part.get("numbered")]
NUMBERED = [chapter["file"] for part in PARTS for chapter in part]
NUMBERS = {name: str(k) for k, name in enumerate(NUMBERED, start=1)}  # of chapters
DIAGRAMS = {}  # by the name of its file, what draws it


def diagram(name, title, height):
    """Enter a function that draws on an empty picture with this title and height."""

    def enter(draw):
        def drawn():
            picture = Drawing(title, height)
            draw(picture)
            return picture

        DIAGRAMS[name] = drawn
        return drawn

    return enter


def about(picture, x, y, chapter, words=""):
    """Put the number of a chapter into a small disc, with words beside it."""
    picture.badge(x, y, NUMBERS[f"chapters/{chapter}"], f"{chapter}.html")
    if words:
        picture.text(x + 22, y, words, anchor="start")


# Welcome: the mechanism, and which chapter is about which part of it


@diagram("map", "A map of the book: attention, and the chapter about each part of it", 608)
def map_of_the_book(picture):
    picture.frame(70, 122, 446, 330)
    picture.frame(60, 132, 446, 330)
    draw_words(picture)
    draw_roles(picture)
    draw_comparison(picture)
    draw_way_back(picture)


def draw_words(picture):
    """The sentence, all of it in sight."""
    about(picture, 30, 30, "why_attention", "keep every word in sight")
    for k, word in enumerate(["the", "dog", "wagged", "his", "tail"]):
        picture.box(24 + 104 * k, 54, 96, 36, word, bold=word == "his")
    about(picture, 30, 106, "positions", "their positions")


def draw_roles(picture):
    """Query, keys and values, made of the words."""
    about(picture, 354, 30, "self_attention", "three views")
    picture.arrow((384, 92), (150, 178))
    for k, (x, name, role) in enumerate(
        [(90, "query", "query"), (240, "keys", "key"), (380, "values", "value")]
    ):
        if k:
            picture.arrow((280, 92), (x + 50, 178))
        picture.box(x, 180, 104, 38, name, role)
    about(picture, 362, 199, "queries_keys_values")


def draw_comparison(picture):
    """From the query to the output."""
    picture.arrow((142, 220), (190, 256))
    picture.arrow((292, 220), (240, 256))
    picture.box(140, 258, 150, 38, "compare")
    about(picture, 112, 277, "scoring_functions")
    picture.arrow((215, 298), (215, 328))
    picture.filled(140, 330, 150, 38, 0.6, "weights")
    about(picture, 112, 349, "looking_inside")
    about(picture, 318, 351, "making_it_fast", "fast")
    about(picture, 318, 320, "serving_a_model", "serving")
    about(picture, 318, 289, "what_came_after", "beyond")
    picture.arrow((215, 370), (250, 404))
    picture.arrow((432, 220), (432, 372), (370, 404))
    picture.box(190, 406, 230, 38, "weigh and add up")
    about(picture, 162, 425, "attention_pooling")
    picture.arrow((305, 446), (305, 494))
    picture.box(240, 496, 130, 38, "output", "output")


def draw_way_back(picture):
    """Several heads, and the way of learning."""
    about(picture, 60, 462, "multi_head_attention")
    picture.lines(60, 492, "several", "heads", step=21)
    about(picture, 160, 484, "whole_transformer")
    picture.lines(160, 508, "the whole", "Transformer", step=21)
    picture.arrow((372, 515), (538, 515), (538, 199), (486, 199), kind="back", dashed=True)
    about(picture, 456, 515, "how_attention_learns")
    picture.text(456, 546, "learning", "back")
    about(picture, 284, 556, "a_model_that_writes", "writing")
    about(picture, 284, 586, "a_real_language_model", "a real model")
    about(picture, 30, 556, "summary", "all of it on one page")


# Why attention?


@diagram("bottleneck", "A bottleneck, and beside it lines from each output to every word", 330)
def bottleneck(picture):
    words = ["the", "dog", "wagged", "his", "tail"]
    rows = [56 + 44 * k for k in range(len(words))]
    for left in (18, 300):
        for y, word in zip(rows, words, strict=True):
            picture.box(left, y, 76, 36, word, bold=False)
    squeeze(picture, rows)
    look_everywhere(picture, rows)
    picture.line((280, 20), (280, 310), kind="edge")


def squeeze(picture, rows):
    """Every word goes into one vector, and every output comes out of it."""
    picture.text(140, 30, "one summary", size=LARGE, bold=True)
    for y in rows:
        picture.arrow((96, y + 18), (140, 162 + (y - 144) / 8))
    picture.box(142, 112, 34, 100, "c")
    for k in range(3):
        picture.arrow((178, 162), (214, 118 + 44 * k))
        picture.box(216, 100 + 44 * k, 44, 36, str(k + 1), "output")
    picture.text(140, 304, "all passes through c")


def look_everywhere(picture, rows):
    """Every output has a line to every word, thicker where it looks more."""
    picture.text(422, 30, "attention", size=LARGE, bold=True)
    weights = [[1, 7, 1, 1, 1], [1, 1, 6, 1, 2], [1, 2, 1, 2, 6]]
    for k, row in enumerate(weights):
        for y, weight in zip(rows, row, strict=True):
            picture.line((378, y + 18), (496, 118 + 44 * k), width=weight, kind="output")
        picture.box(496, 100 + 44 * k, 44, 36, str(k + 1), "output")
    picture.text(422, 304, "each looks at every word")


@diagram(
    "decoder-step", "One step of a decoder: state, weights, context, new state, next word", 400
)
def decoder_step(picture):
    words, weights = weights_of_the_step()
    picture.text(280, 20, "source words: keys and values", size=LARGE, bold=True)
    for k, (word, weight) in enumerate(zip(words, weights, strict=True)):
        x = 12 + 90 * k
        picture.box(x, 38, 84, 34, word, bold=False)
        picture.line((x + 42, 74), (x + 42, 94), kind="edge")
        picture.filled(x, 96, 84, 34, weight, f"{weight:.2f}")
        picture.line((x + 42, 132), (280, 196), kind="value", width=max(1, 10 * weight))
    picture.box(12, 198, 150, 44, "state", "query")
    picture.text(98, 264, "after “le”")
    picture.arrow((54, 196), (54, 134))
    picture.text(70, 172, "compare", anchor="start")
    draw_next_word(picture)


def weights_of_the_step():
    """What the chapter computes: where the decoder looks for the word after “le”."""
    words, glove = ["the", "black", "dog", "chased", "his", "cat"], load_word_vectors(100)
    rows = glove.matrix(words) - glove.mean
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return words, softmax(10 * rows @ rows[words.index("dog")])


def draw_next_word(picture):
    """State and context make the new state, and the new state the next word."""
    picture.box(216, 198, 128, 44, "context", "output")
    picture.arrow((346, 220), (396, 220))
    picture.box(398, 198, 150, 44, "new state")
    picture.arrow((34, 244), (34, 300), (430, 300), (430, 244))
    picture.arrow((506, 244), (506, 330))
    picture.box(398, 332, 150, 44, "chien")
    picture.text(384, 354, "next word", anchor="end")


# Queries, keys and values

SHELF = ["The Time Machine", "A Brief History of Time", "Dracula", "Moby-Dick"]


@diagram("soft-look-up", "A look-up becomes soft: one table, a one-hot row, a spread row", 434)
def soft_look_up(picture):
    books = load_book_titles()
    places = [books.titles.index(title) for title in SHELF]
    hard, soft = weights_of(books, "the theory of time travel", temperature=0.05)
    picture.box(18, 18, 262, 40, "the theory of time travel", "query", bold=False)
    picture.text(140, 84, "keys")
    picture.text(296, 84, "values")
    for x, name, row in ((346, "hard", hard), (456, "soft", soft)):
        picture.text(x + 40, 84, name, size=LARGE, bold=True)
        shown = [*row[places], 1 - row[places].sum()]
        for k, weight in enumerate(shown):
            picture.filled(x, 102 + 48 * k, 80, 40, weight, f"{abs(weight):.2f}")
        picture.arrow((x + 40, 336), (x + 40, 366))
        picture.box(x - 8, 368, 96, 42, f"{row @ books.years:.1f}", "output")
    picture.arrow((424, 84), (458, 84))
    others = f"{len(books.titles) - len(SHELF)} other titles"
    draw_shelf(picture, others, [books.years[place] for place in places])
    picture.text(326, 389, "the year that comes back", anchor="end")


def weights_of(books, query, temperature):
    """Return the hard and the soft row of a query, as the chapter computes them."""
    scores = books.title_vectors @ books.query_vectors[books.queries.index(query)]  # (m,)
    return (scores == scores.max()).astype(float), softmax(scores, temperature=temperature)


def draw_shelf(picture, others, years):
    """The table: keys and values."""
    for k, (title, year) in enumerate(zip([*SHELF, others], [*years, "…"], strict=True)):
        y = 102 + 48 * k
        picture.box(18, y, 236, 40, title, "key", bold=False)
        picture.box(264, y, 64, 40, str(year), "value")


# The general formula


@diagram(
    "attention-pooling", "Attention pooling: compare query and keys, weigh the values, add up", 290
)
def attention_pooling(picture):
    keys, values = np.array([3.4, 3.7, 2.9]), np.array([48.0, 56.0, 31.0])
    weights = np.array([0.6, 0.4, 0.0])
    rows = [58, 132, 206]
    draw_pooling_arrows(picture, rows)
    picture.box(14, 128, 76, 46, "3.5", "query")
    for y, key in zip(rows, keys, strict=True):
        picture.box(132, y, 72, 42, f"{key:.1f}", "key")
    for y, value in zip(rows, values, strict=True):
        picture.box(362, y, 76, 42, f"{value:.0f}", "value")
    picture.box(474, 128, 74, 46, f"{weights @ values:.1f}", "output")
    for y, weight in zip(rows, weights, strict=True):
        picture.filled(242, y, 86, 42, weight, f"{weight:.1f}")
        picture.text(345, y + 21, "×", size=LARGE)


def draw_pooling_arrows(picture, rows):
    """How the numbers move, and what each column is."""
    for y in rows:
        picture.arrow((92, 151), (130, y + 21))
        picture.arrow((206, y + 21), (240, y + 21))
        picture.arrow((440, y + 21), (472, 151))
    names = {52: "query", 168: "keys", 285: "weights", 400: "values", 511: "output"}
    for x, name in names.items():
        picture.text(x, 108 if name in ("query", "output") else 36, name, "muted")
    for x, deed in {111: "compare", 345: "weigh", 466: "add up"}.items():
        picture.text(x, 270, deed)


# Scoring functions

SCORES = {
    "dot product": "qᵀk",
    "scaled": "qᵀk / √d_k",
    "additive": "w_vᵀ tanh(W_qᵀq + W_kᵀk + b)",
    "multiplicative": "qᵀ W k",
    "gated": "gate(q, k) · qᵀk",
    "sparse": "only some of the pairs",
}


@diagram("score", "A score: query and key go in, one number comes out; six ways", 450)
def score(picture):
    picture.box(18, 26, 62, 40, "q", "query")
    picture.box(18, 84, 62, 40, "k", "key")
    picture.arrow((82, 46), (118, 66))
    picture.arrow((82, 104), (118, 84))
    picture.box(120, 52, 100, 46, "score")
    picture.arrow((222, 75), (248, 75))
    picture.box(250, 52, 84, 46, "a(q, k)", bold=False)
    picture.text(292, 30, "a number", "muted")
    picture.arrow((336, 75), (360, 75))
    picture.box(362, 52, 104, 46, "softmax")
    picture.text(414, 136, "scores of other keys", "muted")
    picture.arrow((414, 124), (414, 100))
    picture.arrow((468, 75), (492, 75))
    picture.filled(494, 52, 50, 46, 0.6, "α")
    picture.line((170, 100), (170, 160), (22, 160), kind="edge")
    picture.line((170, 160), (538, 160), kind="edge")
    for k, (name, formula) in enumerate(SCORES.items()):
        x, y = 12 + 272 * (k % 2), 178 + 88 * (k // 2)
        picture.box(x, y, 264, 76)
        picture.text(x + 132, y + 23, name, size=LARGE, bold=True)
        picture.text(x + 132, y + 53, formula)


# Self-attention


@diagram("one-query", "One query end to end, with the shape of every array", 600)
def one_query(picture):
    draw_tokens(picture)
    draw_projections(picture)
    picture.arrow((100, 272), (186, 346))
    picture.arrow((262, 334), (238, 346))
    picture.matrix(172, 350, 1, 4, "weight")
    shape(picture, 272, 366, "scores qᵀk_j / √d_k", "1 × n")
    picture.arrow((212, 374), (212, 428))
    picture.text(198, 400, "softmax", anchor="end")
    picture.matrix(172, 432, 1, 4, "ink", shares=[0.15, 0.75, 0.25, 0.45])
    shape(picture, 268, 442, "weights α", "1 × n")
    picture.arrow((212, 456), (250, 530))
    picture.arrow((478, 336), (478, 484), (316, 536))
    picture.text(210, 492, "add up the values", anchor="end")
    picture.matrix(236, 536, 1, 4, "output")
    shape(picture, 330, 560, "output for “his”", "1 × d_v")


def draw_tokens(picture):
    """The words of a sentence as the rows of a matrix; one of them asks."""
    picture.matrix(190, 24, 4, 7, "ink", lit=2)
    for k, word in enumerate(["he", "wagged", "his", "tail"]):
        asks = word == "his"
        ink = "ink" if asks else "muted"
        picture.text(182, 34 + CELL * k, word, ink, anchor="end", bold=asks)
    shape(picture, 344, 64, "X, a row per token", "n × d")


def draw_projections(picture):
    """From the tokens to one query, all keys and all values."""
    for x, tip, name in ((212, 100, "W_q"), (260, 272, "W_k"), (308, 450, "W_v")):
        picture.arrow((x, 108), (tip, 196))
        picture.text((x + tip) / 2 + (34 if tip > 150 else -34), 144, name)
    picture.matrix(70, 252, 1, 3, "query")
    shape(picture, 70, 222, "q", "1 × d_k")
    picture.matrix(242, 252, 4, 3, "key")
    shape(picture, 242, 222, "K", "n × d_k")
    picture.matrix(410, 252, 4, 4, "value")
    shape(picture, 410, 222, "V", "n × d_v")


def shape(picture, x, y, name, size):
    """Name an array, and give its shape below in another shade."""
    picture.text(x, y - 11, name, anchor="start", bold=True)
    picture.text(x, y + 11, size, "muted", anchor="start")


# Multi-head attention


@diagram("heads", "Several heads: project, attend, lay end to end, mix", 590)
def heads(picture):
    picture.box(200, 18, 160, 40, "X   n × d")
    for k in range(3):
        x = 18 + 180 * k
        picture.arrow((280, 60), (x + 82, 94))
        picture.frame(x, 96, 164, 250)
        picture.text(x + 82, 120, f"head {k + 1}", size=LARGE, bold=True)
        draw_head(picture, x, k)
        picture.arrow((x + 82, 332), (222 + 58 * k, 384))
        picture.box(194 + 58 * k, 386, 56, 40, f"H_{k + 1}", "output")
    picture.lines(386, 396, "end to end:", "n × h d_v", anchor="start")
    picture.arrow((280, 428), (280, 456))
    picture.box(220, 458, 120, 40, "times W_o")
    picture.text(386, 478, "mixes the heads", anchor="start")
    picture.arrow((280, 500), (280, 528))
    picture.box(170, 530, 220, 42, "output   n × d_out", "output", bold=False)


def draw_head(picture, x, k):
    """One head: its own three matrices, its own attention."""
    for j, (name, role) in enumerate((("W_q", "query"), ("W_k", "key"), ("W_v", "value"))):
        picture.box(x + 8 + 51 * j, 140, 46, 40, name, role, bold=False)
        picture.arrow((x + 31 + 51 * j, 182), (x + 54 + 28 * j, 216))
    picture.box(x + 22, 218, 120, 40, "attention")
    picture.arrow((x + 82, 260), (x + 82, 290))
    picture.box(x + 14, 292, 136, 40, f"H_{k + 1}   n × d_v", "output", bold=False)


# Positions

HANDS = {"query": np.array([[0.76, -0.64]]), "key": np.array([[0.96, 0.3]])}  # of length 1


@diagram("clock", "Query and key as two hands of a clock that turn together", 316)
def clock(picture):
    for x, places in ((98, (2, 0)), (280, (5, 3)), (462, (5, 0))):
        draw_clock(picture, x, 110, dict(zip(HANDS, places, strict=True)))
    picture.text(189, 296, "two places apart: the same score")
    picture.text(462, 296, "five apart")


def draw_clock(picture, x, y, places):
    """A face and its two hands; below it the places and the score."""
    picture.add("circle", cx=x, cy=y, r=84, class_="paper to-line", stroke_width=1.5)
    for hour in np.arange(12) * np.pi / 6:
        mark = [(x + r * np.cos(hour), y + r * np.sin(hour)) for r in (76, 82)]
        picture.line(*mark)
    turned = {name: rotary(hand, [places[name]])[0] for name, hand in HANDS.items()}
    for name, (across, up) in turned.items():
        picture.arrow((x, y), (x + 68 * across, y - 68 * up), kind=name, width=5)
    picture.text(x, 214, f"query at {places['query']}", "query", bold=True)
    picture.text(x, 238, f"key at {places['key']}", "key", bold=True)
    picture.text(x, 266, f"score {turned['query'] @ turned['key']:.2f}".replace("-", "−"))


# Looking inside

QUESTIONS = [
    ("weights α of a row", "paper", "what is its rule?", "read many sentences"),
    ("α times v W_o", "value", "how much is added?", "measure its length"),
    ("output of the head", "output", "could it be otherwise?", "look for other rows"),
    ("answer of the model", "paper", "is the head used?", "take it away"),
]


@diagram(
    "questions", "From a weight to the answer: at each step a question and its experiment", 390
)
def questions(picture):
    for k, (step, role, question, experiment) in enumerate(QUESTIONS):
        y = 20 + 96 * k
        picture.box(18, y, 224, 48, step, role, bold=False)
        if k:
            picture.arrow((130, y - 46), (130, y - 2), dashed=k == 3)
        picture.text(266, y + 12, question, anchor="start", bold=True)
        picture.text(266, y + 37, experiment, anchor="start")


# How attention learns


@diagram(
    "forward-and-back", "Forward through attention to the loss, and back with the gradient", 600
)
def forward_and_back(picture):
    picture.text(120, 30, "forward: numbers", size=LARGE)
    picture.text(420, 30, "back: gradients", "back", size=LARGE)
    picture.box(200, 54, 90, 40, "X")
    for x, name, role in ((60, "Q", "query"), (200, "K", "key"), (400, "V", "value")):
        picture.box(x, 164, 90, 40, name, role)
    there_and_back(picture, (222, 96), (92, 162))
    there_and_back(picture, (236, 96), (236, 162))
    there_and_back(picture, (276, 96), (436, 162))
    picture.text(470, 128, "dW_q, dW_k, dW_v", "back")
    picture.box(110, 264, 130, 40, "scores A")
    there_and_back(picture, (98, 206), (146, 262))
    there_and_back(picture, (236, 206), (206, 262))
    picture.text(306, 234, "dQ, dK", "back")
    picture.filled(110, 364, 130, 40, 0.6, "weights α")
    there_and_back(picture, (168, 306), (168, 362))
    picture.text(156, 334, "softmax", anchor="end")
    picture.text(246, 334, "dA", "back")
    picture.box(230, 464, 130, 40, "output O", "output")
    there_and_back(picture, (190, 406), (270, 462))
    there_and_back(picture, (440, 206), (330, 462))
    picture.text(292, 434, "dα", "back")
    picture.text(446, 334, "dV", "back")
    there_and_back(picture, (288, 506), (288, 546))
    picture.text(350, 526, "dO", "back")
    picture.box(230, 548, 130, 40, "loss")


def there_and_back(picture, start, end):
    """Draw two arrows side by side: the way of the numbers, and that of the gradient."""
    (x, y), (to_x, to_y) = start, end
    picture.arrow((x, y), (to_x, to_y))
    picture.arrow((to_x + 20, to_y), (x + 20, y), kind="back", dashed=True)


# Making it fast


@diagram("fast-memory", "What travels between the slow and the fast memory of a processor", 470)
def fast_memory(picture):
    steps = ["Q, K", "scores", "scores", "α", "α, V", "output"]
    draw_travels(picture, 30, "step by step", "one step at a time", steps)
    draw_travels(picture, 260, "fused", "all steps, for one block", ["Q, K, V", "output"])


def draw_travels(picture, y, name, inside, travels):
    """The small memory above, the large one below, and what is read from it and written to it."""
    picture.text(24, y, name, anchor="start", bold=True)
    picture.box(150, y + 14, 260, 38, inside, "weight", bold=False)
    picture.text(536, y + 33, "fast, small", "muted", anchor="end")
    picture.frame(16, y + 106, 528, 84)
    picture.text(280, y + 172, "slow, large", "muted")
    width = 512 / len(travels)
    for k, words in enumerate(travels):
        x = 24 + width * (k + 0.5)
        up, down = (150 + 260 * (k + 0.5) / len(travels), y + 54), (x, y + 114)
        picture.arrow(*((up, down) if k % 2 else (down, up)))
        role = {"output": "output", "scores": "weight", "α": "weight"}.get(words, "paper")
        picture.box(x - 41, y + 116, 82, 38, words, role, bold=False)


@diagram("tiles", "Tiles over the matrix of scores, with a running maximum and sum", 420)
def tiles(picture):
    picture.text(216, 28, "keys and values, block by block")
    for k in range(4):
        picture.box(96 + 62 * k, 46, 56, 34, f"K_{k + 1}", "key", bold=False)
        picture.box(28, 92 + 62 * k, 56, 56, f"Q_{k + 1}", "query", bold=False)
        for j in range(4):
            draw_tile(picture, k, j)
    for k, words in enumerate(["output", "μ, Z, o", "", ""]):
        kind = "output" if k == 0 else "paper"
        picture.box(404, 92 + 62 * k, 132, 56, words, kind, dashed=k > 1)
    picture.text(470, 64, "kept per query")
    picture.arrow((242, 182), (402, 182), kind="output", width=3)
    picture.lines(
        280,
        366,
        "In memory: one tile, and for each query the running",
        "maximum μ, the running sum Z and the vector o.",
        step=26,
    )


def draw_tile(picture, i, j):
    """A tile that is done, the one that is being read, or one still to come."""
    x, y = 96 + 62 * j, 92 + 62 * i
    if (i, j) < (1, 1):
        picture.box(x, y, 56, 56, "done", "card", bold=False)
    elif (i, j) == (1, 1):
        picture.box(x, y, 56, 56, "now", "weight")
    else:
        picture.box(x, y, 56, 56, dashed=True)


# Serving a model


@diagram("devices", "One layer on two devices, whose results are added up", 612)
def devices(picture):
    picture.box(200, 18, 160, 40, "X   n × d")
    for k in range(2):
        x = 18 + 272 * k
        picture.arrow((280, 60), (x + 126, 94))
        picture.frame(x, 96, 252, 346)
        picture.text(x + 126, 120, f"device {k + 1}", size=LARGE, bold=True)
        draw_device(picture, x + 126, k)
        picture.arrow((x + 126, 430), (250 + 60 * k, 482))
    picture.box(190, 484, 180, 40, "add up")
    picture.arrow((280, 526), (280, 552))
    picture.box(170, 554, 220, 42, "output   n × d", "output", bold=False)


def draw_device(picture, x, k):
    """One device: its half of the columns, its heads, its half of the rows."""
    own = [0.25 + 0.75 * (j // 2 == k) for j in range(4)]
    picture.matrix(x - 2 * CELL, 140, 3, 4, "query", shares=own)
    picture.text(x, 218, "columns of W_q, W_k, W_v")
    picture.arrow((x, 232), (x, 256))
    picture.box(x - 90, 258, 180, 38, "its own heads")
    picture.arrow((x, 298), (x, 322))
    for i in range(4):
        picture.matrix(x - 1.5 * CELL, 324 + CELL * i, 1, 3, "value", shares=3 * [own[i]])
    picture.text(x, 418, "rows of W_o")


# What came after


@diagram("memories", "Four ways to keep what was said: all, the last words, a choice, a sum", 542)
def memories(picture):
    columns = [24 + 104 * k for k in range(5)]
    for x, word in zip(columns, ["the", "king", "met", "the", "queen"], strict=True):
        picture.box(x, 20, 96, 36, word)
    rows = ["keeps and reads all", "keeps the last few", "keeps all and reads a few"]
    read = [range(5), range(2, 5), (1, 4)]
    for k, name in enumerate(("attention", "a window", "learned sparse attention")):
        picture.text(24, 88 + 102 * k, f"{name} {rows[k]}", anchor="start")
        draw_kept(picture, 106 + 102 * k, columns, read[k], gone=name == "a window")
    picture.text(24, 394, "a state adds each of them to one sum", anchor="start")
    for x in columns:
        picture.arrow((x + 48, 408), (280 + (x - 232) / 6, 456))
    picture.box(200, 458, 160, 60, "S")


def draw_kept(picture, y, columns, read, gone):
    """A row of keys and values; those that are not read have no colour, or are gone."""
    for k, x in enumerate(columns):
        for left, name, kind in ((x, "k", "key"), (x + 50, "v", "value")):
            look = {"words": f"{name}_{k + 1}", "kind": kind if k in read else "paper"}
            if k not in read and gone:
                look = {"dashed": True}
            picture.box(left, y, 46, 44, bold=False, **look)


# A model that writes


@diagram("writer", "A decoder writes: it bets on the next letter, one is drawn and appended", 500)
def writer(picture):
    begin, bets = [".", "a", "n", "n"], bets_after("ann")
    for k, letter in enumerate(begin):
        x = 24 + 84 * k
        picture.box(x, 40, 64, 42, letter)
        picture.arrow((x + 32, 84), (x + 32, 108))
        picture.arrow((x + 32, 154), (x + 32, 196))
    picture.text(174, 24, "the beginning", "muted")
    picture.box(24, 110, 316, 42, "vectors + places", bold=False)
    picture.box(24, 198, 316, 112)
    picture.text(182, 222, "a block", size=LARGE, bold=True)
    picture.lines(182, 250, "each letter looks back at", "those before it, then thinks")
    picture.arrow((308, 312), (308, 340))
    picture.box(204, 342, 136, 42, "scores")
    picture.arrow((342, 363), (390, 363))
    draw_bets(picture, bets)
    picture.box(392, 40, 64, 42, bets[0][0], "output")


def draw_bets(picture, bets):
    """The likeliest letters with their weights, and the way of the one that is drawn."""
    picture.text(470, 294, "softmax", "muted")
    for k, (letter, weight) in enumerate(bets):
        picture.filled(392, 312 + 44 * k, 156, 38, weight, f"{letter}  {weight:.2f}")
    picture.arrow((424, 278), (424, 84), kind="back", dashed=True)
    picture.lines(442, 170, "draw one,", "append it,", "ask again", kind="back", anchor="start")


def bets_after(start):
    """Return the four likeliest letters after the start of a name, with their weights."""
    letters = [".", *"abcdefghijklmnopqrstuvwxyz"]
    numbers = [0, *(letters.index(letter) for letter in start)]
    weights = softmax(decoder_logits(numbers, load_names_model().parameters)[-1])
    return [(letters[j] if j else "end", float(weights[j])) for j in (-weights).argsort()[:4]]


# A real language model


@diagram("chat", "A question in the chat template, token by token", 424)
def chat(picture):
    picture.text(16, 26, "what we write: 16 tokens", "muted", anchor="start")
    begin, end, line = "<|im_start|>", "<|im_end|>", "\u21b5"
    draw_turn(picture, 44, [begin, "user", line, "What", "is", "the", "capital"])
    draw_turn(picture, 90, ["of", "France", "?", end, line])
    draw_turn(picture, 136, [begin, "ass", "istant", line])
    picture.text(16, 212, "what the model writes", "muted", anchor="start")
    draw_turn(picture, 230, ["The", "capital", "of", "France", "is", "Paris", ".", end], True)
    picture.arrow((486, 304), (486, 270), kind="back")
    picture.text(486, 318, "stop here", "back")
    picture.text(16, 352, "what becomes of <|im_end|> if a user types it", "muted", anchor="start")
    draw_turn(picture, 370, ["<", "|", "im", "_", "end", "|", ">"])


def draw_turn(picture, y, tokens, dashed=False):
    """Tokens beside one another; special ones have a colour."""
    x = 16
    for token in tokens:
        kind, letter = ("query", 10) if len(token) > 7 else ("paper", 9)
        width = 18 + letter * len(token)
        picture.box(x, y, width, 36, token, kind, bold=False, dashed=dashed and kind == "paper")
        x += width + 5


# Summary


@diagram("transformer", "Where the pieces sit in a Transformer", 720)
def transformer(picture):
    picture.box(170, 20, 220, 40, "words", bold=False)
    picture.arrow((280, 62), (280, 88))
    picture.box(130, 90, 300, 40, "vectors + positions")
    about(picture, 462, 110, "positions")
    picture.frame(60, 150, 484, 480)
    picture.text(528, 172, "one block", "muted", anchor="end")
    draw_part(picture, top=132, height=110)
    draw_attention(picture)
    draw_part(picture, top=408, height=44)
    picture.text(280, 538, "feed-forward network", size=LARGE, bold=True)
    picture.lines(486, 526, "each word", "alone", kind="muted")
    picture.arrow((280, 618), (280, 666))
    picture.text(300, 650, "… and the next block", "muted", anchor="start")
    picture.box(130, 668, 300, 42, "a new vector per word", "output")


def draw_part(picture, top, height):
    """A norm and the box of a part, and the way past both, which ends where they are added."""
    end = top + 146 + height
    picture.arrow((280, top), (280, top + 50))
    picture.box(206, top + 52, 148, 36, "norm", bold=False)
    picture.arrow((280, top + 90), (280, top + 106))
    picture.box(130, top + 108, 300, height)
    picture.arrow((280, top + 110 + height), (280, top + 126 + height))
    picture.box(206, top + 128 + height, 148, 36, "add", bold=False)
    picture.line((280, top + 34), (96, top + 34), (96, end))
    picture.arrow((96, end), (204, end))


def draw_attention(picture):
    """What the box of multi-head attention holds."""
    picture.text(280, 262, "multi-head attention", size=LARGE, bold=True)
    about(picture, 462, 262, "multi_head_attention")
    for k, (name, role) in enumerate((("queries", "query"), ("keys", "key"), ("values", "value"))):
        picture.box(142 + 94 * k, 282, 88, 34, name, role, bold=False)
    picture.text(280, 332, "compare, weigh, add up")
    about(picture, 462, 306, "attention_pooling")


# The whole Transformer


@diagram("poster", "From tokens to the next token: every matrix of SmolLM2", 880)
def poster(picture):
    """The whole path with every matrix, in the sizes of SmolLM2."""
    picture.box(12, 10, 212, 36, "the dog was: n tokens", bold=False)
    picture.arrow((50, 48), (50, 64))
    picture.line((50, 102), (50, 800), kind="output", width=9)
    matrix(picture, 12, 66, 76, "E", "49,152 × 576")
    picture.text(548, 85, "a row for each: n × 576", anchor="end")
    picture.frame(24, 114, 526, 638)
    picture.text(538, 142, "one of 30 blocks", "muted", anchor="end")
    read_through_norm(picture, 122)
    draw_wide_heads(picture)
    add_to_stream(picture, 438, "W_o", "576 × 576")
    read_through_norm(picture, 482)
    draw_gates(picture)
    add_to_stream(picture, 684, "W_2", "1,536 × 576")
    picture.text(316, 738, "and 29 more such blocks", "muted")
    read_through_norm(picture, 768)
    picture.arrow((152, 788), (182, 788))
    matrix(picture, 184, 769, 76, "Eᵀ", "576 × 49,152, the same E")
    picture.lines(
        290, 830, "a score for each token: n × 49,152;", "their softmax bets on the next one"
    )


def matrix(picture, x, y, width, name, size):
    """A matrix, with its size beside it."""
    picture.box(x, y, width, 38, name)
    picture.text(x + width + 10, y + 19, size, "muted", anchor="start")


def read_through_norm(picture, y):
    picture.arrow((54, y + 20), (82, y + 20))
    picture.box(84, y + 2, 66, 36, "norm", bold=False)


def add_to_stream(picture, y, name, size):
    matrix(picture, 190, y, 220, name, size)
    picture.arrow((188, y + 19), (70, y + 19))
    picture.add("circle", cx=50, cy=y + 19, r=17, class_="paper to-output", stroke_width=3)
    picture.text(50, y + 19, "+", size=26, bold=True)


def draw_wide_heads(picture):
    """From the norm to what all heads have found: queries, keys and values, and weights."""
    picture.line((117, 162), (117, 172))
    for k, (name, role) in enumerate((("q", "query"), ("k", "key"), ("v", "value"))):
        x, heads = 84 + 154 * k, 3 if k else 9
        picture.box(x, 174, 144, 38, f"W_{name}", role)
        picture.text(x + 72, 228, f"{heads} × 576 × 64", "muted")
        picture.text(x + 72, 252, f"{name.upper()}: {heads} × n × 64")
    told = "queries and keys are turned by their places;", "each key head serves 3 query heads"
    picture.lines(310, 282, *told)
    picture.box(84, 324, 452, 38, "softmax(Q Kᵀ / √64), causal", "weight")
    picture.lines(310, 382, "weights: 9 × n × n", "weights times V, end to end: n × 576", step=26)


def draw_gates(picture):
    """From the norm to the hidden numbers of the network."""
    picture.line((117, 522), (117, 530))
    for k, (name, makes) in enumerate((("W_g", "gates"), ("W_1", "numbers"))):
        x = 84 + 231 * k
        picture.box(x, 532, 221, 38, name)
        picture.text(x + 110, 586, "576 × 1,536", "muted")
        picture.text(x + 110, 610, f"{makes}: n × 1,536")
    picture.box(84, 630, 452, 38, "silu(gates) ⊙ numbers", "weight")


@diagram("two-stacks", "An encoder reads, a decoder writes, and cross-attention joins them", 560)
def two_stacks(picture):
    draw_stack(picture, 12, "encoder", "the black dog", "sees every word")
    part(picture, 12, 264, "feed-forward", "each word alone")
    picture.frame(12, 152, 232, 186)
    picture.arrow((128, 340), (128, 374))
    picture.box(28, 376, 200, 42, "a vector per word", "output", bold=False)
    draw_stack(picture, 316, "decoder", "le chien", "looks back only")
    draw_cross_attention(picture)
    part(picture, 316, 388, "feed-forward", "each word alone")
    picture.frame(316, 152, 232, 310)
    picture.line((230, 397), (280, 397), (280, 327), kind="output", width=4)
    picture.arrow((280, 327), (322, 327), kind="output", width=4)
    picture.arrow((432, 464), (432, 498))
    picture.box(332, 500, 200, 42, "next word: noir", "output", bold=False)


def draw_stack(picture, x, name, words, looks):
    """What encoder and decoder have in common: words, vectors, and attention among themselves."""
    picture.text(x + 116, 20, name, size=LARGE, bold=True)
    picture.box(x + 16, 38, 200, 36, words, bold=False)
    picture.arrow((x + 116, 76), (x + 116, 96))
    picture.box(x + 16, 98, 200, 36, "vectors + positions", bold=False)
    picture.arrow((x + 116, 136), (x + 116, 164))
    part(picture, x, 166, "self-attention", looks)
    picture.arrow((x + 116, 230), (x + 116, 262))


def part(picture, x, y, name, does):
    picture.box(x + 16, y, 200, 62)
    picture.text(x + 116, y + 21, name, size=LARGE, bold=True)
    picture.text(x + 116, y + 45, does)


def draw_cross_attention(picture):
    """The keys and values come from the other stack, the queries from this one."""
    picture.box(324, 264, 216, 92)
    picture.text(432, 286, "cross-attention", size=LARGE, bold=True)
    for k, (name, role) in enumerate((("keys", "key"), ("values", "value"), ("queries", "query"))):
        x, width = ((329, 56), (389, 68), (461, 74))[k]
        picture.box(x, 310, width, 34, name, role, bold=False)
    picture.arrow((432, 358), (432, 386))


def main(names=None):
    """Write the diagrams with these names, or all."""
    for name in names or DIAGRAMS:
        if name not in DIAGRAMS:
            sys.exit(f"there is no diagram {name}; there are {', '.join(DIAGRAMS)}")
        (IMAGES / f"{name}.svg").write_text(DIAGRAMS[name]().svg(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
