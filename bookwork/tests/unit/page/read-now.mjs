/**
 * Read a file from a server that gives these answers, [status, bytes] in order: node read-now.mjs SIZE ANSWERS
 *
 * Then ask for a signal of which one address goes on answering after it was revoked, as in WebKit: who asks twice hears of it.
 */
const [, , size, answers] = process.argv;
const waiting = JSON.parse(answers);
const told = { ranges: [], whole: null, error: null, heard: [] };

Object.assign(globalThis, { self: { postMessage() {} } });
const { readNow } = await import("../../../web/python/files.js");
const { interrupt, isRevoked } = await import("../../../web/python/interrupt.js");
Object.defineProperty(interrupt, "signal", { get: () => (waiting.length ? null : ["of Stop", "of Stop"]) });

globalThis.XMLHttpRequest = class {
  open() {}
  setRequestHeader(_name, range) {
    this.range = range;
  }
  send() {
    if (!waiting.length) throw new Error("revoked");
    told.ranges.push(this.range ?? null);
    const [status, bytes] = waiting.shift();
    Object.assign(this, { status, response: new Uint8Array(bytes).buffer });
    if (!status) throw Object.assign(new Error(), { name: "TimeoutError" });
  }
};

try {
  told.whole = readNow("https://book/data", Number(size))?.length ?? null;
} catch (error) {
  told.error = error.message;
}

globalThis.XMLHttpRequest = class {
  open(_method, address) {
    this.address = address;
  }
  send() {
    if (this.address !== "stuck") throw new Error("revoked");
  }
};
for (const signal of [
  ["stuck", "other"],
  ["one", "stuck"],
])
  told.heard.push(isRevoked(signal) + isRevoked(signal));
console.log(JSON.stringify(told));
