"""A live figure as one file: it works from a disk, offline, and loads nothing."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from ipywidgets.embed import dependency_state, embed_data

PACKAGE = Path(__file__).parents[1]
FOLDERS = (
    PACKAGE / "page" / "static" / "book",
    PACKAGE.parent / "_build" / "web" / "static" / "book",
)
FONT = re.compile(r"@font-face\s*\{[^}]*\}")  # fonts would be files of their own
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; connect-src blob: data:; base-uri 'none'"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="{policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<link rel="icon" href="data:," />
<title>{title}</title>
<style>{style}</style>
<style>
html[data-theme] body {{ max-width: 720px; margin: 2rem auto; padding: 0 1rem; }}
</style>
</head>
<body>
<main>
<script type="application/vnd.jupyter.widget-view+json">{view}</script>
</main>
<script type="application/vnd.jupyter.widget-state+json">{state}</script>
<script>{script}</script>
</body>
</html>
"""


def save(figure: Any, path: str | Path) -> Path:
    """Write a figure and all that it needs into one file; return its path."""
    path = Path(path)
    if path.suffix not in (".html", ".htm"):
        raise ValueError(f"a figure is saved as a page, so {path.name!r} should end in .html")
    path.write_text(page_of(figure, folder_of_pages()), encoding="utf-8")
    return path


def folder_of_pages() -> Path:
    """Return the folder with what runs in a page."""
    folder = next((each for each in FOLDERS if (each / "single.js").is_file()), None)
    if folder is None:
        raise RuntimeError(
            "saving a figure needs the files that run in a page, which this copy of bookwork does "
            'not have: pip install "bookwork[live]"'
        )
    return folder


def page_of(figure: Any, folder: Path) -> str:
    """Return the text of the file."""
    own = dependency_state([figure], drop_defaults=False)  # not all widgets of a notebook
    for key in ("_esm", "_css"):  # single.js and its style have them
        del own[figure.drawing.model_id]["state"][key]
    data = embed_data(views=[figure], state=own)
    style = (folder / "single.css").read_text(encoding="utf-8")
    return PAGE.format(
        policy=POLICY,
        title=html.escape(figure.drawing.spec["name"]),
        style=FONT.sub("", style),
        view=as_json(data["view_specs"][0]),
        state=as_json(data["manager_state"]),
        script=(folder / "single.js").read_text(encoding="utf-8").replace("</script", "<\\/script"),
    )


def as_json(value: Any) -> str:
    """Return JSON that cannot end the element that contains it."""
    return json.dumps(value).replace("<", "\\u003c")
