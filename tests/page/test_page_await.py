"""`await` and tasks in a cell, as in a notebook: heard by Stop, and never waiting for ever."""

import pytest
from page.reader import Reader

SETUP = """
import asyncio
async def five():
    await asyncio.sleep(0.01)
    return 5
async def numbers():
    for i in range(3): yield i
"""
ENDLESS = """
ended = []
async def endless():
    try:
        while True: await asyncio.sleep(0)
    finally: ended.append(1)
"""


@pytest.fixture
def reader():
    reader = Reader()
    assert reader.run(SETUP)["ok"]
    yield reader
    reader.close()


def text_of(result):
    return "".join(output.get("text", "") for output in result["outputs"])


def test_what_a_cell_awaits_is_its_value(reader):
    assert reader.value("await five()") == "5"
    assert reader.value("x = await five()\nx + 1") == "6"
    assert reader.value("await asyncio.gather(five(), five())") == "[5, 5]"
    assert reader.value("[i async for i in numbers()]") == "[0, 1, 2]"
    assert reader.value("asyncio.run(five())") == "5"
    assert reader.value("asyncio.get_event_loop().run_until_complete(five())") == "5"
    assert text_of(reader.run("async for i in numbers(): print(i)")) == "0\n1\n2\n"
    assert reader.value("def f(): return 'no await'\nf()") == "'no await'"


def test_an_error_in_what_is_awaited_points_at_the_readers_line(reader):
    result = reader.run("async def bad():\n    raise ValueError('no')\nawait bad()")
    assert result["error"]["traceback"].splitlines()[-1] == "ValueError: no"
    assert result["error"]["line"] == 2
    assert "base_events" not in result["error"]["traceback"]
    assert (
        "use await"
        in reader.run("async def f(): asyncio.run(five())\nawait f()")["error"]["message"]
    )


def test_a_task_does_its_work_before_its_cell_ends(reader):
    code = "async def later(): print('later', await five())\n"
    code += "t = asyncio.create_task(later())\nprint('now')"
    assert text_of(reader.run(code)) == "now\nlater 5\n"
    assert reader.value("t.done(), await t") == "(True, None)"


def test_a_task_may_wait_for_the_reader_and_a_cell_may_not(reader):
    reader.run("event = asyncio.Event()")
    assert "does not come while it runs" in reader.run("await event.wait()")["error"]["message"]
    code = "async def wait(): print('came', await event.wait())\n"
    code += "t = asyncio.create_task(wait())"
    assert text_of(reader.run(code)) == ""
    assert not reader.run("1 / 0")["ok"]  # another cell that fails
    assert text_of(reader.run("event.set()")) == "came True\n"


def test_stop_ends_the_tasks_too(reader):
    reader.run(ENDLESS)
    result = reader.run(
        "asyncio.create_task(endless())\nawait asyncio.sleep(0)\nraise KeyboardInterrupt"
    )
    assert result["error"]["type"] == "KeyboardInterrupt"
    assert reader.value("ended") == "[1]"
