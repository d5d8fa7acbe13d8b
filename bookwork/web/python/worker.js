/**
 * Python in a worker, so that no code of the reader's can freeze the page: cells/python.js makes it.
 *
 * Takes { op: "start", base }, { op: "run", name, code, exercise, limit, signal } and { op: "download", path, signal }.
 * Answers { op: "progress", text, loaded, total }, { op: "ready" }, { op: "running" }, { op: "output", message },
 * { op: "done", result } and, when this worker cannot be used, or no longer, { op: "failed", message }.
 */
import { postMessage } from "./confine.js";
import { Files, meter } from "./files.js";
import { interrupt, isRevoked, POLL } from "./interrupt.js";
import { startFromSnapshot } from "./snapshot/snapshot.js";
import { SOURCES } from "./sources.js";

const FOLDER = "/lib/book";
const PASSING = ["KeyboardInterrupt", "MemoryError"]; // errors that may harmlessly arrive between two lines of the runtime

let python, runtime, index, base, files;

async function start({ base: folder }) {
  base = folder;
  index = await readIndex();
  files = new Files(base, index.sizes);
  python = await attempt(() => startFromSnapshot(index, files, loadPyodide)).catch(() => null);
  python ??= await attempt(loadPlain);
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

async function loadPyodide(options) {
  const home = base + index.home;
  const pyodide = await import(`${home}pyodide.mjs`);
  const silent = { stdout: () => {}, stderr: () => {} };
  return pyodide.loadPyodide({ indexURL: home, packageBaseUrl: base, lockFileURL: addressOf("pyodide-lock.json"), ...silent, ...options });
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

/** Install the book's runtime and its files, and connect it. */
function prepare() {
  python.FS.mkdir(FOLDER);
  for (const [name, text] of Object.entries(SOURCES)) python.FS.writeFile(`${FOLDER}/${name}`, text);
  if (index.matplotlibrc) python.FS.writeFile(`${FOLDER}/matplotlibrc`, index.matplotlibrc);
  for (const [title, path] of Object.entries(index.lazy)) {
    files.offer(python, { path, title, address: addressOf(`data/${title}`), size: index.sizes[`data/${title}`] });
  }
  for (const each of index.downloads) files.offer(python, { ...each, source: new URL(each.name, base).href });
  python.runPython(`import sys; sys.path.append("${FOLDER}")`);
  runtime = python.pyimport("runtime");
  runtime.connect((text) => postMessage({ op: "output", message: JSON.parse(text) }));
  python.setInterruptBuffer(interrupt);
}

async function run({ name, code, exercise, limit, signal }) {
  try {
    const names = runtime.imported(code).toJs();
    files.begin();
    const lacks = await untilStop(signal, () => loadFor(exercise ? [...names, index.exercises] : names));
    if (isRevoked(signal)) return finish(stopped());
    if (lacks) return finish({ ok: false, error: sorry("ImportError", [lacks]) });
    files.begin();
    postMessage({ op: "running" });
    interrupt.arm(signal, limit);
    finish(explained(JSON.parse(runtime.run(name, code, exercise && index.exercises))));
  } catch (error) {
    if (!PASSING.includes(error.type)) throw error;
    finish({ ok: false, error: ended(error.type) });
  }
}

/** Fetch a large file that the reader has asked for. */
async function download({ path, signal }) {
  try {
    await untilStop(signal, () => files.download(path));
    finish({ ok: true });
  } catch ({ message }) {
    finish(isRevoked(signal) ? stopped() : { ok: false, error: ended("OSError", message) });
  }
}

/** The result of a run that was stopped before its code began. */
function stopped() {
  interrupt.tell("stop");
  return { ok: false, error: ended("KeyboardInterrupt") };
}

function ended(type, message = "") {
  return { type, message, traceback: message || type, line: null };
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
  const { wanted, reasons } = files;
  if (!result.error || result.error.type === "KeyboardInterrupt") return result;
  if (reasons.length) return { ...result, error: sorry("OSError", reasons) };
  if (!wanted) return result;
  const message = `This needs ${wanted.title} itself: ${Math.round(wanted.size / 1e6)} MB, which your browser fetches once.`;
  return { ...result, wants: { ...wanted, message }, error: ended("FileNotFoundError", message) };
}

function finish(result) {
  interrupt.disarm();
  const isInterrupt = result.error?.type === "KeyboardInterrupt";
  postMessage({ op: "done", result: { ...result, reason: isInterrupt ? interrupt.reason : null } });
}

/** Load the packages for what a cell imports; return why one is not there, if so. */
async function loadFor(names) {
  const missing = notLoaded([...new Set(names.flatMap((name) => index.packages[name] ?? []))]);
  if (!missing.length) return "";
  meter.begin(`Loading ${missing.at(-1)}`, sizeOf(...missing));
  await load(missing);
  meter.end();
  const name = notLoaded(missing).at(-1); // what the cell imports comes after what that needs
  return name && (files.reasons.find((reason) => reason.startsWith(`${name} `)) ?? `${name} could not be loaded`);
}

/** An error that says which files did not arrive. */
function sorry(type, reasons) {
  return ended(type, `${reasons.join("; ")}. Your variables are kept. Check your connection, then run the cell again.`);
}

const STEPS = { start, run, download };

addEventListener("message", async ({ data }) => {
  try {
    await STEPS[data.op](data);
  } catch (error) {
    postMessage({ op: "failed", message: String(error?.message ?? error) });
  }
});
