"""Which book this is: python-worker.js writes the names of its packages here, in the page."""

PACKAGE = ""
EXERCISES = ""  # its checkers
