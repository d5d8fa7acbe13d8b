/**
 * What the reader's code printed, returned or drew, shown in place of what the book has there.
 *
 * Whatever comes from code is shown as text, as an image, or in an iframe without scripts and without
 * the page's origin. Of Markdown only words, structure and formulas come into the page itself. The
 * book's own output is hidden, not removed, so that it can come back.
 */
import { element } from "../site/element.js";
import { RICH, SIZE, PLOTLY, WIDGET, bestOf, textOf } from "./kinds.js";
import { setFormulas } from "./formulas.js";
import { plainBody, safeBody } from "./safe-html.js";
import { STATUSES, VERDICT } from "../exercises/verdict.js";

const IFRAME_HEAD =
  "<!doctype html><meta charset=utf-8>" +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">` +
  "<style>body { margin: 0.5rem; font: 15px/1.5 system-ui, sans-serif; color: #1c2430; background: #ffffff }" +
  " table { border-collapse: collapse } th, td { padding: 0.15rem 0.6rem; text-align: right }" +
  " tr { border-bottom: 1px solid #d5dbe4 }</style>";
const [LINE, LEAST, MOST] = [26, 60, 480]; // heights in pixels: of a line, of an iframe

/** How each kind of content is drawn: a function of the data, and of a picture's size, that returns an element. */
const KINDS = {
  [VERDICT]: verdict,
  [WIDGET]: widget,
  [PLOTLY]: plot,
  "image/svg+xml": (data, size) => image(`data:image/svg+xml,${encodeURIComponent(textOf(data))}`, size),
  "image/png": picture("png"),
  "image/jpeg": picture("jpeg"),
  "image/gif": picture("gif"),
  "text/html": iframe,
  [RICH]: text,
  "text/plain": (data) => printed("book-value", textOf(data)),
};

const COLOURS = /\x1b\[[0-9;]*[A-Za-z]/g; // of a terminal
const CONTROLS = /[\b\r\x1b]/;
const LOGGED = 50; // outputs of widget functions that are kept below a cell, the last ones
const LETTERS = 20_000; // characters of each that are kept, the last ones

/** A place for outputs, one below another. */
export class Outlet {
  /** @type {Promise<unknown>} resolved when all widgets are drawn */
  drawn = Promise.resolve();
  isOutdated = false; // whether the next output replaces all that is there

  /** @param {HTMLElement} node @param {HTMLElement | null} head a first child that is never removed */
  constructor(node, head = null) {
    this.node = node;
    this.head = head;
    if (head) node.append(head);
  }

  /** Whether nothing has been shown. */
  get isEmpty() {
    return this.node.lastChild === this.head;
  }

  /** Add one message of a run: { kind, text }, { kind: "display", bundle }, … as runtime.py sends them. */
  add({ kind, text = "", bundle = {}, error = null, display_id = undefined, wait = false }) {
    if (kind === "update") return replaceShown(display_id, bundle);
    if (kind === "clear") return wait ? (this.isOutdated = true) : this.empty();
    if (this.isOutdated) this.empty();
    if (kind === "display") this.#draw(bundle, display_id);
    else if (kind === "stdout" || kind === "stderr") this.#print(`book-${kind}`, textOf(text));
    else if (kind === "error") this.#showError(error);
  }

  /** End a run: what was left out, what went wrong, what to do now. */
  finish({ error, dropped, unshown, stopped, advice }) {
    if (dropped) this.node.append(note(`${dropped.toLocaleString("en")} more characters are not shown.`));
    if (unshown) this.node.append(note(`${unshown.toLocaleString("en")} more values and figures are not shown.`));
    if (error && !stopped) this.#showError(error);
    if (advice && this.node.lastChild.textContent !== advice)
      this.node.append(element("p", { className: "book-advice", textContent: advice }));
  }

  /** Remove what was shown, and end its widgets. */
  empty() {
    this.isOutdated = false;
    this.keep(0);
  }

  /** Remove all but the first outputs. */
  keep(number) {
    const from = number + (this.head ? 1 : 0);
    [...this.node.children].slice(from).forEach(discard);
  }

  #draw(bundle, name) {
    const node = draw(bundle);
    if (name) node.dataset.display = name;
    this.node.append(node);
    this.drawn = Promise.all([this.drawn, showWidget(node)]);
  }

  #print(name, text) {
    const last = this.node.lastElementChild;
    if (last?.classList.contains(name)) goOn(wordsIn(last), text);
    else this.node.append(printed(name, text));
  }

  /** Show an error; the same one again only raises its count. */
  #showError({ type, message, traceback }) {
    const text = traceback || `${type}: ${message}`;
    if (this.error?.text !== text || this.error.node.parentNode !== this.node) {
      this.error = { text, times: 0, node: this.node.appendChild(printed("book-error", text)) };
    }
    this.error.times += 1;
    if (this.error.times > 1) this.error.node.textContent = `${text}\n(${this.error.times} times)`;
  }
}

