"""Commands that build, check, serve and measure the book.

jsonschema, which notebooks and Jupyter Book load, would make a parser of web addresses from a
grammar if it could: two seconds for every command, and nothing here has addresses checked. Without
that package it leaves the check out, so it is hidden.
"""

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
