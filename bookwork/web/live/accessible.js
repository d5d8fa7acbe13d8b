// Names and states that ipywidgets leaves out in JupyterLab, for readers who hear the page.
import { update } from "./svg.js";

/** Name the controls above a figure once they are there; returns { name, stop }: `name` again when one has moved. */
export function nameControls(el, controls) {
  const watcher = new MutationObserver(name);
  function name() {
    const drawn = el.closest(".live-figure")?.querySelectorAll(".live-controls > *") ?? [];
    drawn.forEach((part, k) => controls[k] && describe(part, controls[k].label));
    if (drawn.length === controls.length) watcher.disconnect();
  }
  watcher.observe(document.body, { childList: true, subtree: true });
  name();
  return { name, stop: () => watcher.disconnect() };
}

function describe(control, label) {
  const readout = control.querySelector(".widget-readout");
  control.querySelectorAll(".noUi-handle").forEach((handle) => {
    update(handle, "aria-label", label);
    update(handle, "aria-valuetext", readout?.textContent ?? ""); // it would say an index or an exponent
  });
  control.querySelectorAll("select, input").forEach((box) => update(box, "aria-label", label));
  if (readout) update(readout, "aria-label", `${label}, value`);
  if (readout?.isContentEditable) update(readout, "role", "textbox");
  if (!control.classList.contains("widget-toggle-buttons")) return;
  update(control, "role", "group");
  update(control, "aria-label", label);
  for (const button of control.querySelectorAll("button")) update(button, "aria-pressed", button.classList.contains("mod-active"));
}
