/**
 * The one widget manager of a page.
 *
 * A built page contains its widgets as JSON: their state once, and a marker wherever one is shown. Here
 * the state becomes models and each marker a view, with no kernel and no require.js. Code that runs
 * later (Python in the page) adds models and views to the same manager through `window.bookWidgets`:
 *
 *   manager             the manager itself; `manager.handle_comm_open(comm, message)` takes live widgets
 *   ready               a promise, resolved when every figure of the page is drawn or has failed with a sentence
 *   addState(state)     make the models of a widget-state object -> promise of the models
 *   show(id, element)   draw the model with this id in the element -> promise of the view, or of null
 */
import "@jupyter-widgets/base/css/index.css";
import "@jupyter-widgets/controls/css/widgets.css";

import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import { Widget } from "@lumino/widgets";
import "anywidget";

import "../site/book.css";
import { makeAccessible } from "../../live/js/accessible.js";
import { makeAnywidget } from "./amd.js";
import { element as make } from "../site/element.js";
import { breathe } from "../site/breathe.js";
import { bringFrames, lacking, noteFrames, whenNear } from "./far-frames.js";
import { Outlet } from "../outputs/outputs.js";
import { whenParsed } from "../site/ready.js";
import { confinedBody } from "../outputs/safe-html.js";
import live from "book:live"; // the script and style of live figures, see build.mjs

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
const PATIENCE = 60_000; // milliseconds that a figure may take to draw itself: a machine may be busy

const { AnyModel, AnyView } = makeAnywidget(base);

/** An anywidget view that counts as rendered once something is drawn in it. */
class DrawnView extends AnyView {
  async render() {
    await super.render();
    await untilFilled(this.el);
  }
}

/** HTML, without anything that could leave the page. */
class HTMLView extends controls.HTMLView {
  update() {
    const body = confinedBody(String(this.model.get("value")));
    this.content.replaceChildren(...document.importNode(body, true).childNodes);
  }
}

/** The same with formulas. */
class HTMLMathView extends controls.HTMLMathView {
  update() {
    HTMLView.prototype.update.call(this);
    this.typeset(this.content);
  }
}

/** A picture. The page asks no other host for one; it says so instead. */
class ImageView extends controls.ImageView {
  update() {
    const address = this.model.get("format") === "url" ? new TextDecoder().decode(this.model.get("value")) : "";
    this.el.removeAttribute("alt");
    if (!isElsewhere(address)) return super.update();
    this.el.removeAttribute("src");
    this.el.alt = `The picture at ${address} is not shown: the page asks nothing of other hosts.`;
  }
}

/** Whether an address names another host. */
function isElsewhere(address) {
  const { protocol, origin } = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : location;
  return protocol.startsWith("http") && origin !== location.origin;
}

/** An Output of ipywidgets: Python, or the notebook that made the page, fills in its `outputs`. */
class OutputModel extends base.DOMWidgetModel {
  defaults() {
    const [_model_name, _view_name, module] = ["OutputModel", "OutputView", "@jupyter-widgets/output"];
    return { ...super.defaults(), _model_name, _view_name, _model_module: module, _view_module: module, msg_id: "", outputs: [] };
  }
}

/** Shows the outputs of an Output. Unchanged ones are not redrawn: a widget there may be in use. */
class OutputView extends base.DOMWidgetView {
  render() {
    super.render();
    this.shown = []; // messages
    this.turn = 0; // counts the changes of what is to be shown
    this.outlet = new Outlet(this.el.appendChild(document.createElement("div")));
    this.el.classList.add("book-output");
    this.listenTo(this.model, "change:outputs", () => this.refresh());
    this.displayed.then(() => this.refresh());
  }

  /** Update what is shown, a part at a time, and keep the height until new pictures have loaded. */
  async refresh() {
    const { node } = this.outlet;
    const turn = (this.turn += 1);
    const messages = asMessages(this.model.get("outputs") ?? []);
    node.style.minHeight = `${node.offsetHeight}px`;
    for (let i = this.#keepSame(messages); i < messages.length; i++) {
      await breathe();
      if (turn !== this.turn) return; // the next change goes on from here
      this.outlet.add(messages[i]);
      this.shown.push(messages[i]);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (node.style.minHeight = ""), 200);
  }

