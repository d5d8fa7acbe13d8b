/** Lets the page draw and handle events during a long series of small steps. */
const SLICE = 30; // milliseconds of work in a row
let began = -Infinity;

/** Let the page catch up if it has not been able to for a while; callers continue in the order in which they called. */
export async function breathe() {
  if (performance.now() - began < SLICE) return;
  await new Promise((resolve) => setTimeout(resolve));
  began = performance.now();
}
