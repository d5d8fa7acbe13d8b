/**
 * The one Python of a page: started by the first Run, stopped and restarted when necessary.
 *
 * It runs one thing at a time; others wait in notebook.js. Its state:
 *
 *   off, failed   start -> starting
 *   starting      ready -> ready; a fault, silence or Stop -> failed
 *   ready         run -> running; restart, or a crash -> starting
 *   running       done -> ready; a crash, or Stop, the limit or silence that did not end it -> starting
 *
 * @typedef {{ type: string, message: string, traceback: string, line: number | null }} Fault
 * @typedef {{ ok: boolean, error: Fault | null, stopped: boolean, restarted: boolean, dropped: number, unshown: number,
 *   advice: string | null, wants?: { path: string, title: string, message: string } }} Result
 *   restarted: all variables are gone; dropped, unshown: how many characters, values and figures were too many;
 *   advice: what to do now; wants: a large file that it needs and that the reader has not asked for
 */
import { startWorker } from "../site/csp-worker.js";
import { worker as FILE } from "book:addresses"; // see build.mjs

const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript);
const WORKER = SCRIPT && new URL(FILE, SCRIPT.src).href;
const LONG = 600_000; // milliseconds that a run may take once a large file was fetched, which is not done for something short

export const GONE = "Your variables are gone; your text, outputs and progress are kept.";
const RESTARTED = ` Python had to be restarted. ${GONE}`;
const LATE = "its script did not arrive"; // see csp-worker.js
const ELSEWHERE = "You can run the code in a notebook of your own instead.";
const AGAIN = "Check your connection, then press Run again";
const STALLED = `What the cell needs stopped loading: nothing has arrived for a while. ${AGAIN}.`;
const SENTENCES = {
  "no-python": `This copy of the book was built without Python in its pages. ${ELSEWHERE}`,
  file: `Python cannot start in a page opened from disk: serve the folder, for example with python -m http.server. ${ELSEWHERE}`,
  wasm: `This browser cannot run Python (WebAssembly or module workers are missing or switched off). ${ELSEWHERE}`,
  silent: `Python stopped loading: nothing has arrived for a minute. ${AGAIN}.`,
  stopped: "Python was stopped while it was starting. Press Run to start it again.",
};

/** The result of a run, where it does not say otherwise. */
const UNKNOWN = { ok: false, error: null, stopped: false, restarted: false, dropped: 0, unshown: 0, advice: null };

/** The one Python of a page. */
export class Python {
  /** @type {"off" | "starting" | "ready" | "running" | "failed"} */
  #state = "off";
  #worker = null;
  #ready = null; // promise of a worker that can run
  #settle = null; // resolves or rejects that promise
  #run = null; // the current one: { limit, onOutput, signal, finish }; once it was told to stop, also why: { stopped }
  #timer; // of what happens when nothing arrives
  #extend = () => {}; // sets that timer again

  base = "";
  patience = 60_000; // milliseconds without a sign of life while something is loading
  grace = 4_000; // milliseconds to stop politely
  limit = 30_000; // milliseconds that a run may take
  onProgress = (/** @type {{ text: string, loaded: number, total: number }} */ _report) => {};

  /** What a message of the worker does. */
  #messages = {
    progress: (report) => (this.#extend(), this.onProgress(report)),
    ready: () => this.#becomeReady(),
    running: () => this.#guard(),
    output: ({ message }) => this.#run?.onOutput(message), // a task of asyncio may go on when the run is over
    done: ({ result }) => this.#end(this.#described(result)),
    failed: ({ message }) => this.#crash(message),
  };

  /**
   * @param {{ base: string } & Partial<Python>} options base: the address of the folder with Python's files;
   *   any of the properties above
   */
  constructor(options) {
    Object.assign(this, options);
  }

