// A legend that is also a switch: one button per line of a picture, with a piece of that line.
import { html, svg } from "./svg.js";

export const DASHES = {
  curve: ["none", "9 4", "2 3", "10 3 2 3", "5 3", "14 3"],
  arc: ["none", "9 7", "1 8", "14 7 1 7", "4 6", "20 6"], // wider lines with round ends
};

/** Return how line k looks: its colour and its dashes, to be told apart by any eye. */
export const lineStyle = (k, dashes) => ({ style: `stroke: var(--live-line-${k % 6}); stroke-dasharray: ${dashes[k % 6]}` });

/** Make a legend; `isOn` says which lines are shown, and `again` is called when that has changed. */
export function makeLegend(labels, isOn, { line, again }) {
  const list = html("div", { class: "live-legend", role: "group", "aria-label": "lines shown" });
  list.append(...labels.map((label, k) => makeSwitch(label, k, isOn, line(k), again)));
  return list;
}

function makeSwitch(label, k, isOn, line, again) {
  const button = html("button", { type: "button", class: "live-switch", "aria-pressed": String(isOn[k]) });
  const sample = svg("svg", { width: 34, height: 12, "aria-hidden": "true" });
  sample.append(svg("path", { d: "M1 6H33", ...line }));
  button.append(sample, label);
  button.addEventListener("click", () => {
    isOn[k] = !isOn[k];
    button.setAttribute("aria-pressed", String(isOn[k]));
    again();
  });
  return button;
}
