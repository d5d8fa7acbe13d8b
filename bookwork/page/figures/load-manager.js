/** Brings ipywidgets' manager, which few readers need: widgets.js and its style sheet. */
import { element } from "../site/element.js";
import { addScript } from "../site/script.js";
import { manager as FILE, managerStyle as STYLE } from "book:addresses"; // see build.mjs

const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript);
let loading = null; // promise of the manager
let manager = null;

/** The manager, if it is there. */
export const loaded = () => manager;

/** @returns {Promise<any>} the one manager of the page */
export function loadManager() {
  loading ??= load().catch((error) => {
    loading = null; // the next one who needs it tries again
    throw error;
  });
  return loading;
}

async function load() {
  const late = Object.assign(new Error("what draws it did not arrive; check your connection"), { canRetry: true });
  await Promise.all([addStyle(), addScript(new URL(FILE, SCRIPT.src)).catch(() => Promise.reject(late))]);
  manager ??= window.bookManager.makeManager();
  return manager;
}

/** Add the style sheet; without it widgets look odd, and guard.js says that it is missing. */
function addStyle() {
  const href = new URL(STYLE, SCRIPT.src).href;
  return new Promise((resolve) => document.head.append(element("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve })));
}
