"""The script of a figure in a notebook: the modules of web/live, joined when Python asks for it.

Pages have them in their own bundle (see site/build_web.py), so the Python in a page has none.
Joined here, the library works in a clone, without Node and without a bundle to keep up to date.
"""

import re
from graphlib import TopologicalSorter
from pathlib import Path

from bookwork import web_folder

FOLDER = web_folder() / "live"
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.M)


def script_and_style() -> tuple[str, str]:
    """Return what a notebook runs for a figure, and how that looks."""
    if not FOLDER.is_dir():  # in a page, which has both
        return "", ""
    return join_modules(FOLDER), (FOLDER / "figure.css").read_text(encoding="utf-8")


def join_modules(folder: Path) -> str:
    """Return one module from those of a folder, which import only each other, by names in braces.

    Each becomes a function that keeps its exports in M; one has a default export.
    """
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.js")}
    needs = {name: [other for _, other in IMPORT.findall(text)] for name, text in texts.items()}
    joined = ["const M = {};\n"]
    for name in TopologicalSorter(needs).static_order():
        text, names = texts[name], ", ".join(EXPORT.findall(texts[name]))
        body = IMPORT.sub(lambda m: f'const {m[1].replace(" as ", ": ")} = M["{m[2]}"];\n', text)
        body = EXPORT.sub("", body).replace("export default ", "M.entry = ")
        joined.append(f'(() => {{\n{body}M["{name}"] = {{ {names} }};\n}})();\n')
    return "".join(joined) + "export default M.entry;\n"
