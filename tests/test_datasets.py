"""The data files: what they hold, that they agree with each other, and what a damaged one says."""

import dataclasses
import filecmp
import io
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from checks import refuses

from attention_lib import (
    causal_mask,
    datasets,
    decoder_logits,
    generate,
    multi_head_attention,
    rms_norm,
    transformer_block,
)
from attention_lib.datasets import (
    DatasetError,
    load_book_titles,
    load_digits,
    load_first_names,
    load_law_schools,
    load_look_back,
    load_measures,
    load_minilm_attention,
    load_minilm_block,
    load_minilm_heads,
    load_minilm_layer,
    load_minilm_vocabulary,
    load_names_model,
    load_smollm2_heads,
    load_translator,
    load_word_vectors,
    load_writer,
)
from attention_lib.next_token import Spelling
from attention_lib.training import bits, cross_entropy, measure

DOG_SENTENCE = "When he saw his owner , the dog was happy , so he wagged his tail"
FLOAT16_ROW = 1e-3  # a row of n <= 19 float16 weights: each is within 2**-12 of the exact one
FLOAT16_HEAD = 1e-3  # weights recomputed from float16 projections and inputs
INT8_LAYER = 2e-2  # the same from 8-bit projections

LOADERS = {
    "glove6b_50d_subset.npz": lambda: load_word_vectors(50),
    "glove6b_100d_subset.npz": lambda: load_word_vectors(100),
    "book_titles.csv": load_book_titles,
    "minilm_book_titles.npz": load_book_titles,
    "lawsch85_gpa_salary.csv": load_law_schools,
    "minilm_attention.npz": load_minilm_attention,
    "minilm_layer3_int8.npz": load_minilm_layer,
    "minilm_feed_forward3_int8.npz": load_minilm_block,
    "minilm_heads.npz": load_minilm_heads,
    "minilm_layer0_live.npz": load_minilm_vocabulary,
    "smollm2_causal_heads.npz": load_smollm2_heads,
    "first_names.txt": load_first_names,
    "look_back.npz": load_look_back,
    "digits.npz": load_digits,
    "translator.npz": load_translator,
    "writer_shakespeare.npz": load_writer,
    "writer_shakespeare.json": load_writer,
    "writer_measures.json": load_measures,
    "names_model.npz": load_names_model,
    "names_model.json": load_names_model,
}
WITHOUT_ARRAYS = ("first_names.txt", "writer_measures.json")
WITH_ARRAYS = {name: loader for name, loader in LOADERS.items() if name not in WITHOUT_ARRAYS}
NPZ = [name for name in LOADERS if name.endswith(".npz")]
CSV = [name for name in LOADERS if name.endswith(".csv")]
ADVICE = r"\. Install attention_lib again, or, in a clone of the book, run `git checkout"


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def weights_of(Q, K):
    return softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))  # (..., n, n)


