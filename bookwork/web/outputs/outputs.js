/**
 * What the reader's code printed, returned or drew, shown in place of what the book has there.
 *
 * Whatever comes from code is shown as text, as an image, as a widget drawn from its state, or in an iframe without scripts.
 * The book's own output is hidden, not removed, so that it can come back.
 */
import { element } from "../site/element.js";
import { STATUSES, VERDICT } from "../exercises/verdict.js";
import { setText } from "./formulas.js";
import { draw as drawHtml } from "./html.js";
import { asOnTerminal, goOn } from "./terminal.js";

const SIZE = "application/vnd.book.size+json"; // what a picture should have: { width, height }, either of them or both
const WIDGET = "application/vnd.jupyter.widget-view+json"; // that the code made: { model_id }
const STATE = "application/vnd.jupyter.widget-state+json"; // of all that it consists of, as JSON

/**
 * The kinds of content that an output may have, the one liked best first, and how each is drawn: a function of the data, and of all
 * that comes with them, that returns an element; `drawn`: a promise.
 */
const KINDS = {
  [VERDICT]: verdictNode,
  [WIDGET]: widget,
  "image/svg+xml": (data, { [SIZE]: size }) => image(`data:image/svg+xml,${encodeURIComponent(textOf(data))}`, size),
  "image/png": picture("png"),
  "image/jpeg": picture("jpeg"),
  "image/gif": picture("gif"),
  "text/html": (data) => (data === "" ? element("div") : drawHtml(textOf(data))), // an empty string clears a display
  "text/markdown": text,
  "text/latex": text,
  "text/plain": (data) => printed("book-value", textOf(data)),
};
let updates = Promise.resolve(); // of what is displayed under a name, one after another

/** The output of a cell: the book's at first, then the reader's. */
export class Outputs {
  /** @type {Promise<unknown>} resolved when all widgets and pictures are drawn */
  drawn = Promise.resolve();
  #own = null; // the element of the reader's output, if there is one or one is coming
  #shown = null; // the one that stands on the page: an earlier one, until something in the new one is drawn
  #host = null; // in which they are
  #built = []; // elements of the book's output

  /** @param {HTMLElement} cell the `div.cell` of a built page */
  constructor(cell) {
    this.cell = cell;
  }

  /** Whether the reader's output is there, or coming. */
  get isOwn() {
    return this.#own !== null;
  }

