/** The book's data files, which are fetched when Python first reads them. */
import { interrupt } from "./interrupt.js";
import { meter } from "./meter.js";
import { Interrupted, readNow } from "./now.js";

const [EIO, EINTR] = [29, 27]; // Emscripten's error numbers: the file cannot be read; a signal came, which Python then handles

export class LazyFiles {
  /** Why files did not arrive in this run, a sentence for each. */
  reasons = [];

  /** @param {any} FS Python's file system */
  constructor(FS) {
    this.FS = FS;
  }

  /** Create a file that is fetched when it is first opened; it will have this many bytes. */
  add(path, address, size) {
    const { FS } = this;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, new Uint8Array());
    const { node } = FS.lookupPath(path);
    const title = path.split("/").at(-1);
    node.stream_ops = { ...node.stream_ops, open: () => node.usedBytes || this.#fill(node, title, address, size) };
  }

  /** Start a run: what did not arrive in an earlier one does not concern it. */
  begin() {
    this.reasons = [];
  }

  /** Fetch a file while Python waits, which does not count as running time. */
  #fill(node, title, address, size) {
    interrupt.pause();
    meter.begin(`Loading ${title}`, size);
    try {
      const isInterrupted = () => interrupt.isDue;
      const contents = readNow(address, size, { isInterrupted, onSize: (bytes) => meter.reach(bytes) });
      Object.assign(node, { contents, usedBytes: size });
    } catch (error) {
      if (error instanceof Interrupted) throw new this.FS.ErrnoError(EINTR);
      this.reasons.push(`${title} could not be loaded: ${error.message}`);
      throw new this.FS.ErrnoError(EIO);
    } finally {
      meter.end();
      interrupt.resume();
    }
  }
}
