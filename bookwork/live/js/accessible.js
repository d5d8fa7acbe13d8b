/**
 * Names and states that ipywidgets leaves out, for readers who hear the page.
 *
 * A control is called by its tooltip or, without one, by its description; TeX is read as words.
 */
import { update } from "./svg.js";

/** Complete the roles, names and states of a view, once. */
export function makeAccessible(view) {
  if (view.isAccessible) return;
  view.isAccessible = true; // seen by the page's manager and by live figures alike
  const refresh = () => describe(view);
  refresh();
  view.listenTo(view.model, "change", refresh);
  if (view.$slider) watchText(view.$slider, refresh);
}

/** Refresh when a slider writes an index or an exponent over its text: at every key, even if it stays where it is. */
function watchText(slider, refresh) {
  new MutationObserver(refresh).observe(slider, { subtree: true, attributeFilter: ["aria-valuetext"] });
}

function describe({ el, model }) {
  el.querySelectorAll(":scope > [title=null]").forEach((label) => label.removeAttribute("title")); // "null" is no tooltip
  const name = plainName(model);
  if (!name) return;
  el.querySelectorAll(":scope > .slider-container .noUi-handle").forEach((handle, i, handles) => {
    handle.setAttribute("aria-label", handles.length === 1 ? name : `${name}, ${i ? "upper" : "lower"} end`);
    if (handles.length === 1) update(handle, "aria-valuetext", readout(el)); // or the observer of `watchText` would wake again
  });
  el.querySelectorAll(":scope > :is(select, input), :scope > label > input[type=checkbox]").forEach((box) =>
    box.setAttribute("aria-label", name),
  );
  el.querySelectorAll(":scope > .widget-readout").forEach((box) => {
    box.setAttribute("aria-label", `${name}, value`);
    if (box.isContentEditable) box.setAttribute("role", "textbox");
  });
  if (el.classList.contains("widget-toggle-buttons")) describeToggles(el, name);
  if (el.classList.contains("widget-toggle-button")) press(el, model.get("value"));
}

function describeToggles(el, name) {
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", name);
  el.querySelectorAll("button").forEach((button) => press(button, button.classList.contains("mod-active")));
}

function press(button, pressed) {
  button.setAttribute("aria-pressed", String(Boolean(pressed)));
}

function readout(el) {
  return el.querySelector(":scope > .widget-readout")?.textContent ?? "";
}

/** `"\(\tau\) of the curve"` -> `"tau of the curve"`. */
export function plainName(model) {
  const name = model.get("tooltip") || model.get("description") || "";
  return name
    .replace(/\\[()[\]]|[${}]|<[^>]*>/g, "")
    .replace(/\\([a-zA-Z]+)/g, "$1")
    .trim();
}
