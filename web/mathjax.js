import { breathe } from "./breathe.js";
import { clean } from "./safe-html.js";

const DOLLARS = /(?<!\\)\$\$([^$]+)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$/g; // $$formula$$ or $formula$, but not \$
const FORMULA = /\\\([^]*?\\\)|\\\[[^]*?\\\]|\\begin\{[^]*?\\end\{/g;
const MOST = 2_000; // characters of all formulas of a widget: more would take seconds
const TOO_LONG = "These formulas are shown as they were typed: together they are too long for the page.";
const CODE = "pre, code, textarea, mjx-container";
let turn = Promise.resolve();

/**
 * ipywidgets 8 still typesets its labels through MathJax 2's queue; give MathJax 3 that one entry,
 * on its settings and, when it has come, on what it puts in their place.
 */
export function acceptOldCalls() {
  const { MathJax } = window;
  if (!MathJax || MathJax.Hub) return;
  MathJax.Hub = { Queue: ([, , element]) => typesetSoon(element, withBrackets) };
  if (!MathJax.startup) onLoad(acceptOldCalls);
}

/** Typeset the formulas of an element once the page has time for it, one element after another. */
export function typesetSoon(element, prepare = () => {}) {
  turn = turn.then(() => typeset(element, prepare)).catch(console.error);
  return turn;
}

async function typeset(element, prepare) {
  await started();
  await breathe();
  if (sizeOfFormulas(element) > MOST) return element.append(note());
  prepare(element);
  await window.MathJax.typesetPromise([element]);
  element.querySelectorAll("mjx-container a").forEach(clean); // TeX knows links, too
}

/** Put formulas into brackets: in a notebook $ stands around them, too; in the text of the book it does not. */
function withBrackets(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (!node.parentElement.closest(CODE)) node.data = node.data.replace(DOLLARS, inBrackets);
  }
}

function note() {
  return Object.assign(document.createElement("p"), { className: "book-widget-note", textContent: TOO_LONG });
}

function sizeOfFormulas({ textContent }) {
  const formulas = [FORMULA, DOLLARS].flatMap((kind) => [...textContent.matchAll(kind)]);
  return formulas.reduce((sum, [formula]) => sum + formula.length, 0);
}

function inBrackets(_, displayed, inline) {
  return displayed ? `\\[${displayed}\\]` : `\\(${inline}\\)`;
}

function started() {
  const now = () => window.MathJax?.startup?.promise;
  return now() ?? new Promise((resolve) => onLoad(() => now() && resolve(now())));
}

/** Call back after each script that comes. */
function onLoad(callback) {
  document.addEventListener("load", callback, true);
}
