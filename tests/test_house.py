"""The rules of the house: imports run one way, the core needs NumPy only, names stay.

Each rule is a function that returns what breaks it, and is first shown something that does.
"""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import attention_lib
import bookwork.live
from tools.count_lines import count, place_of, stated

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "attention_lib"

# A module may import those above it; `__init__` stands for `import attention_lib` itself.
ORDER = [
    "_arguments",
    "scores",
    "weights",
    "pooling",
    "linear",
    "projections",
    "positions",
    "multi_head",
    "transformer",
    "inside",
    "gradients",
    "blockwise",
    "training",
    "transformer_gradients",
    "tokens",
    "generation",
    "next_token",
    "datasets",
    "minilm",
    "__init__",
    "figures",
]
ROOMS = {  # of bookwork, and the rooms that each may import
    "exercises": (),
    "live": (),
    "page": (),
    "book": ("exercises", "live"),
    "build": ("book",),
    "commands": ("book", "build", "exercises"),
    "sphinx": ("book", "build"),
}
LIGHT = {  # what readers' Python gets, and what it may import besides NumPy and Python's own
    "exercises": (),
    "live": ("ipywidgets", "anywidget", "traitlets", "IPython"),
}
KNOWN = ("bookwork", "numpy", *sys.stdlib_module_names)
EXTRA = ["matplotlib", "ipywidgets", "anywidget"]
CORE = ORDER[: ORDER.index("figures")]
MATHEMATICS = [
    f"attention_lib.{name}" for name in CORE if name not in ("__init__", "datasets", "minilm")
]

SIGNATURES = {
    "softmax": "x, axis=-1, temperature=1.0, mask=None, sink=None",
    "causal_mask": "n, m=None, align='start'",
    "padding_mask": "lengths, m",
    "local_mask": "n, m=None, window=None",
    "strided_mask": "n, m=None, stride=None",
    "top_k_mask": "scores, k",
    "dot_score": "Q, K",
    "scaled_dot_score": "Q, K",
    "additive_score": "Q, K, W_q, W_k, w_v, b=None",
    "multiplicative_score": "Q, K, W",
    "gated_score": "Q, K, w_g, b_g=0.0",
    "gaussian_kernel": "Q, K, width",
    "boxcar_kernel": "Q, K, width",
    "triangular_kernel": "Q, K, width",
    "epanechnikov_kernel": "Q, K, width",
    "lookup": "query, keys, values",
    "attention": "Q, K, V, *, score=scaled_dot_score, mask=None",
    "kernel_regression": "x, keys, values, *, kernel=gaussian_kernel, width=1.0",
    "self_attention": "X, W_q, W_k, W_v, *, mask=None",
    "multi_head_attention": "X, W_q, W_k, W_v, W_o, *, mask=None, context=None",
    "split_heads": "X, heads",
    "merge_heads": "X",
    "feed_forward": "X, W_1, b_1, W_2, b_2, *, activation='relu'",
    "gelu": "X",
    "sinusoidal_positions": "n, d, *, dtype='float64'",
    "layer_norm": "X, gain=None, bias=None, *, eps=1e-05",
    "rms_norm": "X, gain=None, *, eps=1e-05",
    "transformer_block": "X, parameters, mask=None, norm='before', *, activation='relu'",
    "decoder_logits": "tokens, parameters",
    "generate": "parameters, tokens, count, temperature=1.0, top_k=None, top_p=None, "
    "rng=None, cache=True",
    "BytePairs": "tokens, merges=()",
    "decoder_steps": "tokens, parameters",
    "rotary": "X, positions=None, *, base=10000.0",
    "alibi_bias": "slopes, n, m=None",
    "attention_with_bias": "Q, K, V, *, bias, mask=None",
    "elu_plus_one": "X",
    "linear_attention": "Q, K, V, *, feature=elu_plus_one, causal=False",
    "linear_attention_recurrent": "Q, K, V, *, feature=elu_plus_one, keep=1.0, state=None",
    "delta_rule": "Q, K, V, *, rate=1.0, keep=1.0, state=None",
    "value_weighted": "weights, V, W_o=None",
    "induction_score": "weights, tokens",
    "without_heads": "parameters, heads, instead=None",
    "head_means": "tokens, parameters",
    "logit_lens": "tokens, parameters",
    "qk_circuit": "E, W_q, W_k",
    "ov_circuit": "E, W_v, W_o, U",
    "softmax_backward": "weights, d_weights",
    "attention_backward": "Q, K, V, d_output, *, mask=None",
    "numeric_gradient": "function, x, step=…",
    "blockwise_attention": "Q, K, V, *, mask=None, causal=False, block=…",
    "blockwise_attention_backward": "Q, K, V, d_output, *, mask=None, causal=False, block=…",
}


