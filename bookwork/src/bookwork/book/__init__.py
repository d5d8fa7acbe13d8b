"""The one reader of a book: its settings, contents, texts, notebooks and faults.

jsonschema, which notebooks and Jupyter Book load, would build a parser of web addresses if the
package for it were there: two seconds for every command, though nothing here checks addresses.
Without that package it skips the check, so the package is hidden.
"""

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
