/**
 * Python in a worker, so that no code of the reader's can freeze the page.
 *
 * Takes { op: "start", base }, { op: "run", id, name, code, exercise, limit, signal } and
 * { op: "comm", id, message, data, buffers, limit, signal }. Answers { op: "progress", text, loaded, total },
 * { op: "ready" }, { op: "failed", message }, { op: "begun", id }, { op: "running", id },
 * { op: "output", message, buffers }, { op: "done", id, result }, { op: "called", message },
 * { op: "answered", message, result }
 * and, when this worker is of no more use, { op: "broken", message }.
 */
import backend from "./backend_inline.py";
import damage from "./page_damage.py";
import display from "./page_display.py";
import memory from "./page_memory.py";
import outbox from "./page_outbox.py";
import shell from "./page_shell.py";
import widgets from "./page_widgets.py";
import { Allowance, fitWidgets } from "./limits.js";
import runtimeSource from "./runtime.py";

const FOLDER = "/lib/book";
const SOURCES = {
  "backend_inline.py": backend,
  "page_damage.py": damage,
  "page_display.py": display,
  "page_memory.py": memory,
  "page_outbox.py": outbox,
  "page_shell.py": shell,
  "page_widgets.py": widgets,
  "runtime.py": runtimeSource,
};
const PAGE_SIZE = 65536; // bytes by which WebAssembly counts memory
const MOST_MEMORY = 2 ** 30; // beyond this a tab may be killed; below it Python raises MemoryError
const POLL = 100; // milliseconds between two looks at the signal
const PASSING = ["KeyboardInterrupt", "MemoryError"]; // errors between two lines of the runtime that do no harm

const UNHEARD = {
  stop: "A part of your code heard Stop and went on: a __del__ method, or an except that catches everything.",
  limit: "A part of your code took so long that it was ended there, and the rest went on: a __del__ method, or an except that catches everything.",
};

let python, runtime, index, base;
let allowance = new Allowance();
const postMessage = self.postMessage.bind(self); // ours alone: `js.postMessage` could flood the page

hidePostMessage();
capMemory();

function hidePostMessage() {
  for (let holder = self; holder; holder = Object.getPrototypeOf(holder)) delete holder.postMessage;
}

/** Refuse memory beyond the limit; Python turns this into a MemoryError. */
function capMemory() {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    const wanted = this.buffer.byteLength + Number(pages) * PAGE_SIZE;
    if (wanted > MOST_MEMORY) throw new RangeError("the page's memory limit");
    return grow.call(this, pages);
  };
}

/**
 * What Python looks at to learn that it should stop. Pyodide reads `buffer[0]` and takes 2 for
 * Ctrl+C. Without shared memory, which needs special headers, the page tells us by revoking the
 * address of a blob: once it cannot be fetched, Stop was pressed.
 */
const interrupt = {
  signal: null,
  deadline: Infinity,
  polled: 0,
  reason: null, // "stop" or "limit", once it has told Python to stop
  arm(signal, limit) {
    Object.assign(this, { signal, deadline: performance.now() + limit, polled: 0, reason: null });
  },
  disarm() {
    Object.assign(this, { signal: null, deadline: Infinity });
  },
  get 0() {
    const now = performance.now();
    if (now > this.deadline) return this.tell("limit");
    if (this.signal === null || now - this.polled < POLL) return 0;
    this.polled = now;
    return isRevoked(this.signal) ? this.tell("stop") : 0;
  },
  set 0(_) {},
  tell(reason) {
    this.disarm();
    this.reason = reason;
    return 2;
  },
};

function isRevoked(address) {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", address, false);
    request.send();
    return false;
  } catch {
    return true;
  }
}

/** Counts the bytes that arrive, and tells the page. */
const meter = {
  text: null, // nothing is counted while this is null
  begin(text, total) {
    Object.assign(this, { text, total, loaded: 0, told: 0 });
    this.tell();
  },
  async count(stream) {
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      this.loaded += value.byteLength;
      if (performance.now() - this.told > 50) this.tell();
    }
  },
  tell() {
    this.told = performance.now();
    const { text, total } = this;
    if (text !== null) postMessage({ op: "progress", text, loaded: Math.min(this.loaded, total), total });
  },
  end() {
    this.loaded = this.total;
    this.tell();
    this.text = null;
  },
};

const fetchUncounted = globalThis.fetch;
globalThis.fetch = async (...request) => {
  const response = await fetchUncounted(...request);
  if (meter.text !== null && response.body) meter.count(response.clone().body).catch(() => {});
  return response;
};

async function start(message) {
  ({ base } = message);
  index = await readIndex();
  meter.begin("Loading Python", index.core + bytesOf(index.start));
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  python = await loadPyodide({
    indexURL: base,
    packageBaseUrl: base,
    lockFileURL: `${base}pyodide-lock.json?${index.build}`,
    stdLibURL: `${base}python_stdlib.zip?${index.build}`,
    packages: index.start,
    stdout: () => {},
    stderr: () => {},
  });
  meter.end();
  const missing = notLoaded(index.start);
  if (missing.length) throw new Error(`${missing.join(", ")} could not be loaded`);
  prepare();
  postMessage({ op: "ready" });
}

