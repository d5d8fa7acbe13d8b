/**
 * Python in a worker, so that no code of the reader's can freeze the page.
 *
 * Takes { op: "start", base }, { op: "run", id, name, code, exercise, limit, signal } and
 * { op: "comm", id, message, data, buffers, limit, signal }. Answers { op: "progress", text, loaded, total },
 * { op: "ready" }, { op: "failed", message }, { op: "begun", id }, { op: "running", id },
 * { op: "output", message, buffers }, { op: "done", id, result }, { op: "called", message },
 * { op: "answered", message, result }
 * and, when this worker can no longer be used, { op: "broken", message }.
 */
import { postMessage } from "./confine.js";
import { Allowance, fitWidgets } from "../outputs/limits.js";
import { Files, silentFor } from "./files.js";
import { interrupt, isRevoked, POLL } from "./interrupt.js";
import { LazyFiles } from "./lazy.js";
import { enrich } from "../outputs/markdown.js";
import { meter } from "./meter.js";
import { SOURCES } from "./sources.js";

const FOLDER = "/lib/book";
const SCRIPTS = ["pyodide.mjs", "pyodide.asm.mjs"]; // which are imported
const PASSING = ["KeyboardInterrupt", "MemoryError"]; // errors that may harmlessly arrive between two lines of the runtime

const UNHEARD = {
  stop: "Part of your code ignored Stop and went on: a __del__ method, or an except that catches everything.",
  limit:
    "Part of your code took so long that it was interrupted, and the rest went on: a __del__ method, or an except that catches everything.",
};

/** What to do while Python waits for a file. */
const WAITING = {
  onRead(title, size) {
    interrupt.pause();
    meter.begin(`Loading ${title}`, size);
  },
  onSize: (size) => meter.reach(size),
  onEnd() {
    meter.end();
    interrupt.resume();
  },
  isInterrupted: () => interrupt.isDue,
};

let python, runtime, index, base, files, lazy;
let lacking = null; // the name of the cell that last lacked data
let allowance = new Allowance();
const kinds = new Map(); // id of a widget -> its model

async function start({ base: folder, patience }) {
  base = folder;
  index = await readIndex(patience);
  const lost = new Promise((_, reject) => openFiles(patience, (reason) => reject(new Error(reason))));
  meter.begin("Loading Python", index.core + bytesOf(index.start));
  python = await Promise.race([load(), lost]); // Pyodide does not say that a file is missing
  meter.end();
  const missing = notLoaded(index.start);
  if (missing.length) throw new Error(`${missing.join(", ")} could not be loaded`);
  prepare();
  postMessage({ op: "ready" });
}

function openFiles(patience, onLost) {
  const onWaiting = (title) => meter.report(`Waiting for ${title}`);
  files = new Files(base, { patience, onLost, onWaiting, onBytes: (count) => meter.count(count) });
  files.digests = index.digests;
  files.install();
}

/** Load Python; its scripts come past `files`, so what a browser says of one is put into our words. */
async function load() {
  try {
    return await loadPlain();
  } catch (error) {
    if (!(error instanceof SyntaxError || /module/i.test(error.message))) throw error;
    for (const name of SCRIPTS) await files.fetch(base + index.home + name); // which says what is wrong, and mends the cache
    throw new Error("its script arrived damaged", { cause: error });
  }
}

async function loadPlain() {
  const home = base + index.home;
  const { loadPyodide } = await import(`${home}pyodide.mjs`);
  return loadPyodide({
    indexURL: home,
    packageBaseUrl: base,
    lockFileURL: files.addressOf("pyodide-lock.json"),
    packages: index.start,
    stdout: () => {},
    stderr: () => {},
  });
}

function notLoaded(names) {
  return names.filter((name) => !(name in python.loadedPackages));
}

async function readIndex(patience) {
  const signal = AbortSignal.timeout(patience);
  const response = await fetch(`${base}index.json`, { cache: "no-cache", signal }).catch((error) => {
    throw new Error(signal.aborted ? silentFor(patience) : "the server does not respond", { cause: error });
  });
  if (response.status === 404) throw new Error("no-python");
  if (!response.ok) throw new Error(`the server responded with ${response.status}`);
  const text = await response.text();
  if (!text.startsWith("{")) throw new Error("the network sends something else instead of its files; you may need to log in");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error("index.json could not be loaded: it arrived damaged", { cause: error });
  }
}

function bytesOf(packages) {
  return packages.reduce((sum, name) => sum + index.bytes[name], 0);
}

/** Install the book's runtime, connect it, and import what nearly every cell needs. */
function prepare() {
  python.FS.mkdir(FOLDER);
  for (const [name, text] of Object.entries(SOURCES)) python.FS.writeFile(`${FOLDER}/${name}`, text);
  const named = { PACKAGE: index.package, EXERCISES: index.exercises };
  const book = Object.entries(named).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  python.FS.writeFile(`${FOLDER}/page_book.py`, book.join(""));
  lazy = new LazyFiles(python.FS, files, WAITING);
  for (const [name, path] of Object.entries(index.lazy)) lazy.add(path, `data/${name}`, index.lazyBytes[name]);
  python.pyimport("sys").path.append(FOLDER);
  const { connect, connect_widgets, deliver, imported, remember, run } = python.pyimport("runtime");
  runtime = { connect, connect_widgets, deliver, imported, remember, run }; // kept here in case the reader replaces them
  runtime.connect(send);
  python.pyimport(index.package || "numpy");
  runtime.remember();
  python.setInterruptBuffer(interrupt);
}

