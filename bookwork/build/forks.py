"""Steps that run in forks of this process: with everything that it has imported and kept."""

import os
import signal
import sys
import traceback


class Fork:
    """A step that runs in a fork, which it ends with; it may be `nice` to other processes."""

    def __init__(self, step, *arguments, nice=0):
        sys.stdout.flush()
        self.process = os.fork()
        if self.process == 0:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            os.nice(nice)
            os._exit(taken(step, arguments))

    def is_over(self):
        """Return whether the step has ended."""
        return os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def succeeded(self):
        """Wait until the step has ended; return whether it succeeded."""
        try:
            return os.waitpid(self.process, 0)[1] == 0
        except BaseException:
            self.end()
            raise

    def end(self):
        """End the step, wherever it is."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def taken(step, arguments):
    """Take a step; return 0 if it succeeded, and therefore returned nothing or 0."""
    try:
        return 1 if step(*arguments) else 0
    except SystemExit as end:
        print(end.code)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
    return 1


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
