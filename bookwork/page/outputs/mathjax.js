import { breathe } from "../site/breathe.js";
import { weigh } from "./limits.js";
import { clean } from "./safe-html.js";

const DOLLARS = /(?<!\\)\$\$([^$]+)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$/g; // $$formula$$ or $formula$, but not \$
const FORMULA = /\\\(([^]*?)\\\)|\\\[([^]*?)\\\]|(\\begin\{(\w+\*?)\}[^]*?\\end\{\4\})/g;
const LABEL = /\\label\s*\{[^}]*\}/g;
const OPENING = /\\(?:[([]|begin\{)/g;
const MOST = { characters: 2_000, elements: 2_000, depth: 50 }; // of all formulas of an output: more take seconds, deeper ones end the page
const WORK = 2e7; // characters to read where each sign that begins a formula is followed to the end of the text
const SET = 10_000; // elements of formulas, set already, in the output of a cell
const DEFINITION = /\\(?:[egx]?def|let|(?:re)?new(?:command|environment)|providecommand|DeclareMathOperator|require)\b/;
const DEFINED = 300; // characters of a formula that defines macros
const MACROS = 200; // that a formula may use: each may write hundreds of characters
const TOO_MUCH = "These formulas are shown as they were typed: together they are too much for the page.";
const CODE = "pre, code, textarea, mjx-container";
let turn = Promise.resolve();
let start = null; // promise that MathJax has started

/**
 * ipywidgets 8 still typesets its labels through MathJax 2's queue; give MathJax 3 that one entry,
 * on its settings and, once it has loaded, on the object that replaces them.
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
  if (isOver(element)) return element.append(note());
  prepare(element);
  if (await isTooMuch(element)) return element.append(note());
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
  return Object.assign(document.createElement("p"), { className: "book-widget-note", textContent: TOO_MUCH });
}

/** Whether an element has more formulas, or signs that begin one, than the page can look for, or its cell has enough of them. */
function isOver(element) {
  const { textContent: text } = element;
  if ((text.match(OPENING)?.length ?? 0) * text.length > WORK) return true;
  const formulas = [FORMULA, DOLLARS].flatMap((kind) => [...text.matchAll(kind)]);
  const size = formulas.reduce((sum, [formula]) => sum + formula.length, 0);
  return size > MOST.characters || (size > 0 && setBeside(element) > SET);
}

/** How many elements the formulas have that are set in the output of the same cell. */
function setBeside(element) {
  return element.closest(".book-own")?.querySelectorAll("mjx-container *").length ?? 0;
}

/** Whether formulas become more, or more within each other, than a page can set: a few macros may write thousands. */
async function isTooMuch({ textContent }) {
  let left = MOST.elements;
  window.MathJax.startup.document.inputJax[0].parseOptions.options.maxMacro = MACROS;
  for (const [, inline, displayed, environment] of textContent.matchAll(FORMULA)) {
    const formula = (inline ?? displayed ?? environment).replace(LABEL, ""); // each label counts once only
    if ((DEFINITION.test(formula) && formula.length > DEFINED) || depthOf(formula) > MOST.depth) return true;
    const made = await window.MathJax.tex2mmlPromise(formula);
    if (made.includes("maximum macro substitution count")) return true;
    const { elements, depth } = weigh(made);
    left -= elements + placesIn(made);
    if (left < 0 || depth > MOST.depth) return true;
  }
  return false;
}

/** How deep the braces of a formula are nested: the time to read it grows with the square of that. */
function depthOf(formula) {
  let depth = 0;
  let deepest = 0;
  for (const sign of formula.replace(/\\[^]/g, "")) {
    if (sign === "{") deepest = Math.max(deepest, ++depth);
    else if (sign === "}") depth -= 1;
  }
  return deepest;
}

/** The places of a table, also of one whose rows are shorter than its first. */
function placesIn(made) {
  const [, ...rows] = made.split("<mtr");
  return rows.length * Math.max(0, ...rows.map((row) => row.split("<mtd").length - 1));
}

function inBrackets(_, displayed, inline) {
  return displayed ? `\\[${displayed}\\]` : `\\(${inline}\\)`;
}

/** Wait for MathJax, which the page may have to start more than once: see guard.js. */
function started() {
  start ??= new Promise((resolve) => {
    const look = () => window.MathJax?.startup?.promise?.then(resolve);
    look();
    onLoad(look);
  });
  return start;
}

/** Call back after each script that loads. */
function onLoad(callback) {
  document.addEventListener("load", callback, true);
}
