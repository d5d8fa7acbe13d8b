/**
 * Watches whether a page's other files arrive. It is part of the page itself, before all of them: the text
 * is complete without them, and this script says what is missing and offers to fetch it again.
 */
import { isOutdated, watchBuild } from "./build.js";
import { notify, withdraw } from "./notice.js";
import { whenParsed } from "./ready.js";

const PATIENCE = 8_000; // milliseconds after which a missing file is reported
const COMMENT = /\/\*[^]*?\*\//g; // in a style sheet
const LOOKS = 4_000; // milliseconds that the text waits for a style sheet
const MATHJAX = /\/mathjax/;
const OTHER_SCRIPTS = /\.js/;

/** What does not work without a file; the first match counts. */
const LOSSES = [
  {
    file: /\/book\/book\.js/,
    loss: "Figures do not move and code does not run: the book's script has not arrived.",
    isThere: () => window.bookCells,
  },
  {
    file: MATHJAX,
    loss: "Formulas are shown as they were typed: the script that sets them has not arrived.",
    isThere: () => window.MathJax?.typesetPromise && !scriptsMissing(MATHJAX).length, // a formula may need one more part
    isDone: () => window.MathJax?.startup?.promise,
  },
  { file: /\/search-index/, loss: "" }, // bookwork/page/search/search.js reports it
  { file: /\/book\/editor\.js/, loss: "" }, // bookwork/page/cells/cell.js reports it
  { file: /\/book-frames\//, loss: "" }, // bookwork/page/figures/far-frames.js reports it
  {
    file: /\/book\/search\.js/,
    loss: "The search does not work: its script has not arrived.",
    isThere: () => window.bookSearch || !document.querySelector(".book-search"),
  },
  {
    file: /\.css/,
    loss: "The page looks plain: a style sheet has not arrived.",
    isThere: () => !lateSheets().length,
  },
  {
    file: OTHER_SCRIPTS,
    loss: "Some buttons on this page do nothing: a script has not arrived.",
    isThere: () => !scriptsMissing(OTHER_SCRIPTS).length,
  },
];
const loaded = new WeakSet(); // elements whose files have arrived
const damaged = new WeakSet(); // scripts that are none
let settings; // MathJax's, as the page gives them
let attempts = 0;

/** Say what does not work without an element's file, unless the whole page is of an earlier build. */
async function tell(element, loss, isThere = () => false) {
  if ((await isOutdated()) || isThere()) return; // it may have arrived meanwhile
  notify(loss, { label: "Try again", act: () => retry(element, loss) });
}

/** Fetch a file again, or all the scripts that are missing for the same reason. */
function retry(element, loss) {
  withdraw(loss);
  const same = lossOf(element).file === OTHER_SCRIPTS ? scriptsMissing(OTHER_SCRIPTS) : [];
  for (const each of new Set([...same, element])) fetchAgain(each);
  setTimeout(() => findLate(), PATIENCE);
}

/** Put an element in the place of another: the same, with an address that no cache has. */
function fetchAgain(element) {
  const fresh = document.createElement(element.localName);
  for (const { name, value } of element.attributes) fresh.setAttribute(name, value);
  const name = element.src ? "src" : "href";
  fresh[name] = anew(element[name], ++attempts);
  fresh.onload = element.onload;
  if (element.src) fresh.async = false; // scripts run in their order
  if (MATHJAX.test(fresh[name])) startMathJaxAnew();
  element.replaceWith(fresh);
}

function anew(address, attempt) {
  const fresh = new URL(address, document.baseURI);
  fresh.searchParams.set("again", String(attempt));
  return fresh.href;
}

/** Let MathJax start once more, without the parts that it still waits for. */
function startMathJaxAnew() {
  for (const part of scriptsMissing(MATHJAX)) if (part !== startOf(part)) part.remove();
  window.MathJax = settingsAnew(attempts);
}

/** The settings with which MathJax starts once more, and fetches all its parts again. */
function settingsAnew(attempt) {
  const again = copyOf(settings);
  const addressPart = (part) => {
    if (part.addExtension) part.name = anew(part.name, attempt); // others are folders
    return true;
  };
  again.loader = { ...again.loader, pathFilters: [...(again.loader?.pathFilters ?? []), [addressPart, 30]] };
  return again;
}

/** A copy of settings, at every depth: MathJax changes what it is given. */
function copyOf(value) {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value?.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]));
}

