/** Lets the page draw and handle events during a long series of small steps. */

const SLICE = 30; // milliseconds of work in a row

const { port1: request, port2: reply } = new MessageChannel(); // timers are slow in a background tab
let last = Promise.resolve();
let began = -Infinity;

/** Let the page catch up if it has not been able to for a while; callers continue in the order in which they called. */
export function breathe() {
  last = last.then(() => performance.now() - began < SLICE || nextTurn());
  return last;
}

function nextTurn() {
  return new Promise((resolve) => {
    reply.onmessage = () => resolve((began = performance.now()));
    request.postMessage(null);
  });
}
