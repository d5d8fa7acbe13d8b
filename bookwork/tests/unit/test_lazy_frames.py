"""Frames in files of their own, as the build writes them; a browser loads them in tests/browser."""

import json
import logging
from types import SimpleNamespace

from bookwork.sphinx import figures, lazy_frames

SMALL, LARGE = "AAAA", "BBBB" * 100  # 3 and 300 bytes
STATE = {
    "state": {
        "small": {"state": {}, "buffers": [{"path": ["frames"], "data": SMALL}]},
        "large": {"state": {}, "buffers": [{"path": ["frames"], "data": LARGE}]},
        "other": {"state": {}, "buffers": [{"path": ["value"], "data": LARGE}]},
        "plain": {"state": {"value": "</script>"}},
    }
}


def write(site, page, state=STATE, limit=100):
    """Write the widgets of a page with a limit of 100 bytes; return them as the page has them."""
    builder = SimpleNamespace(out_suffix=".html", outdir=site, current_docname=page)
    writer = SimpleNamespace(
        builder=builder, body=[], config=SimpleNamespace(bookwork_inline_limit=limit)
    )
    figures.write_state(writer, figures.widget_state(page=json.loads(json.dumps(state))))
    return writer.body[0]


def files_in(site):
    return sorted((site / lazy_frames.FOLDER).rglob("*.js"))


def test_the_files_of_a_page_go_when_it_is_written_again_or_removed(tmp_path):
    write(tmp_path, "a")
    write(tmp_path, "folder/a")
    assert len(files_in(tmp_path)) == 2
    write(tmp_path, "a", {"state": {}})
    assert len(files_in(tmp_path)) == 1
    lazy_frames.remove_files(tmp_path, "folder/a")
    assert files_in(tmp_path) == []


def test_a_page_with_too_many_figures_is_told_with_what_helps(tmp_path, caplog, monkeypatch):
    log = logging.getLogger("sphinx")  # as it is before any build of this process
    monkeypatch.setattr(log, "handlers", [])
    monkeypatch.setattr(log, "propagate", True)
    frames = {"path": ["frames"], "data": "A" * 9_000_000}
    state = {"state": {"large": {"state": {}, "buffers": [frames]}}}
    write(tmp_path, "a", state, limit=0)
    (said,) = [record.getMessage() for record in caplog.records]
    assert said == (
        "the figures of this page have 9.0 MB, more than 6: give them fewer values, "
        "or set bookwork_inline_limit"
    )
    write(tmp_path, "a", state)
    assert len(caplog.records) == 1
