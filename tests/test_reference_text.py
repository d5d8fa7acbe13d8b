"""The reference of the library: every public name, as it is imported and as it is called."""

import inspect
import re

import pytest

import attention_lib
from attention_lib import datasets, figures, training
from bookwork import exercises, live
from bookwork.book.reference_text import definitions
from tools import ROOT

MODULES = re.findall(
    r"^```\{library\} (\S+)$", (ROOT / "chapters" / "library.md").read_text(), re.M
)


@pytest.fixture(scope="module")
def offered():
    return {
        made.name: made
        for module in MODULES
        for made in definitions(module, ROOT / "attention_lib")
    }


def test_every_public_name_is_in_the_reference(offered):
    names = {
        f"{module.__name__}.{name}"
        for module in (attention_lib, live, exercises)
        for name in module.__all__
        if inspect.isfunction(value := getattr(module, name)) or inspect.isclass(value)
    }
    assert {*names, "attention_exercises.check"} <= set(offered)
    for module in (datasets, figures, training):
        assert any(name.startswith(f"{module.__name__}.") for name in offered)


@pytest.mark.parametrize("name", attention_lib.__all__)
def test_a_signature_is_short_and_true(offered, name):
    signature = inspect.signature(getattr(attention_lib, name))
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    said = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.Signature(bare)))
    assert offered[f"attention_lib.{name}"].signature == said


def test_a_method_is_shown_without_self_and_a_property_without_brackets(tmp_path):
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "m.py").write_text(
        'class A:\n    """A."""\n    def f(self, /, x: int = 1): "F."\n'
        '    @property\n    def p(self): "P."\n    def _q(self): "Q."\n'
    )
    (made,) = definitions("m", tmp_path)
    assert [(m.kind, m.name, m.signature) for m in made.members] == [
        ("method", "f", "(x=1)"),
        ("property", "p", ""),
    ]


def test_the_code_of_a_function_is_followed_by_its_formula_and_lacks_both_docstrings():
    code = {each.name: each.code for each in definitions("multi_head", ROOT / "attention_lib")}
    merge = code["attention_lib.merge_heads"]
    assert merge.startswith("def merge_heads(")
    formula = merge.partition("def _merge_heads(")[2]
    assert "h, n, d_v = X.shape[-3:]" in formula  # the first line of a function without docstring
    assert '"""' not in "".join(code.values())