def arrays_in(thing):
    """Every array inside a loaded object, however deep."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            yield from arrays_in(getattr(thing, field.name))
    elif hasattr(thing, "values"):
        yield from arrays_in(tuple(thing.values()))
    elif isinstance(thing, tuple):
        for item in thing:
            yield from arrays_in(item)


def look(sentence, weights, query, key):
    """The weight with which the last `query` looks at the first `key`."""
    n = len(sentence.tokens)
    row = n - 1 - sentence.tokens[::-1].index(query)
    return float(weights[row, sentence.tokens.index(key)])


# What is loaded


@pytest.mark.parametrize("loader", WITH_ARRAYS.values(), ids=WITH_ARRAYS)
def test_arrays_are_read_only_and_have_the_promised_types(loader):
    arrays = list(arrays_in(loader()))
    assert arrays
    wide = {"gpa", "salary"}
    doubles = {id(getattr(loader(), name)) for name in wide if hasattr(loader(), name)}
    for array in arrays:
        assert not array.flags.writeable
        expected = np.float64 if id(array) in doubles else (np.float32, np.int32)
        assert array.dtype in np.atleast_1d(expected)
        assert np.isfinite(array).all()


def test_a_reader_cannot_poison_the_cache():
    with pytest.raises(ValueError, match="read-only"):
        load_word_vectors(50).vector("dog")[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        load_word_vectors(50).words = ()
    load_word_vectors(50).matrix(["dog"])[0, 0] = 99
    assert load_word_vectors(50).vector("dog")[0] != 99
    with pytest.raises(TypeError):
        load_smollm2_heads().texts["dog"] = None


@pytest.mark.parametrize("loader", LOADERS.values(), ids=LOADERS)
def test_a_second_call_returns_the_same_object(loader):
    assert loader() is loader()


def test_word_vectors_are_one_object_however_they_are_asked_for():
    assert load_word_vectors() is load_word_vectors(100) is load_word_vectors(dimension=100)
    assert load_word_vectors(np.int64(50)) is load_word_vectors(50)


def test_importing_the_module_reads_no_file():
    code = (
        "import sys; opened = []\n"
        "sys.addaudithook(lambda event, args: event == 'open' and opened.append(str(args[0])))\n"
        "import attention_lib.datasets\n"
        "ends = '.npz', '.csv', '.txt', '.json'\n"
        "assert not [p for p in opened if p.endswith(ends)], opened\n"
        "assert not {'matplotlib', 'ipywidgets'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_shapes_of_tables():
    books, schools = load_book_titles(), load_law_schools()
    assert len(books.titles) == len(books.authors) == len(books.years) == 48
    assert books.title_vectors.shape == books.title_author_vectors.shape == (48, 384)
    assert books.query_vectors.shape == (len(books.queries), 384) == (13, 384)
    assert all(column.shape == (142,) for column in arrays_in(schools))
    for dimension, count in ((50, 389), (100, 387)):
        glove = load_word_vectors(dimension)
        assert glove.vectors.shape == (count, dimension) == (len(glove.words), dimension)
        assert glove.rank.shape == (count,)
        assert glove.mean.shape == (dimension,)
        assert glove.components.shape == (16, dimension)


def test_shapes_of_heads():
    layer, vocabulary = load_minilm_layer(), load_minilm_vocabulary()
    assert layer.W_q.shape == layer.W_k.shape == layer.W_v.shape == (12, 384, 32)
    assert layer.b_q.shape == layer.b_k.shape == layer.b_v.shape == (12, 32)
    assert layer.W_o.shape == (384, 384)
    assert layer.b_o.shape == layer.norm_gain.shape == layer.norm_bias.shape == (384,)
    assert vocabulary.embeddings.shape == (397, 384) == (len(vocabulary.tokens), 384)
    assert vocabulary.positions.shape == (32, 384)
    heads = [(head.layer, head.number) for head in load_minilm_heads()]
    assert heads == [(1, 3), (1, 8), (2, 0), (2, 8), (4, 5), (5, 11)]
    assert [(head.layer, head.number) for head in vocabulary.heads] == [
        (0, h) for h in (1, 2, 8, 10)
    ]
    for head in (*load_minilm_heads(), *vocabulary.heads):
        assert head.W_q.shape == head.W_k.shape == head.W_v.shape == (384, 32)
        assert head.b_q.shape == head.b_k.shape == head.b_v.shape == (32,)
    for sentence in (*layer.sentences, *load_minilm_heads()[0].sentences):
        assert sentence.X.shape == (len(sentence.tokens), 384)


# Files agree with each other


def test_rows_of_weights_are_nonnegative_and_sum_to_one():
    smollm2 = load_smollm2_heads()
    for sentence in (*load_minilm_attention(), *smollm2.texts.values()):
        n = len(sentence.tokens)
        assert sentence.weights.shape[-2:] == (n, n)
        assert (sentence.weights >= 0).all()
        np.testing.assert_allclose(sentence.weights.sum(axis=-1), 1, atol=FLOAT16_ROW)
    assert {s.weights.shape[:2] for s in load_minilm_attention()} == {(6, 12)}
    assert {len(s.weights) for s in smollm2.texts.values()} == {len(smollm2.heads)} == {8}


def test_all_files_have_the_same_eight_sentences():
    stored = [(s.text, s.tokens) for s in load_minilm_attention()]
    assert len(stored) == 8
    for owner in (load_minilm_layer(), *load_minilm_heads()):
        assert [(s.text, s.tokens) for s in owner.sentences] == stored


def test_layer_3_recomputed_gives_the_stored_weights():
    layer = load_minilm_layer()
    for sentence, stored in zip(layer.sentences, load_minilm_attention(), strict=True):
        Q, K, V = layer.project(sentence.X)
        assert V.shape == (12, len(sentence.tokens), 32)
        np.testing.assert_allclose(weights_of(Q, K), stored.weights[3], atol=INT8_LAYER)


def test_other_heads_recomputed_give_the_stored_weights():
    for head in load_minilm_heads():
        for sentence, stored in zip(head.sentences, load_minilm_attention(), strict=True):
            Q, K, _ = head.project(sentence.X)
            expected = stored.weights[head.layer, head.number]
            np.testing.assert_allclose(weights_of(Q, K), expected, atol=FLOAT16_HEAD)


def test_layer_0_run_on_a_sentence_gives_the_stored_weights():
    vocabulary = load_minilm_vocabulary()
    for stored in load_minilm_attention():
        sentence = vocabulary.embed(stored.text)
        assert sentence.tokens == stored.tokens
        for head in vocabulary.heads:
            Q, K, _ = head.project(sentence.X)
            expected = stored.weights[0, head.number]
            np.testing.assert_allclose(weights_of(Q, K), expected, atol=FLOAT16_HEAD)


def test_project_is_the_written_out_sum():
    layer, X = load_minilm_layer(), load_minilm_layer().sentences[4].X
    Q, K, V = layer.project(X)
    for projected, W, b in (
        (Q, layer.W_q, layer.b_q),
        (K, layer.W_k, layer.b_k),
        (V, layer.W_v, layer.b_v),
    ):
        entry = sum(float(X[7, i]) * float(W[5, i, 9]) for i in range(384)) + float(b[5, 9])
        assert projected[5, 7, 9] == pytest.approx(entry, abs=1e-4)


def test_8_bit_weights_are_their_codes_times_one_scale_per_column():
    layer = load_minilm_layer()
    with np.load(datasets._FOLDER / "minilm_layer3_int8.npz") as file:
        codes = {key: file[f"W{key}"].astype(float) * file[f"s{key}"] for key in "qkvo"}
        plain = {key: file[key] for key in ("bk", "bo", "ln_g", "ln_b")}
    np.testing.assert_allclose(layer.W_o, codes["o"], rtol=1e-6)
    for head in range(12):
        columns = slice(32 * head, 32 * head + 32)
        np.testing.assert_allclose(layer.W_q[head], codes["q"][:, columns], rtol=1e-6)
        np.testing.assert_allclose(layer.W_k[head], codes["k"][:, columns], rtol=1e-6)
        np.testing.assert_allclose(layer.W_v[head], codes["v"][:, columns], rtol=1e-6)
        np.testing.assert_array_equal(layer.b_k[head], plain["bk"][columns])
    np.testing.assert_array_equal(layer.b_o, plain["bo"])
    np.testing.assert_array_equal(layer.norm_gain, plain["ln_g"])
    np.testing.assert_array_equal(layer.norm_bias, plain["ln_b"])


@pytest.mark.parametrize("i", range(8))
def test_the_block_of_minilm_makes_what_minilm_makes(i):
    block = load_minilm_block()
    X, W = block.sentences[i].X, block.parameters
    output = transformer_block(X, W, norm="after", activation="gelu")
    assert output.dtype == np.float32
    assert distance(output, block.outputs[i]) < INT8_LAYER
    without = {name: array for name, array in W.items() if name != "b_1"}
    changed = transformer_block(X, without, norm="after", activation="gelu")
    assert distance(changed, block.outputs[i]) > 4 * INT8_LAYER


def distance(output, original):
    """Return how far an output is from the original, as a share of its length."""
    return np.linalg.norm(output - original) / np.linalg.norm(original)


def test_the_network_of_the_block_is_its_codes_times_one_scale_per_column():
    W = load_minilm_block().parameters
    with np.load(datasets._FOLDER / "minilm_feed_forward3_int8.npz") as file:
        for key in "12":
            codes = file[f"W{key}"].astype(float) * file[f"s{key}"]
            np.testing.assert_allclose(W[f"W_{key}"], codes, rtol=1e-6)
            np.testing.assert_array_equal(W[f"b_{key}"], file[f"b{key}"])
        np.testing.assert_array_equal(W["gain_2"], file["ln_g"])
        np.testing.assert_array_equal(W["bias_2"], file["ln_b"])
    np.testing.assert_array_equal(W["W_v"], load_minilm_layer().W_v)


def translated(english):
    """Return the French sentence, word by word, and where each word looked."""
    t = load_translator()
    names, row = ("W_q", "W_k", "W_v", "W_o"), [*map(t.english.index, english.split()), 0]
    X = t.source["E"][row] + t.source["P"][: len(row)]
    memory = rms_norm(transformer_block(X, t.encoder), t.source["gain"])
    said = [0]
    while said[1:].count(0) == 0 and len(said) < 10:
        Y = t.target["E"][said] + t.target["P"][: len(said)]
        own, cross = ({name: part[name] for name in names} for part in (t.decoder, t.cross))
        A = rms_norm(Y, t.decoder["gain_1"])
        Y = Y + multi_head_attention(A, **own, mask=causal_mask(len(said)))[0]
        A = rms_norm(Y, t.cross["gain"])
        found, weights = multi_head_attention(A, **cross, context=memory)
        A = rms_norm(Y + found, t.decoder["gain_2"])
        Y = Y + found + np.maximum(0, A @ t.decoder["W_1"]) @ t.decoder["W_2"]
        said.append(int((rms_norm(Y[-1], t.target["gain"]) @ t.target["U"]).argmax()))
    return " ".join(t.french[i] for i in said[1:-1]), weights[0]


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("the small black dog sees a red car", "le petit chien noir voit une voiture rouge"),
        ("a white cow loves the green house", "une vache blanche aime la maison verte"),
        ("the door wants a pretty garden", "la porte veut un joli jardin"),
        ("a big red book finds the horse", "un grand livre rouge trouve le cheval"),
    ],
)
def test_the_translator_translates_and_looks_at_the_word_it_translates(english, french):
    said, weights = translated(english)
    assert said == french
    words = english.split()
    looked = [words[j] if j < len(words) else "end" for j in weights[:-1].argmax(axis=1)]
    assert sorted(looked) == sorted(words)


def test_components_are_orthonormal_and_the_largest_entry_is_positive():
    for dimension in (50, 100):
        C = load_word_vectors(dimension).components
        np.testing.assert_allclose(C @ C.T, np.eye(16), atol=1e-5)
        assert (C.max(axis=1) == np.abs(C).max(axis=1)).all()


def test_vectors_of_titles_and_queries_have_length_one():
    books = load_book_titles()
    for vectors in (books.title_vectors, books.title_author_vectors, books.query_vectors):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)


# What the chapters say about them


def test_neighbours_of_dog():
    neighbours = load_word_vectors(100).nearest("Dog")
    assert [word for word, _ in neighbours] == ["cat", "dogs", "pet", "puppy", "horse"]
    cosines = [cosine for _, cosine in neighbours]
    assert cosines == sorted(cosines, reverse=True)
    assert cosines[0] == pytest.approx(0.88, abs=0.005)
    assert len(load_word_vectors(50).nearest("dog", k=1000)) == 388


def test_raw_attention_of_the_dog_sentence_is_nearly_the_identity():
    def entropy(X, scale):
        weights = softmax(X @ X.T / scale)  # (16, 16)
        return -(weights * np.log(weights + 1e-300)).sum(axis=1).mean()

    short, long = (load_word_vectors(d).matrix(DOG_SENTENCE).astype(float) for d in (50, 100))
    assert entropy(long, scale=1) == pytest.approx(0.46, abs=0.005)
    assert entropy(short, scale=1) == pytest.approx(0.88, abs=0.005)
    assert entropy(long, scale=np.sqrt(100)) == pytest.approx(2.46, abs=0.005)


def test_related_words_after_removing_mean_and_components():
    glove = load_word_vectors(100)
    words = DOG_SENTENCE.lower().split()
    X, C = glove.matrix(words) - glove.mean, glove.components[:3]  # (n, d), (3, d)
    X = X - X @ C.T @ C
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    scores = np.where(np.equal.outer(words, words), -np.inf, 10 * X @ X.T)  # (n, n)
    weights = softmax(scores)
    pairs = [("tail", "wagged"), ("wagged", "tail"), ("owner", "dog"), ("happy", "so")]
    found = [weights[words.index(query), words.index(key)] for query, key in pairs]
    assert found == pytest.approx([0.66, 0.70, 0.32, 0.73], abs=0.006)


def test_words_i_and_a_have_vectors_of_length_50_only():
    assert {"i", "a"} == set(load_word_vectors(50).words) - set(load_word_vectors(100).words)
    assert load_word_vectors(50).matrix("I like Natural Language Processing , a lot !").shape == (
        9,
        50,
    )


def test_upper_case_makes_no_difference():
    glove = load_word_vectors(50)
    np.testing.assert_array_equal(glove.vector("DOG"), glove.vectors[glove.words.index("dog")])
    np.testing.assert_array_equal(glove.matrix(["Dog", "the"]), glove.matrix("dog The"))


def test_ranks_are_those_of_frequency():
    glove = load_word_vectors(50)
    assert glove.rank[glove.words.index("the")] == 0
    assert glove.rank[glove.words.index("dog")] == 2926
    assert load_word_vectors(100).rank[load_word_vectors(100).words.index("dog")] == 2769


def test_head_2_of_layer_0_looks_at_the_previous_token():
    for sentence in load_minilm_attention():
        previous = np.diagonal(sentence.weights[0, 2], offset=-1)
        assert (previous > 0.95).all()


def test_head_1_of_layer_3_follows_the_nouns_when_they_are_swapped():
    dog, swapped = load_minilm_attention()[:2]
    assert look(dog, dog.weights[3, 1], "his", "dog") == pytest.approx(0.59, abs=0.005)
    assert look(dog, dog.weights[3, 1], "saw", "owner") == pytest.approx(0.49, abs=0.005)
    assert look(dog, dog.weights[3, 1], "##gged", "tail") == pytest.approx(0.56, abs=0.005)
    assert look(swapped, swapped.weights[3, 1], "his", "owner") == pytest.approx(0.56, abs=0.005)
    assert look(swapped, swapped.weights[3, 1], "his", "dog") < 0.2


def test_head_1_of_layer_3_rebuilt_from_8_bits_still_follows_the_nouns():
    layer = load_minilm_layer()
    for sentence, noun in zip(layer.sentences, ("dog", "owner", "dog", "owner"), strict=False):
        Q, K, _ = layer.project(sentence.X)
        row = len(sentence.tokens) - 3
        assert sentence.tokens[row] == "his"
        assert sentence.tokens[weights_of(Q, K)[1, row].argmax()] == noun


def test_other_heads_do_what_their_labels_say():
    sentences = load_minilm_attention()
    dog, tired, wide, king = sentences[0], *sentences[5:8]
    assert look(king, king.weights[1, 3], "she", "queen") == pytest.approx(0.58, abs=0.005)
    assert np.diagonal(dog.weights[1, 8], offset=1).mean() == pytest.approx(0.67, abs=0.005)
    assert look(dog, dog.weights[2, 8], "his", "tail") == pytest.approx(0.74, abs=0.005)
    assert dog.weights[4, 5, :, 0].mean() == pytest.approx(0.89, abs=0.005)
    assert look(tired, tired.weights[3, 1], "it", "animal") == pytest.approx(0.69, abs=0.005)
    assert look(wide, wide.weights[3, 1], "it", "animal") == pytest.approx(0.32, abs=0.005)


def test_head_1_of_layer_0_finds_related_words_in_a_new_sentence():
    vocabulary = load_minilm_vocabulary()
    sentence = vocabulary.embed("The student read a book in the library.")
    Q, K, _ = vocabulary.heads[0].project(sentence.X)
    assert look(sentence, weights_of(Q, K), "book", "read") == pytest.approx(0.78, abs=0.01)


def test_smollm2_is_causal_and_its_heads_do_what_they_are_known_for():
    smollm2 = load_smollm2_heads()
    for text in smollm2.texts.values():
        assert (np.triu(text.weights, k=1) == 0).all()
    weights = dict(zip(smollm2.heads, smollm2.texts["induction"].weights, strict=True))
    rows = np.arange(6, 12)
    assert weights[17, 4][rows, rows - 5].mean() == pytest.approx(0.75, abs=0.005)
    assert weights[14, 3][rows, rows - 6].mean() == pytest.approx(0.82, abs=0.005)
    assert weights[16, 0][rows, rows - 1].mean() > 0.9
    dog, swap = (smollm2.texts[name] for name in ("dog", "swap"))
    trap = smollm2.heads.index((23, 4))
    assert look(dog, dog.weights[trap], "_his", "_dog") == pytest.approx(0.88, abs=0.005)
    assert look(swap, swap.weights[trap], "_his", "_dog") == pytest.approx(0.52, abs=0.005)


def test_a_causal_model_cannot_know_whether_the_animal_is_tired_or_wide():
    tired, wide = (load_smollm2_heads().texts[f"animal_{word}"] for word in ("tired", "wide"))
    it = tired.tokens.index("_it")
    np.testing.assert_array_equal(tired.weights[:, : it + 1], wide.weights[:, : it + 1])
    assert tired.text == "The animal didn't cross the street because it was too tired"


def test_gpa_and_salary():
    schools = load_law_schools()
    assert np.corrcoef(schools.gpa, schools.salary)[0, 1] == pytest.approx(0.74, abs=0.005)
    assert (np.diff(schools.gpa) >= 0).all()
    first = schools.gpa[0], schools.salary[0], schools.lsat[0], schools.rank[0]
    assert first == (2.73, 27000, 145, 170)
    np.testing.assert_array_equal(schools.gpa, schools.gpa.round(2))

    def leave_one_out_error(width):
        kernel = np.exp(-(((schools.gpa[:, None] - schools.gpa) / width) ** 2) / 2)
        np.fill_diagonal(kernel, 0)
        return np.sqrt(
            np.mean((kernel @ schools.salary / kernel.sum(axis=1) - schools.salary) ** 2)
        )

    widths = np.arange(3, 20) / 100
    assert widths[np.argmin([leave_one_out_error(width) for width in widths])] == 0.07
    assert leave_one_out_error(0.07) == pytest.approx(7684, abs=1)


@pytest.mark.parametrize(
    ("query", "title", "cosine"),
    [
        ("The Alchemist", "The Alchemist", 1.0),
        ("the alchymist", "The Alchemist", 0.59),
        ("vampires", "Dracula", 0.73),
        ("the theory of time travel", "The Time Machine", 0.65),
    ],
)
def test_a_query_finds_its_title(query, title, cosine):
    books = load_book_titles()
    scores = books.title_vectors @ books.query_vectors[books.queries.index(query)]
    assert books.titles[scores.argmax()] == title
    assert scores.max() == pytest.approx(cosine, abs=0.006)


def test_books_have_their_authors_and_years():
    books = load_book_titles()
    i = books.titles.index("The Little Prince")
    assert (books.authors[i], books.years[i]) == ("Antoine de Saint-Exupéry", 1943)
    query = books.query_vectors[books.queries.index("Paulo Coelho")]
    assert books.titles[(books.title_author_vectors @ query).argmax()] == "The Alchemist"


# Names, and the writer

GREEDY = """JULIET.
O Romeo!

