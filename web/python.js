/**
 * The one Python of a page: started by the first Run, stopped and started anew when it must be.
 */
import { isOutdated } from "./build.js";
import { Comms } from "./comms.js";
import { firstLines } from "./kept-worker.js";
import { Inbox, Reader, readProgress, readResult } from "./messages.js";
import { worker as FILE } from "book:addresses"; // see build.mjs

const WORKER = document.currentScript && new URL(FILE, document.currentScript.src).href;
const LIMIT = 30_000; // milliseconds that a run may take
const GRACE = 1_500; // milliseconds to stop politely
const PATIENCE = 60_000; // milliseconds that Python may be silent while it is loading
const BRIEF = 500; // milliseconds that a widget's function may take before the page says that it runs
const ANSWER = 35_000; // milliseconds for a worker to take up a run: longer than a widget may keep it busy

export const GONE = "Your variables are gone; your text, outputs and progress are kept.";
const LEFT = "This control belongs to a Python that has ended. Run its cell again to use it.";
const EARLIER = "This page has been updated since you opened it, and what the cell needs is gone. Reload the page: your text is kept.";
const ELSEWHERE = "You can run this chapter in JupyterLab instead: make lab, in a copy of the book's repository.";
const SENTENCES = {
  "no-python": `This copy of the book was built without Python in its pages. ${ELSEWHERE}`,
  file: `Python cannot start in a page opened from the disk: serve the folder, for example with python -m http.server. ${ELSEWHERE}`,
  wasm: `This browser cannot run Python (WebAssembly or module workers are missing or switched off). ${ELSEWHERE}`,
  silent: "Python stopped loading: nothing has come for a minute. Check your connection, then press Run again.",
  stopped: "Python was stopped while it was starting. Press Run to start it again.",
};

const WIDGET = "A function that a widget calls";

/** What is told of a run where nothing else is. */
const UNKNOWN = { ok: false, error: null, stopped: false, restarted: false, dropped: 0, unshown: 0, verdict: null, advice: null };

/** An error without a place. */
const NOWHERE = { line: null, traceback: "" };

/** Something that Python does, and that can be stopped. */
class Task {
  outputs = new Reader();

  constructor(limit) {
    Object.assign(this, { limit, isStopped: false, timers: [] });
    this.signal = URL.createObjectURL(new Blob(["run"]));
  }

  after(milliseconds, callback) {
    this.timers.push(setTimeout(callback, milliseconds));
  }

  end() {
    this.timers.forEach(clearTimeout);
    URL.revokeObjectURL(this.signal);
  }
}

/** A run, as seen from the page. */
class Run extends Task {
  constructor(id, limit, onOutput) {
    super(limit);
    Object.assign(this, { id, onOutput, hasBegun: false });
    this.ended = new Promise((resolve) => (this.resolve = resolve));
  }

  end(result) {
    super.end();
    this.resolve({ ...UNKNOWN, ...result });
  }
}

/** A message of a widget to Python, and the functions that it calls there. */
class Call extends Task {
  constructor(cell, answered) {
    super(LIMIT);
    Object.assign(this, { cell, answered, isTold: false });
  }
}

/** The one Python of a page. */
export class Python {
  #state = "off";
  #worker = null;
  #ready = null; // promise of a worker that can run
  #settle = null; // how that promise is settled
  #run = null; // what runs now
  #calls = new Map(); // the number of each widget's message that is not answered -> its Call
  #call = null; // the one that Python answers now
  #last = Promise.resolve(); // the end of the last run asked for
  #count = 0;

