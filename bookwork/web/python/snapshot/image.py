"""Imports what a snapshot holds, and readies memory for it: make_snapshot.mjs runs this."""

import gc
import glob
import importlib.metadata
import os
import sys
import zipimport
from pathlib import Path

BEFORE = (
    "runtime numpy.fft numpy.linalg numpy.ma numpy.random numpy.typing bisect "
    "concurrent.futures.thread csv dataclasses datetime difflib encodings.cp437 fractions "
    "graphlib html importlib.resources pkgutil pprint queue statistics string tarfile "
    "textwrap timeit tracemalloc zipfile"
)
AFTER = "anywidget ipywidgets ipywidgets.embed"  # once there is something like IPython
WHEELS = sorted(glob.glob("/lib/*.whl"))

sys.dont_write_bytecode = True
sys.path += ["/lib/book", *WHEELS]
for name in BEFORE.split():
    importlib.import_module(name)
runtime = sys.modules["runtime"]
runtime.page_shell.stand_in(runtime.SHELL)
for name in AFTER.split():
    importlib.import_module(name)

# The worker compares this with its own sources.
OWN = sorted(Path("/lib/book").glob("*.py"))
runtime.SOURCES = "".join(path.read_text(encoding="utf-8") for path in OWN)

# Archives are fetched when what is not in the snapshot is imported: zipimport has to know what is
# in each now, and must not look again.
for wheel in WHEELS:
    zipimport.zipimporter(wheel)
zipimport.zipimporter.invalidate_caches = lambda self: None
for module in list(sys.modules.values()):
    if module.__name__.split(".")[0] == "numpy" and hasattr(module, "__path__"):
        module.__path__.append("/lib/numpy.whl/" + module.__name__.replace(".", "/"))

sys.path_importer_cache.clear()
importlib.metadata.MetadataPathFinder.invalidate_caches()
sys.path.remove("")
sys.dont_write_bytecode = False
del os.environ["PYTHONHASHSEED"]
del OWN, module, name, wheel
gc.collect()
gc.freeze()
