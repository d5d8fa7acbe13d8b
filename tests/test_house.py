"""The rules of the house: imports run one way, the core needs NumPy only, names stay."""

import ast
import inspect
import re
import sys
from pathlib import Path

import pytest
from checks import run_python

import attention_lib
from tools.count_lines import count, stated

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "attention_lib"

# A module may import those above it; `__init__` stands for `import attention_lib` itself.
ORDER = [
    *["_arguments", "scores", "weights", "pooling", "linear", "projections", "positions"],
    *["multi_head", "transformer", "inside", "gradients", "blockwise", "training"],
    *["transformer_gradients", "tokens", "generation", "next_token", "datasets", "minilm"],
    *["language_model", "__init__", "fetch_model", "stored_answers", "figures"],
]
CORE = ORDER[: ORDER.index("figures")]
MATHEMATICS = [f"attention_lib.{name}" for name in ORDER[: ORDER.index("datasets")]]
ROOMS = {  # of bookwork, and the rooms that each may import
    "exercises": (),
    "live": (),
    "page": (),
    "book": ("exercises", "live", "page"),
    "build": ("book",),
    "commands": ("book", "build", "exercises"),
    "sphinx": ("book", "build"),
}
LIGHT = {  # what readers' Python gets, and what it may import besides NumPy and Python's own
    "exercises": set(),
    "live": {"ipywidgets", "anywidget", "traitlets", "IPython"},
}
BASE = {"bookwork", "numpy", *sys.stdlib_module_names}

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
    "swiglu": "X, W_g, W_1, W_2",
    "transformer_block": "X, parameters, mask=None, norm='before', *, activation='relu', "
    "rotary_base=None",
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
    parts = [name.split(".") for name in imported(source, "attention_lib")]
    own = {part[1] if len(part) > 1 else "__init__" for part in parts if part[0] == "attention_lib"}
    used = {name if name in ORDER else "__init__" for name in own}
    return used - {module, *ORDER[: ORDER.index(module)]}


def foreign_to_room(room, source):
    """Return what a file of bookwork may not import: a book, or a room that is above its own."""
    found = set()
    for name in imported(source, f"bookwork.{room}"):
        top, inside = (*name.split("."), "")[:2]
        if top == "bookwork" and inside in ROOMS and inside not in (room, *ROOMS[room]):
            found.add(f"bookwork.{inside}")
        elif top.startswith("attention_") or (room in LIGHT and top not in BASE | LIGHT[room]):
            found.add(top)
    return found


def test_every_module_has_its_place_in_the_order():
    assert {path.stem for path in PACKAGE.glob("*.py")} == set(ORDER)


@pytest.mark.parametrize("module", [name for name in ORDER if name != "__init__"])
def test_imports_run_one_way_only(module):
    source = (PACKAGE / f"{module}.py").read_text(encoding="utf-8")
    assert not upward_imports(module, source)
    if module in CORE:
        tops = {name.split(".")[0] for name in imported(source, "attention_lib")}
        assert tops <= {"attention_lib", "numpy", *sys.stdlib_module_names}


@pytest.mark.parametrize("room", [*ROOMS])
def test_the_workshop_knows_nothing_of_this_book(room):
    for path in (ROOT / "bookwork" / room).rglob("*.py"):
        if "node_modules" not in path.parts:
            assert foreign_to_room(room, path.read_text(encoding="utf-8")) == set(), path


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


def test_the_readme_states_how_many_lines_each_file_has():
    lines = stated()
    files = {f"{name}.py" for name in ORDER if name != "__init__"}
    assert set(lines) == files | {"attention_exercises/"}
    for name, number in lines.items():
        assert number == pytest.approx(count(name), rel=0.1), (
            f"{name} has {count(name)} lines: run python -m tools.count_lines"
        )


def test_the_public_names_are_those_promised():
    assert attention_lib.__all__ == sorted(SIGNATURES)


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_are_those_promised(name):
    signature = inspect.signature(getattr(attention_lib, name))
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    said = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.Signature(bare)))
    promised = re.escape(SIGNATURES[name]).replace("…", r"[\w.-]+")
    assert re.fullmatch(promised, said[1:-1])


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_public_function_has_a_tested_example(name):
    docstring = inspect.getdoc(getattr(attention_lib, name))
    assert re.search(r"^Examples\n-{8}\n(.*\n)*>>> ", docstring, flags=re.M)
