"""How the tests compare, and how they call: every call also checks that no input was changed."""

import re
import subprocess
import sys

import numpy as np
import pytest

TOLERANCE = {"bool": 0, "float64": 1e-9, "float32": 2e-4, "float16": 2e-2}


def call(function, *arguments, **options):
    """Call the library; inputs must keep their bytes, results must be plain ndarrays."""
    inputs = [a for a in (*arguments, *options.values()) if isinstance(a, np.ndarray)]
    before = [array.tobytes() for array in inputs]
    results = function(*arguments, **options)
    assert [array.tobytes() for array in inputs] == before, "an input was changed"
    for result in results if isinstance(results, tuple) else (results,):
        assert type(result) is np.ndarray
    return results


def assert_same(results, expected, dtype):
    """Equal shapes, this dtype, and entries as close as the dtype allows."""
    if not isinstance(expected, tuple):
        results, expected = (results,), (expected,)
    for result, values in zip(results, expected, strict=True):
        assert result.dtype == dtype
        assert result.shape == np.shape(values)
        tolerance = TOLERANCE[np.dtype(dtype).name]
        np.testing.assert_allclose(result, values, rtol=tolerance, atol=tolerance)


def refuses(error, message):
    """Expect `error` with exactly this message."""
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def refusals(values, types=()):
    """Return a test that every call is refused with its message, a ValueError or a TypeError.

    Both are a dictionary, or pairs, of messages and calls.
    """
    tables = {ValueError: values, TypeError: types}
    cases = [(e, *case) for e, table in tables.items() for case in pairs(table)]

    @pytest.mark.parametrize(("error", "message", "call"), cases)
    def test(error, message, call):
        with refuses(error, message):
            call()

    return test


def pairs(table):
    return table.items() if isinstance(table, dict) else table


def run(*command, **options):
    """Run a command to its end; return its exit code, and what it printed and complained."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def run_python(*arguments, **options):
    """Run Python, in the same way."""
    return run(sys.executable, *arguments, **options)


def not_compared(Q, K, first="Q", second="K"):
    return (
        "queries and keys are compared, so both need the same length d_k, "
        f"but {first} has shape {Q} and {second} has shape {K}"
    )


def without_value(K, V):
    return (
        "each key needs one value, so K and V need the same number of rows, "
        f"but K has shape {K} and V has shape {V}"
    )


def shared(letter, left, A, right, B):
    return (
        f"{letter} is an axis of {left} and of {right}, so it needs the same length in both, "
        f"but {left} has shape {A} and {right} has shape {B}"
    )


def no_product(left, A, right, B):
    return (
        f"each row of {left} is multiplied by {right}, so {right} needs {A[-1]} rows, "
        f"but {left} has shape {A} and {right} has shape {B}"
    )


def per_pair(name, shape, scores):
    return (
        f"{name} must have one entry per query and key, or broadcast to that, "
        f"but {name} has shape {shape} and the scores have shape {scores}"
    )


def contrast(one, other):
    """Return the contrast of two colours, such as "#1f2937", as WCAG defines it."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
