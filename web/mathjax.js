import { breathe } from "./breathe.js";

const DOLLARS = /(?<!\\)\$\$([^$]+)\$\$|(?<!\\)\$([^$]+?)(?<!\\)\$/g; // $$formula$$ or $formula$, but not \$
const FORMULA = /\\\([^]*?\\\)|\\\[[^]*?\\\]|\\begin\{[^]*?\\end\{/g;
const MOST = 2_000; // characters of all formulas in a widget: more would take seconds
const TOO_LONG = "These formulas are shown as they were typed: together they are too long for the page.";
const CODE = "pre, code, textarea, mjx-container";

/**
 * ipywidgets 8 still typesets its labels through MathJax 2's queue; give MathJax 3 that one entry,
 * on its settings and, once it has loaded, on the object that replaces them.
 */
export function acceptOldCalls() {
  const { MathJax } = window;
  if (!MathJax || MathJax.Hub) return;
  MathJax.Hub = {
    Queue: ([, , element]) =>
      started()
        .then(breathe)
        .then(() => typeset(element)),
  };
  if (!MathJax.startup) onLoad(acceptOldCalls);
}

/** Typeset a widget's text. As in a notebook, $ delimits formulas there; in the text of the book it does not. */
function typeset(element) {
  if (sizeOfFormulas(element) > MOST) return element.append(note());
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (!node.parentElement.closest(CODE)) node.data = node.data.replace(DOLLARS, inBrackets);
  }
  return window.MathJax.typesetPromise([element]);
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
  const now = () => window.MathJax.startup?.promise;
  return now() ?? new Promise((resolve) => onLoad(() => now() && resolve(now())));
}

/** Call back after each script that loads. */
function onLoad(callback) {
  document.addEventListener("load", callback, true);
}
