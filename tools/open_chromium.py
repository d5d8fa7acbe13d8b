"""Open Chromium for a test or a benchmark."""

import contextlib
import os
import shutil

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")  # else it is Playwright's own
PATIENCE = 180_000  # milliseconds that it may take to start on a busy machine
# Features that Chromium should not use. The first line is the book's: a new profile would draw the
# suggestions of an invisible address bar, which takes longer than many a page. The rest is
# Playwright's own list, which this one replaces.
FEATURES = [
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades"),
    *("LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints"),
    *("PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning", "AimEnabled"),
]
FLAGS = [
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES)}",
]


@contextlib.contextmanager
def open_chromium(*more):
    """Yield a browser that sends no requests by itself, with more flags if given."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options(*more))
        yield browser
        browser.close()


@contextlib.contextmanager
def open_profile(folder, **more):
    """Yield such a browser that keeps what it caches in a folder, as a reader's does."""
    with sync_playwright() as playwright:
        open_in = playwright.chromium.launch_persistent_context
        browser = open_in(folder, **options(), **more)
        browser.set_default_timeout(PATIENCE)
        yield browser
        browser.close()


def options(*flags):
    """Return how Chromium is started."""
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    flags = [*FLAGS, *flags, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    return {"executable_path": chromium, "headless": False, "timeout": PATIENCE, "args": flags}
