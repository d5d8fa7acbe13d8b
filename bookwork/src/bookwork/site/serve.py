"""Serve a book on localhost while it is written: what is saved is built again, open pages reload.

Each build is a process of its own, so that nothing of an earlier one is left in it.
"""

import functools
import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from bookwork.book.files import own_files

PAUSE = 0.5  # seconds between two looks at the files
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
HTML = "text/html; charset=utf-8"
LISTEN = '<script src="/reload.js?{}" defer></script></body>'
RELOAD = b"""const seen = new URL(document.currentScript.src).search.slice(1); // of the book
const look = async () => (await (await fetch("/built")).text()) === seen || location.reload();
setInterval(() => look().catch(() => {}), 500);
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serve files with the MIME types that browsers require, without logging requests."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | TYPES
    protocol_version = "HTTP/1.1"  # browsers reuse connections for the next request
    timeout = 60  # seconds that a connection may be idle

    def log_message(self, format, *args):
        pass

    def answer(self, content, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class ReloadingHandler(Handler):
    """Serve pages that reload when the book was built again, uncached."""

    def do_GET(self):
        """Answer with a page that watches for builds, its script, their number, or a file."""
        built = str(self.server.built)
        path = Path(self.translate_path(self.path))
        page = path / "index.html" if self.path.endswith("/") else path
        if self.path == "/built":
            self.answer(built.encode(), "text/plain")
        elif self.path.startswith("/reload.js"):
            self.answer(RELOAD, TYPES[".js"])
        elif page.suffix == ".html" and page.is_file():
            watches = LISTEN.format(built).encode()
            self.answer(page.read_bytes().replace(b"</body>", watches), HTML)
        else:
            super().do_GET()

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = False  # so that a port in use is noticed
    built = 0  # times since it was opened
    request_queue_size = 128  # a browser may ask for all files of many pages at once

    def handle_error(self, request, client_address):
        """Print nothing: the browser has left, or asked for what is no path."""


def serve(book, port):
    """Build a book, serve it, and build it again whenever a file of it is saved, until Ctrl+C."""
    before = None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # a build that goes on ends, too
    with open_server(book.site, port) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        while True:
            now = look(book.root)
            if now != before and build():
                server.built += 1
            time.sleep(PAUSE)
            before = now


def build():
    """Build the book; return whether that succeeded."""
    command = [sys.executable, "-m", "bookwork", "build"]
    environment = os.environ | {"BOOKWORK_SERVED": "1"}  # see sphinx/bundle.py
    return subprocess.run(command, env=environment, check=False).returncode == 0


def look(root):
    """Return when each file of a book was last changed."""
    return {path: path.stat().st_mtime_ns for path in own_files(root) if path.exists()}


def open_server(folder, port):
    """Return a server of a folder, at another port if this one is in use, and say where it is."""
    handler = functools.partial(ReloadingHandler, directory=folder)
    try:
        server = Server(("127.0.0.1", port), handler)
    except OSError:
        print(f"Port {port} cannot be had, so the book is at another.")
        server = Server(("127.0.0.1", 0), handler)
    print(f"The book is at http://localhost:{server.server_port} (stop with Ctrl+C)", flush=True)
    return server
