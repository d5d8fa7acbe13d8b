"""The faults that `make faults` plants: each can still be planted, and the copy is put back."""

from subprocess import CompletedProcess

import pytest

from tools import plant_faults
from tools.planted_faults import FAULTS, Fault

FAULT = Fault("a fault", "a.py", "right", "wrong", ["tests"], [])


@pytest.fixture
def copy(monkeypatch, tmp_path):
    monkeypatch.setattr(plant_faults, "COPY", tmp_path)
    monkeypatch.setattr(plant_faults, "WHOLE", tmp_path / "whole")
    (tmp_path / "a.py").write_text("all right")
    return tmp_path


def test_no_two_faults_have_one_name():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_can_be_planted_and_has_tests(fault):
    before = (plant_faults.ROOT / fault.file).read_text(encoding="utf-8")
    assert plant_faults.planted(plant_faults.ROOT, fault) != before
    assert (plant_faults.ROOT / fault.tests[0]).exists()
    assert set(fault.steps) <= set(plant_faults.STEPS)


@pytest.mark.parametrize(("text", "places"), [("nothing", 0), ("right and right", 2)])
def test_a_text_that_is_not_there_just_once_is_refused(copy, text, places):
    (copy / "a.py").write_text(text)
    with pytest.raises(SystemExit, match=rf"a fault: its text occurs {places} times in a\.py"):
        plant_faults.planted(copy, FAULT)


def test_the_copy_is_put_back_whatever_happens(copy):
    for name, text in (("whole", "as built"), ("_build", "with the fault")):
        (copy / name).mkdir()
        (copy / name / "page.html").write_text(text)

    def fail():
        with plant_faults.in_place(FAULT._replace(steps=["web"])):
            assert (copy / "a.py").read_text() == "all wrong"
            raise ValueError("anything")

    with pytest.raises(ValueError, match="anything"):
        fail()
    assert (copy / "a.py").read_text() == "all right"
    assert (copy / "_build" / "page.html").read_text() == "as built"


@pytest.mark.parametrize(
    ("said", "code", "witness"),
    [
        ("FAILED tests/a.py::test_b[c] - x\n1 failed", 1, "`tests/a.py::test_b`"),
        ("ERROR tests/a.py - ImportError: x\n1 error", 2, "`tests/a.py`"),
        ("3 passed", 0, None),
    ],
)
def test_the_first_test_that_fails_is_named(monkeypatch, said, code, witness):
    monkeypatch.setattr(plant_faults, "run", lambda *module: CompletedProcess([], code, said))
    assert plant_faults.witness_of(FAULT) == witness


def test_tests_that_cannot_be_run_are_no_witness(monkeypatch):
    monkeypatch.setattr(plant_faults, "run", lambda *_: CompletedProcess([], 5, "no tests ran"))
    with pytest.raises(SystemExit, match="a fault: its tests could not be run"):
        plant_faults.witness_of(FAULT)
