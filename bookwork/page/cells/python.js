/**
 * The one Python of a page: started by the first Run, stopped and restarted when necessary.
 *
 * It runs one thing at a time; others wait in the queue of cells.js.
 */
import { Comms } from "../figures/comms.js";
import { asOurs, startWorker } from "../site/csp-worker.js";
import { Call, failure, GONE, LIMIT, Run } from "./task.js";
import { worker as FILE } from "book:addresses"; // see build.mjs

const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript);
const WORKER = SCRIPT && new URL(FILE, SCRIPT.src).href;
const LONG = 600_000; // milliseconds that a run may take once a large file was fetched, which is not done for something short
const BRIEF = 500; // milliseconds that a widget's function may take before the page says that it runs

const RESTARTED = ` Python had to be restarted. ${GONE}`;
const LEFT = "This control stopped working when Python was restarted. Run its cell again to use it.";
const LATE = "its script did not arrive"; // see csp-worker.js
const ELSEWHERE = "You can run the code in a notebook of your own instead.";
const SENTENCES = {
  "no-python": `This copy of the book was built without Python in its pages. ${ELSEWHERE}`,
  file: `Python cannot start in a page opened from disk: serve the folder, for example with python -m http.server. ${ELSEWHERE}`,
  wasm: `This browser cannot run Python (WebAssembly or module workers are missing or switched off). ${ELSEWHERE}`,
  silent: "Python stopped loading: nothing has arrived for a minute. Check your connection, then press Run again.",
  stopped: "Python was stopped while it was starting. Press Run to start it again.",
};

/** The one Python of a page. */
export class Python {
  /** @type {"off" | "starting" | "ready" | "failed"} */
  #state = "off";
  #worker = null;
  #ready = null; // promise of a worker that can run
  #settle = null; // resolves or rejects that promise
  #run = null; // the current run
  #calls = new Map(); // number of a widget's unanswered message -> its Call
  #call = null; // the one that Python is handling
  #count = 0;

  base = "";
  patience = 60_000; // milliseconds that it may be silent while it is loading
  grace = 4_000; // milliseconds to stop politely
  answer = 35_000; // milliseconds for a worker to take up a run: longer than a widget may keep it busy
  limit = LIMIT; // milliseconds that a run, or a function that a widget calls, may take
  onProgress = (/** @type {{ text: string, loaded: number, total: number }} */ _report) => {};
  onFault = (/** @type {string} */ _sentence) => {}; // something goes wrong outside a run
  onCall = (/** @type {string} */ _cell, /** @type {object} */ _report) => {}; // of a widget: { running }, { output } or { result }
  onRestart = () => {}; // all variables are lost outside a run

  /**
   * @param {{ base: string } & Partial<Python>} options base: the address of the folder with Python's files;
   *   any of the properties above
   */
  constructor(options) {
    Object.assign(this, options);
  }

  /** @returns {"off" | "starting" | "ready" | "running" | "failed"} */
  get state() {
    return this.#run ? "running" : this.#state;
  }

  /** Start Python, once; rejects with an Error whose message is a sentence for the reader. */
  start() {
    this.#ready ??= this.#launch();
    return this.#ready;
  }

  /**
   * Run code; the caller has to wait for the previous run.
   *
   * @param {string} name what tracebacks call the code
   * @param {string} code
   * @param {{ exercise?: string | null, onOutput?: (message: object) => void, limit?: number }} options
   *   onOutput gets { kind: "stdout" | "stderr", text } or { kind: "display", bundle: { mime: data } }
   * @returns {Promise<{ ok: boolean, error: object | null, stopped: boolean, restarted: boolean, dropped: number, unshown: number, advice: string | null, wants?: { path: string, title: string, message: string } }>}
   *   error: { type, message, traceback, line }; restarted: all variables are gone; dropped, unshown: how
   *   many characters, values and figures were too many; advice: what to do now; wants: a large file
   *   that it needs, { path, title, message }, if the reader has not asked for that
   */
  async run(name, code, { exercise = null, onOutput = () => {}, limit = this.limit } = {}) {
    return this.#begin(new Run(++this.#count, name, limit, onOutput), { op: "run", name, code, exercise, limit });
  }

  /**
   * Fetch a large file that the reader has asked for.
   *
   * @param {{ path: string, title: string }} file what the result of a run names as `wants`
   * @returns the same as `run`
   */
  async download({ path, title }) {
    const result = await this.#begin(new Run(++this.#count, title, LONG, () => {}), { op: "download", path });
    if (result.ok) this.limit = Math.max(this.limit, LONG);
    return result;
  }

  async #begin(run, message) {
    await this.start();
    if (this.#run) throw new Error(`Python is running another cell, so ${run.name} has to wait for it.`);
    this.#run = run;
    run.after(
      this.answer,
      () => run.hasBegun || this.#restart(failure(`Python stopped responding and was restarted. ${GONE} Run the cell again.`)),
    );
    this.#worker.postMessage({ id: run.id, signal: run.signal, ...message });
    return run.ended;
  }

