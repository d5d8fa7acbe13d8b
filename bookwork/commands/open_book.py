"""Build the pages with their Python, serve them, and build the rest of the site meanwhile.

    python -m bookwork.commands.open_book --port 8000

So the book opens before notebooks and JupyterLite are there. Until then their addresses answer with
a page that says so, and that loads itself again.
"""

import argparse
import os
import signal
import sys
import threading

from bookwork.book.book import Book
from bookwork.build import make_book
from bookwork.commands import serve

REST = "Notebooks and JupyterLite"
BEING_BUILT = f"{REST} are being built: this page shows them as soon as they are there."
FAILED = f"{REST} could not be built: the terminal says why."


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    return open_book(Book(), options.port)


def open_book(book, port):
    """Build the pages and serve them; return an exit code if they cannot be built."""
    if failed := make_book.make(book, pages_only=True):
        return failed
    steps = book.settings["bookwork_parallel_steps"]
    later = dict.fromkeys(make_book.LATER, BEING_BUILT) if steps else {}
    server = serve.open_server(book.site, port, later=later)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    rest = start(book, steps, later)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        if rest and rest.poll() is None:
            os.killpg(rest.pid, signal.SIGTERM)
    return 0


def start(book, steps, later):
    """Start to build the rest of the site, which a thread puts in place; return the process."""
    if not steps:
        return None
    print(f"{REST} are built while you read", flush=True)
    rest = make_book.start(book, *steps, start_new_session=True)  # Ctrl+C is for the server
    threading.Thread(target=finish, args=(book, rest, later), daemon=True).start()
    return rest


def finish(book, rest, later):
    """Wait for the rest of the site and put it in place, or say that it could not be built."""
    code = rest.wait()
    if code == 0:
        make_book.put_in_place(book)
        later.clear()
        print(f"{REST} are ready", flush=True)
    elif code > 0:  # and was not stopped with the server
        later.update(dict.fromkeys(later, FAILED))
        print(f"{REST} could not be built, see above; the pages are served", flush=True)


if __name__ == "__main__":
    sys.exit(main())
