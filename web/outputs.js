/**
 * What the reader's code printed, returned or drew, shown in place of what the book has there.
 *
 * Whatever comes from code is shown as text, as an image, or in a frame without scripts and without
 * the page's origin; it is never parsed into the page itself. The book's own output is hidden, not
 * removed, so that it can come back.
 */
import { element } from "./element.js";
import { TYPES, textOf } from "./limits.js";
import { safeBody } from "./safe-html.js";

const VERDICTS = {
  "not started": "idle",
  "wrong shape": "wrong",
  "known mistake": "wrong",
  "not yet": "wrong",
  correct: "right",
};
const FRAME_HEAD =
  "<!doctype html><meta charset=utf-8>" +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">` +
  "<style>body { margin: 0.5rem; font: 15px/1.5 system-ui, sans-serif; color: #1c2430; background: #ffffff }" +
  " table { border-collapse: collapse } th, td { padding: 0.15rem 0.6rem; text-align: right }" +
  " tr { border-bottom: 1px solid #d5dbe4 }</style>";
const [LINE, LEAST, MOST] = [26, 60, 480]; // heights in pixels: of a line, of a frame

/** How each kind of content is drawn; each takes data, returns an element. */
const KINDS = {
  "application/vnd.book.verdict+json": verdict,
  "application/vnd.jupyter.widget-view+json": widget,
  "image/svg+xml": (data) => image(`data:image/svg+xml,${encodeURIComponent(textOf(data))}`),
  "image/png": (data) => image(`data:image/png;base64,${textOf(data).replace(/[^A-Za-z0-9+/=]/g, "")}`),
  "text/html": frame,
  "text/plain": (data) => printed("book-value", textOf(data)),
};

/** The place of a cell's output: the book's at first, then the reader's. */
export class Outputs {
  /** @param {HTMLElement} cell the `div.cell` of a built page */
  constructor(cell) {
    this.cell = cell;
    this.own = null;
    this.views = []; // of widgets
    this.drawn = Promise.resolve(); // kept when all of them are drawn
  }

  /** Whether the reader's output is there. */
  get isOwn() {
    return this.own !== null && !this.own.hidden;
  }

  /** Make room for the output of a run. */
  clear() {
    this.own ??= this.#makeOwn();
    this.#empty();
    this.own.append(note("Your output"));
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

  /** Add one message of a run: { kind, text } or { kind: "display", bundle }. */
  add({ kind, text, bundle }) {
    if (kind === "display") this.#draw(bundle);
    else if (kind === "stdout" || kind === "stderr") this.#print(`book-${kind}`, textOf(text));
  }

  /** End a run: what was left out, what went wrong, what to do now. */
  finish({ error, dropped, unshown, stopped, advice }) {
    if (dropped) this.own.append(note(`${dropped.toLocaleString("en")} more characters are not shown.`));
    if (unshown) this.own.append(note(`${unshown.toLocaleString("en")} more values and figures are not shown.`));
    if (error && !stopped) this.own.append(printed("book-error", error.traceback || `${error.type}: ${error.message}`));
    if (advice) this.own.append(element("p", { className: "book-advice", textContent: advice }));
    if (this.own.children.length === 1) this.own.firstChild.textContent = "Your code ran and printed nothing";
  }

  #draw(bundle) {
    const made = draw(bundle);
    this.own.append(made);
    if (made.dataset.model) this.drawn = Promise.all([this.drawn, this.#showWidget(made)]);
  }

  async #showWidget(place) {
    const view = await window.bookWidgets.show(place.dataset.model, place);
    if (view) this.views.push(view);
  }

  /** Remove what a run has shown, and end its widgets. */
  #empty() {
    this.views.splice(0).forEach((view) => view.remove());
    this.own.replaceChildren();
  }

  #print(name, text) {
    const last = this.own.lastElementChild;
    if (last?.classList.contains(name)) last.lastChild.appendData(text);
    else this.own.append(printed(name, text));
  }

  /** The reader's output stands above the caption of a figure, or where the book's output is. */
  #makeOwn() {
    const host = this.cell.querySelector(".cell_output figure, .cell_output:not(:has(figure))") ?? this.#makeOutput();
    this.built = [...host.children].filter((child) => child.tagName !== "FIGCAPTION");
    const own = element("div", { className: "book-own", role: "group", "aria-label": "Your output" });
    host.prepend(own);
    return own;
  }

  #makeOutput() {
    return this.cell.appendChild(element("div", { className: "cell_output docutils container" }));
  }

  #showBuilt(shown) {
    this.built.forEach((child) => child.classList.toggle("book-put-away", !shown));
  }
}

/** Draw a bundle { type: data } by the best kind that it offers. */
function draw(bundle) {
  const kind = TYPES.find((each) => bundle[each] !== undefined && bundle[each] !== null);
  return kind ? KINDS[kind](bundle[kind]) : printed("book-value", Object.values(bundle).map(textOf).join("\n"));
}

/** The verdict of a checker, in words and, besides, in colour. */
function verdict({ status, message }) {
  const word = textOf(status);
  const shout = element("strong", { textContent: `${word.charAt(0).toUpperCase()}${word.slice(1)}:` });
  const className = `book-verdict book-verdict-${VERDICTS[status] ?? "wrong"}`;
  return element("p", { className }, shout, ` ${textOf(message)}`);
}

/** A place for a widget that the code made. */
function widget({ model_id }) {
  return element("div", { className: "book-widget", "data-model": textOf(model_id) });
}

function image(src) {
  return element("img", { className: "book-drawing", alt: "Figure drawn by your code", src });
}

/** HTML in a frame of its own: no scripts, no origin, no requests. Its height is a guess. */
function frame(data) {
  const body = safeBody(textOf(data));
  const made = element("iframe", { className: "book-frame", title: "Your output", srcdoc: FRAME_HEAD + body.innerHTML });
  made.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox"); // links open a new tab
  made.style.height = `${Math.min(MOST, Math.max(LEAST, LINE * (1 + linesOf(body))))}px`;
  return made;
}

/** About how many lines HTML takes. */
function linesOf(body) {
  const blocks = body.querySelectorAll("tr, p, li, br, h1, h2, h3, h4, hr, dt, dd, summary").length;
  const breaks = [...body.querySelectorAll("pre")].reduce((sum, pre) => sum + pre.textContent.split("\n").length, 0);
  return blocks + breaks + 1;
}

/** Text in fixed pitch; a long one scrolls, so it takes the focus. */
function printed(className, textContent) {
  return element("pre", { className, textContent, tabIndex: 0 });
}

function note(textContent) {
  return element("p", { className: "book-own-mark", textContent });
}