  /** Keep the first messages that are shown already, and go on with a text that has become longer; return how many these are. */
  #keepSame(messages) {
    const isShown = (message, i) => JSON.stringify(message) === JSON.stringify(this.shown[i]);
    const first = messages.findIndex((message, i) => !isShown(message, i));
    const same = first < 0 ? messages.length : first;
    const more = same === this.shown.length - 1 && addition(this.shown[same], messages[same]);
    if (more) this.outlet.add(more);
    this.shown = messages.slice(0, more ? same + 1 : same);
    this.outlet.keep(this.shown.length);
    return this.shown.length;
  }

  remove() {
    this.turn += 1;
    this.outlet?.keep(0);
    return super.remove();
  }
}

/** What a text has more than the same text before, as a message; null if it is another one. */
function addition(before, after) {
  const isMore = before?.text !== undefined && before.kind === after?.kind && after.text.startsWith(before.text);
  return isMore ? { ...after, text: after.text.slice(before.text.length) } : null;
}

/** The outputs of a notebook, as messages of runtime.py. Consecutive text is one message. */
function asMessages(outputs) {
  const messages = [];
  for (const output of outputs) {
    const message = asMessage(output);
    const last = messages.at(-1);
    if (message.text !== undefined && last?.kind === message.kind) last.text += message.text;
    else messages.push(message);
  }
  return messages;
}

function asMessage({ output_type, name, text, data, transient, ename, evalue, traceback }) {
  if (output_type === "stream") return { kind: name, text: [text].flat().join("") };
  if (output_type !== "error") return { kind: "display", bundle: data ?? {}, display_id: transient?.display_id };
  return { kind: "error", error: { type: ename, message: evalue, traceback: [traceback ?? []].flat().join("\n") } };
}

const MODULES = {
  "@jupyter-widgets/base": base,
  "@jupyter-widgets/controls": { ...controls, HTMLView, HTMLMathView, ImageView },
  "@jupyter-widgets/output": { OutputModel, OutputView },
  anywidget: { AnyModel, AnyView: DrawnView },
};

/** ipywidgets' manager, without a kernel behind it. */
class PageManager extends ManagerBase {
  /** Find the class of a model or a view among those that were bundled. */
  async loadClass(name, module) {
    const found = MODULES[module]?.[name];
    if (!found) throw new Error(`the widget ${name} of ${module} is not part of this book`);
    return found;
  }

  /** Keep the promise of a model; if it fails, this is said where the model is shown, and is no fault of the page. */
  register_model(id, promise) {
    /** @type {any} */
    const { _models: models } = this;
    models[id] = promise;
    promise.then(
      (model) => model.once("comm:close", () => delete models[id]),
      () => {},
    );
  }

  /** Make a view; one that fails is replaced by a sentence, also inside a box. */
  async create_view(model, options = {}) {
    await breathe();
    const view = await super.create_view(model, options);
    if (view instanceof base.ErrorWidgetView) explain(view.el, reasonOf(view));
    else makeAccessible(view);
    if (view instanceof controls.PlayView) namePlay(view);
    return view;
  }

  async _get_comm_info() {
    return {};
  }

  /** @returns {Promise<any>} */
  async _create_comm() {
    throw new Error("this page has no kernel");
  }
}

const manager = new PageManager();

/** Make the models of a widget-state object. */
async function addState(state) {
  noteFrames(state);
  return manager.set_state(withScripts(state));
}

/** Give each widget its script and style, which the page does not repeat (see bookwork/sphinx/book_shell.py). */
function withScripts(state) {
  for (const { state: model } of Object.values(state.state)) {
    for (const key of ["_esm", "_css"]) {
      const owner = model[key]?.["same as"];
      if (owner) model[key] = owner === "bundle" ? live[key] : state.state[owner].state[key];
    }
  }
  return state;
}

/** Draw a model in an element; a failure becomes a sentence there. */
async function show(id, element) {
  try {
    if (!manager.has_model(id)) throw new Error("its data is not in the page");
    /** @type {any} */
    const model = await manager.get_model(id);
    await bringFrames(model);
    const view = await manager.create_view(model);
    if (!element.isConnected || model._closed) return view.remove() && null; // it was meanwhile replaced or closed
    element.replaceChildren();
    element.classList.remove("book-still");
    Widget.attach(view.luminoWidget, element);
    return view;
  } catch (error) {
    explain(element, error.message, manager.has_model(id) && (await isLacking(id)) && (() => show(id, element)));
    return null;
  }
}

