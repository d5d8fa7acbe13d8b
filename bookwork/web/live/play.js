// A button that steps through the values of a control that means time.
import { makeButton, svg, within } from "./svg.js";

const LONGEST = 900, // milliseconds on one value
  SHORTEST = 120,
  IN_ALL = 9000;
const GO = "M1 0l9 6-9 6z",
  PAUSE = "M1 1h3v10H1zM7 1h3v10H7z";

/** Make the button for a control; `ended` is called when it stops, `pause` is how long each value is shown. Returns { button, isPlaying, stop }. */
export function makePlayer(control, ended, pause = within(SHORTEST, LONGEST, IN_ALL / (control.texts.length - 1))) {
  const button = makeButton({ class: "live-play" }, "", press);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const gone = new AbortController();
  const last = control.texts.length - 1;
  const isPlaying = () => timer !== null;
  let timer = null;
  let expected = null; // where it has moved the control

  function name() {
    const word = calm.matches ? "Next" : isPlaying() ? "Pause" : "Play";
    const sign = svg("path", { d: isPlaying() ? PAUSE : GO, fill: "currentColor" });
    button.replaceChildren(svg("svg", { width: 11, height: 12, "aria-hidden": "true" }, [sign]), word);
    button.setAttribute("aria-label", `${word} ${control.label}`);
  }

  function step() {
    if (control.place() >= last) return stop();
    control.choose((expected = control.place() + 1));
    timer = setTimeout(step, pause);
  }

  function stop() {
    if (!isPlaying()) return;
    clearTimeout(timer);
    timer = null;
    name();
    ended();
  }

  /** Begin, from the start if it stands at the end; who wants no motion goes one step. */
  function press() {
    if (isPlaying()) return stop();
    const isAtEnd = control.place() >= last;
    if (calm.matches || isAtEnd) control.choose((expected = isAtEnd ? 0 : control.place() + 1));
    if (calm.matches) return;
    timer = setTimeout(step, isAtEnd ? pause : 0);
    name();
  }

  calm.addEventListener("change", name, { signal: gone.signal });
  addEventListener("beforeprint", stop, { signal: gone.signal });
  const unfollow = control.follow(() => control.place() !== expected && stop());
  name();
  return { button, isPlaying, stop: () => (clearTimeout(timer), gone.abort(), unfollow()) };
}