  /** A run begins, or clears its output: what is there stays until something in a new one is drawn, or the run's end. */
  clear() {
    this.#host ??= this.#makeHost();
    this.#host.style.minHeight = `${this.#host.getBoundingClientRect().height}px`; // nothing below moves until the run ends
    if (this.#own !== this.#shown) discard(this.#own);
    this.#own = element("div", { className: "book-own book-coming", role: "group", "aria-label": "Your output" });
    this.#own.append(Object.assign(note("Your output"), { hidden: true }));
    this.#host.prepend(this.#own);
  }

  /** Bring back the output that the book has. */
  restore() {
    [this.#own, this.#shown].forEach((each) => each && discard(each));
    this.#own = this.#shown = null;
    this.#host?.style.removeProperty("min-height");
    this.#built.forEach((each) => each.classList.remove("book-put-away"));
  }

  /** Add one message of a run, as runtime.py sends them: { kind, text }, { kind: "display", bundle }, … */
  add({ kind, text = "", bundle = {}, display_id = undefined }) {
    if (kind === "update") return this.#wait((updates = updates.then(() => replaceShown(display_id, bundle))));
    if (kind === "clear") return this.clear();
    if (kind === "display") this.#put(draw(bundle, display_id));
    else if (kind === "stdout" || kind === "stderr") this.#print(`book-${kind}`, textOf(text));
  }

  /** End a run: what was left out, what went wrong, what to do now. */
  finish({ error, dropped, unshown, stopped, advice }) {
    if (dropped) this.#put(note(`${dropped.toLocaleString("en")} more characters are not shown.`));
    if (unshown) this.#put(note(`${unshown.toLocaleString("en")} more values and figures are not shown.`));
    if (error && !stopped) this.#put(printed("book-error", error.traceback || `${error.type}: ${error.message}`));
    if (advice && this.#own.lastChild.textContent !== advice) this.#put(element("p", { className: "book-advice", textContent: advice }));
    if (this.#own.children.length === 1) this.#sayEmpty(stopped ? "was stopped before it printed anything" : "ran and printed nothing");
    this.drawn.then(() => this.#host.style.removeProperty("min-height"));
  }

  /** Show the new output in place of what is there. */
  #show(own) {
    if (own !== this.#own || own === this.#shown) return;
    own.classList.remove("book-coming");
    if (this.#shown) discard(this.#shown);
    this.#shown = own;
    this.#built.forEach((each) => each.classList.add("book-put-away"));
  }

  /** Say why there is no output, where the book has one. */
  #sayEmpty(how) {
    if (this.#built.length) this.#put(note(`Your code ${how}`)).previousSibling.remove();
    else this.#show(this.#own);
  }

  /** Add an element; above a verdict alone nothing says whose output it is. */
  #put(node) {
    const own = this.#own;
    if (!node.matches(".book-verdict")) own.firstChild.hidden = false;
    own.append(node);
    if (node.drawn) this.#wait(node.drawn.then(() => this.#show(own)));
    else this.#show(own);
    return node;
  }

  #wait(promise) {
    this.drawn = Promise.all([this.drawn, promise]);
  }

  #print(name, text) {
    const last = this.#own.lastElementChild;
    if (last.classList.contains(name)) goOn(last.firstChild, text);
    else this.#put(printed(name, text));
  }

  /** Find the place for the reader's output: above the caption of a figure, or where the book's output is. */
  #makeHost() {
    const output = this.cell.querySelector(".cell_output") ?? this.cell.appendChild(element("div", { className: "cell_output" }));
    const host = output.querySelector("figure") ?? output;
    this.#built = [...host.children].filter((child) => child.tagName !== "FIGCAPTION");
    return host;
  }
}

/** The verdict of a checker, in words and also in colour. */
export function verdictNode({ status, message }) {
  const word = textOf(status);
  const heading = element("strong", { textContent: `${word.charAt(0).toUpperCase()}${word.slice(1)}:` });
  const className = `book-verdict book-verdict-${STATUSES[status] ?? "wrong"}`;
  return element("p", { className }, heading, ` ${textOf(message)}`);
}

/** Replace what was displayed under a name, wherever that is, once the new stands. */
async function replaceShown(name, bundle) {
  for (const old of document.querySelectorAll(`[data-display="${CSS.escape(name)}"]`)) {
    const node = draw(bundle, name);
    old.after(node);
    await node.drawn;
    discard(old);
  }
}

/** Remove an element, and end the widgets in it. */
function discard(node) {
  [node, ...node.querySelectorAll(".book-widget")].forEach((each) => each.view?.remove());
  node.remove();
}

/** Draw a bundle { type: data } by the best kind that it offers; `name`: by which the code may replace it. */
function draw(bundle, name = "") {
  const kind = Object.keys(KINDS).find((each) => bundle[each] !== undefined && bundle[each] !== null);
  const node = kind ? KINDS[kind](bundle[kind], bundle) : note(`${Object.keys(bundle).join(", ")}: shown in JupyterLab, not in this page.`);
  if (name) node.dataset.display = name;
  return node;
}

/** A widget that the code made, drawn from its state once it is in the page. */
function widget({ model_id }, { [STATE]: state }) {
  const node = element("div", { className: "book-widget" });
  const show = async () => {
    if (state) window.bookWidgets.addState(JSON.parse(state));
    node.view = await window.bookWidgets.show(textOf(model_id), node);
  };
  return Object.assign(node, { drawn: Promise.resolve().then(show) });
}

/** Return a function that draws a picture of this format from its bytes in base 64. */
function picture(format) {
  return (data, { [SIZE]: size }) => image(`data:image/${format};base64,${textOf(data).replace(/[^A-Za-z0-9+/=]/g, "")}`, size);
}

/** A picture, in its own size or in the one that the code gives it; it becomes smaller where the page is narrow. */
function image(src, { width = null, height = null } = {}) {
  const node = element("img", { className: "book-drawing", alt: "Figure drawn by your code", src });
  if (width) node.style.width = `${width}px`;
  if (width && height) node.style.aspectRatio = `${width} / ${height}`;
  else if (height) node.style.height = `${height}px`;
  return Object.assign(node, { drawn: node.decode().catch(() => {}) });
}

/** Text with its formulas, as the page's own; what is wider than the page scrolls. */
function text(data) {
  const node = element("div", { className: "book-text" }, textOf(data));
  return Object.assign(node, { drawn: setText(node, textOf(data)) });
}

/** Data as text, whatever they are. */
function textOf(data) {
  return typeof data === "string" ? data : (JSON.stringify(data) ?? String(data));
}

/** Text in a fixed-width font; it may scroll, so it can take the focus. */
function printed(className, text) {
  return element("pre", { className, tabIndex: 0 }, asOnTerminal(text));
}

function note(textContent) {
  return element("p", { className: "book-own-mark", textContent });
}
