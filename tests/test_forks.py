"""A step in a fork tells how it ended, ends nothing else, and may wait until it is needed."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bookwork.build import forks
from bookwork.build.forks import Fork, Waiting

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("step", "well"),
    [
        (lambda: None, True),
        (lambda: 1, False),
        (lambda: 1 / 0, False),
        (lambda: sys.exit("a reason"), False),
        (lambda: os._exit(3), False),
    ],
)
def test_a_step_tells_how_it_ended_and_ends_nothing_else(step, well, capfd):
    assert Fork(step).succeeded() is well
    assert "None" not in capfd.readouterr().err


def test_a_step_that_is_ended_leaves_nothing():
    fork = Fork(signal.pause)
    fork.end()
    with pytest.raises(ProcessLookupError):
        os.kill(fork.process.pid, 0)


def test_a_step_that_waits_is_prepared_and_goes_on_once_it_is_told():
    heard, say = os.pipe()

    def step(wait):
        os.write(say, b"ready ")
        wait()
        os.write(say, b"done")
        wait()  # nothing more to wait for

    waiting = Waiting(step)
    assert os.read(heard, 100) == b"ready "
    assert select.select([heard], [], [], 0)[0] == []
    assert waiting.go()
    assert os.read(heard, 100) == b"done"
    for end in (heard, say):
        os.close(end)


def test_a_step_that_waits_and_is_not_needed_leaves_no_file_open():
    before = len(os.listdir("/proc/self/fd"))
    waiting = [Waiting(lambda wait: wait()) for _ in range(2)]
    assert waiting[0].go()
    waiting[1].end()
    del waiting
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_step_that_waits_ends_with_the_process_that_began_it():
    code = (
        "import os\nfrom bookwork.build.forks import Waiting\n"
        "waiting = Waiting(lambda wait: (print('ready', flush=True), wait(), print('not this')))\n"
        "os._exit(0)"  # as if it were killed
    )
    done = subprocess.run(  # its output ends only when the fork has closed it, too
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
    )
    assert done.stdout == "ready\n"


def note(file, wait):
    """Note that a step is ready, wait, and note that it is done."""
    file.write_text("ready", encoding="utf-8")
    wait()
    file.write_text(f"{file.read_text(encoding='utf-8')}, done", encoding="utf-8")


def test_without_forks_as_on_windows_a_step_waits_in_a_new_python(tmp_path, monkeypatch):
    monkeypatch.setattr(forks, "METHOD", "spawn")
    monkeypatch.delattr(os, "nice")
    assert Waiting(note, tmp_path / "said").go()
    assert (tmp_path / "said").read_text(encoding="utf-8") == "ready, done"


@pytest.mark.skipif(forks.METHOD != "fork", reason="there are no forks")
def test_a_signal_that_comes_while_a_step_begins_is_not_lost():
    code = (
        "import os, signal, sys; from bookwork.build.forks import Fork\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        "os.register_at_fork(before=lambda: os.kill(os.getpid(), signal.SIGTERM))\n"
        "Fork(signal.pause)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 7
