"""What every function does with what comes in: kinds of input, dtypes, ranks, masks.

`EXAMPLES` holds one small correct call of each function that takes arrays; the tests vary it.
"""

import numpy as np
import pytest
from checks import assert_same, call, per_pair, refuses

import attention_lib as lib

QK = {"Q": (2, 3), "K": (4, 3)}
QKV = QK | {"V": (4, 5)}
TOKENS = {"Q": (2, 3), "K": (2, 3), "V": (2, 5)}
PROJECTIONS = {"W_q": (3, 2), "W_k": (3, 2), "W_v": (3, 5)}
HEADS = {"W_q": (2, 3, 2), "W_k": (2, 3, 2), "W_v": (2, 3, 5), "W_o": (10, 3)}
EXAMPLES = {
    "softmax": {"x": (2, 4)},
    "top_k_mask": {"scores": (2, 4), "k": 2},
    "dot_score": QK,
    "scaled_dot_score": QK,
    "additive_score": QK | {"W_q": (3, 6), "W_k": (3, 6), "w_v": (6,), "b": (6,)},
    "multiplicative_score": QK | {"W": (3, 3)},
    "gated_score": QK | {"w_g": (6,), "b_g": (2, 4)},
    "gaussian_kernel": QK | {"width": (2, 4)},
    "boxcar_kernel": QK | {"width": (2, 4)},
    "triangular_kernel": QK | {"width": (2, 4)},
    "epanechnikov_kernel": QK | {"width": (2, 4)},
    "attention": QKV,
    "linear_attention": QKV,
    "linear_attention_recurrent": TOKENS,
    "delta_rule": TOKENS,
    "value_weighted": {"weights": (2, 4), "V": (4, 5), "W_o": (5, 3)},
    "qk_circuit": {"E": (4, 3), "W_q": (3, 2), "W_k": (3, 2)},
    "ov_circuit": {"E": (4, 3), "W_v": (3, 2), "W_o": (2, 3), "U": (3, 4)},
    "kernel_regression": {"x": (2, 3), "keys": (4, 3), "values": (4, 5), "width": (2, 4)},
    "self_attention": {"X": (2, 3)} | PROJECTIONS,
    "split_heads": {"X": (2, 4), "heads": 2},
    "merge_heads": {"X": (2, 3, 4)},
    "multi_head_attention": {"X": (2, 3), "context": (4, 3)} | HEADS,
    "feed_forward": {"X": (2, 3), "W_1": (3, 6), "b_1": (6,), "W_2": (6, 5), "b_2": (5,)},
    "softmax_backward": {"weights": (2, 4), "d_weights": (2, 4)},
    "attention_backward": QKV | {"d_output": (2, 5)},
    "blockwise_attention": QKV,
    "blockwise_attention_backward": QKV | {"d_output": (2, 5)},
}
MASKED = {  # functions with a mask, and the shape that their mask must fit
    "softmax": (2, 4),
    "attention": (2, 4),
    "self_attention": (2, 2),
    "multi_head_attention": (2, 4),
    "attention_backward": (2, 4),
    "blockwise_attention": (2, 4),
    "blockwise_attention_backward": (2, 4),
}
each_function = pytest.mark.parametrize("name", EXAMPLES)
each_masked = pytest.mark.parametrize("name", MASKED)
ARGUMENTS = [
    (name, a) for name, shapes in EXAMPLES.items() for a in shapes if a not in ("k", "heads")
]
each_argument = pytest.mark.parametrize(("name", "argument"), ARGUMENTS)


def example(name, dtype="float64"):
    """Whole numbers from 1 to 3, exact in every dtype; weights of a softmax are 0 or 1."""
    rng = np.random.default_rng(1)
    weights = {"weights": np.eye(2, 4, dtype=dtype)} if name == "softmax_backward" else {}
    drawn = {
        argument: rng.integers(1, 4, size=shape).astype(dtype)
        if isinstance(shape, tuple)
        else shape
        for argument, shape in EXAMPLES[name].items()
    }
    return drawn | weights


def results(name, arguments, mask=None):
    """Call the function and always return a tuple."""
    arguments = arguments if mask is None else arguments | {"mask": mask}
    answer = call(getattr(lib, name), **arguments)
    return answer if isinstance(answer, tuple) else (answer,)


def mapped(change, arguments):
    return {a: change(x) if isinstance(x, np.ndarray) else x for a, x in arguments.items()}


@each_function
@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "uint8"])
def test_floating_dtypes_are_kept_and_integers_become_float64(name, dtype):
    expected = results(name, example(name))
    kept = dtype if dtype.startswith("float") else "float64"
    assert_same(results(name, example(name, dtype)), expected, the_dtype(name, kept))


