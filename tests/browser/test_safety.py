"""The policy at work: the browser refuses what the build did not write."""

import pytest

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


@pytest.mark.parametrize("kind", ["http", "file"])
def test_an_injected_script_does_not_run(page, server, site, kind):
    page.goto(f"{server if kind == 'http' else site.as_uri()}/chapters/welcome.html")
    page.evaluate("window.bookWidgets.ready")
    page.forgiven.append("Content Security Policy")
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        assert page.evaluate(INJECT) is False


def test_nothing_can_be_sent_to_another_host(page, server):
    page.goto(f"{server}/chapters/welcome.html")
    refused = "() => fetch('http://192.0.2.1/').then(() => false, () => true)"
    page.forgiven.append("Content Security Policy")
    assert page.evaluate(refused)
