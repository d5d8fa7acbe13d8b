/**
 * What watches over a page's other files. It stands in the page itself, before any of them: the text is
 * whole without them, and this says what is missing and offers to fetch it again.
 */
import { isOutdated, watchBuild } from "./build.js";
import { notify, withdraw } from "./notice.js";
import { whenParsed } from "./ready.js";

const PATIENCE = 8_000; // milliseconds after which a file that has not come is told of
const LOOKS = 4_000; // milliseconds for which the text waits for a style sheet

/** What the reader misses without a file: the first that fits. */
const LOSSES = [
  {
    file: /\/book\/book\.js/,
    loss: "Figures do not move and code does not run: the book's script has not arrived.",
    isThere: () => window.bookCells,
  },
  {
    file: /\/mathjax/,
    loss: "Formulas are shown as they were typed: the script that sets them has not arrived.",
    isThere: () => window.MathJax?.startup?.promise,
  },
  { file: /\/search-index/, loss: "" }, // web/search.js says it
  {
    file: /\/book\/search\.js/,
    loss: "The search does not work: its script has not arrived.",
    isThere: () => window.bookSearch || !document.querySelector(".book-search"),
  },
  { file: /\.css/, loss: "The page looks plain: a style sheet has not arrived." },
  { file: /\.js/, loss: "Some buttons of the page do nothing: a script has not arrived." },
];
let attempts = 0;

/** Say what is lost with an element's file, unless the whole page is of an earlier build. */
async function tell(element, loss, isThere = () => false) {
  if ((await isOutdated()) || isThere()) return; // it may have come meanwhile
  notify(loss, { label: "Try again", act: () => retry(element, loss) });
}

/** Fetch a file again, by an address that no cache knows. */
function retry(element, loss) {
  withdraw(loss);
  const fresh = document.createElement(element.localName);
  for (const { name, value } of element.attributes) fresh.setAttribute(name, value);
  const name = element.src ? "src" : "href";
  const address = new URL(element[name]);
  address.searchParams.set("again", String(++attempts));
  fresh[name] = address.href;
  if (/\/mathjax/.test(address.href)) window.MathJax = window.MathJax.config ?? window.MathJax; // it starts from its settings
  element.replaceWith(fresh);
}

function lossOf(element) {
  const address = element.src ?? element.href ?? "";
  return LOSSES.find(({ file }) => file.test(address));
}

function isOurs(element) {
  return element instanceof HTMLScriptElement || element?.rel === "stylesheet";
}

/** MathJax waits for no other script if it comes when the page is parsed. */
whenParsed(() => {
  const href = document.getElementById("book-mathjax")?.getAttribute("href");
  if (href) document.head.append(Object.assign(document.createElement("script"), { src: href }));
});

/** A file that fails. */
addEventListener(
  "error",
  ({ target }) => {
    const lost = isOurs(target) && lossOf(target);
    if (lost?.loss) whenParsed(() => tell(startOf(target), lost.loss));
  },
  true,
);

/** MathJax loads its parts itself, and must be started anew when one of them is missing. */
function startOf(element) {
  return (/\/mathjax/.test(element.src) && document.querySelector('script[src*="/startup.js"]')) || element;
}

/** A file that comes after all. */
addEventListener("load", ({ target }) => isOurs(target) && lossOf(target) && withdraw(lossOf(target).loss), true);

/** Let the text appear without the style sheets that have not come; they are applied when they do. */
setTimeout(() => {
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[rel="stylesheet"]'))) {
    if (link.sheet) continue;
    const patient = /** @type {HTMLLinkElement} */ (link.cloneNode());
    patient.media = "not all";
    patient.onload = () => (patient.media = link.media);
    link.replaceWith(patient);
  }
}, LOOKS);

/** A file that neither comes nor fails. */
setTimeout(() => {
  for (const { file, loss, isThere } of LOSSES) {
    const script = isThere && !isThere() && [...document.scripts].find(({ src }) => file.test(src));
    if (script) whenParsed(() => tell(script, loss, isThere));
  }
}, PATIENCE);

watchBuild();
