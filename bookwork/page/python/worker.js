/**
 * Python in a worker, so that no code of the reader's can freeze the page.
 *
 * Takes { op: "start", base }, { op: "run", id, name, code, exercise, limit, signal } and { op: "download", id, path, signal }.
 * Answers { op: "progress", text, loaded, total }, { op: "ready" }, { op: "failed", message }, { op: "begun", id },
 * { op: "running", id }, { op: "output", message }, { op: "done", id, result }
 * and, when this worker can no longer be used, { op: "broken", message }.
 */
import { postMessage } from "./confine.js";
import { Downloads } from "./downloads.js";
import { Files, free } from "./files.js";
import { interrupt, isRevoked, POLL } from "./interrupt.js";
import { LazyFiles } from "./lazy.js";
import { meter } from "./meter.js";
import { renew, snapshotOptions } from "./snapshot.js";
import { SOURCES } from "./sources.js";

const FOLDER = "/lib/book";
const PASSING = ["KeyboardInterrupt", "MemoryError"]; // errors that may harmlessly arrive between two lines of the runtime

let python, runtime, index, base, files, lazy, downloads;

async function start({ base: folder }) {
  base = folder;
  index = await readIndex();
  files = new Files(base, index.sizes);
  python = (index.snapshot && (await attempt(loadSnapshot).catch(() => null))) ?? (await attempt(loadPlain));
  if (notLoaded(["numpy"]).length) throw new Error("numpy could not be loaded");
  prepare();
  postMessage({ op: "ready" });
  load(notLoaded(index.start)); // what nearly every cell imports: the first that does so waits for it
}

/** Start Python in one of two ways. Pyodide does not say that a file is missing, so files themselves do. */
async function attempt(step) {
  const lost = new Promise((_, reject) => (files.onLost = reject));
  const loaded = await Promise.race([step(), lost]);
  meter.end();
  return loaded;
}

/** Start Python from the beginning. */
async function loadPlain() {
  meter.begin("Loading Python", index.core + index.sizes[`${index.home}python_stdlib.zip`] + sizeOf("numpy"));
  return loadPyodide({ packages: ["numpy"] });
}

/** Start Python where the runtime, NumPy and widgets are imported already; what else is in their files is fetched when it is needed. */
async function loadSnapshot() {
  const { file, size, places } = index.snapshot;
  meter.begin("Loading Python", index.core + index.sizes[file]);
  const stdLibURL = URL.createObjectURL(new Blob()); // or Pyodide would fetch all of it
  const arriving = files.unzipped(file);
  const options = snapshotOptions(arriving, size, import(`${base}${index.home}pyodide.asm.mjs`));
  const started = await loadPyodide({ stdLibURL, ...options });
  [options._loadSnapshot, new Uint8Array(await arriving)].forEach(free); // Python has a copy
  if (started.pyimport("runtime").SOURCES !== Object.values(SOURCES).join("")) throw new Error("it was made for another page");
  for (const [name, path] of Object.entries(places)) lazy.add(path, base + name, index.sizes[name]);
  for (const [name, archive] of Object.entries(index.files)) if (archive in places) started.loadedPackages[name] = "default channel"; // as Pyodide says
  renew(started);
  return started;
}

async function loadPyodide(options) {
  const home = base + index.home;
  const pyodide = await import(`${home}pyodide.mjs`);
  const started = await pyodide.loadPyodide({
    indexURL: home,
    packageBaseUrl: base,
    lockFileURL: addressOf("pyodide-lock.json"),
    stdout: () => {},
    stderr: () => {},
    ...options,
  });
  lazy = new LazyFiles(started.FS);
  return started;
}

/** The address of a file whose name does not say what it holds; others carry a digest. */
function addressOf(name) {
  return `${base}${name}?${index.versions[name]}`;
}

function notLoaded(names) {
  return names.filter((name) => !(name in python.loadedPackages));
}

async function readIndex() {
  const response = await fetch(`${base}index.json`, { cache: "no-cache" }).catch((error) => {
    throw new Error("the server does not respond", { cause: error });
  });
  if (!response.ok) throw new Error(`the server responds with ${response.status}`);
  return response.json().catch((error) => {
    throw new Error("the network sends something else instead of its files; you may need to log in", { cause: error });
  });
}

function sizeOf(...packages) {
  return packages.reduce((sum, name) => sum + index.sizes[index.files[name]], 0);
}

async function load(packages) {
  const quiet = { messageCallback: () => {}, errorCallback: () => {} };
  if (packages.length) await python.loadPackage(packages, quiet).catch(() => {});
}

