"""Which book this is: python-worker.js writes the name of its package here, in the page."""

PACKAGE = ""
