"""The Content-Security-Policy: in every page, before any script, and as strict as it can be."""

import re

from book.chapters import SITE

from bookwork.build import hosts, policy, secure_pages

PAGES = sorted(SITE.rglob("*.html"))
POLICY = '<meta http-equiv="Content-Security-Policy"'
LITE = [path for path in PAGES if SITE / "lite" in path.parents]


def policy_of(path):
    """Return the policy of a page as { directive: sources }."""
    (content,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', path.read_text())
    return dict(rule.split(" ", 1) for rule in content.split("; "))


def test_every_page_has_one_policy_before_all_that_it_could_forbid():
    assert PAGES
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
        assert ("'unsafe-eval'" in rules["script-src"]) == (path in LITE), path


def test_no_page_of_the_book_may_make_a_worker_or_a_frame_without_its_policy():
    for path in set(PAGES) - set(LITE):
        assert (policy_of(path)["worker-src"], policy_of(path)["frame-src"]) == ("blob:", "'none'")


def test_notebooks_in_the_browser_may_ask_no_other_host():
    assert LITE
    for path in LITE:
        rules = policy_of(path)
        assert rules["default-src"] == "'self' blob: data:"
        assert rules["frame-src"] == "blob:"
        assert not re.search(r"http|\*", " ".join(rules.values()))


def test_the_policy_of_the_book_knows_nothing_of_the_scripts_of_jupyterlite(tmp_path):
    for name in ("index.html", "lite/notebooks/index.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert secure_pages.own_pages(tmp_path) == [tmp_path / "index.html"]


def test_a_page_without_a_head_gets_a_policy_too():
    page = secure_pages.with_policy('<meta http-equiv="Refresh" content="0; url=a.html" />', set())
    assert page.startswith('<!doctype html>\n<meta charset="utf-8" />')
    assert page.index(POLICY) < page.index("Refresh")


def test_a_page_of_an_earlier_build_gets_the_policy_of_this_one(monkeypatch):
    first = secure_pages.with_policy("<p>text</p>", set())
    assert secure_pages.with_policy(first, set()) == first
    monkeypatch.setitem(secure_pages.POLICY, "img-src", "'none'")
    second = secure_pages.with_policy(first, set())
    assert second.count(POLICY) == 1
    assert "img-src 'none'" in second


def test_inline_scripts_and_handlers_are_found_and_data_is_not():
    page = (
        '<script>one()</script><script type="application/json">{"a": 1}</script>'
        '<script src="x.js"></script><b onclick="two(&quot;x&quot;)">b</b>'
    )
    assert list(policy.inline_scripts(page)) == ["one()"]
    assert policy.inline_handlers(page) == ['two("x")']


def test_what_a_browser_runs_is_found_however_it_is_written():
    page = """<script type="application/javascript">one()</script><SCRIPT TYPE='Text/JavaScript'
data-src="a.js">two()</SCRIPT ><script type=module async>three()</script><SCRIPT SRC=x.js></SCRIPT>
<script type="importmap">{}</script><script type=text/x-template>no</script>
<b onclick='four("x")' ONLOAD=five('=')>b</b><a href="JavaScript:six(%22y%22)">a</a>
<a href="#javascript:no">a</a><iframe srcdoc="<b onclick=&quot;seven()&quot;>b</b>"></iframe>"""
    assert list(policy.inline_scripts(page)) == ["one()", "two()", "three()", "{}"]
    handlers = ['four("x")', "five('=')", 'javascript:six("y")', "seven()"]
    assert policy.inline_handlers(page) == handlers
    bokeh = """<script type="application/javascript">load("https://cdn.bokeh.org/a.js")</script>"""
    assert hosts.hosts_in(bokeh) == {"https://cdn.bokeh.org"}
    assert hosts.hosts_in("<SCRIPT SRC='HTTPS://cdn.example/a'></SCRIPT>") == {
        "https://cdn.example"
    }
    assert hosts.hosts_in("<script>open(new URL('https://api.example/a'))</script>") == set()


def test_the_hash_is_that_of_the_standard():
    # the example of the specification, for the script: alert('Hello, world.');
    expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert policy.digest("alert('Hello, world.');") == expected


def test_a_page_with_its_policy_is_not_written_again(tmp_path):
    page = tmp_path / "page.html"
    page.write_text('<head>\n    <meta charset="utf-8" />\n</head><body onload="go()"></body>')
    secure_pages.secure(tmp_path)
    first = page.stat()
    secure_pages.secure(tmp_path)
    assert policy.digest("go()") in page.read_text()
    assert page.stat().st_mtime_ns == first.st_mtime_ns


NAMING = """<link rel="stylesheet" href="//styles.example/a.css"><link rel=canonical href="https://no.example">
<a href="https://no.example">no</a><!-- https://no.example --><img src="http://old.example/a.png">
<video><source src='https://films.example/a.mp4'></video><style>@import "https://fonts.googleapis.com/a";</style>
<script>const [a, b] = ["https://cdn.example/npm/vega@5", "https://no.example/a/page"];</script>
<iframe srcdoc="&lt;script src=&quot;https://maps.example/a.js&quot;&gt;&lt;/script&gt;&lt;script&gt;draw()&lt;/script&gt;"></iframe>
<script type="application/json">{"a": "https://no.example/a.js"}</script>"""


def test_the_hosts_that_pages_and_style_sheets_load_from_are_found_and_others_are_not(tmp_path):
    page, sheet = tmp_path / "page.html", tmp_path / "_static" / "theme" / "a.css"
    page.write_text(NAMING)
    sheet.parent.mkdir(parents=True)
    sheet.write_text("@font-face { src: url(https://letters.example/a.woff2) }")
    script = "load('https://cdn.math.example/tex-' + form + '.js', 'https://no.example/words')"
    (tmp_path / "_static" / "own.js").write_text(script)
    found = hosts.hosts_of(tmp_path, [page])
    names = ["styles", "films", "maps", "cdn", "letters", "cdn.math"]
    secure = {f"https://{name}.example" for name in names} | {"https://fonts.googleapis.com"}
    assert found == secure | {"http://old.example", "https://fonts.gstatic.com"}


def test_a_book_may_load_from_hosts_that_it_names_and_a_strict_one_may_not(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(NAMING)
    secure_pages.secure(tmp_path, "named", ["*.tiles.example"])
    rules = policy_of(page)
    for name in ("script-src", "img-src", "frame-src", "connect-src", "form-action"):
        sources = rules[name].split()
        assert {"'self'", "https://films.example", "https://*.tiles.example"} <= {*sources}
    assert "wss://*.tiles.example" in rules["connect-src"].split()
    assert (rules["default-src"], rules["base-uri"]) == ("'none'", "'none'")
    assert policy.digest("draw()") in rules["script-src"]
    said = secure_pages.said_of_hosts(tmp_path, "named", ["*.tiles.example"])
    assert "that they name: *.tiles.example, cdn.example, films.example," in said
    assert "set bookwork_policy: strict;" in said
    secure_pages.secure(tmp_path, "strict", ["*.tiles.example"])
    assert "example" not in " ".join(policy_of(page).values())
    assert secure_pages.said_of_hosts(tmp_path, "strict", ()) == ""
