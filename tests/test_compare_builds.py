"""Two builds are compared byte by byte."""

import pytest

from tools import compare_builds


@pytest.fixture
def builds(tmp_path):
    for name in ("one", "another"):
        (tmp_path / name / "chapters").mkdir(parents=True)
        (tmp_path / name / "chapters" / "a.html").write_text("a")
    return [tmp_path / "one", tmp_path / "another"]


def test_equal_builds_have_no_differences(builds, capsys):
    assert compare_builds.main([*map(str, builds)]) == 0
    assert capsys.readouterr().out == "0 files differ\n"


def test_files_that_differ_and_files_of_one_build_are_named(builds, capsys):
    (builds[0] / "chapters" / "a.html").write_text("b")
    (builds[1] / "new").touch()
    assert compare_builds.main([*map(str, builds)]) == 1
    assert capsys.readouterr().out == "chapters/a.html\nnew\n2 files differ\n"
