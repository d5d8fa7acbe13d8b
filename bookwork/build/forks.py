"""Steps that run in forks of this process: with everything that it has imported and kept.

Windows has no forks: there a step begins in a new Python, which imports and reads all of it again.
"""

import contextlib
import os
import signal
import sys
from multiprocessing import get_context

METHOD = "fork" if hasattr(os, "fork") else "spawn"
ENDING = {signal.SIGINT, signal.SIGTERM}


class Fork:
    """A step that runs in a fork, and fails there or not; it may be `nice` to other processes."""

    def __init__(self, step, *arguments, nice=0):
        start = get_context(METHOD).Process  # daemons end with this process
        self.process = start(target=take, args=(step, arguments, nice), daemon=True)
        with undisturbed():
            self.process.start()

    def is_over(self):
        """Return whether the step has ended."""
        return not self.process.is_alive()

    def succeeded(self):
        """Wait until the step has ended; return whether it succeeded."""
        self.process.join()
        return self.process.exitcode == 0

    def end(self):
        """End the step, wherever it is."""
        self.process.kill()
        self.process.join()


@contextlib.contextmanager
def undisturbed():
    """Keep what ends this process waiting: an exception that is raised while it forks is lost."""
    if METHOD != "fork":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def take(step, arguments, nice):
    """Take a step, in its fork: it has succeeded if it returns nothing or 0."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    if METHOD == "fork":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    sys.exit(1 if step(*arguments) else 0)


class Gate:
    """What a step waits at in its process, until another opens it."""

    def __init__(self):
        self.told, self.tell = get_context(METHOD).Pipe(duplex=False)

    def __call__(self):
        """Wait, once; the process ends with the one that began it."""
        if self.told is None:
            return
        self.tell.close()
        try:
            self.told.recv_bytes()
        except EOFError:
            os._exit(0)
        self.told = None


class Waiting(Fork):
    """A step that is prepared in a fork, and waits there: it is called with what it waits with."""

    def __init__(self, step, *arguments):
        self.gate = Gate()
        super().__init__(step, *arguments, self.gate)
        self.gate.told.close()

    def go(self):
        """Tell the step to go on; return whether it succeeded."""
        self.gate.tell.send_bytes(b"!")
        self.gate.tell.close()
        return self.succeeded()

    def end(self):
        """End a step that is not needed."""
        self.gate.tell.close()
        super().end()