/** The latest output and errors of the functions that a cell's widgets call. */
class Log extends Outlet {
  add(message) {
    super.add(message);
    this.#trim();
  }

  finish(result) {
    super.finish(result);
    this.#trim();
  }

  #trim() {
    const { children } = this.node;
    while (children.length > LOGGED + 1) discard(children[1]);
    const text = wordsIn(this.node.lastElementChild);
    if (text?.length > 2 * LETTERS) text.deleteData(0, text.length - LETTERS);
  }
}

/** The place of a cell's output: the book's at first, then the reader's. */
export class Outputs {
  /** @param {HTMLElement} cell the `div.cell` of a built page */
  constructor(cell) {
    this.cell = cell;
    this.own = this.outlet = this.log = null;
  }

  /** Resolved when all widgets are drawn. */
  get drawn() {
    return this.outlet?.drawn;
  }

  /** Whether the reader's output is there. */
  get isOwn() {
    return this.own !== null && !this.own.hidden;
  }

  /** Make room for the output of a run. */
  clear() {
    this.own ??= this.#makeOwn();
    this.outlet ??= new Outlet(this.own, note("Your output"));
    this.#empty();
    this.outlet.head.textContent = "Your output";
    this.own.hidden = false;
    this.#showBuilt(false);
  }

  /** Bring back the output that the book has. */
  restore() {
    if (!this.own) return;
    this.#empty();
    this.own.hidden = true;
    this.#showBuilt(true);
  }

  /** Add one message of a run. */
  add(message) {
    this.outlet.add(message);
  }

  /** End a run: what was left out, what went wrong, what to do now. */
  finish(result) {
    this.outlet.finish(result);
    if (!this.outlet.isEmpty) return;
    const ended = result.stopped ? "was stopped before it printed anything" : "ran and printed nothing";
    this.outlet.head.textContent = `Your code ${ended}`;
  }

  /** Show what a widget's function shows, or how it ended: { output } or { result }; return whether there is a place for it. */
  showCall({ output = null, result = null }) {
    if (!this.isOwn) return false;
    if (!output && !result.dropped && !result.unshown && !result.advice && (!result.error || result.stopped)) return true;
    this.log ??= new Log(this.own.appendChild(element("div", { className: "book-log", role: "log" })), note("From your widgets"));
    if (output) this.log.add(output);
    else this.log.finish(result);
    return true;
  }

  /** Remove what a run and its widgets have shown. */
  #empty() {
    this.outlet.empty();
    this.log = null;
  }

  /** Make a place for the reader's output: above the caption of a figure, or where the book's output is. */
  #makeOwn() {
    const output =
      this.cell.querySelector(".cell_output") ?? this.cell.appendChild(element("div", { className: "cell_output docutils container" }));
    const host = output.querySelector("figure") ?? output;
    this.built = [...host.children].filter((child) => child.tagName !== "FIGCAPTION");
    const own = element("div", { className: "book-own", role: "group", "aria-label": "Your output" });
    host.prepend(own);
    return own;
  }

  #showBuilt(shown) {
    this.built.forEach((child) => child.classList.toggle("book-put-away", !shown));
  }
}

/** @returns {Text | null} the text that an element ends in */
function wordsIn(element) {
  const last = element?.lastChild;
  return last instanceof Text ? last : null;
}

/** Draw the widget that belongs in an element, if one does; the element keeps its view, for widgets.js has its own copy of this module. */
async function showWidget(place) {
  if (place.dataset.model) place.view = await window.bookWidgets.show(place.dataset.model, place);
}

/** Replace what was displayed under a name, wherever that is. */
function replaceShown(name, bundle) {
  for (const old of document.querySelectorAll(`[data-display="${CSS.escape(name)}"]`)) {
    const node = draw(bundle);
    node.dataset.display = name;
    old.after(node);
    discard(old);
    showWidget(node);
  }
}

/** Remove an element, and end the widgets in it, the inner ones first. */
function discard(node) {
  [...node.querySelectorAll("[data-model]")].reverse().forEach(endView);
  endView(node);
  node.remove();
}

function endView(place) {
  try {
    place.view?.remove();
  } catch {
    // the box that contained it was removed first
  }
}

/** Draw a bundle { type: data } by the best kind that it offers. */
function draw(bundle) {
  if (bundle["text/html"] === "") return element("div"); // an empty string clears a display
  const kind = bestOf(bundle);
  return kind ? KINDS[kind](bundle[kind], bundle[SIZE]) : printed("book-value", Object.values(bundle).map(textOf).join("\n"));
}

