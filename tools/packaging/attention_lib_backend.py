"""The build backend of attention_lib: setuptools, which in a clone finds bookwork beside it.

The library needs bookwork, which no package index has; a requirement cannot name a folder relative
to the project. So what pip reads before it installs a clone names this clone's own. Archives and
wheels for others, and editable installations, keep the plain name.
"""

import re
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  what a frontend may call besides

BOOKWORK = Path(__file__).resolve().parents[2] / "bookwork"


def prepare_metadata_for_build_wheel(folder, settings=None):
    """Write the metadata into a folder, with the place of bookwork; return its name."""
    name = build_meta.prepare_metadata_for_build_wheel(folder, settings)
    if BOOKWORK.is_dir():
        file = Path(folder) / name / "METADATA"
        here = f"Requires-Dist: bookwork @ {BOOKWORK.as_uri()}"
        text = re.sub(r"^Requires-Dist: bookwork[<>].*", here, file.read_text("utf-8"), flags=re.M)
        file.write_text(text, "utf-8")
    return name
