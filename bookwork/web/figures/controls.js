/**
 * ipywidgets' controls, drawn with what the browser has: a range, a menu, boxes, buttons.
 *
 * Each is a function from a model to an element that moves the model and follows it. Readers of screens
 * call it by its tooltip or, without one, by its description.
 */
import { format } from "d3-format";

import { button, element as make } from "../site/element.js";

/** Name of a model -> the function that draws its control. */
export const CONTROLS = {
  IntSliderModel: (model) => slider(model, numbers(model)),
  FloatSliderModel: (model) => slider(model, numbers(model)),
  FloatLogSliderModel: (model) => slider(model, powers(model)),
  SelectionSliderModel: (model) => slider(model, options(model)),
  DropdownModel: menu,
  ToggleButtonsModel: toggles,
  CheckboxModel: checkbox,
};

const nameOf = (model) => model.get("tooltip") || model.get("description");

/** Refresh a control now and when its model changes. */
function follow(model, refresh) {
  model.on("change", refresh);
  refresh();
}

/** A control after its name. */
function row(model, control, ...more) {
  control.id = `book-control-${model.model_id}`;
  control.setAttribute("aria-label", nameOf(model));
  return make("div", { className: "book-control" }, label(model, { htmlFor: control.id }), control, ...more);
}

function label(model, properties = {}) {
  return make("label", { className: "book-label", textContent: model.get("description"), ...properties });
}

function move(model, name, value) {
  model.set(name, value);
  model.save_changes();
}

/** The positions of a slider: which there are, where it stands, what it says there, where it goes when it is moved. */
const numbers = (model) => ({
  limits: () => ["min", "max", "step"].map((name) => model.get(name) ?? "any"),
  at: () => model.get("value"),
  text: () => format(model.get("readout_format") ?? "")(model.get("value")),
  go: (at) => move(model, "value", at),
});

const powers = (model) => ({
  ...numbers(model),
  at: () => Math.log(model.get("value")) / Math.log(model.get("base")),
  go: (at) => move(model, "value", model.get("base") ** at),
});

const options = (model) => ({
  limits: () => [0, model.get("_options_labels").length - 1, 1],
  at: () => model.get("index") ?? 0,
  text: () => model.get("_options_labels")[model.get("index") ?? 0],
  go: (at) => move(model, "index", at),
});

function slider(model, position) {
  const range = make("input", { type: "range", className: "form-range" });
  const readout = make("span", { className: "book-readout", hidden: model.get("readout") === false });
  const refresh = () => {
    const [min, max, step] = position.limits();
    Object.assign(range, { min, max, step, value: position.at(), disabled: model.get("disabled") });
    readout.textContent = position.text();
    range.setAttribute("aria-valuetext", readout.textContent);
  };
  range.addEventListener(model.get("continuous_update") === false ? "change" : "input", () => position.go(range.valueAsNumber));
  if (!model.get("_options_labels") && !model.get("disabled")) letType(model, readout, position, refresh);
  follow(model, refresh);
  const made = row(model, range, readout);
  made.classList.add("book-slider");
  return made;
}

/** Let a reader type a number; the slider goes to it, or as near as it can. */
function letType(model, readout, { text }, refresh) {
  const take = () => {
    const number = parseFloat(readout.textContent.replace("−", "-").replaceAll(",", ""));
    const isNew = readout.textContent !== text() && !Number.isNaN(number);
    if (isNew) move(model, "value", within(model, number));
    refresh();
  };
  readout.contentEditable = "true"; // Firefox before 136 knows no "plaintext-only", and throws
  readout.inputMode = "decimal";
  readout.setAttribute("role", "textbox");
  readout.setAttribute("aria-label", `${nameOf(model)}, value`);
  readout.addEventListener("blur", take);
  readout.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    take();
  });
}

/** A number, or the nearest that the model may have; of a scale of powers, min and max are exponents. */
function within(model, number) {
  const base = model.get("base");
  const [low, high] = ["min", "max"].map((name) => (base ? base ** model.get(name) : model.get(name)));
  return Math.min(high, Math.max(low, number));
}

function menu(model) {
  const select = make("select", { className: "form-select form-select-sm" });
  select.addEventListener("change", () => move(model, "index", select.selectedIndex));
  select.append(...model.get("_options_labels").map((text) => make("option", { textContent: text })));
  follow(model, () => Object.assign(select, { selectedIndex: model.get("index") ?? -1, disabled: model.get("disabled") }));
  return row(model, select);
}

function toggles(model) {
  const made = model.get("_options_labels").map((text, k) => {
    return button(text, () => move(model, "index", k), { title: model.get("tooltips")?.[k] ?? "" });
  });
  follow(model, () =>
    made.forEach((each, k) => {
      each.disabled = model.get("disabled");
      each.classList.toggle("active", k === model.get("index"));
      each.setAttribute("aria-pressed", String(k === model.get("index")));
    }),
  );
  const choices = make("div", { className: "book-choices" }, ...made);
  return make("div", { className: "book-control", role: "group", "aria-label": nameOf(model) }, label(model), choices);
}

function checkbox(model) {
  const box = make("input", { className: "form-check-input", type: "checkbox", "aria-label": nameOf(model) });
  box.addEventListener("change", () => move(model, "value", box.checked));
  const text = make("span", { className: "book-label", textContent: model.get("description") });
  follow(model, () => Object.assign(box, { checked: Boolean(model.get("value")), disabled: model.get("disabled") }));
  return make("div", { className: "book-control" }, make("label", { className: "form-check" }, box, text));
}
