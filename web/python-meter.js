/** Counts the bytes that arrive, and tells the page. */
import { postMessage } from "./python-limits.js";

export const meter = {
  total: 0,
  loaded: 0,
  told: 0,
  text: null, // nothing is counted while this is null
  begin(text, total) {
    Object.assign(this, { text, total, loaded: 0, told: 0 });
    this.tell();
  },
  count(bytes) {
    this.loaded += bytes;
    if (performance.now() - this.told > 50) this.tell();
  },
  tell(text = this.text) {
    this.told = performance.now();
    const { total } = this;
    if (text !== null) postMessage({ op: "progress", text, loaded: Math.min(this.loaded, total), total });
  },
  /** Tell of something whose size is not known. */
  mention(text) {
    postMessage({ op: "progress", text, loaded: 0, total: 0 });
  },
  end() {
    this.loaded = this.total;
    this.tell();
    this.text = null;
  },
};
