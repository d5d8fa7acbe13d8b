/** Counts the bytes that arrive, and reports to the page. */
import { postMessage } from "./confine.js";

export const meter = {
  total: 0,
  loaded: 0,
  began: 0, // when, in milliseconds
  reported: 0,
  text: null, // nothing is counted while this is null
  begin(text, total) {
    Object.assign(this, { text, total, loaded: 0, reported: 0, began: performance.now() });
    this.report();
  },
  count(bytes) {
    this.loaded += bytes;
    if (performance.now() - this.reported > 50) this.report();
  },
  /** Report that this many bytes have arrived altogether. */
  reach(bytes) {
    this.loaded = bytes;
    this.report();
  },
  report() {
    this.reported = performance.now();
    const { text, total } = this;
    const seconds = (this.reported - this.began) / 1000;
    if (text !== null) postMessage({ op: "progress", text, loaded: Math.min(this.loaded, total), total, seconds });
  },
  end() {
    this.loaded = this.total;
    this.report();
    this.text = null;
  },
};
