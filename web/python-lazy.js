/** Python's files that are fetched when they are first read. */
import { Interrupted } from "./python-now.js";

const [EIO, EINTR] = [29, 27]; // Emscripten's error numbers: the file cannot be read; a signal came, which Python then handles

/** The files of one Python that have not been fetched. */
export class LazyFiles {
  #nodes = new Map(); // name -> node in Python's file system

  /**
   * @param {any} FS Python's file system
   * @param {import("./python-files.js").Files} files
   * @param {{ onRead: (title: string) => void, isInterrupted: () => boolean }} options
   *   onRead: called with the file that is being fetched while Python waits; isInterrupted: whether it should stop waiting
   */
  constructor(FS, files, options) {
    this.FS = FS;
    this.files = files;
    this.options = options;
  }

  /** Create a file that is fetched when it is first opened. */
  add(path, name) {
    const { FS } = this;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, new Uint8Array());
    const { node } = FS.lookupPath(path);
    node.stream_ops = { ...node.stream_ops, open: () => this.#nodes.has(name) && this.#read(name) };
    this.#nodes.set(name, node);
  }

  /** Fetch the files that did not arrive in the last run; here this does not count as running time. */
  async fetchLost() {
    for (const name of this.#lostNames()) {
      const response = await this.files.fetch(this.files.addressOf(name)).catch(() => null);
      if (response) this.#fill(name, new Uint8Array(await response.arrayBuffer()));
    }
  }

  /** Why some files could not be loaded, a sentence for each. */
  get reasons() {
    return this.#lostNames().map((name) => this.files.reasonOf(name));
  }

  /** Fetch a file while Python waits; if that fails, the run says why. */
  #read(name) {
    this.options.onRead(name.split("/").at(-1));
    const bytes = this.#readNow(name);
    if (bytes === null) throw new this.FS.ErrnoError(EIO);
    this.#fill(name, bytes);
  }

  #readNow(name) {
    try {
      return this.files.readNow(name, this.options.isInterrupted);
    } catch (error) {
      throw error instanceof Interrupted ? new this.FS.ErrnoError(EINTR) : error;
    }
  }

  #fill(name, bytes) {
    Object.assign(this.#nodes.get(name), { contents: bytes, usedBytes: bytes.length });
    this.#nodes.delete(name);
  }

  #lostNames() {
    return [...this.files.lost.keys()].filter((name) => this.#nodes.has(name));
  }
}
