/** A figure whose frames do not come, asked for twice: node late-frames.mjs -> JSON, the addresses and what the page says. */
const asked = [];
globalThis.window = globalThis;
globalThis.location = { href: "http://book/chapter.html" };
globalThis.document = {
  documentElement: { dataset: {} },
  createElement: () => ({ append() {} }),
  head: { append: ({ src }) => asked.push(src) },
};
globalThis.setTimeout = (callback) => queueMicrotask(callback); // patience is over at once
const { bringFrames, noteFrames } = await import("../../bookwork/page/figures/far-frames.js");

noteFrames({ state: { id: { state: { frames: { apart: "name" } } } } });
const says = [];
for (const _ of [1, 2]) await bringFrames({ model_id: "id", get() {} }).catch(({ message }) => says.push(message));
console.log(JSON.stringify({ asked, says }));
