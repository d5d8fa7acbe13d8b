/**
 * A run in the page's Python, and its result as the page reports it.
 *
 * @typedef {{ type: string, message: string, traceback: string, line: number | null }} Fault
 * @typedef {{ ok: boolean, error: Fault | null, stopped: boolean, restarted: boolean, dropped: number, unshown: number,
 *   advice: string | null, wants?: { path: string, title: string, message: string } }} Result
 *   restarted: all variables are gone; dropped, unshown: how many characters, values and figures were too many;
 *   advice: what to do now; wants: a large file that it needs and that the reader has not asked for
 */

export const GONE = "Your variables are gone; your text, outputs and progress are kept.";

/** The default result of a run. */
const UNKNOWN = { ok: false, error: null, stopped: false, restarted: false, dropped: 0, unshown: 0, advice: null };

/** The location of an error that has none. */
const NOWHERE = { line: null, traceback: "" };

/** Calls back when something takes too long: Python has one, for it does one thing at a time. */
export class Watch {
  #timer = null;

  /** Call back some time from now, but not before a busy page has read what Python said meanwhile. */
  begin(milliseconds, callback) {
    const later = () => (this.#timer = setTimeout(callback));
    this.extend = () => (clearTimeout(this.#timer), (this.#timer = setTimeout(later, milliseconds)));
    this.extend();
  }

  /** Something has arrived: begin again, if it has begun. */
  extend() {}

  end() {
    clearTimeout(this.#timer);
    this.extend = () => {};
  }
}

/** A run, as seen from the page. */
export class Run {
  signal = ["one", "other"].map((text) => URL.createObjectURL(new Blob([text], { type: "text/plain" }))); // once they are revoked, Python stops: see python/interrupt.js
  isStopped = false;
  isLoading = true; // whether files arrive that it waits for
  ended = new Promise((resolve) => (this.finish = (result) => resolve({ ...UNKNOWN, ...result })));

  /** @param {string} name of the cell @param {number} limit in milliseconds @param {(message: object) => void} onOutput */
  constructor(name, limit, onOutput) {
    this.name = name;
    this.limit = limit;
    this.onOutput = onOutput;
  }

  /** Ask Python to stop; an `error` says why, if it was not the reader who asked. */
  stop(error = null) {
    this.isStopped = true;
    this.error = error;
    this.signal.forEach((address) => URL.revokeObjectURL(address));
  }

  /** The result as the page reports it; if it took too long, with the line that was running. */
  describe({ reason, ...result }) {
    if (reason === "limit") Object.assign(result, withLine(this.tooLong(), result.error ?? NOWHERE));
    if (reason === "stop" && this.error) return { ...result, ...this.error };
    return { ...result, stopped: reason === "stop" };
  }

  tooLong(consequence = "") {
    const sentence = `The cell was stopped after ${this.limit / 1000} seconds. Does a loop never end, or is there too much to compute?${consequence}`;
    return failure(sentence, "TimeoutError");
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