/** The verdict of a checker, in words and also in colour. */
function verdict({ status, message }) {
  const word = textOf(status);
  const heading = element("strong", { textContent: `${word.charAt(0).toUpperCase()}${word.slice(1)}:` });
  const className = `book-verdict book-verdict-${STATUSES[status] ?? "wrong"}`;
  return element("p", { className }, heading, ` ${textOf(message)}`);
}

/** A figure of plotly, where the page has the script that draws it; else a sentence. */
function plot({ data = [], layout = {} }) {
  const { Plotly } = /** @type {any} */ (window);
  if (!Plotly)
    return printed("book-value", `A plotly figure, data: ${data.length}. This page does not load plotly.js, which would draw it.`);
  const node = element("div");
  requestAnimationFrame(() => Plotly.newPlot(node, data, layout));
  return node;
}

/** A place for a widget that the code made. */
function widget({ model_id }) {
  return element("div", { className: "book-widget", "data-model": textOf(model_id) });
}

/** Return a function that draws a picture of this format from its bytes in base 64. */
function picture(format) {
  return (data, size) => image(`data:image/${format};base64,${textOf(data).replace(/[^A-Za-z0-9+/=]/g, "")}`, size);
}

/** A picture, in its own size or in the one that the code gives it; it becomes smaller where the page is narrow. */
function image(src, { width = null, height = null } = {}) {
  const node = element("img", { className: "book-drawing", alt: "Figure drawn by your code", src });
  if (width) node.style.width = `${width}px`;
  if (width && height) node.style.aspectRatio = `${width} / ${height}`;
  else if (height) node.style.height = `${height}px`;
  return node;
}

/** HTML in its own iframe: no scripts, no origin, no requests. Its height is a guess. */
function iframe(data) {
  const html = textOf(data);
  const body = safeBody(html);
  if (/<script/i.test(html) && isEmpty(body)) return printed("book-value", "This output is drawn by a script, which a page does not run.");
  const node = element("iframe", { className: "book-frame", title: "Your output", srcdoc: IFRAME_HEAD + body.innerHTML });
  node.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox"); // links open a new tab
  node.style.height = `${Math.min(MOST, Math.max(LEAST, LINE * (1 + linesOf(body))))}px`;
  return node;
}

/** Whether HTML shows nothing: boxes and styles at most. */
function isEmpty(body) {
  const shown = body.cloneNode(true);
  shown.querySelectorAll("style").forEach((style) => style.remove());
  return !shown.textContent.trim() && !shown.querySelector(":not(div, span)");
}

/** Text with its formulas, as the page's own; what is wider than the page scrolls. */
function text(data) {
  const made = element("div", { className: "book-text" });
  made.append(...document.importNode(plainBody(textOf(data)), true).childNodes);
  made.querySelectorAll("pre, table").forEach((each) => each.setAttribute("tabindex", "0"));
  setFormulas(made);
  return made;
}

/** About how many lines HTML takes. */
function linesOf(body) {
  const blocks = body.querySelectorAll("tr, p, li, br, h1, h2, h3, h4, hr, dt, dd, summary").length;
  const breaks = [...body.querySelectorAll("pre")].reduce((sum, pre) => sum + pre.textContent.split("\n").length, 0);
  return blocks + breaks + 1;
}

/** Text in a fixed-width font; it may scroll, so it can take the focus. */
function printed(className, text) {
  const node = element("pre", { className, tabIndex: 0 });
  node.append(document.createTextNode(asOnTerminal(text)));
  return node;
}

/** Append printed text: a leading carriage return overwrites the last line. */
function goOn(node, text) {
  const isOpen = node.length > 0 && node.substringData(node.length - 1, 1) === "\r";
  if (!isOpen && !CONTROLS.test(text)) return node.appendData(text);
  const start = node.data.lastIndexOf("\n") + 1;
  return node.replaceData(start, node.length - start, asOnTerminal(node.data.slice(start) + text));
}

/** Text as a terminal shows it, without colours. */
function asOnTerminal(text) {
  if (!CONTROLS.test(text)) return text;
  return text.replace(COLOURS, "").replace(/\r+\n/g, "\n").split("\n").map(overwritten).join("\n");
}

/** A line of a terminal: each part after a carriage return is written over the part before. */
function overwritten(line) {
  const parts = line.split("\r").map(withoutTakenBack);
  const isOpen = parts.length > 1 && parts.at(-1) === "" ? "\r" : ""; // the next text is written over it
  return parts.reduce((shown, part) => part + shown.slice(part.length)) + isOpen;
}

/** A backspace deletes the character before it. */
function withoutTakenBack(text) {
  if (!text.includes("\b")) return text;
  const kept = [];
  for (const letter of text) letter === "\b" ? kept.pop() : kept.push(letter);
  return kept.join("");
}

function note(textContent) {
  return element("p", { className: "book-own-mark", textContent });
}
