// A legend that is also a switch: one button per line of a picture, with a piece of that line.
import { html, svg } from "./svg.js";

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
