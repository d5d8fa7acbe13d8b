"""Measuring belongs to whoever measures: a run leaves the numbers that the book states alone."""

import importlib
import sys
from unittest import mock

import pytest

from benchmarks import report

TRACKED = [report.ROOT / "benchmarks" / f"attention.{kind}" for kind in ("csv", "txt")]


@pytest.fixture
def attention(monkeypatch, tmp_path):
    """Return the benchmark of attention with PyTorch and all measuring left out."""
    torch = mock.MagicMock(__version__="2.0.0+cpu")
    for name in ("torch", "torch.nn", "threadpoolctl"):
        monkeypatch.setitem(sys.modules, name, torch)
    monkeypatch.delitem(sys.modules, "benchmarks.attention", raising=False)
    module = importlib.import_module("benchmarks.attention")
    times = {name: [2.0, 4.0, 3.0] for name in module.WAYS} | {module.PEER: [1.0]}
    measured = times, {"whole": 8.0, "blocks": 2.0}
    monkeypatch.setattr(module, "measure", lambda n, causal: measured)
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setattr(report, "RESULTS", tmp_path / "_build" / "benchmarks")
    monkeypatch.setattr(report, "RECORDS", tmp_path / "benchmarks")
    yield module
    sys.modules.pop("benchmarks.attention", None)


def written(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*"))


def test_a_reader_s_run_is_written_where_git_does_not_look(attention, tmp_path, capsys):
    before = [path.read_bytes() for path in TRACKED]
    attention.main([])
    assert [path.read_bytes() for path in TRACKED] == before
    assert written(tmp_path) == [
        f"_build/benchmarks/attention.{kind}" for kind in ("csv", "json", "txt")
    ]
    table = (tmp_path / "_build" / "benchmarks" / "attention.csv").read_text(encoding="utf-8")
    assert table.splitlines()[1] == "512,no,3.0,3.0,3.0,8,2"
    assert "Written to _build/benchmarks/attention.csv and .txt" in capsys.readouterr().out


def test_only_a_maintainer_who_asks_for_it_changes_what_the_book_states(attention, tmp_path):
    attention.main(["--record"])
    assert written(tmp_path) == [
        "_build/benchmarks/attention.json",
        "benchmarks/attention.csv",
        "benchmarks/attention.txt",
    ]
    sentence = (tmp_path / "benchmarks" / "attention.txt").read_text(encoding="utf-8")
    assert sentence.startswith("Measured on 2 cores of ")
    assert sentence.endswith(" and PyTorch 2.0.0.\n")