Juliet.
O, let me see thee!

Juliet.
I am a gentleman.

Juliet.
I am a gentleman.

Juliet.
I am a gentleman.

Juliet."""


def test_names_are_short_and_differ():
    names = load_first_names()
    assert list(names) == sorted(set(names))
    assert (min(map(len, names)), max(map(len, names))) == (2, 11)
    assert {"anna", "john", "zoe"} <= set(names)


@pytest.mark.parametrize("cache", [True, False])
def test_the_writer_writes_what_it_wrote_when_it_was_packed(cache):
    writer = load_writer()
    begin = writer.pairs.encode("JULIET.\nO Romeo")
    tokens = generate(writer.parameters, begin, 60, top_k=1, cache=cache)
    assert writer.pairs.decode(tokens) == GREEDY


def test_the_writer_needs_as_many_bits_as_were_measured_on_a_play_it_never_read():
    writer = load_writer()
    tokens = np.array(writer.pairs.encode(writer.held_out))
    n = (len(tokens) - 1) // 128
    X, answers = (tokens[i : n * 128 + i].reshape(n, 128) for i in (0, 1))
    loss, _ = cross_entropy(decoder_logits(X, writer.parameters), answers)
    per_character = bits(loss) * len(tokens) / len(writer.held_out)
    assert per_character == pytest.approx(2.220, abs=0.002)


def test_the_model_names_as_many_digits_as_was_stored_and_looks_at_whole_rows():
    digits = load_digits()
    p = digits.parameters
    assert digits.images.min() >= 0
    assert digits.images.max() == 16
    assert np.bincount(digits.labels, minlength=10).min() > 20
    tokens = np.array(
        [
            [image[y : y + 2, x : x + 2].ravel() for y in range(0, 8, 2) for x in range(0, 8, 2)]
            for image in digits.images / np.float32(16)
        ]
    )
    block = {name: p[name] for name in p if name not in ("W_e", "P", "gain", "U")}
    out = transformer_block(tokens @ p["W_e"] + p["P"], block).mean(axis=1)
    named = (rms_norm(out, p["gain"]) @ p["U"]).argmax(axis=1)
    assert (named == digits.labels).mean() == pytest.approx(digits.right, abs=0.01)
    assert digits.right > digits.right_alone > 0.9


def test_the_names_model_is_as_good_as_was_stored_and_writes():
    model, task = load_names_model(), Spelling(load_first_names())
    loss, _ = measure(task, model.parameters, task.hold_out(np.random.default_rng(0)))
    assert bits(loss) == pytest.approx(model.history[-1].bits, abs=0.005)
    assert sum(array.size for array in model.parameters.values()) == 14_656
    assert [moment.step for moment in model.history][::7] == [0, 60, 250, 1500]
    assert {len(moment.sample.split(" ")) for moment in model.history} == {12}
    assert model.history[-1].bits < 3
    assert model.history[0].bits > 5


def test_the_writer_knows_its_letters_and_its_past():
    writer = load_writer()
    assert writer.pairs.decode(writer.pairs.encode(writer.held_out)) == writer.held_out
    assert writer.held_out.startswith("MASTER.\nBoatswain!")
    assert sum(array.size for array in writer.parameters.values()) == 1_066_112
    assert [snapshot.step for snapshot in writer.history] == [0, 100, 300, 1000, 3000, 8000]
    measured = [snapshot.bits for snapshot in writer.history]
    assert measured == sorted(measured, reverse=True)
    assert (measured[0], measured[-1]) == (4.197, 2.057)
    with pytest.raises(TypeError):
        writer.parameters["E"] = None


def test_a_beginning_that_the_writer_cannot_read_is_refused():
    writer = load_writer()
    known = "".join(sorted(token for token in writer.pairs.tokens if len(token) == 1))
    with refuses(ValueError, f"the letter 'é' is not one of those known: {known!r}"):
        writer.pairs.encode("Beyoncé")
    long = writer.pairs.encode("To be, or not to be. " * 20)
    message = (
        f"this decoder has 128 places, but the text has {len(long)} tokens: give it the last 128"
    )
    with refuses(ValueError, message):
        generate(writer.parameters, long, 1)


# What a reader may type


def test_an_unknown_word_is_named_with_similar_ones():
    message = (
        "'happyness' is not among the 387 words of this data set; similar words that are: happy"
    )
    with pytest.raises(ValueError, match=message):
        load_word_vectors(100).vector("happyness")
    with pytest.raises(ValueError, match=r"'zzz' is not among the 389 words of this data set$"):
        load_word_vectors(50).matrix(["dog", "zzz"])
    with pytest.raises(ValueError, match="'i' is not among the 387"):
        load_word_vectors(100).nearest("I")


def test_an_unknown_dimension_is_refused():
    with pytest.raises(ValueError, match="dimension 50 or 100, not 300"):
        load_word_vectors(300)
    for dimension in (50.0, "50", [50]):
        with refuses(TypeError, f"dimension must be a whole number, but is {dimension!r}"):
            load_word_vectors(dimension)


@pytest.mark.parametrize(
    ("k", "error", "message"),
    [
        (-1, ValueError, "k must be at least 1, but is -1"),
        (2.0, TypeError, "k must be a whole number, but is 2.0"),
    ],
)
def test_a_number_of_neighbours_that_cannot_be_is_refused(k, error, message):
    with refuses(error, message):
        load_word_vectors(50).nearest("dog", k)


def test_a_sentence_outside_the_vocabulary_is_refused():
    vocabulary = load_minilm_vocabulary()
    with pytest.raises(ValueError, match=r"'dogs' is not among the 397 words .*: dog"):
        vocabulary.embed("The dogs ran")
    with pytest.raises(ValueError, match=r"'\[' is not among"):
        vocabulary.tokenize("[CLS]")


def test_a_sentence_may_have_32_tokens():
    vocabulary = load_minilm_vocabulary()
    assert vocabulary.embed("dog " * 30).X.shape == (32, 384)
    assert vocabulary.tokenize("") == ("[CLS]", "[SEP]")
    with pytest.raises(ValueError, match=r"may have 32 tokens, .* but this one has 33"):
        vocabulary.embed("dog " * 31)


# Missing and damaged files


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the data folder, for all tests of this file."""
    return shutil.copytree(datasets._FOLDER, tmp_path_factory.mktemp("copied") / "data")


