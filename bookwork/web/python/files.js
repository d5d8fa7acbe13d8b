/**
 * All files that Python gets: its packages, the book's data, large downloads. Each arrives whole, or one hears why not.
 *
 * Pyodide fetches packages by itself; so that the page can show how far they are, its requests are answered here. The book's
 * files stand in Python's file system from the start, empty: data arrive when they are first opened, while Python waits; a
 * download cannot be opened until the reader has asked for it. From then on the browser keeps it, and Python has its
 * contents only as long as it is open.
 *
 * @typedef {{ path: string, title: string, size: number, address?: string } & Partial<Download>} Offer
 * @typedef {{ source: string, integrity: string, memory: number }} Download memory: MB that Python needs for it
 */
import { postMessage } from "./confine.js";
import { interrupt, isRevoked } from "./interrupt.js";

const [EACCES, EINTR, EIO] = [2, 27, 29]; // Emscripten's numbers of errors: may not be opened; a signal came; cannot be read
const PART = 2 ** 19; // bytes that are read at a time while Python waits: in between, Stop is heard
const PATIENCE = 30_000; // milliseconds for these
const BLOCK = 20; // MB
const ELSEWHERE = "Press Restart Python, close other tabs, or run the chapter in JupyterLab.";

/** Counts the bytes that arrive, and reports to the page. */
export const meter = {
  begin(text, total) {
    Object.assign(this, { text, total, loaded: 0, began: performance.now() });
    this.report();
  },
  count(bytes) {
    this.loaded += bytes;
    if (performance.now() - this.reported > 50) this.report();
  },
  report() {
    const { text, total, loaded, began } = this;
    this.reported = performance.now();
    if (text) postMessage({ op: "progress", text, loaded: Math.min(loaded, total), total, seconds: (this.reported - began) / 1000 });
  },
  end() {
    this.loaded = this.total;
    this.report();
    this.text = null; // nothing is counted now
  },
};

export class Files {
  reasons = []; // why files did not arrive in this run, a sentence for each
  onLost = (/** @type {Error} */ _error) => {};
  /** @type {Offer | null} */
  wanted = null; // the download that this run tried to open
  /** @type {Map<string, Offer & Download>} */
  #downloads = new Map(); // by their paths
  #abort = new AbortController();

  /** Replace the browser's fetch. @param {string} base address of the folder @param {Record<string, number>} sizes of its files, by their names */
  constructor(base, sizes) {
    this.base = base;
    this.sizes = sizes;
    this.fetchPlain = globalThis.fetch.bind(globalThis);
    globalThis.fetch = (address, options) => this.fetch(address instanceof Request ? address.url : String(address), options);
  }

  /** Start a run: what did not arrive in an earlier one does not concern it. */
  begin() {
    Object.assign(this, { reasons: [], wanted: null });
  }

  /** Cancel what is being fetched. */
  stop() {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Fetch a file of the folder, and count its bytes; fetch any other as usual. */
  async fetch(address, options) {
    const name = address.startsWith(this.base) ? address.slice(this.base.length).split("?")[0] : "";
    if (!(name in this.sizes)) return this.fetchPlain(address, options);
    try {
      const bytes = await allOf(await this.request(address), this.sizes[name], options?.integrity);
      return new Response(bytes, { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "" } });
    } catch (error) {
      const [title] = name.split("/").at(-1).split("-"); // of a package its name
      this.reasons.push(`${title} could not be loaded: ${reasonOf(error)}`);
      this.onLost(new Error(this.reasons.at(-1)));
      throw error;
    }
  }

