"""A server of the built book on localhost, whose pages reload when there is something new.

    python -m bookwork.commands.serve --port 8000    builds the book and serves it: `make serve`

`make watch` (watch.py) starts it, too.
"""

import argparse
import functools
import http.server
import sys
import time
from http import HTTPStatus
from pathlib import Path

from bookwork.book.book import Book
from bookwork.build import make_book

ATTEMPTS = 50
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
RELOAD = Path(__file__).with_name("reload.js")
NO_BOOK = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not yet</title>
<meta http-equiv="refresh" content="3"></head>
<body><p>There is no page yet: the terminal says why.</p></body></html>"""
HTML = "text/html; charset=utf-8"
TAG = '<script src="/reload.js?seen={}" defer></script></body>'


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
    """Serve pages that are notified of every change of the file `stamp`, uncached."""

    def __init__(self, *parts, stamp, **options):
        self.stamp = stamp
        super().__init__(*parts, **options)

    def do_GET(self):
        """Answer with a file, a page that listens for changes, its script, or the changes."""
        asked, _, seen = self.path.partition("?seen=")
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() and self.path.endswith("/") else path
        if asked == "/changes":
            self.tell_changes(seen)
        elif asked == "/reload.js":
            self.answer(RELOAD.read_bytes(), "text/javascript")
        elif path.suffix == ".html" and path.is_file():
            tag = TAG.format(self.changed_at()).encode()
            self.answer(path.read_bytes().replace(b"</body>", tag), HTML)
        elif not Path(self.directory, "index.html").is_file():
            self.answer(NO_BOOK.encode(), HTML, HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            super().do_GET()

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def changed_at(self):
        """Return the time of the last change, as a text."""
        return str(self.stamp.stat().st_mtime_ns)

    def tell_changes(self, seen):
        """Send a line at every change since `seen`, as long as the page is open."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")  # its length is unknown
        self.end_headers()
        while True:
            time.sleep(0.1)
            now = self.changed_at()
            self.wfile.write(b":\n\n" if now == seen else b"data: changed\n\n")
            seen = now


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = False  # so that a port in use is noticed
    request_queue_size = 128  # a class that opens the book at once has to wait, but is not refused

    def handle_error(self, request, client_address):
        """Print nothing when a browser disconnects before it has read the response."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    options, book = parser.parse_args(arguments), Book()
    if failed := make_book.make(book):
        return failed
    try:
        open_server(book.site, options.port).serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


def open_server(folder, wanted, stamp=None):
    """Return a server of a folder on the first free port from `wanted` on, and say where it is."""
    kind = functools.partial(ReloadingHandler, stamp=stamp) if stamp else Handler
    handler = functools.partial(kind, directory=folder)
    last = min(wanted + ATTEMPTS, 65536)
    for port in range(wanted, last):
        try:
            server = Server(("127.0.0.1", port), handler)
        except OSError:
            continue
        if port != wanted:
            print(f"Port {wanted} is in use, so the book is on port {port}.")
        print(f"The book is at http://localhost:{port} (stop with Ctrl+C)", flush=True)
        return server
    sys.exit(f"No port from {wanted} to {last - 1} is free: choose another with --port")


if __name__ == "__main__":
    sys.exit(main())
