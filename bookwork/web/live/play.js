// A button that steps through the values of a control that means time.
import { html, svg, within } from "./svg.js";

const LONGEST = 900, // milliseconds on one value
  SHORTEST = 120,
  IN_ALL = 9000;
const GO = "M1 0l9 6-9 6z",
  PAUSE = "M1 1h3v10H1zM7 1h3v10H7z";

/** Make the button for a control; `ended` is called when it stops. Returns { button, isPlaying, stop }. */
export function makePlayer(control, ended) {
  const button = html("button", { type: "button", class: "live-play" });
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const gone = new AbortController();
  const last = control.texts.length - 1;
  const pause = within(SHORTEST, LONGEST, IN_ALL / last);
  let timer = null;
  let expected = null;

  function name() {
    const word = calm.matches ? "Next" : timer === null ? "Play" : "Pause";
    const sign = svg("path", { d: timer === null ? GO : PAUSE, fill: "currentColor" });
    button.replaceChildren(svg("svg", { width: 11, height: 12, "aria-hidden": "true" }, [sign]), word);
    button.setAttribute("aria-label", `${word} ${control.label}`);
  }

  const move = (place) => control.choose((expected = place));

  function step() {
    const here = control.place();
    if (here >= last) return stop();
    move(here + 1);
    timer = setTimeout(step, pause);
  }

  function stop() {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    name();
    ended();
  }

  function press() {
    if (timer !== null) return stop();
    const isAtEnd = control.place() >= last;
    if (calm.matches) return move(isAtEnd ? 0 : control.place() + 1);
    if (isAtEnd) move(0);
    timer = setTimeout(step, isAtEnd ? pause : 0);
    name();
  }

  button.addEventListener("click", press);
  calm.addEventListener("change", name, { signal: gone.signal });
  addEventListener("beforeprint", stop, { signal: gone.signal });
  const unfollow = control.follow(() => control.place() !== expected && stop());
  name();
  return { button, isPlaying: () => timer !== null, stop: () => (clearTimeout(timer), gone.abort(), unfollow()) };
}
