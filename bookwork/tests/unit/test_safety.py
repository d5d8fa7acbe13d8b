"""The Content-Security-Policy: in every page, before any script, and as strict as it can be."""

from types import SimpleNamespace

import pytest
from bookwork.sphinx.finish import Scripts, digest, finish, finish_pages

POLICY = '<meta http-equiv="Content-Security-Policy"'
PAGE = """<!DOCTYPE html><html><head><meta name="a" content="b"><meta charset="utf-8" />
<script>one()</script></head><body onload="two()"></body></html>"""


def test_a_page_is_finished_when_it_is_rendered_whatever_renders_it():
    bridge = SimpleNamespace(render=lambda template, context: PAGE)
    for policy, suffix, count in (
        ("none", ".html", 0),
        ("strict", ".txt", 0),
        ("strict", ".html", 1),
    ):
        config = SimpleNamespace(bookwork_policy=policy)
        builder = SimpleNamespace(out_suffix=suffix, templates=bridge)
        finish_pages(SimpleNamespace(config=config, builder=builder))
        page = bridge.render("page.html", {})
        assert page.count(POLICY) == count
    assert page.index('charset="utf-8" />') < page.index(POLICY) < page.index("<script>")
    assert digest("one()") in page
    assert digest("two()") in page


@pytest.mark.parametrize("part", ["<p>a part of a page</p>", ""])
def test_a_part_of_a_page_stays_as_it_is(part):
    assert finish(part) == part


def test_what_a_browser_runs_is_found_however_it_is_written_and_data_is_not():
    page = """<script type="application/javascript">one()</script><SCRIPT TYPE='Text/JavaScript'
data-src="a.js">two(1 < 2 && "&amp;")</SCRIPT ><script type=module async>three()</script>
<SCRIPT SRC=x.js></SCRIPT><script type="application/json">{"a": 1}</script>
<script type="importmap">{}</script><script type=text/x-template>no</script>
<b onclick='four("x")' ONLOAD=five('=')>b</b><a href="JavaScript:six(%22y%22)">a</a>
<a href="#javascript:no">a</a><iframe srcdoc="<b onclick=&quot;seven()&quot;>b</b>"></iframe>"""
    scripts = ["one()", 'two(1 < 2 && "&amp;")', "three()", "{}"]
    handlers = ['four("x")', "five('=')", 'javascript:six("y")', "seven()"]
    assert Scripts(page).scripts == [*scripts, *handlers]


def test_the_hash_is_that_of_the_standard():
    # the example of the specification, for the script: alert('Hello, world.');
    expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert digest("alert('Hello, world.');") == expected
