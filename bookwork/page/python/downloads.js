/**
 * Large files of the book, which are fetched when the reader asks for them, and never otherwise.
 *
 * Until then each is an empty file that cannot be opened; `wanted` is the one that the current run tried to open.
 * They come in pieces, named by their digests, which the browser keeps: a download that broke off goes on where it was.
 * Once Python has read a file, its memory is given back; what is opened again comes from what the browser has kept.
 *
 * @typedef {{ path: string, title: string, size: number, memory: number, piece: number, pieces: string[] }} Download
 *   memory: MB that Python needs for it; piece: bytes of each piece but the last
 */
import { free } from "./files.js";
import { meter } from "./meter.js";

const EACCES = 2; // Emscripten's number of the error
const BLOCK = 20; // MB
const ELSEWHERE = "Press Restart Python, close other tabs, or run the chapter in JupyterLab.";

export class Downloads {
  /** @type {Download | null} */
  wanted = null;
  #roomy = new Set(); // paths of those for which Python has got its memory

  /** @param {any} python @param {Download[]} offered @param {string} home the address of the folder with the pieces */
  constructor(python, offered, home) {
    this.python = python;
    this.offered = offered;
    this.home = home;
    offered.forEach((each) => this.#offer(each));
  }

  #offer(each) {
    const { FS } = this.python;
    FS.mkdirTree(each.path.slice(0, each.path.lastIndexOf("/")));
    FS.writeFile(each.path, new Uint8Array());
    const { node } = FS.lookupPath(each.path);
    const open = () => {
      if (node.usedBytes) return;
      this.wanted = each;
      throw new FS.ErrnoError(EACCES);
    };
    const close = () => {
      free(node.contents);
      Object.assign(node, { contents: null, usedBytes: 0 });
    };
    node.stream_ops = { ...node.stream_ops, open, close };
  }

  /**
   * Fetch a file, once; rejects with a sentence for the reader.
   *
   * @param {string} path
   * @param {(address: string, options: RequestInit) => Promise<Response>} request
   */
  async fetch(path, request) {
    const each = this.offered.find((offer) => offer.path === path);
    const { node } = this.python.FS.lookupPath(path);
    if (node.usedBytes) return;
    this.#askForMemory(each);
    meter.begin(`Fetching ${each.title}`, each.size);
    try {
      const contents = new Uint8Array(each.size);
      for (const [i, name] of each.pieces.entries()) {
        await fetchPiece(this.home + name, name, contents.subarray(i * each.piece, (i + 1) * each.piece), request);
      }
      Object.assign(node, { contents, usedBytes: each.size });
    } catch (error) {
      const reason = error instanceof TypeError ? "the server does not respond" : error.message; // browsers: "Failed to fetch"
      throw new Error(`${each.title} could not be fetched: ${reason}. What has arrived is kept, so try again.`, { cause: error });
    } finally {
      meter.end();
    }
  }

  /** Ask for the memory that Python needs for a file, before that is fetched: in blocks, since what was given back has holes. */
  #askForMemory({ path, title, memory }) {
    const { _malloc, _free } = this.python._module;
    if (this.#roomy.has(path)) return;
    const places = Array.from({ length: Math.ceil(memory / BLOCK) }, () => _malloc(BLOCK * 1e6));
    places.forEach((place) => _free(place));
    if (places.includes(0)) throw new Error(`${title} needs ${memory} MB of memory, more than this page can have now. ${ELSEWHERE}`);
    this.#roomy.add(path);
  }
}

/** Fetch a piece into its place: from what the browser has kept, if that is whole. */
async function fetchPiece(address, name, place, request) {
  const kept = await request(address, { cache: "force-cache" }).catch(() => null); // an error may have been kept, too
  if (kept && (await arrives(kept, name, place))) return;
  if (!(await arrives(await request(address, { cache: "reload" }), name, place))) throw new Error("it arrived damaged");
}

/** Write what a response brings into its place; return whether it is what its name says. */
async function arrives(response, name, place) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isRight = bytes.length === place.length && name.startsWith(await digestOf(bytes));
  if (isRight) place.set(bytes);
  free(bytes);
  meter.count(place.length);
  return isRight;
}

/** The beginning of a digest; without https a browser cannot tell. */
async function digestOf(bytes) {
  if (!globalThis.crypto?.subtle) return "";
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes), 0, 16);
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
