/**
 * A hand-made extension of JupyterLite that keeps notebooks from running code by themselves.
 *
 * The kernel's worker gets the policy of the page, so that Python there reaches no other host. A
 * notebook that is opened is never trusted: whoever wrote it may have marked its outputs as trusted,
 * or put the state of widgets in it, and either would run script before the reader runs a cell. And
 * a file of Python's that does not come is named, where JupyterLite would wait for it in silence.
 */
import { adviceFor } from "./site/build.js";
import { firstLines } from "./site/csp-worker.js";
import { notify } from "./site/notice.js";

const NAME = "bookwork"; // see tools/build_lite.py
const LOST = `${NAME}: a file did not come`; // what the kernel's worker says it by

/**
 * What the kernel's worker does first: it tells of each file of the site that it asks for and does not get. It looks up why where
 * fetch fails, as for a file with a digest, and what is imported as a module, not fetched, when it learns where that is.
 */
const LISTEN = `{
  const plain = self.fetch;
  const isOurs = (address) => /\\.(whl|wasm|mjs|js|zip)$|-lock\\.json$/.test(address.pathname) && address.origin === self.origin;
  const tell = (...lost) => { try { if (isOurs(new URL(lost[0]))) new BroadcastChannel(${JSON.stringify(LOST)}).postMessage(lost); } catch {} };
  self.fetch = async (what, options) => {
    const address = what?.url ?? String(what);
    const answer = await plain(what, options).catch((error) => { statusOf(address).then((status) => tell(address, status)); throw error; });
    if (!answer.ok) tell(address, answer.status);
    return answer;
  };
  let areKnown = false;
  const statusOf = (address) => plain(address, { method: "HEAD" }).then(({ status }) => status, () => 0);
  const look = (address) => statusOf(address).then((status) => status === 200 || tell(address, status));
  const homeIn = (message) => { try { return JSON.stringify(message).match(/"pyodideUrl":"([^"]*\\/)/)[1]; } catch { return null; } };
  addEventListener("message", ({ data }) => {
    const home = areKnown ? null : homeIn(data);
    if (home) { areKnown = true; ["pyodide.mjs", "pyodide.asm.mjs"].forEach((file) => look(home + file)); }
  });
}`;

const FreeWorker = window.Worker;
window.Worker = class Worker extends FreeWorker {
  constructor(address, options) {
    super(firstLines(address, LISTEN), { ...options, type: "module" });
    this.addEventListener("error", () => tellLost(String(address)));
  }
};

new BroadcastChannel(LOST).onmessage = ({ data: [address, status] }) => tellLost(String(address), status);

/** Name a file that did not come, and say what to do, by what the server responds with if it does. */
function tellLost(address, status = 0) {
  const [file] = address.split(/[?#]/, 1)[0].split("/").slice(-1);
  const sentence = `Python cannot start: ${file} could not be loaded. ${adviceFor(`the server responds with ${status}`)}, save what you wrote (Ctrl+S), then reload.`;
  notify(sentence, { label: "Reload", act: () => location.reload() });
}

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
