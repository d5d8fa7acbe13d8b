"""Build what every page loads in _build/web/static/book: bundle, styles, fonts, icons, KaTeX.

Installs the npm packages that page/package-lock.json pins (npm checks each against the lock's hash)
and bundles them; before that, it bundles the views of live figures into live/static, where Python
and the pages find them. Node comes from PyPI, so that nobody has to install it. Does nothing when
its inputs have not changed since the last time; otherwise says what it does. A wheel of bookwork
has all this already, and not the sources: there is nothing to build there.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

from bookwork.book.book import Book
from bookwork.book.files import PACKAGE, files_below
from bookwork.build.node import NODE, NPM
from bookwork.build.steps import do_once

WEB = PACKAGE / "page"
LIVE = PACKAGE / "live" / "js"
STATIC = PACKAGE / "live" / "static"
LIVE_SCRIPT = WEB / "build-live.mjs"
LOCK = WEB / "package-lock.json"
PACKAGES = WEB / "node_modules"
CARRIED = WEB / "static"  # the same in a wheel
INSTALL = ("ci", "--ignore-scripts", "--loglevel=error")  # no package may run its own scripts
ICONS = "Font Awesome Free 6 (icons CC BY 4.0, font SIL OFL 1.1, names MIT; Fonticons, Inc.)\n"
ICON_FONT = "theme/pydata_sphinx_theme/static/vendor/fontawesome/webfonts/fa-solid-900.ttf"


def main(book):
    """Build what the pages of a book load, unless it has been built from the same files."""
    if CARRIED.is_dir():
        return
    install_packages()
    views, work = files_below(LIVE), book.built / "web"
    do_once(work / "views-built-for", [LIVE_SCRIPT, LOCK, *views], build_views, makes=STATIC)
    inputs = [Path(__file__), *sources(), *views, *files_below(STATIC)]
    do_once(work / "built-for", inputs, lambda: build(book.web))


def sources():
    """Return the files from which the page is built: those of its folder and of its rooms."""
    found = [*WEB.glob("*"), *WEB.glob("*/*")]
    return [path for path in found if path.is_file() and not path.is_relative_to(PACKAGES)]


def install_packages():
    do_once(PACKAGES / ".installed-for", [LOCK], install)


def install():
    print("Installing the npm packages of bookwork/page/package-lock.json (once)", flush=True)
    run_node(NPM, *INSTALL)


def build_views(folder=STATIC):
    print("Bundling bookwork/live/js into bookwork/live/static", flush=True)
    run_node(LIVE_SCRIPT, folder)


def build(out):
    print("Bundling the page into _build/web", flush=True)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    names = json.loads(run_node(WEB / "build.mjs", out, theme_icons()))
    (out / "LICENSES.txt").write_text(
        "\n\n".join([*map(licence_of, names), ICONS]), encoding="utf-8"
    )
    write_manifest(names, out)


def run_node(script, *arguments):
    command = [NODE, script, *arguments]
    told = {"stdout": subprocess.PIPE, "encoding": "utf-8"}
    done = subprocess.run(command, cwd=WEB, check=False, **told)
    if done.returncode != 0:
        said = " ".join(map(str, [Path(script).name, *arguments]))
        sys.exit(f"This step failed, see above: node {said}")
    return done.stdout


def theme_icons():
    """Return the font from which page/fonts.mjs cuts the icons that page/icons.txt lists."""
    import pydata_sphinx_theme  # noqa: PLC0415  only to build the wheel

    return Path(pydata_sphinx_theme.__file__).parent / ICON_FONT


def licence_of(name):
    """Return the licence of a package, from its licence file if it has one."""
    package = json.loads((PACKAGES / name / "package.json").read_text(encoding="utf-8"))
    files = sorted((PACKAGES / name).glob("[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
    texts = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
    title = f"{name} {package['version']} ({package['license']})"
    return "\n\n".join([title, *texts])


def write_manifest(names, out):
    """List the packages in the bundle with their versions, and every file with its SHA-256."""
    locked = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    packages = {name: locked[f"node_modules/{name}"]["version"] for name in names}
    paths = {path.relative_to(out).as_posix(): path for path in sorted(files_below(out))}
    files = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in paths.items()}
    manifest = {"packages": packages, "files": files}
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Book())
