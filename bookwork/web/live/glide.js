// What changes in a step glides to its new place; what a hand drags is there at once.
//
// What is drawn is the frame and a rest that fades. A step makes the rest; one that comes before it has faded, as when a key
// is held down, is there at once. While a pointer is pressed the rest only goes on fading. So nothing lags behind the hand.

const TIME = 220, // milliseconds
  FRAME = 1000 / 60;

/**
 * Return { to(frame), stop }: `draw(frame, shown)` is called at once and, while numbers glide, for each picture of the screen.
 *
 * Frames are { name: numbers }. `frame` has the true numbers, to be printed; `shown` those to be drawn.
 */
export function makeGlide(draw) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const ended = new AbortController();
  let frame, shown, rest, began, drawnAt, next;
  let stepped = -Infinity;
  let isHeld = false;
  const listen = (event, held) => addEventListener(event, () => (isHeld = held), { capture: true, signal: ended.signal });
  listen("pointerdown", true);
  ["pointerup", "pointercancel"].forEach((event) => listen(event, false));

  function put(time) {
    const left = Math.max(0, 1 - (time - began) / TIME) ** 3;
    shown = { ...frame };
    if (left) for (const [name, away] of rest) shown[name] = frame[name].map((value, k) => value + left * away[k]);
    drawnAt = time;
    draw(frame, shown);
    cancelAnimationFrame(next);
    if (left && rest.size) next = requestAnimationFrame(again);
  }

  /** Draw the next picture, unless an event has just drawn it. */
  const again = (time) => (time - drawnAt < FRAME / 2 ? (next = requestAnimationFrame(again)) : put(time));

  /** Draw a frame; one that is no step, such as the first, is there at once. */
  function to(wanted, isStep) {
    const now = performance.now();
    const isQuick = now - stepped < TIME;
    const glides = isStep && !calm.matches;
    if (glides) stepped = now;
    if (!glides || (isQuick && !isHeld)) rest = new Map();
    else if (!isHeld) [rest, began] = [restOf(shown, wanted), now - FRAME]; // as if it had begun with the last picture
    frame = wanted;
    put(now);
  }

  return { to, stop: () => (ended.abort(), cancelAnimationFrame(next)) };
}

/** By how much the numbers that are drawn differ from a frame, of those arrays that do. */
function restOf(shown, frame) {
  const differ = Object.keys(frame).filter((name) => frame[name].some((value, k) => value !== shown[name][k]));
  return new Map(differ.map((name) => [name, frame[name].map((value, k) => shown[name][k] - value)]));
}
