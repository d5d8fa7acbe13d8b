"""Serve a book on localhost while it is written: what is saved is built again, open pages reload.

Each build is a process of its own, so that nothing of an earlier one is left in it: first the
pages, which are then shown, and after that what stands beside them.
"""

import functools
import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from http import HTTPStatus
from pathlib import Path

from bookwork.book.files import own_files

ATTEMPTS = 50  # ports to try
PAUSE = 0.5  # seconds between two looks at the files
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
HTML = "text/html; charset=utf-8"
TEXTS = {".md", ".ipynb", ".rst"}
SOURCES = TEXTS | {".txt", ".py", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bib", ".csv"}
SOURCES |= {".json", ".yml", ".css", ".js", ".mjs", ".html"}
NO_BOOK = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not yet</title>
<meta http-equiv="refresh" content="3"></head>
<body><p>There is no page yet: the terminal says why.</p></body></html>"""
LISTEN = '<script src="/reload.js?seen={}" defer></script></body>'
RELOAD = "fetch('/changes?seen={}').then(() => location.reload(), () => {{}}); // of the book\n"


class Changes:
    """How often the book has been built since it is served; threads can wait for the next time."""

    def __init__(self):
        self.count, self.changed = 0, threading.Condition()

    def tell(self):
        """Let all that wait go on."""
        with self.changed:
            self.count += 1
            self.changed.notify_all()

    def wait(self, seen):
        """Return once the count is another one than what was seen."""
        with self.changed:
            self.changed.wait_for(lambda: str(self.count) != seen)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serve files with the MIME types that browsers require, without logging each request."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | TYPES
    protocol_version = "HTTP/1.1"  # browsers reuse connections for the next request
    timeout = 60  # seconds that a connection may be idle

    def log_message(self, format, *args):
        pass

    def send_head(self):
        try:
            return super().send_head()
        except ValueError:  # an address that is not a path, such as one with a null character
            return self.send_error(HTTPStatus.NOT_FOUND)

    def list_directory(self, path):
        """Answer that there is nothing: folders are not listed."""
        return self.send_error(HTTPStatus.NOT_FOUND)

    def answer(self, content, kind, status=HTTPStatus.OK):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class ReloadingHandler(Handler):
    """Serve pages that reload when there is something new, uncached."""

    def __init__(self, *parts, changes, **options):
        self.changes = changes
        super().__init__(*parts, **options)

    def do_GET(self):
        """Answer with a page that listens for changes, its script, the next change, or a file."""
        asked, _, seen = self.path.partition("?seen=")
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() and self.path.endswith("/") else path
        if asked == "/changes":
            self.changes.wait(seen)
            self.answer(b"", "text/plain")
        elif asked == "/reload.js":
            self.answer(RELOAD.format(int(seen)).encode(), "text/javascript")
        elif path.suffix == ".html" and path.is_file():
            listens = LISTEN.format(self.changes.count).encode()
            self.answer(path.read_bytes().replace(b"</body>", listens), HTML)
        elif not Path(self.directory, "index.html").is_file():
            self.answer(NO_BOOK.encode(), HTML, HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            super().do_GET()

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = False  # so that a port in use is noticed
    request_queue_size = 128  # a class that opens the book at once has to wait, but is not refused

    def handle_error(self, request, client_address):
        """Print nothing when a browser disconnects before it has read the response."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def serve(book, port):
    """Build a book, serve it, and build it again whenever a file of it is saved, until Ctrl+C."""
    changes, before, now = Changes(), {}, look(book.root)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # a build that goes on ends, too
    with open_server(book.site, port, changes) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        while True:
            if saved := {path for path, _ in before.items() ^ now.items()}:
                show(changes, saved)
            time.sleep(PAUSE)
            before, now = now, look(book.root)


def show(changes, saved):
    """Build the pages, let them be seen, and build what stands beside them if it may be another."""
    if build("--pages"):
        changes.tell()
        if any(path.suffix not in TEXTS for path in saved):
            build()


def build(*options):
    """Build the book, or its pages only; return whether that succeeded."""
    command = [sys.executable, "-m", "bookwork", "build", *options]
    environment = os.environ | {"BOOKWORK_SERVED": "1"}  # see sphinx/bundle.py
    return subprocess.run(command, env=environment, check=False).returncode == 0


def look(root):
    """Return the files that a book may be built from, each with the time of its last change."""
    files = [path for path in own_files(root) if path.suffix in SOURCES]
    return {path: changed_at(path) for path in files}


def changed_at(path):
    """Return when a file was changed; an editor may remove it for a moment."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def open_server(folder, wanted, changes):
    """Return a server of a folder on the first free port from `wanted` on, and say where it is."""
    handler = functools.partial(ReloadingHandler, changes=changes, directory=folder)
    last = min(wanted + ATTEMPTS, 65536)
    for port in range(wanted, last):
        try:
            server = Server(("127.0.0.1", port), handler)
        except OSError:
            continue
        at = server.server_port  # which 0 leaves to the system
        if at != wanted and wanted:
            print(f"Port {wanted} is in use, so the book is on port {at}.")
        print(f"The book is at http://localhost:{at} (stop with Ctrl+C)", flush=True)
        return server
    sys.exit(f"No port from {wanted} to {last - 1} is free: choose another with --port")