def the_dtype(name, dtype):
    return "bool" if name == "top_k_mask" else dtype


@pytest.mark.parametrize(
    ("name", "argument"), [pair for pair in ARGUMENTS if pair[1] not in ("b_g", "width")]
)
@pytest.mark.parametrize(("wide", "others"), [("float32", "int64"), ("float64", "float32")])
def test_the_widest_floating_dtype_wins_and_integers_follow_it(name, argument, wide, others):
    arguments = example(name, others)
    arguments[argument] = arguments[argument].astype(wide)
    assert_same(results(name, arguments), results(name, example(name)), the_dtype(name, wide))


@pytest.mark.parametrize(
    ("name", "extra", "number"),
    [
        ("softmax", "temperature", 2),
        ("softmax", "sink", 2),
        ("gaussian_kernel", "width", 2),
        ("gated_score", "b_g", 2),
        ("delta_rule", "rate", 1),
        ("linear_attention_recurrent", "keep", 1),
    ],
)
def test_a_temperature_a_width_a_bias_or_a_share_does_not_change_the_dtype(name, extra, number):
    array = np.full((2,) if number == 1 else (2, 1), float(number))
    for value in (number, float(number), np.float64(number), array):
        assert results(name, example(name, "float32") | {extra: value})[0].dtype == "float32"


@each_function
def test_lists_are_read_and_subclasses_give_plain_arrays(name):
    class Named(np.ndarray):
        pass

    expected = results(name, example(name))
    for change in (np.ndarray.tolist, lambda x: x.view(Named)):
        answer = results(name, mapped(change, example(name)))
        assert_same(answer, expected, expected[0].dtype)


PAIR = np.zeros(2, [("a", "float64"), ("b", "float64")])
NO_NUMBERS = "must hold real numbers, but its dtype is"
NOT_ARRAYS = [
    ("a", TypeError, f"{NO_NUMBERS} <U1"),
    (1j, TypeError, f"{NO_NUMBERS} complex128"),
    ([None], TypeError, f"{NO_NUMBERS} object"),
    ({1.0}, TypeError, f"{NO_NUMBERS} object"),
    (np.datetime64("2024-01-01"), TypeError, f"{NO_NUMBERS} datetime64[D]"),
    (PAIR, TypeError, f"{NO_NUMBERS} {PAIR.dtype}"),
    (
        np.ma.masked_less([1, 3], 2),
        TypeError,
        "is a masked array, whose gaps would be read as numbers: fill them first",
    ),
    (
        (np.ones((3, 5)), np.ones((3, 3))),  # what attention returns
        ValueError,
        "must be one array, but is a tuple of arrays of shapes (3, 5) and (3, 3): "
        "an output and its weights?",
    ),
    ([[1, 2], [3]], ValueError, "must be a rectangular array, but its rows differ in length"),
]


@each_argument
def test_what_is_no_array_of_numbers_is_refused_by_name(name, argument):
    for bad, error, said in NOT_ARRAYS:
        with refuses(error, f"{argument} {said}"):
            results(name, example(name) | {argument: bad})


def test_an_option_without_its_name_or_with_a_name_that_is_none_gets_a_sentence():
    one = [[1.0]]
    call = "attention(Q, K, V, score=…, mask=…, causal=…)"
    message = f"attention takes 3 arrays and then options by name, {call}, but was given 4 "
    with refuses(TypeError, f"{message}without a name"):
        lib.attention(one, one, one, [[True]])
    with refuses(TypeError, f"attention has no width: it is called as {call}"):
        lib.attention(one, one, one, width=2)
    with pytest.raises(TypeError, match="missing a required argument: 'V'"):
        lib.attention(one, one)


@pytest.mark.parametrize("name", ["attention", "attention_backward", "linear_attention"])
def test_causal_is_the_causal_mask_as_it_is_by_default(name):
    arguments = example(name)
    later = arguments | {"K": arguments["K"].copy(), "V": arguments["V"].copy()}
    later["K"][2:] = later["V"][2:] = 7
    options = {"causal": True}
    if name != "linear_attention":
        expected = results(name, arguments, mask=lib.causal_mask(2, 4))
        assert_same(results(name, arguments | options), expected, "float64")
        expected = results(name, arguments, mask=lib.causal_mask(2, 4) & [True, False, True, True])
        both = options | {"mask": [True, False, True, True]}
        assert_same(results(name, arguments | both), expected, "float64")
    assert_same(results(name, later | options)[0], results(name, arguments | options)[0], "float64")


VECTORS = {"w_v", "b", "w_g", "b_g", "width", "x", "b_1", "b_2", "scores", "keys", "values"}
OTHERS = [("multi_head_attention", W) for W in HEADS] + [("merge_heads", "X")]
OTHERS += [("softmax_backward", name) for name in ("weights", "d_weights")]
ROWS = [pair for pair in ARGUMENTS if pair[1] not in VECTORS and pair not in OTHERS]


