"""Sphinx extension: a strict Content-Security-Policy in every page (build/secure_pages.py)."""

from pathlib import Path

from bookwork.build.secure_pages import secure


def setup(app):
    """Connect to Sphinx."""
    app.connect("build-finished", add_policies, priority=990)  # after the pages are complete


def add_policies(app, exception):
    """Give the pages their policies."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    for template in (site / "_static").glob("*webpack-macros.html"):
        template.unlink()  # the theme's template, copied by mistake and served as a page
    secure(site)
