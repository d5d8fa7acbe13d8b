"""Build steps run again when what they read has changed, and for no other reason."""

import shutil

import pytest
from bookwork.book import files
from bookwork.site import steps


@pytest.fixture
def clone(tmp_path):
    """Return a folder that stands for the repository, with one file in it."""
    folder = tmp_path / "clone"
    (folder / "text").mkdir(parents=True)
    (folder / "_config.yml").touch()
    (folder / "text" / "book.js").write_text("one")
    return folder


def test_a_step_runs_again_only_when_its_inputs_change_or_it_failed(tmp_path):
    source, stamp, runs = tmp_path / "source", tmp_path / "built-for", []

    def step():
        runs.append(source.read_text())
        if runs[-1] == "bad":
            raise OSError("no")

    for text in ("one", "one", "two", "two"):
        source.write_text(text)
        steps.do_once(stamp, [source], step)
    assert runs == ["one", "two"]
    source.write_text("bad")
    for _ in range(2):
        with pytest.raises(OSError, match="no"):
            steps.do_once(stamp, [source], step)
    assert runs == ["one", "two", "bad", "bad"]
    source.write_text("two")  # what the failed step left behind is not what "two" made
    steps.do_once(stamp, [source], step)
    assert runs[-1] == "two"


def test_a_moved_clone_has_the_same_fingerprints(clone):
    before = steps.fingerprint(files.files_below(clone))
    moved = shutil.move(clone, clone.with_name("elsewhere"))
    assert steps.fingerprint(files.files_below(moved)) == before


def test_content_name_and_folder_of_a_file_count_and_what_python_compiled_does_not(clone):
    file = clone / "text" / "book.js"
    (clone / "__pycache__").mkdir()
    (clone / "__pycache__" / "x.pyc").write_text("x")
    seen = [steps.fingerprint(files.files_below(clone))]
    file.write_text("two")
    seen.append(steps.fingerprint(files.files_below(clone)))
    file.rename(clone / "book.js")
    seen.append(steps.fingerprint(files.files_below(clone)))
    assert len(set(seen)) == 3
    assert steps.fingerprint(["a", "b"]) != steps.fingerprint(["a", "c"])  # texts count, too
    assert {path.name for path in files.files_below(clone)} == {"_config.yml", "book.js"}
