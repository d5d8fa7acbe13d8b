/**
 * The widgets that a page contains as JSON, drawn without a widget manager.
 *
 * Live figures, other anywidgets, ipywidgets' controls and the boxes around them need no more than a
 * stand-in for their model. All others do: see widgets.js.
 */
import live from "../../live/js/figure.js";
import { element as make } from "../site/element.js";
import { CONTROLS } from "./controls.js";
import { bytesOf } from "./far-frames.js";
import { Model } from "./model.js";

const LIVE = "bookwork.live.figure.Drawing";
const BOXES = { BoxModel: "book-box", HBoxModel: "book-box book-row", VBoxModel: "book-box book-column" };
const REFERENCE = /IPY_MODEL_(\w+)/g;

const widgets = new Map(); // id -> { model_name, state, buffers }, as the page has it
const models = new Map(); // id -> its Model, once it was asked for
const modules = new Map(); // script of an anywidget -> promise of what it exports

/** What figures ask for the models of their controls. */
const manager = { get_model: async (id) => modelOf(id) };

/** Take note of the widgets in a widget-state object. */
export function noteWidgets({ state }) {
  for (const [id, widget] of Object.entries(state)) widgets.set(id, { ...widget, state: withScripts(widget.state, state) });
}

/** Give an anywidget its script and style, which the page does not repeat (see bookwork/sphinx/book_shell.py). */
function withScripts(state, all) {
  const own = (key) => all[state[key]?.["same as"]]?.state[key] ?? state[key];
  return { ...state, ...(state._esm && { _esm: own("_esm"), _css: own("_css") }) };
}

/** Whether the page contains this widget. */
export const isThere = (id) => widgets.has(id);

/** A widget of the page and all that it refers to, at any depth, by their ids. */
export function withParts(id, found = new Map()) {
  if (!widgets.has(id) || found.has(id)) return found;
  found.set(id, widgets.get(id));
  for (const [, part] of JSON.stringify(widgets.get(id).state).matchAll(REFERENCE)) withParts(part, found);
  return found;
}

/** Whether a widget can be drawn here, with all that it contains. */
export function isPlain(id) {
  const { model_module, model_name, state } = widgets.get(id) ?? {};
  if (model_module !== "@jupyter-widgets/controls") return model_module === "anywidget";
  return model_name in BOXES ? state.children.map(idOf).every(isPlain) : model_name in CONTROLS;
}

/** The stand-in model of a widget of the page. */
export function modelOf(id) {
  if (!models.has(id) && widgets.has(id)) models.set(id, new Model(id, stateOf(widgets.get(id)), manager));
  return models.get(id);
}

/** The state of a widget with its bytes in their places. */
function stateOf({ state, buffers = [] }) {
  for (const { path, data } of buffers) {
    const place = path.slice(0, -1).reduce((part, key) => part[key], state);
    place[path.at(-1)] = bytesOf(data);
  }
  return state;
}

function idOf(reference) {
  return reference.replace("IPY_MODEL_", "");
}

/** Draw a widget; returns its view, { attachTo(place), remove() }. */
export async function mount(id) {
  const stops = [];
  const element = await draw(id, stops);
  return {
    attachTo: (place) => place.append(element),
    remove() {
      stops.forEach((stop) => stop());
      element.remove();
      return this;
    },
  };
}

async function draw(id, stops) {
  const { model_name, state } = widgets.get(id);
  const element = make("div", { className: BOXES[model_name] ?? "" });
  if (model_name in BOXES) {
    for (const child of state.children) element.append(await draw(idOf(child), stops));
  } else if (model_name in CONTROLS) return dress(CONTROLS[model_name](modelOf(id)), state);
  else stops.push(await drawAnywidget(modelOf(id), element));
  return dress(element, state);
}

/** Give an element the classes and the layout that Python gave its widget. */
function dress(element, { _dom_classes = [], layout = "" }) {
  element.classList.add(..._dom_classes);
  for (const [name, value] of Object.entries(widgets.get(idOf(layout ?? ""))?.state ?? {})) {
    if (!name.startsWith("_") && value !== null) element.style.setProperty(name.replaceAll("_", "-"), value);
  }
  return element;
}

/** Draw an anywidget in an element; returns its cleanup. */
async function drawAnywidget(model, el) {
  if (model.get("_anywidget_id") === LIVE) return live.render({ model, el });
  const place = el.appendChild(document.createElement("div"));
  if (model.get("_css")) el.prepend(make("style", { textContent: model.get("_css") }));
  const { initialize, render: show } = await partsOf(model.get("_esm"));
  const experimental = { invoke: () => Promise.reject(new Error("this page has no kernel")) };
  const stop = await initialize?.({ model, experimental });
  const end = await show?.({ model, el: place, experimental });
  return () => [end, stop].forEach((each) => each?.());
}

/** Import the script of an anywidget from its text, once. */
async function partsOf(text) {
  if (!modules.has(text)) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    modules.set(text, import(address));
  }
  const exported = await modules.get(text);
  const widget = exported.default ?? exported;
  return typeof widget === "function" ? widget() : widget;
}
