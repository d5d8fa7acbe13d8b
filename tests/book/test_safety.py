"""The Content-Security-Policy: in every page, before any script, and as strict as it can be."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "_build" / "html").rglob("*.html"))


@pytest.fixture(scope="module")
def safety():
    spec = importlib.util.spec_from_file_location("safety", ROOT / "_ext" / "safety.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_has_one_policy_before_its_first_script():
    whole = [path for path in PAGES if "<head>" in path.read_text()]
    assert whole
    for path in whole:
        page = path.read_text()
        assert page.count("Content-Security-Policy") == 1, path
        assert page.index("Content-Security-Policy") < page.index("<script"), path


def test_no_page_may_run_what_the_build_did_not_write():
    for path in PAGES:
        policy = re.search(r"script-src ([^;]*);", path.read_text())
        if policy:
            assert "'unsafe-inline'" not in policy[1]
            assert "'unsafe-eval'" not in policy[1]
            assert "http" not in policy[1]


def test_inline_scripts_and_handlers_are_found_and_data_is_not(safety):
    page = (
        '<script>one()</script><script type="application/json">{"a": 1}</script>'
        '<script src="x.js"></script><b onclick="two(&quot;x&quot;)">b</b>'
    )
    assert list(safety.inline_scripts(page)) == ["one()"]
    assert safety.inline_handlers(page) == ['two("x")']


def test_the_hash_is_that_of_the_standard(safety):
    # the example of the specification, for the script: alert('Hello, world.');
    expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert safety.digest("alert('Hello, world.');") == expected