/** Install the book's runtime, and connect it. */
function prepare() {
  python.FS.mkdir(FOLDER);
  for (const [name, text] of Object.entries(SOURCES)) python.FS.writeFile(`${FOLDER}/${name}`, text);
  if (index.matplotlibrc) python.FS.writeFile(`${FOLDER}/matplotlibrc`, index.matplotlibrc);
  for (const [name, path] of Object.entries(index.lazy)) lazy.add(path, addressOf(`data/${name}`), index.sizes[`data/${name}`]);
  downloads = new Downloads(python, index.downloads, new URL("../_offered/", base).href);
  python.runPython(`import sys; sys.path.append("${FOLDER}")`);
  runtime = python.pyimport("runtime");
  runtime.connect((text) => postMessage({ op: "output", message: JSON.parse(text) }));
  python.setInterruptBuffer(interrupt);
}

async function run({ id, name, code, exercise, limit, signal }) {
  postMessage({ op: "begun", id });
  try {
    interrupt.arm(signal, limit); // a reader's __del__ may run at any time
    const names = runtime.imported(code).toJs();
    interrupt.disarm();
    begin();
    const reasons = await untilStop(signal, () => loadFor(names, exercise));
    if (isRevoked(signal)) return finish(id, stopped());
    if (reasons.length) return finish(id, { ok: false, error: sorry(reasons) });
    postMessage({ op: "running", id });
    interrupt.arm(signal, limit);
    finish(id, explained(JSON.parse(runtime.run(name, code, exercise && index.exercises))));
  } catch (error) {
    if (!PASSING.includes(error.type)) throw error;
    finish(id, { ok: false, error: ended(error.type) });
  }
}

/** What an earlier run could not read does not concern the next. */
function begin() {
  lazy.begin();
  downloads.wanted = null;
}

/** Fetch a large file that the reader has asked for. */
async function download({ id, path, signal }) {
  postMessage({ op: "begun", id });
  try {
    await untilStop(signal, () => downloads.fetch(path, (...request) => files.respond(...request)));
    finish(id, { ok: true });
  } catch ({ message }) {
    finish(id, isRevoked(signal) ? stopped() : { ok: false, error: { type: "OSError", message, traceback: message, line: null } });
  }
}

/** The result of a run that was stopped before its code began. */
function stopped() {
  interrupt.tell("stop");
  return { ok: false, error: ended("KeyboardInterrupt") };
}

function ended(type) {
  return { type, message: "", traceback: type, line: null };
}

/** Do something that waits for files, until Stop is pressed at the latest. */
async function untilStop(signal, step) {
  const watch = setInterval(() => isRevoked(signal) && files.stop(), POLL);
  try {
    return await step();
  } finally {
    clearInterval(watch);
  }
}

/** If a file was missing, name it in place of the error that Python raised. */
function explained(result) {
  const { reasons } = lazy;
  if (result.error && downloads.wanted) return { ...result, ...wanting(downloads.wanted) };
  if (!result.error || result.error.type === "KeyboardInterrupt" || !reasons.length) return result;
  return { ...result, error: sorry(reasons, "OSError") };
}

/** What ended a run that needs a file which the reader has not asked for. */
function wanting({ path, title, size }) {
  const message = `This needs ${title} itself: ${Math.round(size / 1e6)} MB, which your browser fetches once.`;
  return { wants: { path, title, message }, error: { type: "FileNotFoundError", message, traceback: message, line: null } };
}

function finish(id, result) {
  interrupt.disarm();
  const isInterrupt = result.error?.type === "KeyboardInterrupt";
  postMessage({ op: "done", id, result: { ...result, reason: isInterrupt ? interrupt.reason : null } });
}

/** Load the packages that a cell imports; return the reason why one could not be loaded, if so. */
async function loadFor(names, exercise) {
  if (exercise) names.push(index.exercises);
  const needed = new Set(names.flatMap((name) => index.packages[name] ?? []));
  const missing = notLoaded([...needed]);
  if (!missing.length) return [];
  meter.begin(`Loading ${missing.at(-1)}`, sizeOf(...missing));
  await load(missing);
  meter.end();
  return notLoaded(missing).slice(-1).map(reasonFor); // what the cell imports comes after what that needs
}

function reasonFor(name) {
  const cause = files.lost.get(index.files[name]);
  return `${name} could not be loaded${cause ? `: ${cause}` : ""}`;
}

function sorry(reasons, type = "ImportError") {
  const reason = reasons.join("; ");
  const message = `${reason}. Your variables are kept. Check your connection, then run the cell again.`;
  return { type, message, traceback: message, line: null };
}

const STEPS = { start, run, download };

addEventListener("message", async ({ data }) => {
  try {
    await STEPS[data.op](data);
  } catch (error) {
    const op = data.op === "start" ? "failed" : "broken";
    postMessage({ op, message: String(error?.message ?? error) });
  }
});
