/**
 * ipywidgets 8 still typesets its labels through MathJax 2's queue; give MathJax 3 that one entry,
 * on its settings and, when it has come, on what it puts in their place.
 */
export function acceptOldCalls() {
  const { MathJax } = window;
  if (!MathJax || MathJax.Hub) return;
  MathJax.Hub = { Queue: ([, , element]) => started().then(() => window.MathJax.typesetPromise([element])) };
  if (!MathJax.startup) onLoad(acceptOldCalls);
}

function started() {
  const now = () => window.MathJax.startup?.promise;
  return now() ?? new Promise((resolve) => onLoad(() => now() && resolve(now())));
}

/** Call back after each script that comes. */
function onLoad(callback) {
  document.addEventListener("load", callback, true);
}