@pytest.fixture
def folder(copied, monkeypatch):
    """A copy of the data folder that a test may damage: what it changed is copied again."""
    whole = datasets._FOLDER
    monkeypatch.setattr(datasets, "_FOLDER", copied)
    forget()
    yield copied
    forget()
    for path in whole.iterdir():
        if not same_file(path, copied / path.name):
            shutil.copy2(path, copied)


def same_file(path, copy):
    """Return whether a copy is still that of its original: by size and date, or by content."""
    return copy.is_file() and filecmp.cmp(path, copy, shallow=True)


def forget():
    for thing in vars(datasets).values():
        if hasattr(thing, "cache_clear"):
            thing.cache_clear()


def refused(name, reason):
    pattern = rf"^attention_lib/data/{name} cannot be used: {reason}{ADVICE}"
    return pytest.raises(DatasetError, match=pattern)


@pytest.mark.parametrize("name", LOADERS)
def test_a_missing_file_is_one_sentence(folder, name):
    (folder / name).unlink()
    with refused(name, "it is missing") as caught:
        LOADERS[name]()
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("name", NPZ)
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"<html>404</html>",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content[:500] + bytes(200) + content[700:],
        lambda content: npy(np.zeros(3)),
        lambda content: npz(words=np.array(["a", 1], dtype=object)),
    ],
    ids=["empty", "not a zip", "half", "last byte", "hole", "one array", "pickle"],
)
def test_a_damaged_archive_is_one_sentence(folder, name, damage):
    path = folder / name
    path.write_bytes(damage(path.read_bytes()))
    with refused(name, "it is damaged") as caught:
        LOADERS[name]()
    assert caught.value.__suppress_context__


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize("name", NPZ)
def test_each_array_that_is_absent_or_misshapen_is_named(folder, name):
    path = folder / name
    with np.load(path) as file:
        arrays = dict(file)
    for key in arrays:
        path.write_bytes(npz(**{other: arrays[other] for other in arrays if other != key}))
        forget()
        with refused(name, f"it has no array {key}"):
            LOADERS[name]()
        path.write_bytes(npz(**{**arrays, key: arrays[key][None]}))
        forget()
        with refused(name, rf"its array {key} is \S+ of shape \(1, .*\)"):
            LOADERS[name]()


