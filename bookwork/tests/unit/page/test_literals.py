"""What a reader types into a field becomes a string in the code, which Python reads the same."""

import ast
import json
from pathlib import Path

from bookwork.site.build_web import NODE
from checks import run

SCRIPT = Path(__file__).with_name("literals.mjs")
CODE = "from somewhere import f\n\ntext = \"one\"  # say something\nother = 'two'\nf(text, other)"
TEXTS = [
    "",
    "She said \"no\", it's 'quoted'",
    "back\\slash \\n \\u0041 \\",
    "two\nlines\r\tand a tab",
    '"; import js; js.alert(1) #',
    '""" \'\'\' """',
    "$& $1 $$ {} %s",
    "שלום \u202eabc\u202c \u200b\u200d\ufeff 👩‍🔬 e\u0301 \U0001d518",
    "\x00\x07\x1b\x7f\x85\u2028\u2029",
]


def answers(*requests):
    return json.loads(run(NODE, SCRIPT, json.dumps(requests)).stdout)


def values(code):
    """Return what Python gives to each name that code sets to a string."""
    return {
        line.targets[0].id: ast.literal_eval(line.value)
        for line in ast.parse(code).body
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant)
    }


def test_whatever_is_typed_python_reads_it_and_nothing_else_changes():
    for text, answer in zip(TEXTS, answers(*([CODE, "text", text] for text in TEXTS)), strict=True):
        assert values(answer["code"]) == {"text": text, "other": "two"}
        assert answer["after"] == {"text": text, "other": "two"}
        lines = answer["code"].split("\n")
        assert [*lines[:2], *lines[3:]] == [*CODE.split("\n")[:2], *CODE.split("\n")[3:]]
        assert lines[2].endswith("  # say something")


def test_a_string_is_read_as_python_reads_it_and_what_is_no_plain_one_is_left_alone():
    read = r'text = "a\tb\\n\"\u0041 é"'
    assert answers([read, "text", ""])[0]["before"] == values(read)
    for line in (
        'text = f"one"',
        'text = """one"""',
        '    text = "one"',
        'text = "one\\\ntwo"',
        r'text = "\N{BULLET}"',
        r'text = "\/"',
        "text = 'it\\'s \"so\"'",
    ):
        (answer,) = answers([line, "text", "two"])
        assert answer == {"before": {}, "code": line, "after": {}}
