/**
 * The one Python of a page: started by the first Run, stopped and started anew when it must be.
 */
import { isOutdated } from "./build.js";
import { Comms } from "./comms.js";
import { worker as FILE } from "book:addresses"; // see build.mjs

const WORKER = document.currentScript && new URL(FILE, document.currentScript.src).href;
const LIMIT = 30_000; // milliseconds that a run may take
const GRACE = 1_500; // milliseconds to stop politely
const PATIENCE = 60_000; // milliseconds that Python may be silent while it is loading
const ANSWER = 35_000; // milliseconds for a worker to take up a run: longer than a widget may keep it busy

export const GONE = "Your variables are gone; your text, outputs and progress are kept.";
const EARLIER = "This page has been updated since you opened it, and what the cell needs is gone. Reload the page: your text is kept.";
const ELSEWHERE = "You can run this chapter in JupyterLab instead: make lab, in a copy of the book's repository.";
const SENTENCES = {
  "no-python": `This copy of the book was built without Python in its pages. ${ELSEWHERE}`,
  file: `Python cannot start in a page opened from the disk: serve the folder, for example with python -m http.server. ${ELSEWHERE}`,
  wasm: `This browser cannot run Python (WebAssembly or module workers are missing or switched off). ${ELSEWHERE}`,
  silent: "Python stopped loading: nothing has come for a minute. Check your connection, then press Run again.",
  stopped: "Python was stopped while it was starting. Press Run to start it again.",
};

/** What is told of a run where nothing else is. */
const UNKNOWN = { ok: false, error: null, stopped: false, restarted: false, dropped: 0, unshown: 0, verdict: null, advice: null };

/** A run, as seen from the page. */
class Run {
  constructor(id, limit, onOutput) {
    Object.assign(this, { id, limit, onOutput, hasBegun: false, isStopped: false, timers: [] });
    this.signal = URL.createObjectURL(new Blob(["run"]));
    this.ended = new Promise((resolve) => (this.resolve = resolve));
  }

  after(milliseconds, callback) {
    this.timers.push(setTimeout(callback, milliseconds));
  }

  end(result) {
    this.timers.forEach(clearTimeout);
    URL.revokeObjectURL(this.signal);
    this.resolve({ ...UNKNOWN, ...result });
  }
}

/** The one Python of a page. */
export class Python {
  #state = "off";
  #worker = null;
  #ready = null; // promise of a worker that can run
  #settle = null; // how that promise is settled
  #run = null; // what runs now
  #last = Promise.resolve(); // the end of the last run asked for
  #count = 0;

