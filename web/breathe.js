/** A long row of small steps lets the page draw and listen in between. */

const SLICE = 30; // milliseconds of work in a row

const { port1: asked, port2: answer } = new MessageChannel(); // timers are slow in a tab that nobody sees
const waiting = [];
let last = Promise.resolve();
let began = -Infinity;

answer.onmessage = () => {
  began = performance.now();
  waiting.shift()();
};

/** Wait until the page has had its turn, if it has had none for a while; whoever asks first goes on first. */
export function breathe() {
  last = last.then(() => performance.now() - began < SLICE || nextTurn());
  return last;
}

function nextTurn() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    asked.postMessage(null);
  });
}
