"""The search of the built book: what is found first, what a result shows, odd words."""

import json
import re
from pathlib import Path

import pytest
from book.chapters import built
from checks import run

from bookwork.build.build_web import NODE

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "_build" / "html" / "search-index.js"
LOOK_UP = ROOT / "tests" / "look_up.mjs"
FIRST = {
    "softmax temperature": "Temperature: from a look-up to an average",
    "what is the temperature of a softmax": "Temperature: from a look-up to an average",
    "temperatures": "Temperature: from a look-up to an average",
    "temper": "Temperature: from a look-up to an average",
    "query": "Queries, keys and values",
    "queries": "Queries, keys and values",
    "self-attention": "Self-attention",
    "self attention": "Self-attention",
    "multihead": "Multi-head attention",
    "MULTI HEAD": "Multi-head attention",
    "attention pooling": "The general formula: attention pooling",
    "scaling scores": "Scaled: keep the scores small",
    "additive": "Additive: a small network",
    "dot product": "The dot product, and why length matters",
    "gradient": "Carry a gradient back",
    "heatmap": "How to read a heatmap",
    "feedforward network": "After attention: the feed-forward network",
    "cheat sheet": "Cheat sheet",
    "teachers": "For teachers",
    "causal mask": "causal mask",
    "saturated": "saturation",
    "normalize": "normalise",
    "normalisation": "normalise",
    "matrices": "Multiplicative: a matrix in between",
    "induction head": "induction head",
    "Alchemist": "Searching for The Alchemist",
    "real model heads": "Two heads of a real model",
    "shape": "How to read a shape",
    "epanechnikov": "Epanechnikov, 1969",
    '"dot product"': "The dot product, and why length matters",
    "dot.*product": "The dot product, and why length matters",
    "<b>temperature</b>": "Temperature: from a look-up to an average",
    "ｓｏｆｔｍａｘ ｔｅｍｐｅｒａｔｕｒｅ": "Temperature: from a look-up to an average",
}
NOTHING = [
    *("constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "prototype"),
    *("注意力", "внимание", "ψυχή", "zebra", "xyzzy" * 50, "q" * 10_000),
]
NO_WORD = ["", "   ", "???", ".*", "'\"`", "<>", "%", "\\", "🙂"]
INSTEAD = {
    "softmx": ["softmx", "softmax"],
    "sotfmax": ["sotfmax", "softmax"],
    "heatmpa": ["heatmpa", "heatmap"],
    "temprature": ["temprature", "temperature"],  # codespell:ignore
    "license": ["license", "licence"],
    "vaule": ["vaule", "value"],  # codespell:ignore
    "quanitzation": ["quanitzation", "quantisation"],  # codespell:ignore
}
AS_TYPED = ["dark mode", "beam", "bleu", "keyboard"]  # which are no slips, nor names of authors
# What readers type, and where one of the first three places should be: a chapter, or an entry of
# the glossary (term), of the references (work) or of the library (reference).
ASKED = {
    "why does attention need positional encoding": "positions",
    "positional encoding": "positions",
    "qkv": "queries_keys_values",
    "softmx": "attention_pooling term",
    "NaN": "self_attention in_other_words scoring_functions reference",
    "why divide by sqrt d_k": "scoring_functions",
    "what is a transformer": "whole_transformer",
    "how does chatgpt work": "a_model_that_writes a_real_language_model",
    "kv cache": "making_it_fast term",
    "flash attention": "making_it_fast",
    "rope": "positions",
    "rotary embeddings": "positions",
    "what is a token": "a_model_that_writes self_attention term",
    "layer normalization": "whole_transformer",
    "residual connection": "whole_transformer term",
    "skip connections": "whole_transformer",
    "vanishing gradients": "how_attention_learns",
    "backpropagation": "how_attention_learns",
    "why are there multiple heads": "multi_head_attention",
    "number of attention heads": "multi_head_attention",
    "difference between encoder and decoder": "whole_transformer",
    "cross attention": "whole_transformer term",
    "masked self attention": "self_attention",
    "look ahead mask": "self_attention scoring_functions term",
    "padding": "self_attention term",
    "bahdanau": "why_attention scoring_functions",
    "seq2seq bottleneck": "why_attention",
    "RNN": "why_attention",
    "attention is all you need": "whole_transformer work",
    "quadratic complexity": "making_it_fast",
    "why is attention O(n^2)": "making_it_fast",
    "linear attention": "what_came_after term",
    "mamba": "what_came_after",
    "sliding window attention": "what_came_after",
    "attention sink": "what_came_after looking_inside term",
    "vision transformer": "what_came_after",
    "is attention an explanation": "looking_inside",
    "induction heads": "looking_inside how_attention_learns term",
    "logit lens": "a_real_language_model",
    "quantization": "a_real_language_model making_it_fast",
    "perplexity": "a_model_that_writes",
    "cross entropy loss": "a_model_that_writes how_attention_learns",
    "top p sampling": "a_model_that_writes",
    "temprature": "attention_pooling term",  # codespell:ignore
    "multi haed attention": "multi_head_attention",
    "kernal regression": "attention_pooling term",  # codespell:ignore
    "nadaraya watson": "attention_pooling",
    "byte pair encoding": "a_model_that_writes",
    "grouped query attention": "making_it_fast",
    "gelu": "whole_transformer",
    "pytorch": "in_other_words multi_head_attention self_attention",
    "how do i run the code": "welcome",
    "dictionary lookup": "queries_keys_values",
    "cosine similarity": "scoring_functions",
    "translation alignment": "why_attention",
    "what does the softmax do": "attention_pooling term",
    "gradient of softmax": "how_attention_learns",
    "can a transformer read longer texts than it was trained on": "positions",
    "what do wq wk wv do": "self_attention",
    "does word order matter in attention": "self_attention positions",
    "hugging face": "in_other_words",
    "chat template": "a_real_language_model",
    "download the notebooks": "teaching welcome",
    "multi query attention": "making_it_fast",
    "how do transformers handle long text": "positions making_it_fast",
    "next word prediction": "a_model_that_writes",
    "how does training work": "how_attention_learns",
    "difference between attention and convolution": "what_came_after",
    "quantisation": "a_real_language_model",
    "quanitzation": "a_real_language_model",  # codespell:ignore
    "O(n2)": "making_it_fast",
    "KQV": "queries_keys_values",
    "fp16": "making_it_fast",
    "lstm": "why_attention",
    "unembedding": "a_real_language_model a_model_that_writes",
    "numerical stability": "attention_pooling making_it_fast",
    "underflow": "attention_pooling making_it_fast",
}
NAMES = {"causal_mask": "causal_mask", "np.roll": "Read word by word", "searchsorted": None}


@pytest.fixture(scope="module")
def answers():
    """Return what the search page finds, for all queries of this file at once."""
    queries = [
        *FIRST,
        *NOTHING,
        *NO_WORD,
        *INSTEAD,
        *AS_TYPED,
        *ASKED,
        *NAMES,
        "the",
        "k",
        "T",
        "a " * 5000,
    ]
    done = run(NODE, LOOK_UP, INDEX, json.dumps(queries))
    assert done.returncode == 0, done.stderr
    return dict(zip(queries, json.loads(done.stdout), strict=True))


@pytest.fixture(scope="module")
def index():
    text = INDEX.read_text(encoding="utf-8")
    return json.loads(text.removeprefix("window.bookSearchIndex = ").removesuffix(";\n"))


def test_the_section_that_a_query_means_comes_first(answers):
    assert {query: answers[query]["shown"][0]["title"] for query in FIRST} == FIRST


def test_what_readers_ask_is_answered_among_the_first_three(answers):
    where = {
        query: [
            (Path(one["href"].partition("#")[0]), one["kind"]) for one in answers[query]["shown"]
        ]
        for query in ASKED
    }
    is_there = {
        query: [
            bool({page.stem, page.parts[0], kind} & {*ASKED[query].split()}) for page, kind in some
        ]
        for query, some in where.items()
    }
    assert [query for query, right in is_there.items() if not any(right[:3])] == []


def test_a_short_word_is_meant_as_it_stands(answers):
    marked = [
        piece["text"]
        for one in answers["NaN"]["shown"]
        for piece in one["passage"]
        if piece["found"]
    ]
    assert set(marked) == {"NaN"}  # and not Nanda


def test_a_result_leads_to_a_place_in_its_page(answers):
    for query in FIRST:
        for result in answers[query]["shown"]:
            page, _, anchor = result["href"].partition("#")
            assert f'id="{anchor}"' in (INDEX.parent / page).read_text(encoding="utf-8")


def test_words_that_the_book_has_not_find_nothing_and_break_nothing(answers):
    assert [query for query in NOTHING if answers[query]["count"]] == []


def test_what_holds_no_word_asks_for_nothing(answers):
    assert [answers[query]["keywords"] for query in NO_WORD] == [[]] * len(NO_WORD)


def test_a_slip_of_the_fingers_gets_the_word_that_was_meant(answers):
    assert {query: answers[query]["instead"][0] for query in INSTEAD} == INSTEAD


def test_what_is_no_slip_is_not_mended(answers):
    assert [query for query in AS_TYPED if answers[query]["instead"]] == []


def test_small_words_count_only_where_there_is_nothing_else(answers):
    assert len(answers["what is the temperature of a softmax"]["keywords"]) == 2
    assert answers["the"]["keywords"] == ["the"]
    assert answers["a " * 5000]["keywords"] == ["a"]


def test_a_letter_is_found_as_a_letter_and_not_as_a_beginning(answers):
    found = [piece["text"] for one in answers["k"]["shown"] for piece in one["passage"]]
    marked = [piece for one in answers["k"]["shown"] for piece in one["passage"] if piece["found"]]
    assert {piece["text"] for piece in marked} <= {"k", "K"}
    assert found
    assert answers["T"]["count"] < 40


def test_names_in_code_are_found(answers):
    shown = {name: answers[name]["shown"] for name in NAMES}
    assert {name: some[0]["title"] if some else None for name, some in shown.items()} == NAMES


def test_a_passage_is_prose_and_has_the_words(answers):
    for query in FIRST:
        for result in answers[query]["shown"]:
            passage = "".join(piece["text"] for piece in result["passage"])
            assert len(passage) < 320
            assert not re.search(r"\\[a-zA-Z(\[]|\{|\}", passage), passage
            marked = [piece["text"] for piece in result["passage"] if piece["found"]]
            assert marked or result["kind"] != "section" or not passage or "…" in passage


def test_hints_and_solutions_are_not_in_the_index(index):
    texts = [entry["text"] for chapter in index["chapters"] for entry in chapter["entries"]]
    assert not [text for text in texts if "Show the hint" in text or "Solution to" in text]
    chapter = (ROOT / "chapters" / "attention_pooling.md").read_text(encoding="utf-8")
    hint = re.search(r"\{dropdown\} [^\n]*\n:class-container: book-hint\n+([^\n]{20,40})", chapter)
    assert hint
    assert not [text for text in texts if hint[1].rstrip() in text]


def test_every_chapter_is_in_the_index_in_its_order(index):
    pages = [Path(chapter["href"]).stem for chapter in index["chapters"]]
    assert pages[:3] == ["welcome", "why_attention", "queries_keys_values"]
    files = [*(ROOT / "chapters").glob("*.md"), *(ROOT / "reference").glob("*.md")]
    assert sorted(pages) == sorted(file.stem for file in files)


def test_the_address_of_the_index_changes_with_it():
    page = built("search.html")
    assert re.search(r'data-index="search-index\.js\?v=[0-9a-f]{8}"', page)
    assert re.search(r'src="_static/book/search\.js\?v=[0-9a-f]{8}"', page)