/** Whether the frames of a model are still in a file; one that was refused has none. */
async function isLacking(id) {
  const model = await manager.get_model(id).catch(() => null);
  return model !== null && lacking(model).length > 0;
}

/** Say why a figure is missing, in its place; `retry` is called when the reader asks for it. */
function explain(element, reason, retry = null) {
  element.querySelector(".book-widget-error")?.remove();
  const textContent = `This figure could not be drawn: ${reason}.`;
  const sentence = make("p", { className: "book-widget-error", role: "alert", textContent });
  if (element.classList.contains("book-still")) element.prepend(sentence);
  else element.replaceChildren(sentence);
  console.error(textContent);
  const onclick = ({ target }) => ((target.disabled = true), retry());
  if (retry) sentence.append(" ", make("button", { type: "button", className: "live-button", textContent: "Try again", onclick }));
}

/** The buttons of a Play show pictures only. */
function namePlay({ playPauseButton, stopButton, repeatButton }) {
  playPauseButton?.setAttribute("aria-label", "Play or pause");
  stopButton?.setAttribute("aria-label", "Stop and go back to the start");
  repeatButton?.setAttribute("aria-label", "Repeat");
}

/** The first line of the error that ipywidgets keeps in its error view. */
function reasonOf(view) {
  const [line] = view.generateErrorMessage().stack.split("\n");
  return line.replace(/^\w*Error: /, "");
}

/** Wait until an element has content. */
function untilFilled(element) {
  if (element.hasChildNodes()) return Promise.resolve();
  return new Promise((/** @type {(drawn?: void) => void} */ resolve, reject) => {
    const late = () => reject(new Error(`nothing appeared within ${PATIENCE / 1000} seconds`));
    const timer = setTimeout(late, PATIENCE);
    const observer = new MutationObserver(() => {
      if (!element.hasChildNodes()) return;
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    });
    observer.observe(element, { childList: true });
  });
}

/** The element before a view's marker in which the view is drawn: the one with its numbers, or a new one. */
function placeFor(marker) {
  const still = marker.previousElementSibling;
  if (still?.classList.contains("book-still")) return still;
  marker.before(make("div", { className: "book-widget" }));
  return marker.previousElementSibling;
}

/** Draw every widget of the page. */
async function drawPage() {
  const markers = [...document.querySelectorAll(VIEW)];
  const places = markers.map(placeFor);
  try {
    const states = [...document.querySelectorAll(STATE)].map((script) => JSON.parse(script.textContent));
    await Promise.all(states.map(addState));
  } catch (error) {
    places.forEach((place) => explain(place, error.message ?? error));
    return;
  }
  const views = await Promise.all(markers.map((marker, i) => showSoon(JSON.parse(marker.textContent).model_id, places[i])));
  await Promise.all(views.map(untilWhole));
  await untilLaidOut();
  places.forEach(sayHowToUse);
}

/** Draw a widget now or, if its frames are in a file, when the reader comes near; nothing waits for that. */
async function showSoon(id, place) {
  const isFar = manager.has_model(id) && (await isLacking(id));
  if (!isFar) return show(id, place);
  whenNear(place).then(() => show(id, place));
  return null;
}

/** Wait for the parts of a view: a box exists before its contents. */
async function untilWhole(view) {
  /** @type {any[]} */
  const parts = await Promise.allSettled((view?.children_views ?? view?.childrenViews)?.views ?? []);
  await Promise.all(parts.map(({ value }) => untilWhole(value)));
}

/** Wait until the browser has laid out the page: figures draw themselves once they know their width. */
function untilLaidOut() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** The book's `interact` figures show their initial state; their controls call a function that must first be defined. */
function sayHowToUse(place) {
  if (!place.querySelector(".book-output") || !place.querySelector("input, select, button, .noUi-handle")) return;
  const textContent = "These controls call Python: run the cell to use them.";
  place.append(make("p", { className: "book-widget-note", textContent }));
}

const ready = new Promise((resolve) => {
  whenParsed(() => resolve(drawPage()));
});

window.bookWidgets = { manager, ready, addState, show };
