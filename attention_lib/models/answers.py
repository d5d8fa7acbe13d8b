"""What SmolLM2 answered when the book was written, so that its chapter runs without the model.

A function of the chapter that asks the model is marked with `stored`. If it is called with
arguments whose answer is stored, and its code is the one that gave the answer, the answer comes
from a file; otherwise the model is read and asked. A page of the book offers to fetch it first. To
its code belong functions of the chapter that it calls, and a model that the reader has changed.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import inspect
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from attention_lib.models.data import FOLDER, DatasetError
from attention_lib.models.smollm2 import FETCH, LanguageModel, model_path

FILE = FOLDER / "smollm2_answers.npz"
TRACES = FOLDER / "smollm2_traces.npz"  # larger ones, of the page "The machine"
RECORD: dict[str, list[Any]] | None = None  # by question, while answers are being recorded
MISSING = "this question has no stored answer, and SmolLM2 is not on this machine: "
IN_PAGE = 2048  # tokens of a text, at most: for more of them a page has no memory
NOWHERE = (  # in pages that are built without it
    "this question has no stored answer, and SmolLM2 cannot be fetched here: "
    "ask it in the chapter's page of a book that has SmolLM2, or in JupyterLab"
)


class Model:
    """SmolLM2, read from its file when something is first asked of it; see `LanguageModel`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_read(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name} cannot be set: model.without(…) gives another model")


@functools.cache
def _read() -> LanguageModel:
    in_page = sys.platform == "emscripten"
    if not model_path().is_file():
        raise DatasetError(NOWHERE if in_page else f"{MISSING}{FETCH} fetches it (93 MB)")
    model = LanguageModel.read(model_path())
    return replace(model, places=min(model.places, IN_PAGE)) if in_page else model


def stored(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function whose answers are stored; arguments and answers are text and numbers.

    Tuples come back as lists. What a generator yields comes one by one, also from the model.
    """
    is_flow, taken = inspect.isgeneratorfunction(function), inspect.signature(function)

    @functools.wraps(function)
    def answer(*arguments: Any, **named: Any) -> Any:
        asked = taken.bind(*arguments, **named).arguments
        question = json.dumps([function.__name__, asked], default=lambda array: array.tolist())
        known, code = _known(question), _code(function)
        if known is None or code != known[0]:
            given = function(*arguments, **named)
            if is_flow and RECORD is None:
                return given
            known = [code, _plain([*given] if is_flow else given)]
        if RECORD is not None:
            RECORD[question] = known
        own = copy.deepcopy(known[1])  # readers may change what they get
        return iter(own) if is_flow else own

    return answer


def _code(function: Callable[..., Any]) -> str:
    """Return a digest of a function and all that it uses of its chapter."""
    names, texts, waiting = function.__globals__, {}, [function]
    while waiting:
        each = waiting.pop()
        texts[each.__name__] = text = _lines(each)
        used = {word: names[word] for word in re.findall(r"\w+", text) if word in names}
        texts |= {word: "changed" for word in used if isinstance(used[word], LanguageModel)}
        called = [inspect.unwrap(value) for value in used.values() if inspect.isfunction(value)]
        waiting += [f for f in called if f.__globals__ is names and f.__name__ not in texts]
    code = "\n".join(texts[name] for name in sorted(texts))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def _lines(function: Callable[..., Any]) -> str:
    """Return the lines of a function, or nothing where they are not known."""
    try:
        lines = inspect.getsource(function).splitlines()
    except (OSError, TypeError):
        return ""
    if not any(line.strip().startswith(f"def {function.__name__}(") for line in lines[:4]):
        return ""  # lines of another file of this name
    return "\n".join(map(str.rstrip, lines))


def _plain(value: Any) -> Any:
    """Return an answer as lists, text, numbers of Python, and arrays."""
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def _known(question: str) -> list[Any] | None:
    """Return the code and the answer of a question, from the larger file if the other lacks it."""
    return _answers(FILE).get(question) or _answers(TRACES).get(question)


@functools.cache
def _answers(path: Path) -> dict[str, list[Any]]:
    """Read all that a file has: by question, the code that asked and its answer."""
    if not path.exists():
        return {}
    with np.load(path) as file:
        told = json.loads(bytes(file["told"]))
        arrays = {name: file[name] for name in file.files}
    return {question: [code, _with(arrays, answer)] for question, (code, answer) in told.items()}


def _with(arrays: dict[str, Any], answer: Any) -> Any:
    """Put arrays into an answer, in the places of their names."""
    if isinstance(answer, dict):
        array = arrays[answer["array"]]
        return array.astype(np.float32) if array.dtype == np.float16 else array
    return [_with(arrays, part) for part in answer] if isinstance(answer, list) else answer


def save(record: dict[str, list[Any]], path: Path = FILE) -> None:
    """Write a record: large arrays, with more than 4,000 numbers, as float16."""
    arrays: dict[str, Any] = {}

    def named(answer: Any) -> Any:
        if isinstance(answer, np.ndarray):
            name = f"array{len(arrays)}"
            arrays[name] = answer.astype(np.float16 if answer.size > 4000 else answer.dtype)
            return {"array": name}
        return [named(part) for part in answer] if isinstance(answer, list) else answer

    told = {question: [code, named(answer)] for question, (code, answer) in record.items()}
    content = np.frombuffer(json.dumps(told, ensure_ascii=False).encode(), np.uint8)
    np.savez_compressed(path, told=content, **arrays)