  /**
   * @param {{ base: string, onProgress?: (report: { text: string, loaded: number, total: number }) => void, onFault?: (sentence: string) => void, worker?: string, patience?: number, grace?: number, answer?: number }} options
   *   base: the address of the folder with Python's files; worker: that of the worker's script;
   *   onFault: told what went wrong when no run could tell it; in milliseconds,
   *   patience: how long Python may be silent while it is loading, grace: how long it may take to stop,
   *   answer: how long to take up a run; after that it is given up
   */
  constructor({ base, onProgress = () => {}, onFault = () => {}, worker = WORKER, patience = PATIENCE, grace = GRACE, answer = ANSWER }) {
    Object.assign(this, { base, onProgress, onFault, worker, patience, grace, answer });
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
   * Run code after what was asked for before.
   *
   * @param {string} name what tracebacks call the code
   * @param {string} code
   * @param {{ exercise?: string | null, onOutput?: (message: object) => void, limit?: number }} options
   *   onOutput gets { kind: "stdout" | "stderr", text } or { kind: "display", bundle: { mime: data } }
   * @returns {Promise<{ ok: boolean, error: object | null, stopped: boolean, restarted: boolean, dropped: number, unshown: number, verdict: object | null, advice: string | null }>}
   *   error: { type, message, traceback, line }; restarted: all variables are gone; dropped, unshown: how
   *   many characters, values and figures were too many; advice: what to do now
   */
  run(name, code, { exercise = null, onOutput = () => {}, limit = LIMIT } = {}) {
    const turn = this.#last.then(() => this.#take({ name, code, exercise, limit }, onOutput));
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Stop what runs: politely first; if that does not help, end Python and start it anew. */
  stop() {
    const run = this.#run;
    if (!run) return this.#state === "starting" && this.#fail("stopped");
    if (run.isStopped) return;
    run.isStopped = true;
    URL.revokeObjectURL(run.signal);
    run.after(this.grace, () => this.#restart({ stopped: true }));
  }

  /** End Python, whatever it does, and start it again: all variables go. One that is only starting has none. */
  restart() {
    if (this.#state === "ready") this.#restart({ stopped: true });
  }

  async #take(request, onOutput) {
    await this.start();
    const run = (this.#run = new Run(++this.#count, request.limit, onOutput));
    run.after(this.answer, () => run.hasBegun || this.#restart(failure(`Python no longer answered and was restarted. ${GONE} Run the cell again.`)));
    this.#worker.postMessage({ op: "run", id: run.id, signal: run.signal, ...request });
    return run.ended;
  }

  #launch() {
    this.#state = "starting";
    const reason = obstacle();
    const ready = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    ready.catch(() => {}); // whoever awaits it is told; a restart in the background has nobody
    try {
      if (reason) this.#fail(reason);
      else this.#open();
    } catch (error) {
      this.#fail(error.message); // a browser may refuse to make a worker
    }
    return ready;
  }

  #open() {
    const worker = (this.#worker = new Worker(this.worker, { type: "module" }));
    const comms = new Comms((message) => this.#worker === worker && worker.postMessage({ op: "comm", limit: LIMIT, ...message }));
    worker.onmessage = ({ data }) => this.#worker === worker && this.#receive(data, comms);
    worker.onerror = (event) => this.#worker === worker && this.#lose(event.message || "its worker did not load");
    worker.postMessage({ op: "start", base: this.base, patience: this.patience / 2 });
    this.#watch();
  }

  /** Give up when nothing is heard for too long while Python is loading. */
  #watch() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.#fail("silent"), this.patience);
  }

  #receive({ op, ...data }, comms) {
    if (op === "progress") this.#tellProgress(data);
    else if (op === "ready") this.#becomeReady();
    else if (op === "failed") this.#fail(data.message);
    else if (op === "begun") this.#run.hasBegun = true;
    else if (op === "running") this.#limit();
    else if (op === "output") this.#output(data, comms);
    else if (op === "done") this.#finish(data.result);
    else if (op === "broken") this.#lose(data.message);
  }

  #tellProgress(report) {
    if (this.#state === "starting") this.#watch();
    this.onProgress(report);
  }

  #becomeReady() {
    clearTimeout(this.watchdog);
    this.#state = "ready";
    this.#settle.resolve();
  }

  /** The worker keeps the time limit itself, unless it is stuck where Python hears nothing. */
  #limit() {
    const { limit } = this.#run;
    this.#run.after(limit + this.grace, () => this.#restart(tooLong(limit, ` Python had to be restarted. ${GONE}`)));
  }

  #output({ message, buffers }, comms) {
    if (message.kind === "comm") comms.receive(message, buffers);
    else if (message.kind === "fault") this.onFault(message.text);
    else this.#run?.onOutput(message);
  }

  async #finish({ reason, unloaded, ...result }) {
    const run = this.#run;
    if (unloaded && (await isOutdated())) Object.assign(result, failure(EARLIER, "ImportError"));
    if (run !== this.#run) return;
    const { limit } = run;
    if (reason === "limit") Object.assign(result, withLine(tooLong(limit), result.error));
    this.#end({ ...result, stopped: reason === "stop" });
  }

  #end(result) {
    const run = this.#run;
    this.#run = null;
    run?.end(result);
  }

  /** The worker can do no more: start another, and end the run with a sentence. */
  #lose(reason) {
    if (this.#state === "starting") return this.#fail(reason);
    this.#restart(failure(`Python broke down (${lastLine(reason)}) and was restarted. ${GONE}`));
  }

  #restart(result) {
    this.#close();
    this.#ready = this.#launch();
    this.#end({ ...result, restarted: true });
  }

  #fail(reason) {
    this.#close();
    this.#state = "failed";
    this.#ready = null;
    this.#settle.reject(new Error(SENTENCES[reason] ?? `Python could not start: ${lastLine(reason)}. Check your connection, then press Run again.`));
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
  return typeof WebAssembly === "object" && typeof Worker === "function" ? null : "wasm";
}

function failure(message, type = "RuntimeError") {
  return { error: { type, message, traceback: message, line: null } };
}

function tooLong(limit, consequence = "") {
  return failure(`The cell was stopped after ${limit / 1000} seconds. Is there a loop that never ends?${consequence}`, "TimeoutError");
}

/** Let an error point at the line where another one was raised. */
function withLine({ error }, { line, traceback }) {
  const where = traceback.split("\n").slice(0, -1);
  return { error: { ...error, line, traceback: [...where, error.traceback].join("\n") } };
}

/** The last line of a traceback says what went wrong; other reasons have one line. */
function lastLine(text) {
  return String(text ?? "").trim().split("\n").at(-1).trim();
}
