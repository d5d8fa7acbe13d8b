"""The reader's code as the page's Python runs it: outputs, limits, errors, advice, verdicts.

Each test has a Python of its own. What needs a browser is in tests/browser/test_python.py.
"""

from itertools import groupby

import pytest
from reader import Reader


@pytest.fixture
def reader():
    reader = Reader()
    yield reader
    reader.close()


def words_of(output):
    return output["text"] if "text" in output else output["bundle"]["text/plain"]


def text_of(result, kind="stdout"):
    return "".join(map(words_of, (each for each in result["outputs"] if each["kind"] == kind)))


DOTS = """import time
for _ in range(3):
    end = time.monotonic() + 0.06
    while time.monotonic() < end: pass
    print(".", end="")
"""


def test_what_a_loop_prints_without_ending_a_line_is_sent_while_it_prints(reader):
    texts = [output["text"] for output in reader.run(DOTS)["outputs"]]
    assert texts == [".", ".", "."]


# outputs


def test_values_text_and_variables_come_back_in_order(reader):
    code = "import sys\nx = 2\nprint('first')\ndisplay(x)\nprint('then', file=sys.stderr)\nx + 1"
    result = reader.run(code)
    kinds = groupby(result["outputs"], lambda output: output["kind"])
    assert [(kind, "".join(map(words_of, group))) for kind, group in kinds] == [
        ("stdout", "first\n"),
        ("display", "2"),
        ("stderr", "then\n"),
        ("display", "3"),
    ]
    assert result["ok"]
    assert result["advice"] is None
    assert reader.value("x, _") == "(2, 3)"
    assert reader.run("x;")["outputs"] == []


def test_a_million_characters_are_cut_and_counted(reader):
    result = reader.run("for i in range(100_000): print(i)")
    assert result["ok"]
    assert len(text_of(result)) == 100_000
    assert result["dropped"] == len("".join(f"{i}\n" for i in range(100_000))) - 100_000
    assert len(result["outputs"]) < 1000  # sent together after the first ones
    assert reader.run("print('again')")["dropped"] == 0


def test_an_endless_message_hides_neither_the_line_nor_the_type_of_its_error(reader):
    told = reader.run("raise ValueError('word ' * 4_000_000 + 'end')")["error"]["traceback"]
    assert "line 1, in <module>" in told
    assert "ValueError: word word" in told
    assert "characters) …" in told
    assert told.endswith("word end")
    assert len(told) < 20_000  # as much as a page takes


def test_many_values_are_cut_and_counted(reader):
    result = reader.run("for i in range(1000): display(i)")
    assert len(result["outputs"]) == 200
    assert (result["unshown"], result["dropped"]) == (800, 0)


def test_a_value_that_is_replaced_again_and_again_counts_once(reader):
    loop = "for i in range(500): place.update(i)"
    result = reader.run(f"place = display('first', display_id=True)\n{loop}")
    assert result["outputs"][-1]["bundle"] == {"text/plain": "499"}
    assert result["unshown"] == 0
    assert reader.run(loop)["unshown"] == 0
    many = reader.run("for i in range(300): display(i, display_id=True).update(-i)")
    assert (len(many["outputs"]), many["unshown"]) == (200, 400)
    loop = "for i in range(201): display(i, display_id=str(i), update=True)"
    assert reader.run(loop)["unshown"] == 1


def test_outputs_that_are_too_large_become_a_sentence_and_the_next_one_is_shown(reader):
    reader.run("from IPython.display import HTML\ndef html(mega): return HTML('x' * mega * 10**6)")
    result = reader.run("display(html(15), html(6), html(4))")
    shown = [output["bundle"] for output in result["outputs"]]
    assert [len(bundle.get("text/html", "")) for bundle in shown] == [15 * 10**6, 0, 4 * 10**6]
    assert shown[1]["text/plain"] == (
        "This output is not shown: with it the run would show 21.0 MB, and the page takes 20 MB. "
        "Show a part of it."
    )
    code = "place = display(0, display_id=True)\nfor _ in range(9): place.update(html(5))"
    assert "text/html" in reader.run(code)["outputs"][-1]["bundle"]


# what works differently in the page

FAULTS = {
    "input()": ("input('name?')", "RuntimeError", "write the value into the cell"),
    "exit()": ("exit()", "SystemExit", "your variables are kept"),
    "await": ("import asyncio\nawait asyncio.sleep(0)", "SyntaxError", "'await' outside"),
    "asyncio": ("import asyncio\nasyncio.run(None)", "RuntimeError", "do not work in this page"),
    "an unknown module": ("import no_such_module", "ModuleNotFoundError", "no_such_module"),
    "an error that cannot say what it is": (
        "class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute",
        "Mute",
        "",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_becomes_a_sentence_and_the_variables_are_kept(reader, fault):
    code, kind, message = FAULTS[fault]
    reader.run("kept = 7")
    result = reader.run(code)
    assert (result["ok"], result["error"]["type"]) == (False, kind)
    assert message in result["error"]["message"]
    assert (result["advice"] is None) == (fault not in {"an unknown module", "await"})
    assert reader.value("kept") == "7"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import a.b, c as d", ["a", "a.b", "c"]),
        ("from a.b import c\nfrom . import e", ["a", "a.b", "a.b.c"]),
        ("def f():\n    import late", ["late"]),
        ("import (", []),
    ],
)
def test_what_code_imports_is_known_before_it_runs(reader, code, names):
    assert reader.ask("imported", code)[0] == names


