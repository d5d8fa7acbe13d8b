/** Formulas in readers' outputs; those of the book are set when it is built. */
import { addScript } from "../site/script.js";
import { checkLink } from "./safe-html.js";
import { katex as FILE } from "book:addresses"; // see build.mjs

const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src; // this bundle; KaTeX is in the same folder
const MACROS = document.querySelector('meta[name="book-macros"]')?.getAttribute("content") ?? "{}";
const BRACKETS = [
  { left: "\\[", right: "\\]", display: true },
  { left: "\\(", right: "\\)", display: false },
];
const DOLLARS = [
  { left: "$$", right: "$$", display: true },
  { left: "$", right: "$", display: false },
];
const OPTIONS = {
  macros: JSON.parse(MACROS), // to which \newcommand in a formula adds
  globalGroup: true,
  strict: false,
  throwOnError: false,
  trust: ({ command }) => command === "\\href" || command === "\\url",
  ignoredClasses: ["katex", "mathjax_ignore"],
};
let loaded = null; // promise that KaTeX is there

/** Set the formulas of an element that stand in brackets. */
export async function setFormulas(element, delimiters = BRACKETS) {
  if (!delimiters.some(({ left }) => element.textContent.includes(left))) return;
  loaded ??= addScript(new URL(FILE, SCRIPT)).catch(() => (loaded = null)); // the next formula asks again
  await loaded;
  window.bookKatex?.setIn(element, { ...OPTIONS, delimiters });
  element.querySelectorAll(".katex a").forEach(checkLink);
}

/** Labels of widgets, whose formulas may stand in dollars, too: those of figures, and those that ipywidgets hands to MathJax 2 (see build.mjs). */
const setLabel = (element) => setFormulas(element, [...BRACKETS, ...DOLLARS]);
document.addEventListener("book:drawn", ({ target }) => /** @type {Element} */ (target).querySelectorAll(".book-label").forEach(setLabel));
window.bookMathJax = { Hub: { Queue: ([, , element]) => setLabel(element) } };