function notLoaded(names) {
  return names.filter((name) => !(name in python.loadedPackages));
}

async function readIndex() {
  const response = await fetch(`${base}index.json`, { cache: "no-cache" });
  if (response.status === 404) throw new Error("no-python");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
}

function bytesOf(packages) {
  return packages.reduce((sum, name) => sum + index.bytes[name], 0);
}

/** Install our side, connect it, and import what nearly every cell needs. */
function prepare() {
  python.FS.mkdir(FOLDER);
  for (const [name, text] of Object.entries(SOURCES)) python.FS.writeFile(`${FOLDER}/${name}`, text);
  for (const [name, path] of Object.entries(index.lazy)) makeLazy(path, `${base}data/${name}?${index.build}`);
  python.pyimport("sys").path.append(FOLDER);
  const { connect, connect_widgets, deliver, imported, remember, run } = python.pyimport("runtime");
  runtime = { connect, connect_widgets, deliver, imported, remember, run }; // whatever a reader puts in their place
  runtime.connect(send);
  python.pyimport("attention_lib");
  runtime.remember();
  python.setInterruptBuffer(interrupt);
}

/** Put a file in place that is fetched when it is first read. */
function makeLazy(path, address) {
  const at = path.lastIndexOf("/");
  python.FS.mkdirTree(path.slice(0, at));
  python.FS.createLazyFile(path.slice(0, at), path.slice(at + 1), address, true, false);
}

/** Send what Python says to the page, as far as that can take it. */
function send(text, list) {
  const buffers = list.toJs();
  list.destroy();
  const message = Object(JSON.parse(text));
  if (message.kind === "comms") return sendWidgets(message, buffers);
  const fitted = allowance.fit(message);
  if (fitted) post(fitted, buffers);
}

function sendWidgets(message, given) {
  const { messages, buffers, faults } = fitWidgets(message.messages, given);
  faults.forEach((text) => post({ kind: "fault", text }, []));
  post({ ...message, messages }, buffers);
}

function post(message, buffers) {
  postMessage({ op: "output", message, buffers });
}

async function run({ id, name, code, exercise, limit, signal }) {
  postMessage({ op: "begun", id });
  try {
    interrupt.arm(signal, limit); // a __del__ of the reader's may run at any time
    const names = runtime.imported(code).toJs();
    interrupt.disarm();
    const missing = await loadFor(names, exercise);
    if (missing.length) return finish(id, { ok: false, error: sorry(missing) });
    postMessage({ op: "running", id });
    allowance = new Allowance();
    interrupt.arm(signal, limit);
    const result = JSON.parse(runtime.run(name, code, exercise));
    if (typeof result?.ok !== "boolean") throw new Error("your code has changed the book's own");
    finish(id, result);
  } catch (error) {
    if (!PASSING.includes(error.type)) throw error;
    finish(id, { ok: false, error: { type: error.type, message: "", traceback: error.type, line: null } });
  }
}

function finish(id, result) {
  interrupt.disarm();
  const isTold = result.error?.type === "KeyboardInterrupt";
  if (interrupt.reason && !isTold) result.advice = [result.advice, UNHEARD[interrupt.reason]].filter(Boolean).join(" ");
  postMessage({ op: "done", id, result: { ...result, reason: isTold ? interrupt.reason : null } });
}

/** Load the packages of what a cell imports; return the names of those that could not be had. */
async function loadFor(names, exercise) {
  if (exercise) names.push("attention_lib.exercises");
  const needed = new Set(names.flatMap((name) => index.packages[name] ?? []));
  const missing = notLoaded([...needed]);
  if (!missing.length) return [];
  meter.begin(`Loading ${missing.at(-1)}`, bytesOf(missing));
  const quiet = { messageCallback: () => {}, errorCallback: () => {} };
  await python.loadPackage(missing, quiet).catch(() => {});
  meter.end();
  if (missing.includes("comm") && "comm" in python.loadedPackages) runtime.connect_widgets();
  return notLoaded(missing);
}

function sorry(missing) {
  const message = `${missing.join(", ")} could not be loaded. Check your connection, then run the cell again.`;
  return { type: "ImportError", message, traceback: message, line: null };
}

/** Let a widget take a message; the functions that this calls can be stopped, as a run can. */
function deliver({ id, message, data, buffers, limit, signal }) {
  postMessage({ op: "called", message });
  allowance = new Allowance();
  interrupt.arm(signal, limit);
  let result = { error: null };
  try {
    result = JSON.parse(runtime.deliver(JSON.stringify({ id, message, data }), python.toPy(buffers ?? [])));
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
