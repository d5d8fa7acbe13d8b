/**
 * Part of the page itself, before all its other scripts: sees to it that what is painted first is what stays, in the reader's light
 * and the book's fonts, and says in a sentence if a file of the page does not load, or if the browser is too old or stores nothing.
 */
import { element } from "./element.js";
import { notify } from "./notice.js";
import { FONTS } from "./this-book.js";

const MISSING = "A part of this page did not load: reload. Your text is kept.";
const TOO_OLD =
  "This browser is too old for the figures and cells of this book, which need Chrome or Edge 111, Firefox 115 or Safari 16.4 (all of 2023), or a newer one. The whole text is here.";
const FORGETS = "This browser stores nothing for the book, so what you do here is lost when you leave the page.";

/** Notify once there is a place for it, even if scripts are still loading. */
function tell(sentence) {
  if (document.readyState !== "loading") notify(sentence);
  else document.addEventListener("readystatechange", () => notify(sentence), { once: true });
}

/** What the build knew has a digest in its address; who adds a script later says what its lack means (script.js). */
const PART = /^(?!\w*:?\/\/)[^?]*\?(v|digest)=/;
function watch({ target }) {
  const address = target.getAttribute?.("src") ?? target.getAttribute?.("href");
  if (PART.test(address) && !target.hasAttribute("data-added")) tell(MISSING);
}
addEventListener("error", watch, true);

/** What Firefox has since 115 and Chromium since 110, Safari since 16.4, and Chromium since 111. */
const isNew = "toSorted" in [] && "DecompressionStream" in window && CSS.supports("color", "color-mix(in srgb, red, red)");
if (!isNew) tell(TOO_OLD);

/** The theme says "auto" until its own script comes, which is neither light nor dark. */
const root = document.documentElement;
new MutationObserver(() => {
  if (root.dataset.theme === "auto") root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}).observe(root, { attributeFilter: ["data-theme"] });

/** Lines that are set in another font first move when theirs arrives, so it is asked for at once; from disk that is forbidden. */
if (location.protocol !== "file:")
  for (const href of FONTS)
    document.head.append(element("link", { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href }));

/** Where a browser refuses to store anything the theme's scripts would fail: what they store lasts as long as the page. */
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("");
  } catch {
    const value = {
      getItem: (key) => value[key] ?? null,
      setItem: (key, text) => (value[key] = `${text}`),
      removeItem: (key) => delete value[key],
    };
    Object.defineProperty(window, name, { value });
    tell(FORGETS);
  }
}