# errors


def test_an_error_points_at_the_readers_line_and_hides_ours(reader):
    error = reader.run("def f(x):\n    return 1 / x\n\nf(0)", name="cell 7")["error"]
    assert (error["type"], error["line"]) == ("ZeroDivisionError", 2)
    assert error["traceback"].splitlines()[1] == '  File "<cell 7>", line 4, in <module>'
    assert "runtime.py" not in error["traceback"]
    assert reader.run("x = = 1")["error"]["line"] == 1


def test_an_error_in_the_library_shows_the_readers_call_and_the_librarys_reason(reader):
    code = "from shop import price_of\nprice_of('rye', [], [])"
    error = reader.run(code)["error"]
    assert error["line"] == 2
    assert "it should be one" in error["message"]
    assert len(error["traceback"].splitlines()) < 12


def test_a_long_chain_of_calls_is_told_by_its_ends(reader):
    code = "def f(n):\n    return g(n - 1) if n else 1 / 0\ndef g(n):\n    return f(n)\nf(100)"
    lines = reader.run(code)["error"]["traceback"].splitlines()
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert len([line for line in lines if line.startswith("  File")]) == 8


# verdicts


def test_a_verdict_is_the_books_whatever_the_reader_calls_check(reader):
    code = 'check = lambda *answer: "fooled"\ncheck("ex-twice", ...)'
    verdict = reader.run(code, exercise="ex-twice")["verdict"]
    assert (verdict["label"], verdict["status"]) == ("ex-twice", "not started")


# advice


def test_output_that_was_put_elsewhere_comes_back_with_the_next_cell(reader):
    result = reader.run("import sys\nprint('seen')\nsys.stdout = None\nprint('lost')")
    assert text_of(result) == "seen\n"
    assert text_of(reader.run("print('here')")) == "here\n"


def test_a_variable_that_hides_a_function_of_pythons_is_named_where_a_call_fails(reader):
    assert reader.run("sum = 0\nlist = [1, 2]")["advice"] is None
    advice = reader.run("sum([1, 2])")["advice"]
    assert advice == "Your variable sum hides Python's own sum. To get that back: del sum"
    assert reader.run("1 / 0")["advice"] is None
    assert reader.run("del sum, list\n3()")["advice"] is None


def test_what_a_page_lacks_is_said(reader):
    told = "torch is not among the packages of this page. It may run in Python on your own machine."
    for code in ("import torch", "from torch.nn import functional"):
        assert reader.run(code)["advice"] == told


# memory


def test_what_a_function_held_is_free_once_its_error_is_told(reader):
    reader.run("import gc, weakref\ngc.disable()\nclass Large: pass")
    code = "def f(held):\n    global seen\n    seen = weakref.ref(held)\n    1 / 0\nf(Large())"
    assert reader.run(code)["error"]["type"] == "ZeroDivisionError"
    assert reader.value("seen() is None") == "True"


def test_after_a_memory_error_what_holds_only_itself_is_free_too(reader):
    reader.run("import weakref\nclass Large: pass")
    code = "held = Large()\nheld.own = held\nseen = weakref.ref(held)\ndel held\nraise MemoryError"
    reader.run(code)
    assert reader.value("seen() is None") == "True"


# lines that are not Python

SKIPPED = "A page runs plain Python, so this was skipped: "


@pytest.mark.parametrize(
    ("code", "missed"),
    [
        ("%matplotlib inline\n%config x = 1\n  \nx = 3\nx", ""),
        ("!pip install scipy\nx = 3\nx", "!pip install scipy"),
        ("x = 3\n%timeit -n 2 x + 1\ny = !ls\nx", "%timeit -n 2 x + 1; y = !ls"),
        ('x = """\n%bash\n"""; x = 3\nx', ""),
        ("x = 7\nx = (x\n%4)\nx", ""),
        ("x = 3\nx.real??\n?print\nx", "x.real??; ?print"),
        ("%%bash\nls\nrm x", "%%bash"),
    ],
)
def test_magics_and_commands_are_skipped_with_a_note(reader, code, missed):
    result = reader.run(code)
    shown = [] if code.startswith("%%") else ["3"]
    assert [words_of(output) for output in result["outputs"]] == shown
    assert result["advice"] == (SKIPPED + missed if missed else None)


def test_what_comes_after_a_magic_keeps_its_lines_and_its_imports(reader):
    assert reader.run("%%time\nx = 1\n1 / 0")["error"]["line"] == 3
    assert reader.run("%matplotlib inline\n\nx = 1 +")["error"]["line"] == 3
    found, _ = reader.ask("imported", "%%time\nimport scipy.stats")
    assert found == ["scipy", "scipy.stats"]
