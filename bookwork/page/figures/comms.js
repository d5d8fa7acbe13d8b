/**
 * Widgets made by code that runs in the page: their messages to the page's manager and back.
 *
 * A comm is one widget's connection. Its messages wait until its model exists. As in a notebook, a model
 * sends no second change before Python has handled the first; of many changes only the last is sent.
 */
import { breathe } from "../site/breathe.js";

let sent = 0; // messages to Python, of all widgets

/** One end of a comm, with the interface that ipywidgets' models expect. */
class Comm {
  target_name = "jupyter.widget";

  /** @param {string} cell the name of the cell that made the widget */
  constructor(id, cell, reply) {
    this.comm_id = id;
    this.cell = cell;
    this.reply = reply;
  }

  /** Send a message; Python's echo of it carries the same number. */
  send(data, callbacks, _metadata, buffers) {
    const number = String((sent += 1));
    const idle = { content: { execution_state: "idle" } };
    const message = { id: this.comm_id, message: number, data, buffers: buffers?.map(bytesOf) };
    this.reply(message, this.cell, () => callbacks?.iopub?.status?.(idle));
    return number;
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
  return ArrayBuffer.isView(buffer) ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) : new Uint8Array(buffer);
}

/** All comms of one worker. */
export class Comms {
  /**
   * @param {(message: { id, message, data, buffers }, cell: string, answered: () => void) => void} reply
   *   sends a message, of a widget that this cell made, to Python; calls `answered` once Python has handled it
   */
  constructor(reply) {
    this.reply = reply;
    this.lines = new Map(); // id -> { comm, opened: once what came before is handled }
  }

  /** Handle messages from Python, [{ type, id, data, metadata, buffers: how many }, …], with buffers beside them. */
  receive(messages, buffers) {
    let at = 0;
    for (const message of messages) this.#take(message, buffers.slice(at, (at += message.buffers)));
  }

  #take({ type, id, cell, data, metadata, answers }, buffers) {
    const message = {
      content: { comm_id: id, data },
      metadata,
      buffers: buffers.map((each) => new DataView(each.buffer, each.byteOffset, each.byteLength)),
    };
    if (answers) message.parent_header = { msg_id: answers };
    if (type === "comm_open") return this.#open(id, cell, message);
    const line = this.lines.get(id);
    if (!line) return;
    if (type === "comm_close") this.lines.delete(id);
    const name = type === "comm_close" ? "closed" : "message";
    line.opened = line.opened
      .then(breathe)
      .then(() => line.comm[name]?.(message))
      .catch(console.error);
  }

  #open(id, cell, message) {
    const comm = new Comm(id, cell, this.reply);
    const opened = window.bookWidgets.manager.handle_comm_open(comm, message);
    this.lines.set(id, { comm, opened });
    opened.catch(console.error);
  }
}
