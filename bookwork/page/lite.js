/**
 * A hand-made extension of JupyterLite that keeps notebooks from running code by themselves.
 *
 * The kernel's worker gets the policy of the page, so that Python there reaches no other host. A
 * notebook that is opened is never trusted: whoever wrote it may have marked its outputs as trusted,
 * or put the state of widgets in it, and either would run script before the reader runs a cell.
 */
import { firstLines } from "./site/csp-worker.js";

const NAME = "bookwork"; // see tools/build_lite.py
const FreeWorker = window.Worker;
window.Worker = class Worker extends FreeWorker {
  constructor(address, options) {
    super(firstLines(address), { ...options, type: "module" });
  }
};

/** Remove from a notebook what says that it may run script when it is opened. */
function distrust(notebook) {
  delete notebook.metadata?.widgets;
  for (const { metadata } of notebook.cells ?? []) delete metadata?.trusted;
}

/** Apply this to every notebook that is read. */
function activate({ serviceManager: { contents } }) {
  const get = contents.get.bind(contents);
  contents.get = async (...request) => {
    const file = await get(...request);
    if (file.type === "notebook" && file.content) distrust(file.content);
    return file;
  };
}

delete window.SharedWorker; // nothing here uses it, and it would have no policy

const plugin = { id: `${NAME}:plugin`, autoStart: true, activate };
window._JUPYTERLAB = { ...window._JUPYTERLAB, [NAME]: { init() {}, get: async () => () => plugin } };