  /** Stop what is running: politely first; if that does not help, by restarting Python. */
  stop() {
    if (!this.#run && !this.#call) return this.#state === "starting" && this.#fail("stopped");
    for (const task of [this.#call, this.#run]) task?.stop(this.grace, () => this.#restart({ stopped: true }));
  }

  /** Restart Python whatever it is doing; all variables are lost. While it is still starting, do nothing. */
  restart() {
    if (this.#state !== "ready") return;
    this.#forgetCalls();
    this.#restart({ stopped: true });
  }

  #launch() {
    this.#state = "starting";
    const reason = obstacle();
    const ready = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    ready.catch(() => {}); // callers that await it get the error; a restart in the background has none
    if (reason) this.#fail(reason);
    else this.#open().catch((error) => this.#fail(error.message)); // a browser may refuse to make a worker
    return ready;
  }

  async #open() {
    this.#watch();
    const worker = await startWorker(WORKER);
    if (this.#state !== "starting" || this.#worker) return worker.terminate(); // stopped meanwhile
    this.#worker = worker;
    const comms = new Comms((...message) => this.#deliver(worker, ...message));
    worker.onmessage = ({ data }) => this.#worker === worker && this.#receive(asOurs(data), comms);
    worker.onerror = (event) => this.#worker === worker && this.#lose(event.message.replace(/^Uncaught (\w*Error: )?/, "") || LATE);
    worker.postMessage({ op: "start", base: this.base });
  }

  /** Send a widget's message to Python, which handles it after what it is doing now. */
  #deliver(worker, message, cell, answered) {
    if (this.#worker !== worker) return this.onFault(LEFT);
    const call = new Call(cell, this.limit, answered);
    this.#calls.set(message.message, call);
    worker.postMessage({ op: "comm", limit: call.limit, signal: call.signal, ...message });
  }

  /** Python has begun to handle a widget's message. */
  #beginCall({ message }) {
    const call = (this.#call = this.#calls.get(message) ?? null);
    if (!call) return;
    call.after(BRIEF, () => this.#announce(call, true));
    this.#guard(call);
  }

  #announce(call, running) {
    call.isAnnounced = running;
    this.onCall(call.cell, { running });
  }

  /** Python has handled a widget's message. */
  #answer({ message, ...data }) {
    const call = this.#calls.get(message);
    if (!call) return;
    this.#endCall(message, call);
    this.onCall(call.cell, { result: call.describe(data.result) });
    call.answered();
  }

  #endCall(message, call) {
    this.#calls.delete(message);
    if (this.#call === call) this.#call = null;
    call.end();
    if (call.isAnnounced) this.#announce(call, false);
  }

  #forgetCalls() {
    this.#calls.forEach((call, message) => this.#endCall(message, call));
  }

  /** Give up if the worker is silent for too long while Python is loading. */
  #watch() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.#fail("silent"), this.patience);
  }

  /**
   * Handle a message; messages about any run but the current one are ignored.
   *
   * @param {any} data
   */
  #receive(data, comms) {
    const { op } = data;
    const isOfRun = this.#run !== null && data.id === this.#run.id;
    if (op === "progress") this.#reportLoading(data);
    else if (op === "output") this.#output(data, comms);
    else if (op === "called") this.#beginCall(data);
    else if (op === "answered") this.#answer(data);
    else if (op === "broken") this.#lose(data.message);
    else if (op === "ready") this.#becomeReady();
    else if (op === "failed") this.#fail(data.message);
    else if (isOfRun && op === "begun") this.#run.hasBegun = true;
    else if (isOfRun && op === "running") this.#guard(this.#run);
    else if (isOfRun && op === "done") this.#finish(data.result);
  }

  #reportLoading(report) {
    if (this.#state === "starting") this.#watch();
    (this.#call ?? this.#run)?.extend();
    this.onProgress(report);
  }

  #becomeReady() {
    clearTimeout(this.watchdog);
    this.#state = "ready";
    this.#settle.resolve();
  }

  /** The worker enforces the time limit itself, unless it is stuck where Python does not check for signals. */
  #guard(task) {
    task.guard(this.grace, () => this.#restart(task.tooLong(RESTARTED)));
  }

  #output({ message, buffers }, comms) {
    if (message.kind === "comms") comms.receive(message.messages, buffers);
    else if (message.cell !== undefined) this.onCall(message.cell, { output: message });
    else this.#run?.onOutput(message);
  }

  #finish(result) {
    const run = this.#run;
    run.end();
    this.#end(run.describe(result));
  }

  #end(result) {
    const run = this.#run;
    this.#run = null;
    run?.finish(result);
  }

  /** The worker has failed: start another, and end the run with an error. */
  #lose(reason) {
    if (this.#state === "starting") return this.#fail(reason);
    this.#restart(failure(`Python crashed (${lastLine(reason)}) and was restarted. ${GONE}`));
  }

  #restart(result) {
    const isUnreported = !this.#run && this.#call;
    this.#forgetCalls();
    this.#close();
    this.#ready = this.#launch();
    this.#end({ ...result, restarted: true });
    if (isUnreported) this.onFault(result.error?.message ?? `A function of a widget did not stop, so Python had to be restarted. ${GONE}`);
    if (isUnreported) this.onRestart();
  }

  #fail(reason) {
    this.#close();
    this.#state = "failed";
    this.#ready = null;
    this.#settle.reject(
      new Error(
        SENTENCES[reason] ?? `Python did not load: ${lastLine(reason)}. Check your connection, then press Run again or reload the page.`,
      ),
    );
  }

  #close() {
    clearTimeout(this.watchdog);
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** Why Python cannot start here at all, as a key of SENTENCES, or null. */
function obstacle() {
  if (location.protocol === "file:") return "file";
  if (document.querySelector("#book-cells[data-python=none]")) return "no-python";
  return typeof WebAssembly === "object" && typeof Worker === "function" ? null : "wasm";
}

/** The last line of a traceback says what went wrong; other reasons have one line. */
function lastLine(text) {
  return String(text ?? "")
    .trim()
    .split("\n")
    .at(-1)
    .trim();
}
