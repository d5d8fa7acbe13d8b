"""Serve the built book on localhost, on the first free port from --port on."""

import argparse
import functools
import http.server
import sys
from pathlib import Path

ATTEMPTS = 50
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serve files with the types that browsers insist on, without a line for each request."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | TYPES

    def log_message(self, format, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = False  # so that a port that is taken is seen to be taken

    def handle_error(self, request, client_address):
        """Say nothing when a browser goes away before it has read its answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    if not (options.folder / "index.html").is_file():
        sys.exit(f"{options.folder} holds no book yet: run make book first")
    server = open_server(options.folder, options.port)
    port = server.server_address[1]
    if port != options.port:
        print(f"Port {options.port} is taken, so this is port {port}.")
    print(f"The book is at http://localhost:{port} (stop with Ctrl+C)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


def open_server(folder, first):
    handler = functools.partial(Handler, directory=folder)
    last = min(first + ATTEMPTS, 65536)
    for port in range(first, last):
        try:
            return Server(("127.0.0.1", port), handler)
        except OSError:
            continue
    sys.exit(f"No port from {first} to {last - 1} is free: choose another with make serve PORT=…")


if __name__ == "__main__":
    main()
