/**
 * Python's files: each arrives exactly as it was built, or not at all.
 *
 * The index has the SHA-256 of every file. One that is damaged, truncated or replaced, for example by
 * the log-in page of a network, is requested once more without caches, and then refused. A file that
 * stops arriving is given up after a while. `lost` holds the reason, by name, until it has arrived.
 */
import { getNow, Interrupted, joined } from "./now.js";
import { sha256 } from "./sha256.js";

const WAITING = 3_000; // milliseconds of silence after which the page says what it is waiting for

export class Files {
  /**
   * @param {string} base the address of the folder
   * @param {{ onBytes: (count: number) => void, onWaiting: (name: string) => void, onLost: (reason: string) => void, patience: number }} options
   *   patience: milliseconds of silence after which a file is given up
   */
  constructor(base, options) {
    this.base = base;
    this.options = options;
    /** @type {Record<string, string>} by name */
    this.digests = {};
    this.lost = new Map();
    this.abort = new AbortController();
  }

  /** Replace the browser's fetch. */
  install() {
    this.fetchPlain = globalThis.fetch.bind(globalThis);
    globalThis.fetch = (address, options) => this.fetch(address instanceof Request ? address.url : String(address), options);
  }

  /** Cancel the current downloads. */
  stop() {
    const { abort } = this;
    this.abort = new AbortController();
    abort.abort(final("Stop was pressed"));
  }

  /** Fetch a file of the folder and verify it; fetch any other as usual. */
  async fetch(address, options) {
    const name = this.#nameOf(address);
    if (!(name in this.digests)) return this.fetchPlain(address, options);
    try {
      return asResponse(await this.#getTwice(name, address), name);
    } catch (error) {
      this.lost.set(name, error.message);
      this.options.onLost(this.reasonOf(name));
      throw error;
    }
  }

  /** Read a file of the folder synchronously, while Python waits; throws Interrupted when it should wait no longer. For the options see getNow. */
  readNow(name, options) {
    try {
      const bytes = getNow(this.addressOf(name), options);
      if (this.#isRight(name, bytes)) return this.#arrived(name, bytes);
      const again = getNow(`${this.addressOf(name)}&again=${Date.now()}`, options); // the cached copy may be damaged
      this.#check(name, again);
      return this.#arrived(name, again);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      this.lost.set(name, error.message);
      return null;
    }
  }

  /** Say why a file could not be loaded. */
  reasonOf(name) {
    return `${titleOf(name)} could not be loaded: ${this.lost.get(name)}`;
  }

  addressOf(name) {
    return `${this.base}${name}?${this.digests[name].slice(0, 16)}`;
  }

  #nameOf(address) {
    return address.startsWith(this.base) ? address.slice(this.base.length).split("?")[0] : "";
  }

  async #getTwice(name, address) {
    try {
      return await this.#get(name, address, "default");
    } catch (error) {
      if (error.isFinal) throw error;
      return this.#get(name, address, "reload");
    }
  }

  async #get(name, address, cache) {
    const silence = new Silence(this, name);
    try {
      const response = await this.fetchPlain(address, { cache, signal: silence.signal });
      if (!response.ok) throw new Error(`the server responds with ${response.status}`);
      const bytes = await this.#collect(response, silence);
      this.#check(name, bytes, response.headers.get("Content-Type"), await digestOf(bytes));
      return this.#arrived(name, bytes);
    } catch (error) {
      throw silence.signal.aborted ? silence.signal.reason : plainError(error);
    } finally {
      silence.end();
    }
  }

  /** Read a whole response, and count its bytes. */
  async #collect(response, silence) {
    const parts = [];
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return joined(parts);
      parts.push(value);
      silence.breakBy(value.byteLength);
    }
  }

  #arrived(name, bytes) {
    this.lost.delete(name);
    return bytes;
  }

  #isRight(name, bytes) {
    return sha256(bytes) === this.digests[name];
  }

  #check(name, bytes, type = "", digest = sha256(bytes)) {
    if (digest === this.digests[name]) return;
    if (/html/.test(type) || looksLikePage(bytes)) throw new Error("the network sends a web page instead; you may need to log in");
    throw new Error("it arrived damaged");
  }
}

/** What to call a file: a package by its name, any other by its file name. */
export function titleOf(name) {
  const file = name.split("/").at(-1);
  return file.endsWith(".whl") ? file.split("-")[0] : file;
}

export function silentFor(milliseconds) {
  return `nothing has arrived for ${Math.round(milliseconds / 1000)} seconds`;
}

/** Watches for bytes that do not arrive. */
class Silence {
  constructor(files, name) {
    this.files = files;
    this.name = name;
    this.own = new AbortController();
    this.signal = this.own.signal;
    files.abort.signal.addEventListener("abort", () => this.own.abort(files.abort.signal.reason), { once: true });
    this.begin();
  }

  begin() {
    const { patience, onWaiting } = this.files.options;
    this.timers = [
      setTimeout(() => onWaiting(titleOf(this.name)), WAITING),
      setTimeout(() => this.own.abort(final(silentFor(patience))), patience),
    ];
  }

  breakBy(count) {
    this.files.options.onBytes(count);
    this.end();
    this.begin();
  }

  end() {
    this.timers.forEach(clearTimeout);
  }
}

/** An error after which another request would not help. */
function final(message) {
  return Object.assign(new Error(message), { isFinal: true });
}

/** Browsers say "Failed to fetch" or "NetworkError when…" when a server does not respond. */
function plainError(error) {
  return error instanceof TypeError ? new Error("the server does not respond") : error;
}

function asResponse(bytes, name) {
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(bytes, { headers: { "Content-Type": type } });
}

/** The browser's own SHA-256 is quicker, but is missing on pages without https. */
async function digestOf(bytes) {
  if (!globalThis.crypto?.subtle) return sha256(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function looksLikePage(bytes) {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 100)));
}
