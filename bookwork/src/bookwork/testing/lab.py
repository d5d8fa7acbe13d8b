"""Start JupyterLab for a test, on a free port, apart from the user's settings."""

import contextlib
import json
import os
import secrets
import subprocess
import sys
import time

PATIENCE = 300  # seconds that the server may take to respond on a busy machine
OPTIONS = [
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port=0",
    "--ServerApp.allow_root=True",
    "--LabApp.extension_manager=readonly",  # fetch no extensions from other hosts
]
NOTICES = {"fetchNews": "false", "checkForUpdates": False}  # nor news


@contextlib.contextmanager
def start_lab(folder, home):
    """Serve the notebooks in `folder`; settings, log and all other files are written to `home`.

    Yields a function from the path of a notebook to its address, and from "" to the address of the
    file list. The kernels are those of the environment that runs this.
    """
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", "jupyterlab", *OPTIONS]
    command += [f"--ServerApp.root_dir={folder}", f"--IdentityProvider.token={token}"]
    write_settings(home / "settings" / "@jupyterlab" / "apputils-extension")
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment(home), stdout=log, stderr=log)
    try:
        address = wait_for(server, home)
        yield lambda path: f"{address}lab{'/tree/' if path else ''}{path}?token={token}"
    finally:
        stop(server)


def environment(home):
    """Ignore the user's settings; those in sys.prefix/share/jupyter still count."""
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    ours = {name: str(home / folder) for name, folder in folders.items()}
    return os.environ | ours


def write_settings(folder):
    folder.mkdir(parents=True)
    (folder / "notification.jupyterlab-settings").write_text(json.dumps(NOTICES))


def wait_for(server, home):
    """Return the server's address, which it writes to a file once it listens."""
    note = home / "runtime" / f"jpserver-{server.pid}.json"
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError, ValueError):  # missing, or half written
            return json.loads(note.read_text())["url"]
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{(home / 'log').read_text()[-3000:]}")


def stop(server):
    """Ask the server to stop its kernels and itself; kill it if it does not."""
    server.terminate()
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
