"""The script of a figure in a notebook: the modules of web/live, joined when Python asks for it.

Pages have them in their own bundle (see site/build_web.py), so the Python in a page has none.
Joined here, the library works in a clone, without Node and without a bundle to keep up to date.
"""

import re
from pathlib import Path

from bookwork import web_folder

FOLDER = web_folder() / "live"
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.M)


def script_and_style() -> tuple[str, str]:
    """Return what a notebook runs for a figure, and how that looks."""
    if not FOLDER.is_dir():  # in a page, which has both
        return "", ""
    return join_modules(FOLDER, "figure"), (FOLDER / "figure.css").read_text(encoding="utf-8")


def join_modules(folder: Path, entry: str) -> str:
    """Return one module from those of a folder, which import only each other, by names in braces.

    Each becomes a function that keeps its exports in M; the entry has a default export.
    """
    joined: dict[str, str] = {}

    def add(name: str) -> None:
        if name in joined:
            return
        text = (folder / f"{name}.js").read_text(encoding="utf-8")
        joined[name] = ""  # begun
        for _, other in IMPORT.findall(text):
            add(other)
        del joined[name]  # it comes after those that it imports
        names = ", ".join(EXPORT.findall(text))
        body = IMPORT.sub(lambda m: f'const {m[1].replace(" as ", ": ")} = M["{m[2]}"];\n', text)
        body = EXPORT.sub("", body).replace("export default ", "M.entry = ")
        joined[name] = f'(() => {{\n{body}M["{name}"] = {{ {names} }};\n}})();\n'

    add(entry)
    return f"const M = {{}};\n{''.join(joined.values())}export default M.entry;\n"
