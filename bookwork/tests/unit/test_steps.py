"""Build steps run again when what they read has changed, and for no other reason."""

import shutil

import pytest
from bookwork.book import files
from bookwork.site import steps


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


def test_content_name_and_place_of_a_file_count_not_where_the_clone_is(tmp_path):
    clone = tmp_path / "clone"
    file = clone / "text" / "book.js"
    for folder in (file.parent, clone / "__pycache__"):
        folder.mkdir(parents=True)
    (clone / "_config.yml").touch()
    file.write_text("one")
    (clone / "__pycache__" / "x.pyc").write_text("x")
    seen = [steps.fingerprint(files.files_below(clone))]
    file.write_text("two")
    seen.append(steps.fingerprint(files.files_below(clone)))
    file.rename(clone / "book.js")
    seen.append(steps.fingerprint(files.files_below(clone)))
    assert len(set(seen)) == 3
    assert steps.fingerprint(["a", "b"]) != steps.fingerprint(["a", "c"])  # texts count, too
    assert {path.name for path in files.files_below(clone)} == {"_config.yml", "book.js"}
    moved = shutil.move(clone, clone.with_name("elsewhere"))
    assert steps.fingerprint(files.files_below(moved)) == seen[-1]