def test_an_array_of_the_wrong_type_is_named(folder):
    path = folder / "glove6b_50d_subset.npz"
    with np.load(path) as file:
        arrays = dict(file)
    path.write_bytes(npz(**{**arrays, "vectors": arrays["vectors"].astype(str)}))
    with refused(path.name, r"its array vectors is <U\d+ of shape \(389, 50\)"):
        load_word_vectors(50)


def test_vectors_of_other_titles_are_refused(folder):
    path = folder / "minilm_book_titles.npz"
    with np.load(path) as file:
        arrays = dict(file)
    path.write_bytes(npz(**{**arrays, "titles": arrays["titles"][::-1]}))
    with refused(path.name, r"its titles are not those of book_titles\.csv"):
        load_book_titles()


@pytest.mark.parametrize("name", CSV)
@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda content: b"", "it should have"),
        (lambda content: content[: len(content) // 2], "it should have"),
        (lambda content: content[:-1], "it should have"),
        (lambda content: content.replace(b",", b";"), "it should have"),
        (lambda content: content + b"one row too many\n", "it should have"),
        (lambda content: b"\xff\xfe" + content, "it is damaged"),
        (lambda content: content[:-2] + b"x\n", "a number in it cannot be read"),
    ],
    ids=["empty", "half", "last byte", "semicolons", "row", "encoding", "letter"],
)
def test_a_damaged_table_is_one_sentence(folder, name, damage, reason):
    path = folder / name
    path.write_bytes(damage(path.read_bytes()))
    with refused(name, f"{reason}.*") as caught:
        LOADERS[name]()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: "", "it is damaged"),
        (lambda text: text[: len(text) // 2], "it is damaged"),
        (lambda text: "[]", "something in it is missing"),
        (lambda text: text.replace('"merges"', '"joins"'), "something in it is missing"),
        (lambda text: text.replace('"step"', '"steps"'), "something in it is missing"),
        (lambda text: text.replace('"!"', '"?"', 1), "something in it is missing"),
        (
            lambda text: text.replace('"tokens": [', '"tokens": ["~",'),
            "its tokens are not those of the weights",
        ),
    ],
)
def test_a_damaged_writer_is_one_sentence(folder, damage, reason):
    path = folder / "writer_shakespeare.json"
    path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")
    with refused(path.name, reason):
        load_writer()


