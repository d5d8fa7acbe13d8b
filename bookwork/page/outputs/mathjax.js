import { breathe } from "../site/breathe.js";
import { checkLink } from "./safe-html.js";

const DOLLARS = /(?<!\\)\$\$([^$]+)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$/g; // $$formula$$ or $formula$, but not \$
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
  prepare(element);
  await window.MathJax.typesetPromise([element]);
  element.querySelectorAll("mjx-container a").forEach(checkLink);
}

/** Put formulas into brackets: in a notebook $ stands around them, too; in the text of the book it does not. */
function withBrackets(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (!node.parentElement.closest(CODE)) node.data = node.data.replace(DOLLARS, inBrackets);
  }
}

function inBrackets(_, displayed, inline) {
  return displayed ? `\\[${displayed}\\]` : `\\(${inline}\\)`;
}

/** Wait for MathJax. */
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
