"""Firefox and WebKit for tests: both take WebDriver's commands, each in its own way.

Firefox reads them from a socket (Marionette, which is part of it), WebKitGTK gets them over HTTP
from WebKitWebDriver, on a screen and under a window manager of its own. No other driver is needed.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

PATIENCE = 180  # seconds: being slow is no fault, so only what never comes fails
TIMES = {"timeouts": {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000}}
SOFTWARE = {"LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
PATHS = {"Navigate": "url", "ExecuteAsyncScript": "execute/async", "PerformActions": "actions"}
CALL = """const done = arguments[arguments.length - 1];
Promise.resolve().then(() => (FUNCTION)(...arguments))
  .then((value) => done([value ?? null, null]), (error) => done([null, `${error}`]));"""
UNTIL = """async () => {
  while (!(CONDITION)) await new Promise((again) => setTimeout(again, 50));
}"""
MIDDLE = """(selector) => {
  const element = document.querySelector(selector);
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = element.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
}"""
KEYS = {"Right": "\ue014", "Control": "\ue009", "Enter": "\ue007"}


class Engine:
    """An open browser; `send` hands it a command of WebDriver and returns the answer."""

    def __init__(self, send):
        self.send = send

    def open(self, address):
        self.send("Navigate", url=address)

    def call(self, function, *given):
        """Return what a function of the page returns, or promises."""
        script = CALL.replace("FUNCTION", function)
        value, error = self.send("ExecuteAsyncScript", script=script, args=list(given))
        assert error is None, error
        return value

    def until(self, condition):
        self.call(UNTIL.replace("CONDITION", condition))

    def click(self, selector, by=(0, 0)):
        """Press in the middle of an element; with `by`, drag from there."""
        x, y = self.call(MIDDLE, selector)
        there = {"type": "pointerMove", "duration": 50, "x": x + by[0], "y": y + by[1]}
        steps = [{"type": "pointerMove", "duration": 0, "x": x, "y": y}]
        steps += [{"type": "pointerDown", "button": 0}, there, {"type": "pointerUp", "button": 0}]
        self.act(type="pointer", id="mouse", parameters={"pointerType": "mouse"}, actions=steps)

    def press(self, selector):
        """Press a button by its key: a page that is still being laid out cannot move it away."""
        self.call("(selector) => document.querySelector(selector).focus()", selector)
        self.type("Enter")

    def type(self, text, *held):
        """Type a text, or the name of a key, while others are held."""
        ways = [("keyDown", KEYS[key]) for key in held]
        for letter in [KEYS[text]] if text in KEYS else text:
            ways += [("keyDown", letter), ("keyUp", letter)]
        ways += [("keyUp", KEYS[key]) for key in held]
        self.act(type="key", id="keys", actions=[{"type": way, "value": key} for way, key in ways])

    def act(self, **source):
        self.send("PerformActions", actions=[source])


@contextlib.contextmanager
def open_engine(name):
    """Yield an engine; whatever is started for it ends with it."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        contextlib.ExitStack() as started,
    ):
        start = {"firefox": start_firefox, "webkit": start_webkit}[name]
        yield Engine(start(Path(home), started))


def start_firefox(home, started):
    """Start Firefox; return a function that sends it a command."""
    (home / "user.js").write_text('user_pref("marionette.port", 0);')
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    run(started, program, "--headless", "--marionette", "--no-remote", "--profile", home)
    port = wait_for(lambda: int((home / "MarionetteActivePort").read_text()))
    channel = started.enter_context(socket.create_connection(("127.0.0.1", port)))
    stream = started.enter_context(channel.makefile("rwb"))

    def receive():
        return json.loads(stream.read(int(b"".join(iter(lambda: stream.read(1), b":")))))

    def send(command, **given):
        message = json.dumps([0, 1, f"WebDriver:{command}", given]).encode()
        stream.write(b"%d:%s" % (len(message), message))
        stream.flush()
        _, _, error, answer = receive()
        assert error is None, error
        return answer.get("value")

    receive()  # it says which it is
    send("NewSession", **TIMES)
    return send


def start_webkit(home, started):
    """Start WebKit on a screen of its own; return a function that sends it a command."""
    screen = ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    display = run(started, "Xvfb", *screen, stdout=subprocess.PIPE).stdout.readline().decode()
    folders = dict.fromkeys(("HOME", "XDG_RUNTIME_DIR"), str(home))
    env = os.environ | SOFTWARE | folders | {"DISPLAY": f":{display.strip()}"}
    run(started, "openbox", env=env)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    run(started, "WebKitWebDriver", f"--port={port}", env=env)

    def ask(path, given=None):
        url, kind = f"http://127.0.0.1:{port}/{path}", {"Content-Type": "application/json"}
        data = None if given is None else json.dumps(given).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, kind)) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    wait_for(lambda: ask("status"))
    (browser, *_) = Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser")
    options = {"binary": str(browser), "args": ["--automation"]}
    wanted = {"alwaysMatch": TIMES | {"webkitgtk:browserOptions": options}}
    session = f"session/{ask('session', {'capabilities': wanted})['sessionId']}"
    return lambda command, **given: ask(f"{session}/{PATHS[command]}", given or None)


def run(started, *command, **options):
    """Run a program until the end."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options
    process = started.enter_context(subprocess.Popen(command, **quiet))
    started.callback(process.terminate)
    return process


def wait_for(attempt):
    """Return what an attempt returns, once it succeeds."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except (OSError, ValueError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
