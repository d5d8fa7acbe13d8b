/**
 * Python's files on their way to the worker: each arrives whole, or Python hears why not.
 *
 * Pyodide fetches its files by itself; so that the page can show how far they are, its requests are answered
 * here. `lost` holds the reason why a file did not arrive, by its name, until it has arrived after all.
 */
import { meter } from "./meter.js";

export class Files {
  lost = new Map();
  onLost = (/** @type {Error} */ _error) => {};
  #abort = new AbortController();

  /**
   * Replace the browser's fetch.
   *
   * @param {string} base the address of the folder
   * @param {Record<string, number>} sizes bytes of each file, by its path in the folder
   */
  constructor(base, sizes) {
    this.base = base;
    this.sizes = sizes;
    this.fetchPlain = globalThis.fetch.bind(globalThis);
    globalThis.fetch = (address, options) => this.fetch(address instanceof Request ? address.url : String(address), options);
  }

  /** Cancel the current downloads. */
  stop() {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Fetch a file of the folder, and count its bytes; fetch any other as usual. */
  async fetch(address, options) {
    const name = address.startsWith(this.base) ? address.slice(this.base.length).split("?")[0] : "";
    if (!(name in this.sizes)) return this.fetchPlain(address, options);
    try {
      const bytes = await this.#get(address, this.sizes[name]);
      if (!(await isAsLocked(bytes, options?.integrity))) throw new Error("it arrived damaged");
      this.lost.delete(name);
      return new Response(bytes, { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "" } });
    } catch (error) {
      const reason = error instanceof TypeError ? "the server does not respond" : error.message; // browsers: "Failed to fetch"
      this.lost.set(name, reason);
      this.onLost(new Error(`${titleOf(name)} could not be loaded: ${reason}`));
      throw error;
    }
  }

  /** Fetch a file of the folder that is compressed, and that Python can do without. */
  async unzipped(name) {
    const { body } = await this.request(this.base + name);
    return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  /** Fetch all of a file, which has this many bytes. */
  async #get(address, size) {
    const bytes = await (await this.request(address)).arrayBuffer();
    if (bytes.byteLength !== size) throw new Error("it arrived damaged"); // a page to log in on, perhaps
    return bytes;
  }

  /** Request a file, and count its bytes as they arrive. */
  async request(address) {
    const response = await this.respond(address);
    const transform = (part, next) => (meter.count(part.byteLength), next.enqueue(part));
    return new Response(response.body.pipeThrough(new TransformStream({ transform })));
  }

  /** Request a file that is there. */
  async respond(address, options = {}) {
    const response = await this.fetchPlain(address, { ...options, signal: this.#abort.signal });
    if (!response.ok) throw new Error(`the server responds with ${response.status}`);
    return response;
  }
}

/** Give memory back at once: while Python computes, the browser does not look for what is no longer needed. */
export function free(bytes) {
  bytes.buffer.transfer?.(0);
}

/** Whether bytes have the digest that Pyodide's lock names; without https a browser cannot tell. */
async function isAsLocked(bytes, integrity) {
  if (!integrity || !globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return integrity === `sha256-${btoa(String.fromCharCode(...digest))}`;
}

/** What to call a file: a package by its name, any other by its file name. */
function titleOf(name) {
  const file = name.split("/").at(-1);
  return file.endsWith(".whl") ? file.split("-")[0] : file;
}
