"""Who solved what, where a class is stuck: ``python -m attention_exercises report *.json``."""

import signal
import sys
from pathlib import Path

from bookwork.exercises.report import run

HERE = Path(__file__).parent
TITLE = "Paying Attention"
PROGRAM = "python -m attention_exercises"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run(arguments, HERE, TITLE, PROGRAM)


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that `report … | head` ends quietly
    sys.exit(main())
