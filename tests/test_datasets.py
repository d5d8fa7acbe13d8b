"""The data files: that they agree with each other, and what a missing or damaged one says.

What the chapters say about them is checked with the chapters, in tests/chapters.
"""

import dataclasses
import io
import itertools

import numpy as np
import pytest
from checks import refuses

import attention_lib as lib
from attention_lib.models import DatasetError
from attention_lib.models import data as datasets

FLOAT16_ROW = 1e-3  # a row of n <= 19 float16 weights: each is within 2**-12 of the exact one
INT8_LAYER = 2e-2  # the same from 8-bit projections

LOADERS = {
    "glove6b_50d_subset.npz": lambda: datasets.load_word_vectors(50),
    "glove6b_100d_subset.npz": lambda: datasets.load_word_vectors(100),
    "book_titles.csv": datasets.load_book_titles,
    "minilm_book_titles.npz": datasets.load_book_titles,
    "lawsch85_gpa_salary.csv": datasets.load_law_schools,
    "minilm_attention.npz": datasets.load_minilm_attention,
    "minilm_layer3_int8.npz": datasets.load_minilm_layer,
    "minilm_feed_forward3_int8.npz": datasets.load_minilm_block,
    "minilm_positions.npz": datasets.load_minilm_positions,
    "smollm2_causal_heads.npz": datasets.load_smollm2_heads,
    "smollm2_layer10_q4.npz": datasets.load_smollm2_block,
    "first_names.txt": datasets.load_first_names,
    "look_back.npz": datasets.load_look_back,
    "gpu_attention.json": datasets.load_gpu_times,
    "gpu_serving.json": datasets.load_serving_times,
    "translator.npz": datasets.load_translator,
    "writer_shakespeare.npz": datasets.load_writer,
    "writer_shakespeare.json": datasets.load_writer,
    "writer_measures.json": datasets.load_measures,
    "names_model.npz": datasets.load_names_model,
    "names_model.json": datasets.load_names_model,
}


def arrays_in(thing, name=""):
    """Yield every array inside a loaded object, however deep, with its name."""
    if isinstance(thing, np.ndarray):
        yield name, thing
    elif dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            yield from arrays_in(getattr(thing, field.name), field.name)
    elif hasattr(thing, "values"):
        yield from arrays_in(tuple(thing.values()))
    elif isinstance(thing, tuple):
        for item in thing:
            yield from arrays_in(item)


@pytest.mark.parametrize("loader", LOADERS.values(), ids=LOADERS)
def test_arrays_are_read_only_and_have_the_promised_types(loader):
    for name, array in arrays_in(loader()):
        assert not array.flags.writeable
        wide = name in ("gpa", "salary")
        words = array.dtype.kind == "U"
        assert words or array.dtype in ([np.float64] if wide else [np.float32, np.int32])
        assert words or np.isfinite(array).all()
    assert loader() is loader()


