/**
 * Widgets made by code that runs in the page: their messages to the page's manager and back.
 *
 * A comm is one widget's line. Its messages wait until its model is made.
 */

/** One end of a comm, as ipywidgets' models want it. */
class Comm {
  target_name = "jupyter.widget";

  constructor(id, reply) {
    this.comm_id = id;
    this.reply = reply;
  }

  send(data, callbacks, _metadata, buffers) {
    this.reply({ id: this.comm_id, data, buffers: buffers?.map(bytesOf) });
    const idle = { content: { execution_state: "idle" } };
    setTimeout(() => callbacks?.iopub?.status?.(idle), 0);
    return crypto.randomUUID?.() ?? String(Math.random());
  }

  close() {
    return "";
  }

  on_msg(callback) {
    this.message = callback;
  }

  on_close(callback) {
    this.closed = callback;
  }
}

function bytesOf(buffer) {
  return ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
}

/** All comms of one worker. */
export class Comms {
  /** @param {(message: { id, data, buffers }) => void} reply sends a message to Python */
  constructor(reply) {
    this.reply = reply;
    this.lines = new Map(); // id -> { comm, opened }
  }

  /** Take a message of Python's: { type, id, data, metadata }, with buffers beside it. */
  receive({ type, id, data, metadata }, buffers) {
    const message = { content: { comm_id: id, data }, metadata, buffers: buffers.map((each) => new DataView(each.buffer, each.byteOffset, each.byteLength)) };
    if (type === "comm_open") return this.#open(id, message);
    const line = this.lines.get(id);
    if (!line) return;
    if (type === "comm_close") this.lines.delete(id);
    const name = type === "comm_close" ? "closed" : "message";
    line.opened = line.opened.then(() => line.comm[name]?.(message)).catch(console.error);
  }

  #open(id, message) {
    const comm = new Comm(id, this.reply);
    const opened = window.bookWidgets.manager.handle_comm_open(comm, message);
    this.lines.set(id, { comm, opened });
    opened.catch(console.error);
  }
}
