// What changes in a step glides to its new place; steps that follow each other quickly, as under a hand, are there at once.

const TIME = 220, // milliseconds
  FRAME = 1000 / 60;

/**
 * Return { to(frame), stop }: `draw(frame, shown)` is called at once and, while numbers glide, for each picture of the screen.
 *
 * Frames are { name: numbers }. `frame` has the true numbers, to be printed; `shown` those to be drawn: the frame, and a rest that fades.
 */
export function makeGlide(draw) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let frame, shown, rest, began, next;
  let stepped = -Infinity;

  function put(time) {
    const left = Math.max(0, 1 - (time - began) / TIME) ** 3;
    shown = { ...frame };
    for (const [name, away] of left ? rest : []) shown[name] = frame[name].map((value, k) => value + left * away[k]);
    draw(frame, shown);
    cancelAnimationFrame(next);
    if (left && rest.length) next = requestAnimationFrame((at) => put(Math.max(at, time))); // the picture may have begun before an event in it
  }

  /** Draw a frame; one that is no step, such as the first, is there at once. */
  function to(wanted, isStep) {
    const now = performance.now();
    const glides = isStep && !calm.matches && now - stepped > TIME;
    rest = glides ? restOf(shown, wanted) : [];
    began = now - FRAME; // as if it had begun with the last picture
    if (isStep) stepped = now;
    frame = wanted;
    put(now);
  }

  return { to, stop: () => cancelAnimationFrame(next) };
}

/** By how much the numbers that are drawn differ from a frame, of those arrays that do. */
function restOf(shown, frame) {
  const differ = Object.keys(frame).filter((name) => frame[name].some((value, k) => value !== shown[name][k]));
  return differ.map((name) => [name, frame[name].map((value, k) => shown[name][k] - value)]);
}