@pytest.mark.parametrize(
    ("name", "argument"),
    [pair for pair in ARGUMENTS if pair[1] not in VECTORS and pair not in OTHERS],
)
def test_a_single_vector_is_refused_with_the_way_to_wrap_it(name, argument):
    for vector in (np.ones(3), np.ones(())):
        message = (
            f"{argument} needs one vector per row, shape (..., rows, length), "
            f"but has shape {vector.shape}; a single vector x goes in as [x]"
        )
        with refuses(ValueError, message):
            results(name, example(name) | {argument: vector})


TOGETHER = "the axes before the last two must be equal or 1 to go together, but "
LEADING = {  # whose leading axes go together, for one function of each kind
    "dot_score": "Q K",
    "additive_score": "Q K W_q W_k",
    "multiplicative_score": "Q W K",
    "gated_score": "Q K",
    "gaussian_kernel": "Q K",
    "attention": "Q K V",
    "linear_attention": "Q K V",
    "delta_rule": "Q K V",
    "value_weighted": "weights V W_o",
    "qk_circuit": "E W_q W_k",
    "ov_circuit": "E W_v W_o U",
    "attention_backward": "Q K V d_output",
    "blockwise_attention": "Q K V",
    "multi_head_attention": "X context",
    "self_attention": "X W_q W_k W_v",
    "feed_forward": "X W_1 W_2",
}


@pytest.mark.parametrize(("name", "said"), LEADING.items())
def test_leading_axes_that_do_not_broadcast_are_refused_with_all_shapes(name, said):
    arguments, (first, *_, last) = example(name), said.split()
    arguments |= {first: np.stack([arguments[first]] * 2), last: np.stack([arguments[last]] * 3)}
    shapes = " and ".join(f"{a} has shape {arguments[a].shape}" for a in said.split())
    with refuses(ValueError, TOGETHER + shapes):
        results(name, arguments)


ONES = "1 means 'may look', pass mask == 1"
ADDED = "it was made to be added to scores (0 keeps, -inf hides), pass mask == 0"


@each_masked
def test_masks_of_numbers_or_of_the_wrong_shape_are_refused_with_what_to_pass(name):
    n, m = MASKED[name]
    for dtype, hint in {"int64": ONES, "uint8": ONES, "float64": ADDED, "float32": ADDED}.items():
        said = (
            f"mask must be boolean, True where a query may look at a key, but its dtype is {dtype}"
        )
        with refuses(TypeError, f"{said}; if {hint}"):
            results(name, example(name), mask=np.ones((n, m), dtype))
    for wrong in ((n + 1, m + 1), (n, m + 1), (n + 1, m)):
        with refuses(ValueError, per_pair("mask", wrong, (n, m))):
            results(name, example(name), mask=np.ones(wrong, bool))


@each_masked
def test_a_mask_of_more_queries_or_keys_than_there_are_is_refused_even_if_it_would_broadcast(name):
    arguments = example(name)
    if "K" in arguments:  # one key, and a mask for two
        short = {"K": arguments["K"][:1], "V": arguments["V"][:1]}
        with refuses(ValueError, per_pair("mask", (2, 2), (2, 1))):
            results(name, arguments | short, mask=np.ones((2, 2), bool))
    first = next(iter(arguments))  # one query, and a mask for two
    one = {a: arguments[a][:1] for a in (first, "d_output") if a in arguments}
    m = 1 if name == "self_attention" else MASKED[name][1]
    with refuses(ValueError, per_pair("mask", (2, m), (1, m))):
        results(name, arguments | one, mask=np.ones((2, m), bool))


@each_masked
@pytest.mark.parametrize("axes", ["nm", "m", "1", "n1", "1m", "31nm"])
def test_masks_broadcast_and_all_true_is_no_mask(name, axes):
    sizes = dict(zip("nm", MASKED[name], strict=True))
    shape = tuple(int(sizes.get(axis, axis)) for axis in axes)
    expected = results(name, example(name))
    if name.endswith("attention_backward"):  # the shapes of Q, K, V are kept: three uses add up
        expected = tuple(gradient * (3 if axes == "31nm" else 1) for gradient in expected)
    elif axes == "31nm" and name == "multi_head_attention":  # the 1 stands for the heads
        expected = tuple(np.stack([part] * 3) for part in expected)
    elif axes == "31nm":
        expected = tuple(np.stack([[part]] * 3) for part in expected)
    for mask in (np.ones(shape, bool), np.ones(shape, bool).tolist()):
        assert_same(results(name, example(name), mask=mask), expected, "float64")