  /** Request a file that is there, and count its bytes as they arrive. */
  async request(address, options = {}) {
    const response = await this.fetchPlain(address, { ...options, signal: this.#abort.signal });
    if (!response.ok) throw new Error(`the server responds with ${response.status}`);
    const transform = (part, next) => (meter.count(part.byteLength), next.enqueue(part));
    return new Response(response.body.pipeThrough(new TransformStream({ transform })));
  }

  /** Put a file into Python's file system. @param {any} python @param {Offer} offer */
  offer(python, offer) {
    const { FS } = (this.python = python);
    FS.mkdirTree(offer.path.slice(0, offer.path.lastIndexOf("/")));
    FS.writeFile(offer.path, new Uint8Array());
    const { node } = FS.lookupPath(offer.path);
    let handles = 0;
    const open = () => (node.usedBytes || this.#fill(node, offer), handles++);
    const dup = () => handles++;
    const close = () => --handles || !offer.source || (free(node.contents), Object.assign(node, { contents: null, usedBytes: 0 }));
    node.stream_ops = { ...node.stream_ops, open, dup, close };
    if (offer.source) this.#downloads.set(offer.path, /** @type {Offer & Download} */ (offer));
  }

  /** Read a file while Python waits, which does not count as running time. */
  #fill(node, offer) {
    const { ErrnoError } = this.python.FS;
    if (!offer.address) this.wanted = offer;
    if (!offer.address) throw new ErrnoError(EACCES);
    meter.begin(`Loading ${offer.title}`, offer.size);
    try {
      const contents = readNow(offer.address, offer.size);
      if (contents) return Object.assign(node, { contents, usedBytes: offer.size });
    } catch (error) {
      this.reasons.push(`${offer.title} could not be loaded: ${error.message}`);
    } finally {
      meter.end();
      interrupt.deadline += performance.now() - meter.began;
    }
    throw new ErrnoError(isRevoked(interrupt.signal) ? EINTR : EIO);
  }

  /** Fetch a download that the reader has asked for, once; rejects with a sentence. */
  async download(path) {
    const offer = this.#downloads.get(path);
    if (offer.address) return;
    this.#askForMemory(offer);
    meter.begin(`Fetching ${offer.title}`, offer.size);
    try {
      offer.address = URL.createObjectURL(await this.#blobOf(offer));
    } catch (error) {
      throw new Error(`${offer.title} could not be fetched: ${reasonOf(error)}. Try again.`, { cause: error });
    } finally {
      meter.end();
    }
  }

  /** A download as the browser keeps it, which it does over https and at localhost, or as it arrives. */
  async #blobOf({ source, size, integrity }) {
    const cache = await globalThis.caches?.open(new URL(".", source).href).catch(() => null); // a private window may have none
    const kept = async () => (await cache?.match(source))?.blob();
    const earlier = await kept();
    if (earlier?.size === size) return earlier;
    const bytes = await allOf(await this.request(source, { cache: "no-store" }), size, integrity);
    const blob = new Blob([bytes]);
    free(bytes);
    const offered = new Set([...this.#downloads.values()].map((each) => each.source));
    for (const { url } of (await cache?.keys()) ?? []) if (!offered.has(url)) await cache.delete(url); // of an earlier edition
    await cache?.put(source, new Response(blob)).catch(() => {}); // the disk may be full
    return (await kept()) ?? blob; // on the disk, not in memory
  }

  /** Ask for the memory that Python needs for a download, before that is fetched: in blocks, since what was given back has holes. */
  #askForMemory({ title, memory }) {
    const { _malloc, _free } = this.python._module;
    const blocks = Array.from({ length: Math.ceil(memory / BLOCK) }, () => _malloc(BLOCK * 1e6));
    blocks.forEach((block) => _free(block));
    if (blocks.includes(0)) throw new Error(`${title} needs ${memory} MB of memory, more than this page can have now. ${ELSEWHERE}`);
  }
}

/** Read a file while Python waits, in parts; returns null if Python should stop. */
export function readNow(address, size) {
  const contents = new Uint8Array(size);
  for (let at = 0; at < size;) {
    if (isRevoked(interrupt.signal)) return null;
    const { status, response } = ask(address, at);
    const bytes = new Uint8Array(response);
    if (status === 200 && bytes.length === size) return bytes; // a server that knows no parts sends all of it
    if (status !== 206 || !bytes.length || at + bytes.length > size) throw new Error("it arrived damaged");
    contents.set(bytes, at);
    at += bytes.length;
    meter.count(bytes.length);
  }
  return contents;
}

/** Send a request for a part of a file, or for all that the browser keeps, and wait for the answer. */
function ask(address, at) {
  const asked = new XMLHttpRequest();
  asked.open("GET", address, false);
  Object.assign(asked, { responseType: "arraybuffer", timeout: PATIENCE });
  if (!address.startsWith("blob:")) asked.setRequestHeader("Range", `bytes=${at}-${at + PART - 1}`);
  try {
    asked.send();
  } catch (error) {
    throw new Error("the server does not respond", { cause: error });
  }
  if (asked.status >= 400) throw new Error(`the server responds with ${asked.status}`);
  return asked;
}

/** Give memory back at once: while Python computes, the browser does not look for what is no longer needed. */
export function free(bytes) {
  bytes.buffer.transfer?.(0);
}

/** All bytes of a response, if they are so many and have the digest that a lock names; without https a browser cannot tell. */
async function allOf(response, size, integrity) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const digest = integrity && globalThis.crypto?.subtle ? await crypto.subtle.digest("SHA-256", bytes) : null;
  const isRight = !digest || integrity === `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
  if (bytes.length !== size || !isRight) throw new Error("it arrived damaged"); // a page to log in on, perhaps
  return bytes;
}

const reasonOf = (error) => (error instanceof TypeError ? "the server does not respond" : error.message); // browsers: "Failed to fetch"