  /**
   * @param {{ base: string, onProgress?: (report: { text: string, loaded: number, total: number }) => void, onFault?: (sentence: string) => void, onCall?: (cell: string, told: object) => void, onRestart?: () => void, worker?: string, patience?: number, grace?: number, answer?: number }} options
   *   base: the address of the folder with Python's files; worker: that of the worker's script;
   *   onFault: told what went wrong when no run could tell it; onCall: told of the functions that the
   *   widgets of a cell call: { running: boolean }, { output } as those of a run, or { result };
   *   onRestart: told that all variables are gone, where no run tells it; in milliseconds,
   *   patience: how long Python may be silent while it is loading, grace: how long it may take to stop,
   *   answer: how long to take up a run; after that it is given up
   */
  constructor({ base, onProgress = () => {}, onFault = () => {}, onCall = () => {}, onRestart = () => {}, worker = WORKER, patience = PATIENCE, grace = GRACE, answer = ANSWER }) {
    Object.assign(this, { base, onProgress, onFault, onCall, onRestart, worker, patience, grace, answer });
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
    if (!this.#run && !this.#call) return this.#state === "starting" && this.#fail("stopped");
    for (const task of [this.#call, this.#run]) {
      if (!task || task.isStopped) continue;
      task.isStopped = true;
      URL.revokeObjectURL(task.signal);
      task.after(this.grace, () => this.#restart({ stopped: true }));
    }
  }

  /** End Python, whatever it does, and start it again: all variables go. One that is only starting has none. */
  restart() {
    if (this.#state !== "ready") return;
    this.#forgetCalls();
    this.#restart({ stopped: true });
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
    const worker = (this.#worker = new Worker(firstLines(this.worker), { type: "module" }));
    const comms = new Comms((...message) => this.#deliver(worker, ...message));
    const inbox = new Inbox((data) => this.#worker === worker && this.#receive(data, comms));
    worker.onmessage = ({ data }) => inbox.add(data);
    worker.onerror = (event) => this.#worker === worker && this.#lose(event.message.replace(/^Uncaught (\w*Error: )?/, "") || "its worker did not load");
    worker.postMessage({ op: "start", base: this.base, patience: this.patience / 2 });
    this.#watch();
  }

  /** Hand a widget's message to Python, which takes it up after what it does now. */
  #deliver(worker, message, cell, answered) {
    if (this.#worker !== worker) return this.onFault(LEFT);
    const call = new Call(cell, answered);
    this.#calls.set(message.message, call);
    worker.postMessage({ op: "comm", limit: call.limit, signal: call.signal, ...message });
  }

  /** Python has taken up a widget's message. */
  #takeUp({ message }) {
    const call = (this.#call = this.#calls.get(message) ?? null);
    call?.after(BRIEF, () => this.#tellRunning(call, true));
    call?.after(call.limit + this.grace, () => this.#restart(tooLong(call.limit, ` Python had to be restarted. ${GONE}`, WIDGET)));
  }

  #tellRunning(call, running) {
    call.isTold = running;
    this.onCall(call.cell, { running });
  }

  /** Python has done what a widget's message asked for. */
  #answer({ message, ...data }) {
    const call = this.#calls.get(message);
    if (!call) return;
    this.#endCall(message, call);
    const { reason, ...result } = readResult(data.result);
    if (reason === "limit") Object.assign(result, withLine(tooLong(call.limit, "", WIDGET), result.error ?? NOWHERE));
    this.onCall(call.cell, { result: { ...UNKNOWN, ...result, stopped: reason === "stop" } });
    call.answered();
  }

  #endCall(message, call) {
    this.#calls.delete(message);
    if (this.#call === call) this.#call = null;
    call.end();
    if (call.isTold) this.#tellRunning(call, false);
  }

  #forgetCalls() {
    this.#calls.forEach((call, message) => this.#endCall(message, call));
  }

  /** Give up when nothing is heard for too long while Python is loading. */
  #watch() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.#fail("silent"), this.patience);
  }

  /** Take a message; what concerns a run counts only for the one that runs now. */
  #receive({ op, ...data }, comms) {
    const isOfRun = this.#run !== null && data.id === this.#run.id;
    if (op === "progress") this.#tellProgress(readProgress(data));
    else if (op === "output") this.#output(data, comms);
    else if (op === "called") this.#takeUp(data);
    else if (op === "answered") this.#answer(data);
    else if (op === "broken") this.#lose(data.message);
    else if (this.#state === "starting") this.#settleStart(op, data);
    else if (isOfRun && op === "begun") this.#run.hasBegun = true;
    else if (isOfRun && op === "running") this.#limit();
    else if (isOfRun && op === "done") this.#finish(readResult(data.result));
  }

  #settleStart(op, { message }) {
    if (op === "ready") this.#becomeReady();
    else if (op === "failed") this.#fail(message);
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

  #output(data, comms) {
    const reader = (this.#call ?? this.#run)?.outputs ?? new Reader();
    const { message, buffers } = reader.read(data) ?? { message: {} };
    if (message.kind === "comms") comms.receive(message.messages, buffers);
    else if (message.kind === "fault") this.onFault(message.text);
    else if (message.cell !== undefined) this.onCall(message.cell, { output: message });
    else this.#run?.onOutput(message);
  }

  async #finish({ reason, unloaded, ...result }) {
    const run = this.#run;
    if (unloaded && (await isOutdated())) Object.assign(result, failure(EARLIER, "ImportError"));
    if (run !== this.#run) return;
    if (reason === "limit") Object.assign(result, withLine(tooLong(run.limit), result.error ?? NOWHERE));
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
    const isUntold = !this.#run && this.#call;
    this.#forgetCalls();
    this.#close();
    this.#ready = this.#launch();
    this.#end({ ...result, restarted: true });
    if (isUntold) this.onFault(result.error?.message ?? `A function of a widget did not stop, so Python had to be restarted. ${GONE}`);
    if (isUntold) this.onRestart();
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

function tooLong(limit, consequence = "", what = "The cell") {
  return failure(`${what} was stopped after ${limit / 1000} seconds. Is there a loop that never ends?${consequence}`, "TimeoutError");
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
