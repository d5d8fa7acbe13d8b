"""The rules of the house: imports run one way, and the core needs NumPy only."""

import ast
import inspect
import re
import sys
from pathlib import Path

import pytest
from checks import run_python

import attention_lib

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "attention_lib"

# A module may import those above it; `__init__` stands for `import attention_lib` itself.
ORDER = [
    *["_arguments", "scores", "weights", "pooling", "linear", "positions", "multi_head"],
    *["transformer", "inside", "backward", "blockwise", "tokens", "generation", "training"],
    "__init__",
    *["models.data", "models.gguf", "models.minilm", "models.smollm2", "models.answers"],
    *["models.__init__", "models.fetch", "figures", "growing", "machine"],
]
CORE = ORDER[: ORDER.index("figures")]
MATHEMATICS = [f"attention_lib.{name}" for name in ORDER[: ORDER.index("__init__")]]


def imported(source, package):
    """Return the dotted names that a source file imports; relative ones start at `package`."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*base, *filter(None, [node.module])])
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def upward_imports(module, source):
    """Return the modules of attention_lib that a module imports although they stand below it."""
    names = imported(source, "attention_lib")
    used = {place(name) for name in names if name.split(".")[0] == "attention_lib"}
    return used - {module, *ORDER[: ORDER.index(module)]}


def place(name):
    """Return the module of attention_lib that a dotted name is in."""
    _, *parts = name.split(".")
    folder = "models." if parts[:1] == ["models"] else ""
    module = folder + "".join(parts[len(folder) > 0 :][:1])
    return module if module in ORDER else f"{folder}__init__"


def test_every_module_has_its_place_in_the_order():
    paths = [path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.py")]
    assert {".".join(path.parts) for path in paths} == set(ORDER)


@pytest.mark.parametrize("module", [name for name in ORDER if name != "__init__"])
def test_imports_run_one_way_only(module):
    source = (PACKAGE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    assert not upward_imports(module, source)
    if module in CORE:
        tops = {name.split(".")[0] for name in imported(source, "attention_lib")}
        assert tops <= {"attention_lib", "numpy", *sys.stdlib_module_names}


def test_the_mathematics_loads_numpy_and_no_other_part_of_the_library():
    code = f"import sys; before = set(sys.modules); import {', '.join(MATHEMATICS)}; "
    answer = run_python("-c", f"{code} print(*set(sys.modules) - before)", cwd=ROOT)
    loaded = set(answer.stdout.split())
    own = {name for name in loaded if name.split(".")[0] == "attention_lib"}
    assert own == {"attention_lib", *MATHEMATICS}
    others = {name.split(".")[0] for name in loaded - own} - {*sys.stdlib_module_names}
    assert others == {"numpy"}


def test_without_matplotlib_figures_say_what_to_install():
    code = "import sys; sys.modules['matplotlib'] = None; import attention_lib.figures"
    answer = run_python("-c", code, cwd=ROOT)
    said = 'figures need Matplotlib: pip install "attention_lib[figures]"'
    assert answer.stderr.splitlines()[-1] == f"ModuleNotFoundError: {said}"


def test_chapters_import_from_the_top_and_need_not_guess():
    chapters = [path.read_text(encoding="utf-8") for path in (ROOT / "chapters").glob("*.md")]
    found = {
        name for text in chapters for name in re.findall(r"^from (attention_lib\S*)", text, re.M)
    }
    assert found == {
        "attention_lib",
        *(f"attention_lib.{part}" for part in ("models", "figures", "growing", "machine")),
    }


def test_public_names_are_sorted_and_each_has_a_tested_example():
    assert attention_lib.__all__ == sorted(attention_lib.__all__)
    docstrings = {
        name: inspect.getdoc(getattr(attention_lib, name)) for name in attention_lib.__all__
    }
    example = re.compile(r"^Examples\n-{8}\n(.*\n)*>>> ", flags=re.M)
    assert [name for name, text in docstrings.items() if not example.search(text)] == []
