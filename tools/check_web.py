"""Check scripts and style sheets: their types (tsc), likely mistakes (ESLint), format (Prettier).

    python -m tools.check_web [--fix]

With --fix, Prettier formats all of them, and ESLint fixes what it can.
"""

import argparse
import subprocess
import sys

from bookwork.build import build_web
from tools import ROOT

FOLDERS = ("bookwork/live/js", "bookwork/commands", "bookwork/sphinx", "tools")
SCRIPTS, STYLES = (".js", ".mjs"), (".css",)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fix", action="store_true")
    build_web.install_packages()
    failed = [name for name, command in checks(parser.parse_args(arguments).fix) if run(command)]
    return f"Scripts and styles: {' and '.join(failed)} failed, see above." if failed else 0


def checks(fix):
    """Return each check with its command, relative to the repository."""
    scripts = files(*SCRIPTS)
    lint = [
        "eslint/bin/eslint.js",
        "--config=bookwork/page/eslint.config.js",
        *(["--fix"] if fix else []),
    ]
    formats = [
        "prettier/bin/prettier.cjs",
        "--config=bookwork/page/.prettierrc.json",
        "--log-level=warn",
    ]
    return [
        ("tsc", ["typescript/bin/tsc", "--project", "bookwork/page"]),
        ("ESLint", [*lint, *scripts]),
        ("Prettier", [*formats, "--write" if fix else "--check", *scripts, *files(*STYLES)]),
    ]


def files(*suffixes):
    """Return the handwritten files of these kinds, by their paths in the repository."""
    others = (path for folder in FOLDERS for path in (ROOT / folder).iterdir())
    found = {*build_web.sources(), *others}
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.suffix in suffixes)


def run(command):
    """Run a program of an npm package; return its exit code."""
    script, *rest = command
    node = [build_web.NODE, build_web.PACKAGES / script]
    return subprocess.run([*node, *rest], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