@pytest.mark.parametrize(
    ("name", "damage", "reason"),
    [
        ("names_model.json", lambda text: text[:90], "it is damaged"),
        ("names_model.json", lambda text: "[]", "something in it is missing"),
        (
            "names_model.json",
            lambda text: text.replace('"bits"', '"loss"'),
            "something in it is missing",
        ),
        ("writer_measures.json", lambda text: text[:90], "it is damaged"),
        (
            "writer_measures.json",
            lambda text: text.replace('"known"', '"new"'),
            "something in it is missing",
        ),
        ("writer_measures.json", lambda text: '{"known": []}', "something in it is missing"),
    ],
)
def test_a_damaged_record_of_models_is_one_sentence(folder, name, damage, reason):
    path = folder / name
    path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")
    with refused(name, reason):
        LOADERS[name]()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda content: b"", "it should have 8398 names, a line each"),
        (lambda content: content[:-1], "it should have 8398 names, a line each"),
        (lambda content: content.replace(b"aaron", b"Aaron"), "it should have 8398 names"),
        (lambda content: b"\xff\xfe" + content, "it is damaged"),
    ],
)
def test_a_damaged_list_of_names_is_one_sentence(folder, damage, reason):
    path = folder / "first_names.txt"
    path.write_bytes(damage(path.read_bytes()))
    with refused(path.name, f"{reason}.*"):
        load_first_names()


