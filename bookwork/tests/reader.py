"""The page's Python outside the page: in a process of its own, so that a test may break it."""

import importlib
import json
import sys
from multiprocessing import get_context

from places import WEB as PAGE

WEB = PAGE / "python"
VERDICT = "application/vnd.book.verdict+json"
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["numpy"])
EXERCISES = "shop.exercises"  # of the fixture book; in the page, the worker says so


class Reader:
    """Someone who runs cells, one after another, in a fresh Python."""

    def __init__(self):
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def ask(self, step, *arguments):
        """Let the other process call a function of runtime.py; return its result, what it sent."""
        self.connection.send((step, arguments))
        return self.connection.recv()

    def run(self, code, name="cell 1", exercise=None):
        """Run a cell; return its result with its outputs and the last verdict among them."""
        result, sent = self.ask("run", name, code, exercise and EXERCISES)
        verdicts = [message.get("bundle", {}).get(VERDICT) for message in sent]
        verdict = next(filter(None, reversed(verdicts)), None)
        return {**json.loads(result), "outputs": sent, "verdict": verdict}

    def value(self, code):
        """Run code that must succeed; return the text of its value."""
        result = self.run(code)
        assert result["error"] is None
        return result["outputs"][-1]["bundle"]["text/plain"]

    def close(self):
        self.connection.close()  # which ends the other process
        self.process.join()
        self.process.close()


def serve(connection):
    """Do as the page's worker does, until nobody asks any more."""
    sent = []
    sys.path.append(str(WEB))
    runtime = importlib.import_module("runtime")
    runtime.connect(lambda text: sent.append(json.loads(text)))
    receive = connection.recv
    while True:
        try:
            step, arguments = receive()
        except EOFError:
            return
        sent.clear()
        connection.send((getattr(runtime, step)(*arguments), sent))
