/**
 * Reads the worker's messages with care: the reader's code runs there, and may send anything.
 */
import { Allowance, readError } from "../outputs/limits.js";

const MOST = 20_000; // messages that may wait; far fewer can be shown
const RECENT = 200; // of those that wait, among which a change of the same display is looked for: as many as a run may show
const SLICE = 8; // milliseconds of each animation frame that messages may take
const SHOWN = ["stdout", "stderr", "display", "error", "clear"]; // kinds of outputs that clearing removes
const OPS = ["progress", "ready", "failed", "begun", "running", "output", "done", "called", "answered", "broken"];

/** Messages that wait for the next animation frame, so that a flood of them does not freeze the page. */
export class Inbox {
  #waiting = [];
  #isDue = false;

  /** @param {(message: any) => void} take called for each message, in order */
  constructor(take) {
    this.take = take;
  }

  /** Queue a message; unknown ones are dropped, and so are outputs when too many wait. */
  add(message) {
    const { op } = Object(message);
    if (!OPS.includes(op) || (op === "output" && this.#waiting.length > MOST)) return;
    this.#dropCleared(message);
    this.#dropUpdated(message);
    this.#waiting.push(message);
    if (!this.#isDue) this.#plan();
  }

  /** Drop what waits and is cleared by a message: by one that clears at once, or by the output that one waited for. */
  #dropCleared({ op, message }) {
    const { kind, cell, wait } = Object(message);
    if (op !== "output" || !SHOWN.includes(kind)) return;
    const isShown = ({ message: other }) => SHOWN.includes(other?.kind) && other.cell === cell;
    const clear = kind === "clear" ? null : this.#waiting.findLast(isShown);
    if (kind === "clear" ? wait : !isWaiting(clear)) return;
    this.#waiting = this.#waiting.filter((other) => other === clear || !isShown(other));
  }

  /** Drop a change of a display that waits and is itself changed by a message: only the last can be seen. */
  #dropUpdated({ op, message }) {
    if (op !== "output" || message?.kind !== "update") return;
    const isChanged = ({ message: other }) => other?.kind === "update" && other.display_id === message.display_id;
    const from = Math.max(0, this.#waiting.length - RECENT);
    const at = this.#waiting.slice(from).findLastIndex(isChanged);
    if (at >= 0) this.#waiting.splice(from + at, 1);
  }

  /** Whether a message waits that is of this kind. */
  holds(isIt) {
    return this.#waiting.some(isIt);
  }

  #plan() {
    this.#isDue = true;
    beforeNextFrame(() => this.#empty());
  }

  #empty() {
    this.#isDue = false;
    const end = performance.now() + SLICE;
    let taken = 0;
    while (taken < this.#waiting.length && performance.now() < end) this.#hand(this.#waiting[taken++]);
    this.#waiting.splice(0, taken);
    if (this.#waiting.length && !this.#isDue) this.#plan();
  }

  #hand(message) {
    try {
      this.take(message);
    } catch (error) {
      console.error(error); // the next message may be better
    }
  }
}

/** Whether a message clears the output as soon as there is a new one. */
function isWaiting(data) {
  return data?.message.kind === "clear" && data.message.wait === true;
}

/** Call back before the next animation frame, or soon: a hidden page draws none. */
function beforeNextFrame(callback) {
  let isCalled = false;
  const call = () => {
    if (!isCalled) callback();
    isCalled = true;
  };
  requestAnimationFrame(call);
  setTimeout(call, 100);
}

/** Reads outputs, within the limits of one run. */
export class Reader {
  #allowance = new Allowance();

  /** @returns a message of a kind that the page knows, or null */
  read({ message, buffers }) {
    const bytes = Array.isArray(buffers) ? buffers.filter(ArrayBuffer.isView) : [];
    if (message?.kind === "comms") return areOfWidgets(message.messages, bytes) ? { message, buffers: bytes } : null;
    const fitted = this.#allowance.fit(message);
    return fitted && { message: fitted, buffers: bytes };
  }
}

/** Whether these can be messages of widgets with this many buffers. */
function areOfWidgets(messages, buffers) {
  const isOne = (each) => typeof Object(each).id === "string" && Number.isInteger(each.buffers);
  return Array.isArray(messages) && messages.every(isOne) && messages.reduce((sum, each) => sum + each.buffers, 0) === buffers.length;
}

/** How a run ended, with each field of the type that the page relies on. */
export function readResult(result) {
  const { ok, error, dropped, unshown, advice, reason, unloaded } = Object(result);
  return {
    ok: ok === true,
    error: error ? readError(error) : null,
    dropped: Number(dropped) || 0,
    unshown: Number(unshown) || 0,
    advice: typeof advice === "string" ? advice.slice(0, 10_000) : null,
    reason: reason === "stop" || reason === "limit" ? reason : null,
    unloaded: unloaded === true,
  };
}

/** What is being loaded, and how much of it has arrived. */
export function readProgress({ text = "", loaded = 0, total = 0 }) {
  return { text: String(text ?? "").slice(0, 200), loaded: Number(loaded) || 0, total: Number(total) || 0 };
}
