/** Read a file from a server that gives these answers, [status, bytes] in order: node read-now.mjs SIZE ANSWERS */
import { readNow } from "../../bookwork/page/python/now.js";

const [, , size, answers] = process.argv;
const waiting = JSON.parse(answers);
const told = { ranges: [], sizes: [], whole: null, error: null };

globalThis.XMLHttpRequest = class {
  open() {}
  setRequestHeader(_name, range) {
    this.range = range;
  }
  send() {
    told.ranges.push(this.range ?? null);
    const [status, bytes] = waiting.shift();
    Object.assign(this, { status, response: new Uint8Array(bytes).fill(bytes).buffer });
    if (!status) throw Object.assign(new Error(), { name: "TimeoutError" });
  }
};

try {
  const onSize = (bytes) => told.sizes.push(bytes);
  told.whole = readNow("address", Number(size), { isInterrupted: () => !waiting.length, onSize }).length;
} catch (error) {
  told.error = error.message || "interrupted";
}
console.log(JSON.stringify(told));