def test_a_reader_cannot_poison_the_cache():
    load = datasets.load_word_vectors
    assert load() is load(100) is load(dimension=100)
    with pytest.raises(ValueError, match="read-only"):
        load(50).vector("dog")[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        load(50).words = ()
    load(50).matrix(["dog"])[0, 0] = 99
    assert load(np.int64(50)).vector("dog")[0] != 99
    for mapping in (datasets.load_smollm2_heads().texts, datasets.load_writer().parameters):
        with pytest.raises(TypeError):
            mapping["dog"] = None


def test_large_matrices_lie_column_by_column_as_products_read_them():
    """Otherwise a page computes several times as long, and nothing else tells."""
    block, writer = datasets.load_minilm_block().parameters, datasets.load_writer().parameters
    today = [W for W in datasets.load_smollm2_block().parameters.values() if W.ndim > 1]
    for W in (*(block[f"W_{key}"] for key in "qo12"), writer["W_2"], writer["U"], *today):
        assert W.mT.flags.c_contiguous


# Files agree with each other, and with the models that they come from


def test_words_titles_and_tokens_go_with_their_vectors():
    for dimension in (50, 100):
        glove = datasets.load_word_vectors(dimension)
        assert glove.vectors.shape == (len(glove.words), dimension)
        assert len(glove.rank) == len(glove.words)
    books = datasets.load_book_titles()
    with np.load(datasets.FOLDER / "minilm_book_titles.npz") as file:
        assert tuple(file["titles"].tolist()) == books.titles
    assert len(books.query_vectors) == len(books.queries)
    for vectors in (books.title_vectors, books.title_author_vectors, books.query_vectors):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    writer, translator = datasets.load_writer(), datasets.load_translator()
    assert len(writer.pairs.tokens) == len(writer.parameters["E"])
    assert len(translator.english) == len(translator.source["E"])
    assert len(translator.french) == len(translator.target["E"])


def test_rows_of_weights_are_nonnegative_and_sum_to_one():
    smollm2 = datasets.load_smollm2_heads()
    for sentence in (*datasets.load_minilm_attention(), *smollm2.texts.values()):
        n = len(sentence.tokens)
        assert sentence.weights.shape[-2:] == (n, n)
        assert (sentence.weights >= 0).all()
        np.testing.assert_allclose(sentence.weights.sum(axis=-1), 1, atol=FLOAT16_ROW)
    for text in smollm2.texts.values():
        assert len(text.weights) == len(smollm2.heads)
        assert (np.triu(text.weights, k=1) == 0).all()


def test_weights_recomputed_from_the_inputs_are_those_stored():
    stored, layer = datasets.load_minilm_attention(), datasets.load_minilm_layer()
    assert len(stored) == 8
    for known, sentence in zip(stored, layer.sentences, strict=True):
        assert (known.text, known.tokens) == (sentence.text, sentence.tokens)
        Q, K, V = layer.project(sentence.X)
        assert V.shape == (12, len(known.tokens), 32)
        weights = lib.softmax(lib.scaled_dot_score(Q, K))
        np.testing.assert_allclose(weights, known.weights[3], atol=INT8_LAYER)


@pytest.mark.parametrize("i", range(8))
def test_the_block_of_minilm_makes_what_minilm_makes(i):
    block = datasets.load_minilm_block()
    X, W = block.sentences[i].X, block.parameters
    for parameters, least, most in (
        (W, 0, INT8_LAYER),
        ({name: array for name, array in W.items() if name != "b_1"}, 4 * INT8_LAYER, 1),
    ):
        output = lib.transformer_block(X, parameters, norm="after", activation="gelu")
        assert output.dtype == np.float32
        off = np.linalg.norm(output - block.outputs[i]) / np.linalg.norm(block.outputs[i])
        assert least < off < most


def test_the_block_of_smollm2_makes_what_transformers_makes_of_it():
    block = datasets.load_smollm2_block()
    (sentence,), (expected,) = block.sentences, block.outputs
    mask = lib.causal_mask(len(sentence.X))
    today = {"activation": "silu", "rotary_base": 100_000}
    output = lib.transformer_block(sentence.X, block.parameters, mask, **today)
    np.testing.assert_allclose(output, expected, atol=2e-5)
    assert np.abs(expected).max() > 100
    for change in ({"activation": "gelu"}, {"rotary_base": 10_000}, {"rotary_base": None}):
        changed = lib.transformer_block(sentence.X, block.parameters, mask, **(today | change))
        assert np.abs(changed - expected).max() > 1


GREEDY = "JULIET.\nO Romeo!\n\nJuliet.\nO, let me see thee!\n\n"
GREEDY += "Juliet.\nI am a gentleman.\n\n" * 3 + "Juliet."


@pytest.mark.parametrize("cache", [True, False])
def test_the_writer_writes_what_it_wrote_when_it_was_packed(cache):
    writer = datasets.load_writer()
    begin = writer.pairs.encode("JULIET.\nO Romeo")
    tokens = lib.generate(writer.parameters, begin, 60, top_k=1, cache=cache)
    assert writer.pairs.decode(tokens) == GREEDY


def test_the_writer_needs_as_many_bits_as_were_measured_on_a_play_it_never_read():
    writer = datasets.load_writer()
    tokens = np.array(writer.pairs.encode(writer.held_out))
    n = (len(tokens) - 1) // 128
    X, answers = (tokens[i : n * 128 + i].reshape(n, 128) for i in (0, 1))
    loss, _ = lib.cross_entropy(lib.decoder_logits(X, writer.parameters), answers)
    per_character = lib.bits(loss) * len(tokens) / len(writer.held_out)
    assert per_character == pytest.approx(2.220, abs=0.002)
    assert writer.pairs.decode(tokens) == writer.held_out


def test_the_names_model_is_as_good_as_was_stored():
    model, task = datasets.load_names_model(), lib.Spelling(datasets.load_first_names())
    loss, _ = lib.measure(task, model.parameters, task.hold_out(np.random.default_rng(0)))
    assert lib.bits(loss) == pytest.approx(model.history[-1].bits, abs=0.005)
    assert {len(moment.sample.split(" ")) for moment in model.history} == {12}


def test_upper_case_makes_no_difference_and_an_unknown_word_is_named_with_similar_ones():
    glove, load = datasets.load_word_vectors(50), datasets.load_word_vectors
    np.testing.assert_array_equal(glove.vector("DOG"), glove.vectors[glove.words.index("dog")])
    np.testing.assert_array_equal(glove.matrix(["Dog", "the"]), glove.matrix("dog The"))
    message = "'happyness' is not among the 387 words of this data set; similar words that are: "
    with refuses(ValueError, f"{message}happy"):
        load(100).vector("happyness")
    with refuses(ValueError, "'zzz' is not among the 389 words of this data set"):
        glove.matrix(["dog", "zzz"])
    for size in (300, "50"):
        with refuses(ValueError, f"word vectors come with dimension 50 or 100, not {size!r}"):
            load(size)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of links to the data files, which a test may replace."""
    for path in datasets.FOLDER.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.setattr(datasets, "FOLDER", tmp_path)
    forget()
    yield tmp_path
    forget()


def put(folder, name, content):
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_bytes(content)


def forget():
    for thing in vars(datasets).values():
        if hasattr(thing, "cache_clear"):
            thing.cache_clear()


def refused(name, reason):
    advice = "Install attention_lib again, or, in a clone of the book, run `git checkout"
    message = f"attention_lib/data/{name} cannot be used: {reason}. {advice} attention_lib/data`."
    return refuses(DatasetError, message)


@pytest.mark.parametrize("name", LOADERS)
def test_a_missing_file_is_one_sentence_and_a_mended_one_loads(folder, name):
    content = (folder / name).read_bytes()
    (folder / name).unlink()
    with refused(name, "it is missing") as caught:
        LOADERS[name]()
    assert caught.value.__suppress_context__
    put(folder, name, content)
    LOADERS[name]()


def npz(save, *array, **arrays):
    file = io.BytesIO()
    save(file, *array, **arrays)
    return file.getvalue()


DAMAGES = [
    lambda content: b"",
    lambda content: b"<html>404</html>",
    lambda content: content[: len(content) // 2],
    lambda content: content[:-3],
    lambda content: content[:500] + bytes(200) + content[700:],
]


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *itertools.product(LOADERS, DAMAGES),
        ("look_back.npz", lambda content: npz(np.save, np.zeros(3))),
        ("look_back.npz", lambda content: npz(np.savez, np.array(["a", 1], dtype=object))),
        ("book_titles.csv", lambda content: content.replace(b",", b";")),
        ("book_titles.csv", lambda content: content[:-2] + b"x\n"),
        ("book_titles.csv", lambda content: b"\xff\xfe" + content),
        ("lawsch85_gpa_salary.csv", lambda content: content.replace(b",", b";")),
        ("lawsch85_gpa_salary.csv", lambda content: content[:-2] + b"x\n"),
        ("first_names.txt", lambda content: content + b"one too many\n"),
    ],
)
def test_a_damaged_file_is_one_sentence(folder, name, damage):
    put(folder, name, damage((folder / name).read_bytes()))
    with refused(name, "it is damaged") as caught:
        LOADERS[name]()
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("glove6b_50d_subset.npz", "mean"),
        ("minilm_layer3_int8.npz", "sq"),
        ("writer_shakespeare.npz", "W_1_scale"),
        ("translator.npz", "french"),
        ("writer_shakespeare.json", "merges"),
        ("names_model.json", "history"),
        ("writer_measures.json", "known"),
        ("gpu_attention.json", "decode"),
    ],
)
def test_what_is_absent_from_a_file_is_named(folder, name, key):
    content = (folder / name).read_bytes()
    if name.endswith(".npz"):
        with np.load(folder / name) as file:
            rest = {other: array for other, array in dict(file).items() if other != key}
        content = npz(np.savez, **rest)
    else:
        content = content.replace(f'"{key}"'.encode(), b'"else"')
    put(folder, name, content)
    with refused(name, f"it has no {key}"):
        LOADERS[name]()


def test_every_file_has_its_provenance():
    provenance = (datasets.FOLDER / "PROVENANCE.md").read_text(encoding="utf-8")
    shipped = {path.name for path in datasets.FOLDER.iterdir()}
    others = {"smollm2_answers.npz", "smollm2_traces.npz", "PROVENANCE.md"}
    others |= {"LICENSE-Apache-2.0.txt"}
    assert shipped == {*LOADERS} | others
    assert all(f"`{name}`" in provenance for name in LOADERS)
