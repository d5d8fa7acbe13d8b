/** A run or a call in the page's Python, and its result as the page reports it. */

export const LIMIT = 30_000; // milliseconds that a run, or a widget's function, may take

export const GONE = "Your variables are gone; your text, outputs and progress are kept.";
const WIDGET = "A function that a widget calls";

/** The default result of a run. */
export const UNKNOWN = { ok: false, error: null, stopped: false, restarted: false, dropped: 0, unshown: 0, advice: null };

/** The location of an error that has none. */
const NOWHERE = { line: null, traceback: "" };

/** Something that Python does, and that can be stopped. */
class Task {
  isStopped = false;
  signal = ["one", "other"].map((text) => URL.createObjectURL(new Blob([text], { type: "text/plain" }))); // once they are revoked, Python stops: see python/interrupt.js
  timers = [];
  guarded = null;
  guarding = null; // a timer
  what = "The cell";

  /** @param {number} limit in milliseconds */
  constructor(limit) {
    this.limit = limit;
  }

  /** Call back some time from now, but not before a busy page has read what Python said meanwhile. */
  after(milliseconds, callback) {
    const later = () => this.timers.push(setTimeout(callback));
    this.timers.push(setTimeout(later, milliseconds));
  }

  /** Call back if it has not ended some time after its limit. */
  guard(grace, callback) {
    this.guarded = { time: this.limit + grace, callback };
    this.extend();
  }

  /** Files arrive that it waits for, which does not count as running time. */
  extend() {
    clearTimeout(this.guarding);
    if (this.guarded) this.guarding = setTimeout(() => this.after(0, this.guarded.callback), this.guarded.time);
  }

  /** Ask Python to stop; call back if it has not stopped within the grace period. */
  stop(grace, callback) {
    if (this.isStopped) return;
    this.isStopped = true;
    this.signal.forEach((address) => URL.revokeObjectURL(address));
    this.after(grace, callback);
  }

  /** The result as the page reports it; if it took too long, with the line that was running. */
  describe({ reason, ...result }) {
    if (reason === "limit") Object.assign(result, withLine(this.tooLong(), result.error ?? NOWHERE));
    return { ...UNKNOWN, ...result, stopped: reason === "stop" };
  }

  tooLong(consequence = "") {
    const sentence = `${this.what} was stopped after ${this.limit / 1000} seconds. Does a loop never end, or is there too much to compute?${consequence}`;
    return failure(sentence, "TimeoutError");
  }

  end() {
    [...this.timers, this.guarding].forEach(clearTimeout);
    this.signal.forEach((address) => URL.revokeObjectURL(address));
  }
}

/** A run, as seen from the page. */
export class Run extends Task {
  hasBegun = false;

  constructor(id, name, limit, onOutput) {
    super(limit);
    this.id = id;
    this.name = name; // of the cell
    this.onOutput = onOutput;
    this.ended = new Promise((resolve) => (this.resolve = resolve));
  }

  finish(result) {
    this.end();
    this.resolve({ ...UNKNOWN, ...result });
  }
}

/** A widget's message to Python, and the functions that it calls there. */
export class Call extends Task {
  isAnnounced = false; // whether the page says that it is running
  what = WIDGET;

  /** @param {string} cell that made the widget @param {number} limit @param {() => void} answered called when Python has handled the message */
  constructor(cell, limit, answered) {
    super(limit);
    this.cell = cell;
    this.answered = answered;
  }
}

/** An error that Python did not raise itself. */
export function failure(message, type = "RuntimeError") {
  return { error: { type, message, traceback: message, line: null } };
}

/** Let an error point at the line where another one was raised. */
function withLine({ error }, { line, traceback }) {
  const where = traceback.split("\n").slice(0, -1);
  return { error: { ...error, line, traceback: [...where, error.traceback].join("\n") } };
}