def imported(source, package="attention_lib"):
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


def own_modules(source, package="attention_lib"):
    """Return the modules of attention_lib that a source file imports."""
    parts = [name.split(".") for name in imported(source, package)]
    own = {part[1] if len(part) > 1 else "__init__" for part in parts if part[0] == "attention_lib"}
    return {module if module in ORDER else "__init__" for module in own}


def upward_imports(module, source, package="attention_lib"):
    return own_modules(source, package) - {module, *ORDER[: ORDER.index(module)]}


def foreign_imports(source, allowed):
    return {name.split(".")[0] for name in imported(source)} - {"attention_lib", *allowed}


def loaded_by(modules):
    """Return what importing these modules, in a process of its own, loads besides itself."""
    code = (
        f"import sys, importlib; before = set(sys.modules); "
        f"[importlib.import_module(name) for name in {modules}]; print(*set(sys.modules) - before)"
    )
    command = [sys.executable, "-c", code]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(answer.stdout.split())


def python_files(folder):
    return sorted(folder.rglob("*.py"))


def hidden_modules(names, package):
    """Return the modules that `import package.module as m` does not give: another has the name."""
    return set(names) & {path.stem for path in package.iterdir() if path.name != "__init__.py"}


def stray_docstrings(source):
    """Return the lines of strings that stand in a function after its first statement."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body[1:] for node in ast.walk(ast.parse(source)) if isinstance(node, functions)]
    inner = [part for body in bodies for statement in body for part in ast.walk(statement)]
    lone = [part.value for part in inner if isinstance(part, ast.Expr)]
    strings = [node for node in lone if isinstance(getattr(node, "value", None), str)]
    return sorted({node.lineno for node in strings} - own_docstrings(inner))


def own_docstrings(nodes):
    """Return the lines of the docstrings of the functions and classes among these nodes."""
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.body[0].lineno for node in nodes if isinstance(node, named)}


def unpinned(requirements):
    lines = (line.split("#")[0].strip() for line in requirements.splitlines())
    # the library itself, the other list, or an exact version
    pinned = r"-e \.|-r requirements\.txt|[\w.-]+(\[[\w,-]+\])?==[\w.]+"
    return [line for line in lines if line and not re.fullmatch(pinned, line)]


# the rules can fail


@pytest.mark.parametrize(
    ("module", "source", "broken"),
    [
        ("scores", "from attention_lib.weights import softmax", {"weights"}),
        ("scores", "from attention_lib import weights", {"weights"}),
        ("scores", "from . import weights", {"weights"}),
        ("scores", "from .weights import softmax", {"weights"}),
        ("scores", "def f():\n    import attention_lib.weights as w", {"weights"}),
        ("scores", "from attention_lib import softmax", {"__init__"}),
        ("scores", "import attention_lib", {"__init__"}),
        ("datasets", "import attention_lib.figures", {"figures"}),
        ("weights", "from attention_lib._arguments import as_floats", set()),
        ("figures", "from attention_lib import softmax", set()),
        ("pooling", "from .scores import dot_score\nimport numpy", set()),
    ],
)
def test_the_import_rule_sees_every_way_to_import_upwards(module, source, broken):
    assert upward_imports(module, source) == broken


def test_the_other_rules_can_fail():
    assert own_modules("from attention_lib import softmax", package="bookwork") == {"__init__"}
    figures = "import matplotlib.pyplot\nfrom numpy import pi"
    assert foreign_imports(figures, {"numpy"}) == {"matplotlib"}
    requirements = "numpy==2.4.3  # yes\n\n# no\n-e .\nruff>=1\nmypy\na[b]==1.0.post1"
    assert unpinned(requirements) == ["ruff>=1", "mypy"]
    stray = 'def f():\n    """Do."""\n    x = 1\n    """Say."""\n    if x:\n        "more"\n'
    inner = '    def g():\n        """Do more."""\n\n    class C:\n        """A class."""\n'
    assert stray_docstrings(stray + inner) == [4, 6]
    hidden = hidden_modules(["attention", "pooling"], PACKAGE)
    assert hidden == {"pooling"}
    assert {"matplotlib", "attention_lib.figures"} <= loaded_by(["attention_lib.figures"])
    above = "from bookwork.sphinx import setup\nfrom ..exercises import check\nimport matplotlib"
    assert foreign_to_room("live", above) == {"bookwork.sphinx", "bookwork.exercises", "matplotlib"}
    own = "from .frames import pack\nfrom bookwork.live.views import bars\nimport numpy"
    assert foreign_to_room("live", own) == set()
    assert foreign_to_room("sphinx", "import attention_lib.scores") == {"attention_lib"}


def foreign_to_room(room, source):
    """Return what a file of bookwork may not import: a book, or a room that is above its own."""
    allowed = ROOMS[room]
    found = set()
    for name in imported(source, f"bookwork.{room}"):
        top, _, rest = name.partition(".")
        inside = rest.partition(".")[0]
        if top == "bookwork" and inside in ROOMS and inside not in (room, *allowed):
            found.add(f"bookwork.{inside}")
        is_book = top in ("attention_lib", "attention_exercises")
        if is_book or (room in LIGHT and top not in (*LIGHT[room], *KNOWN)):
            found.add(top)
    return found


# the rules hold


def test_every_module_has_its_place_in_the_order():
    tops = {path.relative_to(PACKAGE).parts[0] for path in python_files(PACKAGE)}
    modules = {top.removesuffix(".py") for top in tops}
    assert modules <= set(ORDER)
    assert modules >= set(CORE)


@pytest.mark.parametrize("path", python_files(PACKAGE), ids=lambda path: path.stem)
def test_imports_run_one_way_only(path):
    parts = path.relative_to(PACKAGE).parts
    module = parts[0].removesuffix(".py")
    source = path.read_text(encoding="utf-8")
    package = ".".join(["attention_lib", *parts[:-1]])
    if module != "__init__":
        assert not upward_imports(module, source, package)
    assert "attention_exercises" not in {name.split(".")[0] for name in imported(source)}
    if module in CORE:
        assert not foreign_imports(source, {"numpy", *sys.stdlib_module_names})


def test_the_mathematics_loads_numpy_and_no_other_part_of_the_library():
    loaded = loaded_by(MATHEMATICS)
    others = {name.split(".")[0] for name in loaded} - {*sys.stdlib_module_names}
    assert others == {"attention_lib", "numpy"}
    own = {name for name in loaded if name.split(".")[0] == "attention_lib"}
    assert own == {"attention_lib", *MATHEMATICS}


@pytest.mark.parametrize("room", [*ROOMS])
def test_the_workshop_knows_nothing_of_this_book(room):
    for path in python_files(ROOT / "bookwork" / room):
        assert foreign_to_room(room, path.read_text(encoding="utf-8")) == set(), path


def test_a_docstring_stands_at_the_head_of_its_function():
    folders = ["attention_lib", "attention_exercises", "bookwork"]
    folders += ["tools", "tests", "examples", "benchmarks"]
    files = [path for folder in folders for path in python_files(ROOT / folder)]
    own = [path for path in files if "node_modules" not in path.parts]
    stray = {path: stray_docstrings(path.read_text(encoding="utf-8")) for path in own}
    assert {str(path): lines for path, lines in stray.items() if lines} == {}


def test_the_example_uses_public_names_only():
    for path in python_files(ROOT / "examples"):
        names = imported(path.read_text(encoding="utf-8"))
        assert [name for name in names if "._" in name] == []


def test_the_readme_states_how_many_lines_each_file_has():
    lines = stated((ROOT / "README.md").read_text(encoding="utf-8"))
    files = {f"{name}.py" for name in ORDER if name != "__init__"}
    assert set(lines) == files | {"attention_exercises/"}
    for name, number in lines.items():
        assert number == pytest.approx(count(place_of(name)), rel=0.1), (
            f"{name} has {count(place_of(name))} lines: run python -m tools.count_lines"
        )


def test_without_matplotlib_figures_say_what_to_install():
    code = "import sys; sys.modules['matplotlib'] = None; import attention_lib.figures"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    said = 'figures need Matplotlib: pip install "attention_lib[figures]"'
    assert answer.stderr.splitlines()[-1] == f"ModuleNotFoundError: {said}"


def test_an_example_of_the_readme_needs_numpy_alone_or_says_what_else():
    sections = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## ")
    examples = [
        (text, says) for says in sections for text in re.findall(r"^>>> [^`]*", says, flags=re.M)
    ]
    assert len(examples) == 2
    for text, says in examples:
        run = "import doctest, sys; doctest.run_docstring_examples(sys.argv[1], {})"
        blocked = f"import sys; sys.modules |= dict.fromkeys({EXTRA}); {run}"
        command = [sys.executable, "-c", blocked, text]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        if said:
            assert "live figures need anywidget: pip install ipywidgets anywidget" in said
            assert says.partition("```")[0].endswith("It needs the library with `[figures]`.\n\n")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-book.txt"])
def test_every_requirement_is_pinned(name):
    assert not unpinned((ROOT / name).read_text(encoding="utf-8"))


def test_the_public_names_are_those_promised():
    assert attention_lib.__all__ == sorted(SIGNATURES)


@pytest.mark.parametrize("name", ["attention_lib", "attention_exercises", "bookwork.live"])
def test_no_function_hides_the_module_of_its_name(name):
    package = importlib.import_module(name)
    assert not hidden_modules(package.__all__, Path(package.__file__).parent)


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_those_promised(name):
    signature = inspect.signature(getattr(attention_lib, name))
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    said = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.Signature(bare)))
    promised = re.escape(SIGNATURES[name]).replace("…", r"[\w.-]+")
    assert re.fullmatch(promised, said[1:-1])


def public_functions():
    """Return the public functions of all modules, exercises left out."""
    modules = [f"attention_lib.{name}" for name in [*CORE[:-1], "figures"] if name != "_arguments"]
    for name in bookwork.live.__all__:
        if name.islower():
            yield pytest.param(getattr(bookwork.live, name), id=f"bookwork.live.{name}")
    for module in map(importlib.import_module, modules):
        for name, value in vars(module).items():
            own = inspect.isfunction(value) and value.__module__ == module.__name__
            if own and not name.startswith("_"):
                yield pytest.param(value, id=f"{module.__name__}.{name}")


@pytest.mark.parametrize("function", list(public_functions()))
def test_the_first_line_of_help_can_be_read(function):
    signature = inspect.signature(function)
    assert len(str(signature)) < 40 * (1 + len(signature.parameters))


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_public_function_has_a_tested_example(name):
    docstring = inspect.getdoc(getattr(attention_lib, name))
    assert re.search(r"^Examples\n-{8}\n(.*\n)*>>> ", docstring, flags=re.M)


@pytest.mark.xdist_group("house")
def test_the_tests_of_a_group_stay_on_one_worker(request):
    """pytest-xdist writes the group behind a test's name, which not every pytest lets it do."""
    side_by_side = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@house") == side_by_side
