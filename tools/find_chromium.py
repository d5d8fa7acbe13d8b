"""Find Chromium for the browser tests, or install it; say where it is.

Debian's package when root may install it, else the build that Playwright downloads. Firefox and
WebKit, in which the book is tried too, are installed in the first way only; tests do without them.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ENGINES = {  # engine -> Debian's packages for it, each with programs of which it brings one
    "firefox": {"firefox-esr": ("firefox-esr", "firefox")},
    "webkit": {
        "webkit2gtk-driver": ("WebKitWebDriver",),
        "xvfb": ("Xvfb",),
        "openbox": ("openbox",),
    },
}
UPDATE = ["apt-get", "update", "--quiet"]
INSTALL = ["apt-get", "install", "--quiet", "--yes", "--no-install-recommends"]
ADVICE = (
    "The browser tests need Chromium, which is not on the path and could not be installed. "
    "Install it (on Debian or Ubuntu: apt install chromium), or run playwright install chromium."
)


def main():
    print("The browser tests use", find_chromium() or install_chromium())
    packages = [name for engine in ENGINES for name in lacking(engine)]
    if packages and may_install():
        for command in (UPDATE, [*INSTALL, *packages]):
            subprocess.run(command, stdout=sys.stderr, check=False)


def lacking(engine):
    """Return the Debian packages of an engine whose programs are not here."""
    known = ENGINES[engine].items()
    return [package for package, programs in known if not any(map(shutil.which, programs))]


def may_install():
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get")


def find_chromium():
    """Return the path of an installed Chromium, or None."""
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    if on_path:
        return on_path
    with sync_playwright() as playwright:
        downloaded = playwright.chromium.executable_path
    return downloaded if Path(downloaded).is_file() else None


def install_chromium():
    for command in install_commands():
        print("Installing Chromium for the browser tests:", " ".join(command), file=sys.stderr)
        done = subprocess.run(command, stdout=sys.stderr, check=False)
        found = find_chromium()
        if done.returncode == 0 and found:
            return found
    sys.exit(ADVICE)


def install_commands():
    if may_install():
        yield UPDATE
        yield [*INSTALL, "chromium"]
    yield [sys.executable, "-m", "playwright", "install", "chromium"]


if __name__ == "__main__":
    main()
