/** ipywidgets 8 still typesets its labels through MathJax 2's queue; give MathJax 3 that one entry. */
export function acceptOldCalls() {
  const { MathJax } = window;
  if (!MathJax || MathJax.Hub) return;
  MathJax.Hub = { Queue: ([, , element]) => MathJax.startup?.promise.then(() => MathJax.typesetPromise([element])) };
}
