"""The book's data in JupyterLite: fetched when it is first opened, from where pages fetch it too.

tools/build_lite.py puts this module into the kernel, which imports it when it starts, and writes
FILES above it: of each file the path, the address below _pyodide, and the size. A file that does
not come is one that cannot be read, and the library says so.
"""

from pyodide.code import run_js
from pyodide_js import FS, _api

ADD = run_js("""(FS, path, address, size) => {
  const EIO = 29;
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, new Uint8Array());
  const { node } = FS.lookupPath(path);
  const open = () => {
    if (node.usedBytes) return;
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.responseType = "arraybuffer";
    try { request.send(); } catch { throw new FS.ErrnoError(EIO); }
    if (request.response?.byteLength !== size) throw new FS.ErrnoError(EIO);
    Object.assign(node, { contents: new Uint8Array(request.response), usedBytes: size });
  };
  node.stream_ops = { ...node.stream_ops, open };
}""")
HOME = _api.config.indexURL.rstrip("/").rpartition("/")[0]  # the folder above Pyodide's own

for path, address, size in FILES:  # noqa: F821 (written above)
    ADD(FS, path, f"{HOME}/{address}", size)