def test_no_flipped_byte_escapes_as_another_error(folder):
    path = folder / "smollm2_causal_heads.npz"
    content, rng = path.read_bytes(), np.random.default_rng(0)
    refusals = 0
    for i in rng.integers(0, len(content), 200):
        path.write_bytes(content[:i] + bytes([content[i] ^ 0xFF]) + content[i + 1 :])
        forget()
        try:
            load_smollm2_heads()
        except DatasetError:
            refusals += 1
    assert refusals > 150  # the rest are dates and the like, which nobody reads


def test_a_mended_file_loads_without_a_new_start(folder):
    path = folder / "lawsch85_gpa_salary.csv"
    content = path.read_bytes()
    path.unlink()
    with pytest.raises(DatasetError):
        load_law_schools()
    path.write_bytes(content)
    assert len(load_law_schools().gpa) == 142


def test_every_file_has_its_provenance():
    provenance = (datasets._FOLDER / "PROVENANCE.md").read_text(encoding="utf-8")
    shipped = {path.name for path in datasets._FOLDER.iterdir()}
    assert shipped == {*LOADERS, "PROVENANCE.md", "LICENSE-Apache-2.0.txt"}
    assert all(f"`{name}`" in provenance for name in LOADERS)


def test_archives_hold_no_pickles():
    for name in NPZ:
        with zipfile.ZipFile(datasets._FOLDER / name) as archive:
            assert all(member.endswith(".npy") for member in archive.namelist())
        with np.load(datasets._FOLDER / name) as file:
            assert all(array.dtype.kind in "Ufi" for array in dict(file).values())
