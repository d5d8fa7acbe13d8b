"""The Content-Security-Policy: in every page, before any script, and as strict as it can be."""

import re
from types import SimpleNamespace

import pytest
from book.chapters import SITE
from bookwork.sphinx.finish import Scripts, digest, finish, finish_pages

# A page has a head: of the two others, one only leads on, and one is a template of the theme.
PAGES = sorted(path for path in SITE.rglob("*.html") if "<head" in path.read_text())
POLICY = '<meta http-equiv="Content-Security-Policy"'


def policy_of(path):
    """Return the policy of a page as { directive: sources }."""
    (content,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', path.read_text())
    return dict(rule.split(" ", 1) for rule in content.split("; "))


def test_every_page_has_one_policy_before_all_that_it_could_forbid():
    assert len(PAGES) > 20
    for path in PAGES:
        page = path.read_text()
        assert page.count(POLICY) == 1, path
        asking = re.search(r"<(script|link|img|style|body|title)\b", page)
        assert asking is None or page.index(POLICY) < asking.start(), path


def test_no_page_may_run_what_the_build_did_not_write():
    for path in PAGES:
        rules = policy_of(path)
        assert "'unsafe-inline'" not in rules["script-src"], path
        assert not re.search(r"data:|https?:|\*", rules["script-src"]), path
        assert "'unsafe-eval'" not in rules["script-src"], path


def test_no_page_of_the_book_may_make_a_worker_or_a_frame_without_its_policy():
    for path in PAGES:
        assert (policy_of(path)["worker-src"], policy_of(path)["frame-src"]) == ("blob:", "'none'")


PAGE = """<!DOCTYPE html><html><head><meta name="a" content="b"><meta charset="utf-8" />
<script>one()</script></head><body onload="two()"></body></html>"""


def test_a_page_is_finished_when_it_is_rendered_whatever_renders_it():
    bridge = SimpleNamespace(render=lambda template, context: PAGE)
    for policy, suffix, count in (
        ("none", ".html", 0),
        ("strict", ".xhtml", 0),
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
