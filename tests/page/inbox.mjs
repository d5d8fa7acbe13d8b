/** What the page takes of messages that came while it was busy: node inbox.mjs '[message, …]' -> JSON, those that are left. */
let isDrawn;
globalThis.requestAnimationFrame = (callback) => (isDrawn = callback);
const { Inbox } = await import("../../bookwork/page/cells/messages.js");

const taken = [];
const inbox = new Inbox(({ op, message = op }) => taken.push(message));
JSON.parse(process.argv[2]).forEach((message) => inbox.add(message === "done" ? { op: "done" } : { op: "output", message }));
while (taken.length === 0 || inbox.holds(() => true)) isDrawn();
console.log(JSON.stringify(taken));
process.exit();
