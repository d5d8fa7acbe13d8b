"""Steps that run in forks of this process: with everything that it has imported and kept."""

import os
import signal
import sys
from multiprocessing import get_context


class Fork:
    """A step that runs in a fork, and fails there or not; it may be `nice` to other processes."""

    def __init__(self, step, *arguments, nice=0):
        start = get_context("fork").Process  # daemons end with this process
        self.process = start(target=take, args=(step, arguments, nice), daemon=True)
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


def take(step, arguments, nice):
    """Take a step, in its fork: it has succeeded if it returns nothing or 0."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.nice(nice)
    sys.exit(1 if step(*arguments) else 0)


class Waiting(Fork):
    """A step that is prepared in a fork, and waits there: it is called with what it waits with."""

    def __init__(self, step, *arguments):
        self.told, self.tell = os.pipe()
        super().__init__(step, *arguments, self.wait)
        os.close(self.told)

    def wait(self):
        """Wait, in the fork, until `go` is called; the fork ends with the process that began it."""
        if self.told is None:
            return
        os.close(self.tell)
        if not os.read(self.told, 1):
            os._exit(0)
        self.told = None

    def go(self):
        """Tell the step to go on; return whether it succeeded."""
        os.write(self.tell, b"!")
        os.close(self.tell)
        return self.succeeded()

    def end(self):
        """End a step that is not needed."""
        os.close(self.tell)
        super().end()
