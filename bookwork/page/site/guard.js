/**
 * Watches whether a page's other files arrive. It is part of the page itself, before all of them: the text
 * is complete without them, and where one that the build knew is missing a sentence says so and offers to reload.
 * What a page loads from other hosts, a policy or a browser may block, and a reload would not help. It also sees
 * to it that the first thing painted is what stays: in the reader's light, and in the fonts of the book. A browser that is
 * too old, or that stores nothing, is told so in a sentence; what the theme stores then lasts as long as the page.
 */
import { isOutdated, watchBuild } from "./build.js";
import { element } from "./element.js";
import { notify, withdraw } from "./notice.js";
import { whenParsed } from "./ready.js";
import { FORGETS } from "./store.js";
import { FONTS } from "./this-book.js";

const MISSING = "A part of this page did not load, so something here does not work. Reload it to try again: what you wrote is kept.";
const TOO_OLD =
  "This browser is too old for the figures and cells of this book, which need Chrome or Edge 111, Firefox 115 or Safari 16.4 (all of 2023), or a newer one. The whole text is here.";
const PATIENCE = 8_000; // milliseconds after which a missing file is reported
const LOOKS = 4_000; // milliseconds that the text waits for a style sheet
const SCRIPT = /^$|module|javascript/; // types of script elements that hold no data
const STAND_IN = {
  getItem(key) {
    return Object.prototype.hasOwnProperty.call(this, key) ? this[key] : null;
  },
  setItem(key, text) {
    this[key] = String(text);
  },
  removeItem(key) {
    delete this[key];
  },
};
const arrived = new WeakSet(); // elements whose files have arrived
const damaged = new WeakSet(); // elements whose files are something else
const COMMENT = /\/\*[^]*?\*\//g; // in a style sheet

/** The elements whose files have not arrived; whoever asks for a file by addScript reports it. */
function missing() {
  const scripts = [...document.scripts].filter(({ src, type, dataset }) => src && SCRIPT.test(type) && !("asked" in dataset));
  return [...scripts, ...sheets()].filter((element) => isKnown(element) && !arrived.has(element) && !hasRules(element));
}

/** Whether a style sheet is there: it counts as failed if another is not that it imports, from another host perhaps. */
function hasRules(element) {
  try {
    return element.sheet?.cssRules.length > 0;
  } catch {
    return false; // from disk they cannot be read
  }
}

/** Whether the build knew a file: then its address names what it holds (sphinx/loading.py). */
function isKnown(element) {
  const { host, search } = new URL(element.src || element.href, document.baseURI);
  return host === location.host && search.startsWith("?v=");
}

/** @returns {HTMLLinkElement[]} */
function sheets() {
  return [...document.querySelectorAll('link[rel="stylesheet"]')].map((link) => /** @type {HTMLLinkElement} */ (link));
}

/** Say that files are missing, unless the whole page is of an earlier build. */
async function tell() {
  if (isTooOld() || !missing().length || (await isOutdated()) || !missing().length) return; // they may have arrived meanwhile
  notify(MISSING, { label: "Reload", act: () => location.reload() });
}

/** Whether the browser lacks what Firefox has since 115 and Chromium since 110, Safari since 16.4, or Chromium since 111. */
function isTooOld() {
  return !("toSorted" in []) || !("DecompressionStream" in window) || !CSS.supports("color", "color-mix(in srgb, red, red)");
}

/** A file that fails, or a script that is cut or something else. */
addEventListener(
  "error",
  ({ target, filename, error }) => {
    const script = error?.name === "SyntaxError" && [...document.scripts].find(({ src }) => src === filename);
    if (script) damaged.add(script);
    if (missing().some((element) => element === (script || target))) whenParsed(tell);
  },
  true,
);

/** A file that arrives, maybe after all; the window does not hear of it. */
document.addEventListener(
  "load",
  async ({ target }) => {
    const link = /** @type {HTMLLinkElement} */ (target);
    if (await lacksRules(link).catch(() => false)) damaged.add(link); // from disk its rules cannot be read
    if (damaged.has(link)) return tell();
    arrived.add(link);
    if (!missing().length) withdraw(MISSING);
  },
  true,
);

/** Whether a style sheet has no rules although its file is not empty: a network may have sent a page to log in on. */
async function lacksRules({ sheet }) {
  if (!sheet || sheet.cssRules.length) return false;
  const answer = await fetch(sheet.href);
  return (await answer.text()).replace(COMMENT, "").trim() !== "";
}

setTimeout(tell, PATIENCE);

/** Show the text without the style sheets that have not arrived; they are applied when they do. */
setTimeout(() => {
  for (const link of sheets().filter(({ sheet }) => !sheet)) {
    const patient = /** @type {HTMLLinkElement} */ (link.cloneNode());
    patient.media = "not all";
    patient.onload = () => (patient.media = link.media);
    link.replaceWith(patient);
  }
}, LOOKS);

/** The theme says "auto" until its own script comes, which is neither light nor dark. */
const root = document.documentElement;
new MutationObserver(() => {
  if (root.dataset.theme === "auto") root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}).observe(root, { attributeFilter: ["data-theme"] });

/** Lines that are set in another font first move when theirs arrives, so it is asked for at once; from disk that is forbidden. */
if (location.protocol !== "file:")
  for (const href of FONTS)
    document.head.append(element("link", { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href }));

/** Where a browser refuses to store anything the theme's scripts would fail. */
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("");
  } catch {
    Object.defineProperty(window, name, { value: Object.create(STAND_IN) });
    whenParsed(() => notify(FORGETS));
  }
}

if (isTooOld()) whenParsed(() => notify(TOO_OLD));
watchBuild();
