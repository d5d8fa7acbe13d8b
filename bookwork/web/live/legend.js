// A legend that is also a switch: one button per line of a picture, with a piece of that line.
import { html, makeButton, svg } from "./svg.js";

const COLOURS = ["blue", "orange", "green", "purple", "olive", "muted"];
const DASHES = ["none", "9 7", "1 8", "14 7 1 7", "4 6", "20 6"]; // of lines with round ends
/** Return how line k looks: its colour and its dashes, to be told apart by any eye. */
export const lineStyle = (k) => ({ style: `stroke: var(--live-${COLOURS[k % 6]}); stroke-dasharray: ${DASHES[k % 6]}` });

/** Make a legend; `isOn` says which lines are shown, and `again` is called when that has changed. */
export function makeLegend(labels, isOn, { line, again }) {
  const buttons = labels.map((label, k) => {
    const sample = svg("svg", { width: 34, height: 12, "aria-hidden": "true" }, [svg("path", { d: "M1 6H33", ...line(k) })]);
    const button = makeButton({ class: "live-switch", "aria-pressed": String(isOn[k]) }, [sample, label], () => {
      isOn[k] = !isOn[k] || isOn.filter(Boolean).length === 1; // one of them stays
      button.setAttribute("aria-pressed", String(isOn[k]));
      again();
    });
    return button;
  });
  return html("div", { class: "live-legend", role: "group", "aria-label": "lines shown" }, buttons);
}
