// The one sentence below a figure: what is pointed at, or else what its author says of it.
import { sayPieces } from "./reading.js";
import { html } from "./svg.js";

const CALM = 500; // milliseconds without a change before a screen reader is told

/** Make the readout of a figure; `isMoving()` tells that more changes will come by themselves. */
export function makeReadout(spec, views, tools, isMoving) {
  const shown = html("p", { class: "live-readout", "aria-hidden": "true" });
  const heard = html("p", { class: "live-heard", "aria-live": "polite" });
  const element = html("div", { class: "live-told" });
  element.append(shown, heard);
  let frame, timer;

  const titled = (view, k, text) => {
    const title = views.length > 1 ? spec.views[k].title : "";
    return text && title ? `${title} – ${text}` : text;
  };
  const own = () => (views.length === 1 && views[0].summary?.()) || "";
  const parts = () => views.find((view) => view.largest).largest();
  const authored = () => spec.says && sayPieces(spec.says, frame, tools, parts);

  /** Show the sentence; `next` is the frame, if another one is drawn. */
  function say(next = frame) {
    const isFirst = frame === undefined;
    frame = next;
    if (!frame) return;
    const at = views.map((view, k) => titled(view, k, view.pointed?.())).filter(Boolean);
    const text = at.join(" · ") || (authored() ?? own());
    if (shown.textContent !== text) shown.textContent = text;
    clearTimeout(timer);
    if (isFirst) tell();
    else timer = setTimeout(tell, CALM);
  }

  /** Let screen readers hear the sentence, once nothing changes any more. */
  function tell() {
    const text = shown.textContent;
    if (!isMoving() && heard.textContent !== text) heard.textContent = text;
  }

  return { element, say, stop: () => clearTimeout(timer) };
}
