/**
 * ipywidgets' own manager, for what mount.js does not draw: widgets that a reader's code makes, and widgets of the page
 * that need more than a stand-in for their model. A page loads this script when it needs it (see load-manager.js).
 */
import "@jupyter-widgets/base/css/index.css";
import "@jupyter-widgets/controls/css/widgets.css";
import "./widgets.css";

import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import { Widget } from "@lumino/widgets";
import "anywidget";

import { makeAccessible } from "../../live/js/accessible.js";
import { Outlet } from "../outputs/outputs.js";
import { confinedBody } from "../outputs/safe-html.js";
import { breathe } from "../site/breathe.js";
import { makeAnywidget } from "./amd.js";
import { explain } from "./explain.js";

const PATIENCE = 60_000; // milliseconds that a figure may take to draw itself: a machine may be busy
const LIVE = "bookwork.live.figure.Drawing";
const DRAW = "export default { render: (figure) => window.bookWidgets.render(figure) }";

/** anywidget joins signals, as Safari before 17.4 and Firefox before 124 cannot. */
AbortSignal.any ??= (signals) => {
  const joined = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) joined.abort(signal.reason);
    signal.addEventListener("abort", () => joined.abort(signal.reason), { once: true });
  }
  return joined.signal;
};

const { AnyModel, AnyView } = makeAnywidget(base);

/** The layout of a view may come when the view was closed already; what it is then told would go to a view that is gone. */
for (const { prototype } of [base.JupyterLuminoWidget, base.JupyterLuminoPanelWidget]) {
  const { processMessage } = prototype;
  prototype.processMessage = function (message) {
    if (!this.isDisposed) processMessage.call(this, message);
  };
}

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
  try {
    const { protocol, origin } = new URL(address, document.baseURI);
    return protocol.startsWith("http") && origin !== location.origin;
  } catch {
    return false; // it is no address
  }
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
  async loadClass(name, module, _version) {
    const found = MODULES[module]?.[name];
    if (!found) throw new Error(`the widget ${name} of ${module} is not part of this book`);
    return found;
  }

  /** So that a class that is not there fails as a view that cannot be drawn does, with its reason. */
  loadViewClass(...names) {
    return this.loadClass(...names);
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
    if (view instanceof base.ErrorWidgetView) explain(view.el, String(view.model.get("error")?.message).split("\n", 1)[0]);
    else makeAccessible(view);
    if (view instanceof controls.PlayView) namePlay(view);
    return view;
  }

  /** Make a view of a widget, { attachTo(place), remove() }; one of the page's own comes with its parts, { id: widget }. */
  async viewOf(id, parts) {
    if (!this.has_model(id)) await this.#addStates(parts);
    if (!this.has_model(id)) throw new Error("its data is not in the page");
    const view = await this.create_view(await this.get_model(id));
    return Object.assign(view, { attachTo: (place) => Widget.attach(view.luminoWidget, place) });
  }

  #addStates(parts) {
    for (const { state } of parts.values()) if (state._anywidget_id === LIVE) Object.assign(state, { _esm: DRAW, _css: "" });
    return this.set_state({ version_major: 2, version_minor: 0, state: Object.fromEntries(parts) });
  }

  async _get_comm_info() {
    return {};
  }

  /** @returns {Promise<any>} */
  async _create_comm() {
    throw new Error("this page has no kernel");
  }
}

/** Make the one manager of the page. */
export function makeManager() {
  return new PageManager();
}

/** The buttons of a Play show pictures only. */
function namePlay({ playPauseButton, stopButton, repeatButton }) {
  playPauseButton?.setAttribute("aria-label", "Play or pause");
  stopButton?.setAttribute("aria-label", "Stop and go back to the start");
  repeatButton?.setAttribute("aria-label", "Repeat");
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
