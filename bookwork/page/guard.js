/**
 * Watches whether a page's other files arrive. It is part of the page itself, before all of them: the text
 * is complete without them, and this script says what is missing and offers to fetch it again.
 */
import { isOutdated, watchBuild } from "./build.js";
import { notify, withdraw } from "./notice.js";
import { whenParsed } from "./ready.js";

const PATIENCE = 8_000; // milliseconds after which a missing file is reported
const LOOKS = 4_000; // milliseconds that the text waits for a style sheet

/** What does not work without a file; the first match counts. */
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
  { file: /\/search-index/, loss: "" }, // bookwork/page/search.js reports it
  { file: /\/book\/editor\.js/, loss: "" }, // bookwork/page/cell.js reports it
  {
    file: /\/book\/search\.js/,
    loss: "The search does not work: its script has not arrived.",
    isThere: () => window.bookSearch || !document.querySelector(".book-search"),
  },
  { file: /\.css/, loss: "The page looks plain: a style sheet has not arrived." },
  { file: /\.js/, loss: "Some buttons on this page do nothing: a script has not arrived." },
];
let attempts = 0;

/** Say what does not work without an element's file, unless the whole page is of an earlier build. */
async function tell(element, loss, isThere = () => false) {
  if ((await isOutdated()) || isThere()) return; // it may have arrived meanwhile
  notify(loss, { label: "Try again", act: () => retry(element, loss) });
}

/** Fetch a file again, with an address that no cache has. */
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

/** Load MathJax once the page is parsed, so that it waits for no other script. */
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

/** MathJax loads its parts itself, and must be restarted when one of them is missing. */
function startOf(element) {
  return (/\/mathjax/.test(element.src) && document.querySelector('script[src*="/startup.js"]')) || element;
}

/** A file that arrives after all. */
addEventListener("load", ({ target }) => isOurs(target) && lossOf(target) && withdraw(lossOf(target).loss), true);

/** Show the text without the style sheets that have not arrived; they are applied when they do. */
setTimeout(() => {
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[rel="stylesheet"]'))) {
    if (link.sheet) continue;
    const patient = /** @type {HTMLLinkElement} */ (link.cloneNode());
    patient.media = "not all";
    patient.onload = () => (patient.media = link.media);
    link.replaceWith(patient);
  }
}, LOOKS);

/** A file that neither arrives nor fails. */
setTimeout(() => {
  for (const { file, loss, isThere } of LOSSES) {
    const script = isThere && !isThere() && [...document.scripts].find(({ src }) => file.test(src));
    if (script) whenParsed(() => tell(script, loss, isThere));
  }
}, PATIENCE);

watchBuild();
