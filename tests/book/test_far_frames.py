"""Frames in files of their own, as the build writes them; a browser loads them in tests/browser."""

import json
from types import SimpleNamespace

import pytest

from bookwork.sphinx import book_shell, far_frames

SMALL, LARGE = "AAAA", "BBBB" * 100  # 3 and 300 bytes
STATE = {
    "state": {
        "small": {"state": {}, "buffers": [{"path": ["frames"], "data": SMALL}]},
        "large": {"state": {}, "buffers": [{"path": ["frames"], "data": LARGE}]},
        "other": {"state": {}, "buffers": [{"path": ["value"], "data": LARGE}]},
        "plain": {"state": {"value": "</script>"}},
    }
}


@pytest.fixture
def page(tmp_path):
    """Build the widgets of a page with a limit of 100 bytes; return them as the page has them."""
    config = SimpleNamespace(bookwork_inline_limit=100)
    script = SimpleNamespace(
        attributes={"type": book_shell.WIDGET_STATE, "body": json.dumps(STATE)}
    )
    context = {"script_files": [script], "body": ""}
    app = SimpleNamespace(config=config, outdir=tmp_path)
    book_shell.move_widgets(app, "page", "page.html", context, None)
    (tmp_path / "page.html").write_text(context["body"])
    return app, context["body"]


def test_large_frames_go_to_a_file_and_all_else_stays(page):
    app, body = page
    (name,) = far_frames.NAMED.findall(body)
    assert LARGE in (app.outdir / far_frames.FOLDER / f"{name}.js").read_text()
    state = json.loads(body.partition(">")[2].rpartition("</script>")[0])["state"]
    assert state["large"] == {"state": {"frames": {"inFile": name}}, "buffers": []}
    assert {key: state[key] for key in state if key != "large"} == {
        key: STATE["state"][key] for key in STATE["state"] if key != "large"
    }
    assert body.count("</script>") == 1


def test_files_that_no_page_names_any_more_are_removed(page):
    app, body = page
    (name,) = far_frames.NAMED.findall(body)
    old = app.outdir / far_frames.FOLDER / "0123456789abcdef.js"
    old.write_text("")
    far_frames.remove_unnamed(app)
    assert [file.stem for file in old.parent.iterdir()] == [name]
    (app.outdir / "page.html").write_text("")
    far_frames.remove_unnamed(app)
    assert list(old.parent.iterdir()) == []
