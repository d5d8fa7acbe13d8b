"""Bundle what every page loads into web/static/book: scripts, styles, fonts, icons, KaTeX.

Installs the npm packages that page/package-lock.json pins (npm checks each against the lock's hash)
and bundles them. Node comes from PyPI, so that nobody has to install it. Does nothing when
its inputs have not changed since the last time, as in a released wheel, which carries the bundle;
otherwise says what it does.
"""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from bookwork.book.files import WEB, files_below
from bookwork.site.node import NODE, NPM
from bookwork.site.steps import do_once, fingerprint

BUNDLE = WEB / "static" / "book"
LIVE = WEB / "live"
LOCK = WEB / "package-lock.json"
PACKAGES = WEB / "node_modules"
INSTALL = ("ci", "--ignore-scripts", "--loglevel=error")  # no package may run its own scripts
ICONS = "Font Awesome Free 6 (icons CC BY 4.0, font SIL OFL 1.1, names MIT; Fonticons, Inc.)\n"
ICON_FONT = "theme/*/static/vendor/fontawesome/**/fa-solid-900.ttf"  # older themes: by version


def main():
    """Bundle what pages load, unless it was bundled from the same files."""
    inputs = [Path(__file__), *sources(), *files_below(LIVE)]
    do_once(BUNDLE.parent / ".bundled-from", inputs, build)


def sources():
    """Return the files of which the bundle is made: those of the page's folder and its rooms."""
    found = [*WEB.glob("*"), *WEB.glob("*/*")]
    made = (PACKAGES, BUNDLE.parent, WEB / "pyodide")
    return [path for path in found if path.is_file() and path.parent not in made]


def install_packages():
    """Install what bundles, what is bundled, and Pyodide."""
    do_once(PACKAGES / ".installed-for", [LOCK], install)


def install():
    print("Installing the npm packages of web/package-lock.json (once)", flush=True)
    run_node(NPM, *INSTALL)


def build():
    """Bundle, and list what is in the bundle."""
    install_packages()
    print("Bundling what pages load, into web/static", flush=True)
    shutil.rmtree(BUNDLE, ignore_errors=True)
    BUNDLE.mkdir(parents=True)
    theme = Path(find_spec("pydata_sphinx_theme").origin).parent
    names = json.loads(run_node(WEB / "build.mjs", BUNDLE, icon_font(theme)))  # it cuts the font
    packages = {name: json.loads((PACKAGES / name / "package.json").read_bytes()) for name in names}
    licences = "\n\n".join([*(licence_of(*each) for each in packages.items()), ICONS])
    (BUNDLE / "LICENSES.txt").write_text(licences, encoding="utf-8")
    versions = {name: facts["version"] for name, facts in packages.items()}
    manifest = {"packages": versions, "digest": fingerprint(files_below(BUNDLE))}
    (BUNDLE / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def icon_font(theme):
    """Return the file of a theme's icons, wherever its version has it."""
    return next(theme.glob(ICON_FONT))


def run_node(script, *arguments):
    """Run a script in the page's folder; return what it prints."""
    command = [NODE, script, *arguments]
    done = subprocess.run(command, cwd=WEB, check=False, stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        said = " ".join(map(str, [Path(script).name, *arguments]))
        sys.exit(f"This step failed, see above: node {said}")
    return done.stdout


def licence_of(name, facts):
    """Return the licence of a package, from its licence file if it has one."""
    files = sorted((PACKAGES / name).glob("[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
    texts = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
    return "\n\n".join([f"{name} {facts['version']} ({facts['license']})", *texts])


if __name__ == "__main__":
    main()
