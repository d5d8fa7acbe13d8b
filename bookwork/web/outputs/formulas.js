/** Formulas and Markdown in readers' outputs, and formulas in the labels of figures; those of the book are set when it is built. */
import { addScript } from "../site/script.js";
import { MACROS } from "../site/this-book.js";
import { katex as FILE } from "book:addresses"; // see build.mjs

const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src; // this bundle; KaTeX is in the same folder
const SIGNS = [
  { left: "\\[", right: "\\]", display: true },
  { left: "\\(", right: "\\)", display: false },
  { left: "$$", right: "$$", display: true },
  { left: "$", right: "$", display: false },
];
const OPTIONS = {
  macros: JSON.parse(MACROS), // to which \newcommand in a formula adds
  globalGroup: true,
  strict: false,
  throwOnError: false,
  ignoredClasses: ["katex"],
  delimiters: SIGNS,
};
let loading = null; // promise that KaTeX is there

/** @returns {Promise<Window["bookKatex"]>} undefined, if it did not arrive */
async function load() {
  loading ??= addScript(new URL(FILE, SCRIPT)).catch(() => (loading = null)); // the next formula asks again
  await loading;
  return window.bookKatex;
}

/** Draw Markdown or TeX in an element, which has the text itself until then. */
export async function setText(element, text) {
  const html = (await load())?.render(text, OPTIONS);
  if (!html) return;
  element.innerHTML = html;
  element.querySelectorAll("pre, table").forEach((each) => each.setAttribute("tabindex", "0"));
  element.querySelectorAll("a").forEach((link) => Object.assign(link, { target: "_blank", rel: "noopener noreferrer" }));
}

/** Set the formulas of a label. */
async function setLabel(label) {
  if (SIGNS.some(({ left }) => label.textContent.includes(left))) (await load())?.setIn(label, OPTIONS);
}

document.addEventListener("book:drawn", ({ target }) => /** @type {Element} */ (target).querySelectorAll(".book-label").forEach(setLabel));
