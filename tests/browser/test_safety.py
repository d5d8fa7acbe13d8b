"""The policy at work: the browser refuses what the build did not write."""

import pytest

INJECT = """() => {
  const script = document.createElement("script");
  script.textContent = "window.injected = true";
  document.body.append(script);
  const picture = document.createElement("div");
  picture.innerHTML = "<img src=x-nowhere onerror='window.injected = true'>";
  document.body.append(picture);
  return new Promise((done) => setTimeout(() => done(window.injected === true), 300));
}"""


@pytest.mark.parametrize("kind", ["http", "file"])
def test_an_injected_script_does_not_run(page, server, site, kind):
    page.goto(f"{server if kind == 'http' else site.as_uri()}/chapters/welcome.html")
    page.evaluate("window.bookWidgets.ready")
    assert page.evaluate(INJECT) is False
    assert any("Content Security Policy" in fault for fault in page.faults)
    page.faults.clear()


def test_nothing_can_be_sent_to_another_host(page, server):
    page.goto(f"{server}/chapters/welcome.html")
    refused = "() => fetch('http://192.0.2.1/').then(() => false, () => true)"
    assert page.evaluate(refused)
    assert not any("asked another host" in fault for fault in page.faults)
    page.faults.clear()