function lossOf(element) {
  return LOSSES.find(({ file }) => file.test(addressOf(element)));
}

function addressOf(element) {
  return element.src ?? element.href ?? "";
}

function isOurs(element) {
  return element instanceof HTMLScriptElement || element?.rel === "stylesheet";
}

/** Load MathJax once the page is parsed, so that it waits for no other script. */
whenParsed(() => {
  const href = document.getElementById("book-mathjax")?.getAttribute("href");
  if (!href) return;
  settings = copyOf(window.MathJax ?? {});
  document.head.append(Object.assign(document.createElement("script"), { src: href }));
  lookLater();
});

/** A file that fails, or a script that is cut or something else. */
addEventListener(
  "error",
  ({ target, filename, error }) => {
    const script = error?.name === "SyntaxError" && scriptAt(filename);
    if (script) damaged.add(script);
    lose(script || target);
  },
  true,
);

/** The script with an address that is about to be run for the first time: an error in it is no error of a reader's code. */
function scriptAt(address) {
  return [...document.scripts].find((script) => script.src === address && !loaded.has(script));
}

function lose(element, isThere) {
  const lost = isOurs(element) && lossOf(element);
  if (lost?.loss) whenParsed(() => tell(startOf(element), lost.loss, isThere));
}

/** MathJax loads its parts itself, and must be restarted when one of them is missing. */
function startOf(element) {
  return (MATHJAX.test(element.src) && document.querySelector('script[src*="/startup.js"]')) || element;
}

/** A file that arrives, maybe after all; the window does not hear of it. */
document.addEventListener(
  "load",
  async ({ target }) => {
    const lost = isOurs(target) && !damaged.has(target) && lossOf(target);
    if (!lost) return;
    loaded.add(target);
    if (lost.file === MATHJAX) lookLater(); // it may ask for more
    if (await lacksRules(/** @type {HTMLLinkElement} */ (target)).catch(() => false)) return lose(target); // from disk its rules cannot be read
    await lost.isDone?.();
    if (lost.isThere?.() ?? true) withdraw(lost.loss);
  },
  true,
);

/** Whether a style sheet has no rules although its file is not empty: a network may have sent a page to log in on. */
async function lacksRules({ sheet }) {
  if (!sheet || sheet.cssRules.length) return false;
  const answer = await fetch(sheet.href);
  return (await answer.text()).replace(COMMENT, "").trim() !== "";
}

/** Show the text without the style sheets that have not arrived; they are applied when they do. */
setTimeout(() => {
  for (const link of lateSheets()) {
    const patient = /** @type {HTMLLinkElement} */ (link.cloneNode());
    patient.dataset.media = link.media;
    patient.media = "not all";
    patient.onload = apply;
    link.replaceWith(patient);
  }
}, LOOKS);

function apply({ target }) {
  target.media = target.dataset.media;
}

function lateSheets() {
  const links = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[rel="stylesheet"]'));
  return [...links].filter(({ sheet }) => !sheet);
}

/** The book's scripts that have not arrived, of those with this loss; what a script element holds may also be data. */
function scriptsMissing(file) {
  const isMissing = (script) => /^$|module|javascript/.test(script.type) && !loaded.has(script);
  const ours = [...document.scripts].filter(({ src }) => src.startsWith(location.origin));
  return ours.filter((script) => isMissing(script) && lossOf(script)?.file === file);
}

/** See after a while whether MathJax is still waited for; what else is late has been told, and the reader may have closed it. */
function lookLater() {
  setTimeout(() => findLate(LOSSES.filter(({ file }) => file === MATHJAX)), PATIENCE);
}

/** Report the files that neither arrive nor fail. */
function findLate(losses = LOSSES) {
  const files = [...lateSheets(), ...document.scripts];
  for (const lost of losses) {
    const late = lost.isThere && !lost.isThere() && [...scriptsMissing(lost.file), ...files].find((element) => lossOf(element) === lost);
    if (late) lose(late, lost.isThere);
  }
}

setTimeout(() => findLate(), PATIENCE);

watchBuild();
