/** Python's files that are fetched when they are first read. */
import { Interrupted } from "./now.js";

const [EIO, EINTR] = [29, 27]; // Emscripten's error numbers: the file cannot be read; a signal came, which Python then handles

/** The files of one Python that have not been fetched. */
export class LazyFiles {
  #nodes = new Map(); // name -> node in Python's file system
  #sizes = new Map(); // name -> bytes
  #missed = new Set(); // names of those that did not arrive in this run

  /**
   * @param {any} FS Python's file system
   * @param {import("./files.js").Files} files
   * @param {{ onRead: (title: string, size: number) => void, onSize: (bytes: number) => void, onEnd: () => void, isInterrupted: () => boolean }} options
   *   onRead: called when Python begins to wait for a file, with its name and size; onSize: with how much of it has arrived;
   *   onEnd: when Python no longer waits; isInterrupted: whether it should stop waiting
   */
  constructor(FS, files, options) {
    this.FS = FS;
    this.files = files;
    this.options = options;
  }

  /** Create a file that is fetched when it is first opened; it will have this many bytes. */
  add(path, name, size) {
    const { FS } = this;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, new Uint8Array());
    const { node } = FS.lookupPath(path);
    node.stream_ops = { ...node.stream_ops, open: () => this.#nodes.has(name) && this.#read(name) };
    this.#nodes.set(name, node);
    this.#sizes.set(name, size);
  }

  /** Start a run: what did not arrive in an earlier one does not concern it. */
  begin() {
    this.#missed.clear();
  }

  /** Fetch the files that did not arrive in earlier runs; here this does not count as running time. */
  async fetchLost() {
    for (const name of [...this.files.lost.keys()].filter((each) => this.#nodes.has(each))) {
      this.#begin(name);
      const response = await this.files.fetch(this.files.addressOf(name)).catch(() => null);
      this.options.onEnd();
      if (response) this.#fill(name, new Uint8Array(await response.arrayBuffer()));
      else this.#missed.add(name);
    }
  }

  /** Why files that this run needs could not be loaded, a sentence for each. */
  get reasons() {
    return [...this.#missed].map((name) => this.files.reasonOf(name));
  }

  /** Fetch a file while Python waits; if that fails, the run says why. */
  #read(name) {
    this.#begin(name);
    const bytes = this.#readNow(name);
    if (bytes === null) this.#miss(name);
    this.#fill(name, bytes);
  }

  #begin(name) {
    this.options.onRead(name.split("/").at(-1), this.#sizes.get(name));
  }

  #miss(name) {
    this.#missed.add(name);
    throw new this.FS.ErrnoError(EIO);
  }

  #readNow(name) {
    try {
      return this.files.readNow(name, this.options);
    } catch (error) {
      throw error instanceof Interrupted ? new this.FS.ErrnoError(EINTR) : error;
    } finally {
      this.options.onEnd();
    }
  }

  #fill(name, bytes) {
    Object.assign(this.#nodes.get(name), { contents: bytes, usedBytes: bytes.length });
    this.#nodes.delete(name);
    this.#missed.delete(name);
  }
}