/** Send Python's output to the page, within the page's limits. */
function send(text, list) {
  const buffers = list.toJs();
  list.destroy();
  const message = Object(JSON.parse(text));
  if (message.kind === "comms") return sendWidgets(message, buffers);
  if (message.bundle instanceof Object) enrich(message.bundle);
  const fitted = allowance.fit(message);
  if (fitted) post(fitted, buffers);
}

function sendWidgets(message, given) {
  message.messages.flatMap(outputsIn).forEach((output) => output.data && enrich(output.data));
  const { messages, buffers, faults } = fitWidgets(message.messages, given, kinds);
  faults.forEach((text) => post({ kind: "fault", text }, []));
  post({ ...message, messages }, buffers);
}

/** What an Output of ipywidgets is given to show. */
function outputsIn({ data }) {
  return data?.state?.outputs ?? [];
}

function post(message, buffers) {
  postMessage({ op: "output", message, buffers });
}

async function run({ id, name, code, exercise, limit, signal }) {
  postMessage({ op: "begun", id });
  try {
    interrupt.arm(signal, limit); // a reader's __del__ may run at any time
    const names = runtime.imported(code).toJs();
    interrupt.disarm();
    lazy.begin();
    const reasons = await untilStop(signal, () => loadFor(name, names, exercise));
    if (isRevoked(signal)) return finish(id, stopped());
    if (reasons.length) return finish(id, { ok: false, error: sorry(reasons), unloaded: true });
    postMessage({ op: "running", id });
    allowance = new Allowance();
    interrupt.arm(signal, limit);
    const result = JSON.parse(runtime.run(name, code, exercise));
    if (typeof result?.ok !== "boolean") throw new Error("your code has changed the book's own code");
    finish(id, explained(result, name));
  } catch (error) {
    if (!PASSING.includes(error.type)) throw error;
    finish(id, { ok: false, error: ended(error.type) });
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
function explained(result, name) {
  const { reasons } = lazy;
  if (!result.error || result.error.type === "KeyboardInterrupt" || !reasons.length) return result;
  lacking = name;
  return { ...result, error: sorry(reasons, "OSError"), unloaded: true };
}

function finish(id, result) {
  interrupt.disarm();
  const isInterrupt = result.error?.type === "KeyboardInterrupt";
  if (interrupt.reason && !isInterrupt) result.advice = [result.advice, UNHEARD[interrupt.reason]].filter(Boolean).join(" ");
  postMessage({ op: "done", id, result: { ...result, reason: isInterrupt ? interrupt.reason : null } });
}

/** Load the packages that a cell imports, and the data that it lacked before; return the reasons why some could not be loaded. */
async function loadFor(cell, names, exercise) {
  if (cell === lacking) await lazy.fetchLost();
  if (exercise) names.push(index.exercises);
  const needed = new Set(names.flatMap((name) => index.packages[name] ?? []));
  const missing = notLoaded([...needed]);
  if (!missing.length) return lazy.reasons;
  meter.begin(`Loading ${missing.at(-1)}`, bytesOf(missing));
  const quiet = { messageCallback: () => {}, errorCallback: () => {} };
  await python.loadPackage(missing, quiet).catch(() => {});
  meter.end();
  if (missing.includes("comm") && "comm" in python.loadedPackages) runtime.connect_widgets();
  return [...reasonsFor(notLoaded(missing), names), ...lazy.reasons];
}

/** Say why packages could not be loaded, once for each cause, which names what the cell imports rather than what that needs. */
function reasonsFor(lost, imported) {
  const isImported = (name) => imported.some((each) => index.packages[each]?.at(-1) === name);
  const byCause = new Map();
  for (const name of lost) {
    const cause = files.lost.get(index.files[name]) ?? "";
    byCause.set(cause, [...(byCause.get(cause) ?? []), name]);
  }
  return [...byCause].map(([cause, names]) => {
    const named = names.filter(isImported);
    return `${(named.length ? named : names.slice(-1)).join(" and ")} could not be loaded${cause && `: ${cause}`}`;
  });
}

function sorry(reasons, type = "ImportError") {
  const message = `${reasons.join("; ")}. Your variables are kept. Check your connection, then run the cell again.`;
  return { type, message, traceback: message, line: null };
}

/** Deliver a message to a widget; the functions that this calls can be stopped like a run. */
function deliver({ id, message, data, buffers, limit, signal }) {
  postMessage({ op: "called", message });
  allowance = new Allowance();
  interrupt.arm(signal, limit);
  let result = { error: null };
  try {
    lazy.begin();
    result = explained(JSON.parse(runtime.deliver(JSON.stringify({ id, message, data }), python.toPy(buffers ?? []))), null);
  } catch (error) {
    if (error.pyodide_fatal_error) throw error;
  }
  interrupt.disarm();
  postMessage({ op: "answered", message, result: { ...result, reason: interrupt.reason } });
}

const STEPS = { start, run, comm: deliver };

addEventListener("message", async ({ data }) => {
  try {
    await STEPS[data.op](data);
  } catch (error) {
    const op = data.op === "start" ? "failed" : "broken";
    postMessage({ op, message: String(error?.message ?? error) });
  }
});
