/**
 * Draws widgets from their state, as the page has it or as a reader's code sends it, without a widget manager and without Python.
 *
 * Live figures, ipywidgets' controls and labels and the boxes around them need no more than a stand-in for their model;
 * an anywidget of another kind needs its script, which runs only if the build put it into the page.
 */
import live from "../live/figure.js";
import { element as make } from "../site/element.js";
import { CONTROLS } from "./controls.js";
import { bytesOf } from "./far-frames.js";
import { Model } from "./model.js";

const LIVE = "bookwork.live.figure.Drawing";
const BOXES = { BoxModel: "book-box", HBoxModel: "book-box book-row", VBoxModel: "book-box book-column" };
const REFERENCE = /IPY_MODEL_(\w+)/g;

const widgets = new Map(); // id -> { model_name, state, buffers }
const models = new Map(); // id -> its Model, once it was asked for
const scripts = new Set(); // that the build put into the page, and their style sheets
const begun = new WeakMap(); // model of an anywidget -> promise of the function that draws it

/** What figures ask for the models of their controls. */
const manager = { get_model: async (id) => modelOf(id) };

/** Take note of the widgets that the build put into the page, in a widget-state object; their scripts may run. */
export function noteBuilt({ state }) {
  for (const [id, widget] of Object.entries(state)) {
    const own = withScripts(widget.state, state);
    widgets.set(id, { ...widget, state: own });
    scriptsOf(own).forEach((text) => scripts.add(text));
  }
}

/** Take note of widgets that come from anywhere else; one that was there before has a new model from now on. */
export function noteWidgets({ state }) {
  for (const [id, widget] of Object.entries(state)) {
    widgets.set(id, widget);
    models.delete(id);
  }
}

/** Give an anywidget its script and style, which the page does not repeat (see bookwork/sphinx/figures.py). */
function withScripts(state, all) {
  const own = (key) => all[state[key]?.["same as"]]?.state[key] ?? state[key];
  return { ...state, ...(state._esm && { _esm: own("_esm"), _css: own("_css") }) };
}

/** What a widget would run, or style the page with: its own script and sheet; that of a live figure is in the page. */
function scriptsOf({ _anywidget_id, _esm, _css }) {
  return _anywidget_id === LIVE ? [] : [_esm, _css].filter(Boolean);
}

/** A widget and all that it refers to, at any depth, by their ids. */
export function withParts(id, found = new Map()) {
  if (!widgets.has(id) || found.has(id)) return found;
  found.set(id, widgets.get(id));
  for (const [, part] of JSON.stringify(widgets.get(id).state).matchAll(REFERENCE)) withParts(part, found);
  return found;
}

/** Whether a widget has controls that no figure beside them follows: a function of Python would. */
export function isIdle(id) {
  const parts = [...withParts(id).values()];
  return parts.some(({ model_name }) => model_name in CONTROLS) && !parts.some(({ model_module }) => model_module === "anywidget");
}

/** The stand-in model of a widget. */
export function modelOf(id) {
  if (!models.has(id) && widgets.has(id)) models.set(id, new Model(id, stateOf(widgets.get(id)), manager));
  return models.get(id);
}

/** The state of a widget with its bytes in their places. */
function stateOf({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const owner = path.slice(0, -1).reduce((part, key) => part[key], state);
    owner[path.at(-1)] = bytesOf(data);
  }
  return state;
}

function idOf(reference) {
  return reference.replace("IPY_MODEL_", "");
}

/** Draw a widget; returns its view, { element, remove() }. */
export async function mount(id) {
  const stops = [];
  const element = await draw(id, stops);
  const remove = () => (stops.forEach((stop) => stop()), element.remove());
  return { element, remove };
}

async function draw(id, stops) {
  if (!widgets.has(id)) throw new Error("its data is not in the page");
  const { model_name, model_module, state } = widgets.get(id);
  const element = make("div", { className: BOXES[model_name] ?? "" });
  if (model_name in BOXES) for (const child of state.children) element.append(await draw(idOf(child), stops));
  else if (model_name in CONTROLS) return dress(CONTROLS[model_name](modelOf(id)), state);
  else if (model_name === "LabelModel") element.append(make("span", { className: "book-label", textContent: state.value }));
  else if (model_module === "anywidget") stops.push(await drawAnywidget(modelOf(id), element));
  else throw new Error(`the widget ${model_name.replace(/Model$/, "")} works in JupyterLab, not in this page`);
  return dress(element, state);
}

/** Give an element the classes that Python gave its widget. */
function dress(element, { _dom_classes = [] }) {
  element.classList.add(..._dom_classes);
  return element;
}

/** Draw an anywidget in an element; returns its cleanup. */
async function drawAnywidget(model, el) {
  const [id, css] = ["_anywidget_id", "_css"].map((name) => model.get(name));
  if (!scriptsOf(model.state).every((text) => scripts.has(text)))
    throw new Error("a script of its own draws it, which runs in JupyterLab, not in this page");
  if (id === LIVE) return live.render({ model, el });
  const host = el.appendChild(make("div"));
  if (css) el.prepend(make("style", { textContent: css }));
  if (!begun.has(model)) begun.set(model, begin(model));
  const show = await begun.get(model);
  const end = await show?.({ model, el: host });
  return () => end?.();
}

/** Import the script of an anywidget and initialize its model, once for all its views. */
async function begin(model) {
  const exported = await import(URL.createObjectURL(new Blob([model.get("_esm")], { type: "text/javascript" })));
  const widget = exported.default ?? exported;
  const { initialize, render } = typeof widget === "function" ? await widget() : widget;
  await initialize?.({ model });
  return render;
}
