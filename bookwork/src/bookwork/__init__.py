"""What makes a book live: figures that move, code that runs in the page, exercises that answer.

For authors: `bookwork.live` (figures), `bookwork.exercises` (checkers), the command ``bookwork``,
and the Sphinx extension, which is this package itself: ``extra_extensions: [bookwork]``.
"""

from pathlib import Path
from typing import Any

__version__ = "1.0.0"


def web_folder() -> Path:
    """Return the folder of what runs at the reader's: in a wheel, or beside ``src`` in a clone."""
    package = Path(__file__).resolve().parent
    carried = package / "web"
    return carried if carried.is_dir() else package.parent.parent / "web"


def setup(app: Any) -> dict[str, Any]:
    """Add the extension to a Sphinx build; nothing of it is imported elsewhere."""
    from sphinx.errors import ExtensionError  # noqa: PLC0415  readers' Python has no Sphinx

    try:
        from bookwork.sphinx import setup  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ExtensionError(
            f"to build a book, bookwork needs {error.name}: pip install 'bookwork[book]'"
        ) from None
    return setup(app)
