"""How the tests of bookwork compare, and how they call."""

import importlib.util
import re
import subprocess
import sys

import pytest


def refuses(error, message):
    """Expect `error` with exactly this message."""
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def assert_found(finding, status, *words):
    """A finding, or a verdict, has this status, and its message these words."""
    assert finding.status == status
    assert all(each in finding.message for each in words), finding.message


def run(*command, **options):
    """Run a command to its end; return its exit code, and what it printed and complained."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def run_python(*arguments, **options):
    """Run Python, in the same way."""
    return run(sys.executable, *arguments, **options)


def load(path):
    """Run a file of Python; return it as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def contrast(one, other):
    """Return the contrast of two colours, such as "#1f2937", as WCAG defines it."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