  get state() {
    return this.#state;
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
   *   onOutput gets what Outputs.add in outputs/outputs.js takes
   * @returns {Promise<Result>}
   */
  run(name, code, { exercise = null, onOutput = () => {}, limit = this.limit } = {}) {
    return this.#begin({ op: "run", name, code, exercise, limit }, onOutput);
  }

  /**
   * Fetch a large file that the reader has asked for.
   *
   * @param {{ path: string }} file what the result of a run names as `wants`
   * @returns the same as `run`
   */
  async download({ path }) {
    const result = await this.#begin({ op: "download", path, limit: LONG });
    if (result.ok) this.limit = Math.max(this.limit, LONG);
    return result;
  }

  async #begin(message, onOutput = (_) => {}) {
    await this.start();
    const signal = ["one", "other"].map((text) => URL.createObjectURL(new Blob([text], { type: "text/plain" }))); // see python/interrupt.js
    this.#state = "running";
    this.#watch(this.patience, () => this.#interrupt(STALLED));
    this.#worker.postMessage({ signal, ...message });
    return new Promise((finish) => (this.#run = { limit: message.limit, onOutput, signal, finish }));
  }

  /** Stop what is running. */
  stop() {
    if (this.#state === "starting") this.#fail("stopped");
    else if (this.#run && !this.#run.stopped) this.#interrupt();
  }

  /** Restart Python whatever it is doing; all variables are lost. While it is still starting, do nothing. */
  restart() {
    if (this.#worker && this.#state !== "starting") this.#restart({ stopped: true });
  }

  /** Stop the run politely first; if that does not help, by restarting Python. `reason`: why, if it was not the reader who asked. */
  #interrupt(reason = "") {
    this.#run.stopped = { reason };
    this.#revoke();
    this.#watch(this.grace, () => this.#restart(reason ? failure(reason + RESTARTED) : { stopped: true }));
    this.#extend = () => {};
  }

  /** Once these addresses are revoked, Python stops. */
  #revoke() {
    this.#run.signal.forEach((address) => URL.revokeObjectURL(address));
  }

  /** Call back when nothing has arrived for so long, but not before a busy page has read what Python said meanwhile. */
  #watch(milliseconds, callback) {
    const later = () => (this.#timer = setTimeout(callback));
    this.#extend = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(later, milliseconds);
    };
    this.#extend();
  }

  #unwatch() {
    clearTimeout(this.#timer);
    this.#extend = () => {};
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
    this.#watch(this.patience, () => this.#fail("silent"));
    const worker = await startWorker(WORKER);
    if (this.#state !== "starting" || this.#worker) return worker.terminate(); // stopped meanwhile
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#worker === worker && this.#messages[data.op](data);
    worker.onerror = (event) => this.#worker === worker && this.#crash(event.message.replace(/^Uncaught (\w*Error: )?/, "") || LATE);
    worker.postMessage({ op: "start", base: this.base });
  }

  #becomeReady() {
    this.#unwatch();
    this.#state = "ready";
    this.#settle.resolve();
  }

  /** The code runs now. The worker enforces its limit itself, unless it is stuck where Python does not check for signals. */
  #guard() {
    const { limit, stopped } = this.#run;
    if (!stopped) this.#watch(limit + this.grace, () => this.#restart(failure(tooLong(limit) + RESTARTED, "TimeoutError")));
  }

  /** The result of the worker as the page reports it; one that was ended by the page names the line that was running. */
  #described({ reason, ...result }) {
    const { limit, stopped } = this.#run;
    const why = reason === "limit" ? tooLong(limit) : reason && stopped?.reason;
    if (!why) return { ...result, stopped: reason === "stop" };
    const { error } = failure(why, reason === "limit" ? "TimeoutError" : undefined);
    const { line, traceback } = result.error;
    return { ...result, error: { ...error, line, traceback: traceback.replace(/.*$/, why) } };
  }

  /** The run is over; the signal that would have stopped it is not needed any more. */
  #end(result) {
    const { finish } = this.#run;
    this.#unwatch();
    this.#revoke();
    this.#state = "ready";
    this.#run = null;
    finish({ ...UNKNOWN, ...result });
  }

  /** The worker has failed: start another, and end the run with an error. */
  #crash(reason) {
    if (this.#state === "starting") return this.#fail(reason);
    this.#restart(failure(`Python crashed (${lastLine(reason)}) and was restarted. ${GONE}`));
  }

  #restart(result) {
    this.#close();
    if (this.#run) this.#end({ ...result, restarted: true });
    this.#ready = this.#launch();
  }

  #fail(reason) {
    this.#close();
    this.#state = "failed";
    this.#ready = null;
    this.#settle.reject(new Error(SENTENCES[reason] ?? `Python did not load: ${lastLine(reason)}. ${AGAIN} or reload the page.`));
  }

  #close() {
    this.#unwatch();
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

/** An error that Python did not raise itself. */
function failure(message, type = "RuntimeError") {
  return { error: { type, message, traceback: message, line: null } };
}

function tooLong(limit) {
  return `The cell was stopped after ${limit / 1000} seconds. Does a loop never end, or is there too much to compute?`;
}

/** The last line of a traceback says what went wrong; other reasons have one line. */
function lastLine(text) {
  return /.*$/.exec(String(text).trim())[0];
}
