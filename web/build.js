/**
 * Is this page still the one that the site serves?
 *
 * Each page names its version in a meta element, `build.json` those of all pages (see tools/stamp_pages.py).
 * A page of an earlier build may ask for files that are gone, so whoever misses one asks here first.
 */
import { notify } from "./notice.js";
import { bookRoot } from "./ready.js";

const OUTDATED = "This page has been updated since you opened it. Your text and progress are kept.";
const SELDOM = 5 * 60_000; // milliseconds between two looks when the reader comes back to the page
const own = () => document.querySelector('meta[name="book-version"]')?.getAttribute("content");

/** Tell whether the site has another version of this page, and if so offer to reload it. */
export async function isOutdated() {
  if (location.protocol === "file:") return false; // there a page may not ask
  const served = own() && (await servedVersion());
  if (!served || served === own()) return false;
  notify(OUTDATED, { label: "Reload", act: () => location.reload() });
  return true;
}

/** Look now and then, when the reader comes back to the page. */
export function watchBuild() {
  let looked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < SELDOM) return;
    looked = Date.now();
    isOutdated();
  });
}

async function servedVersion() {
  try {
    const answer = await fetch(new URL("build.json", bookRoot()), { cache: "no-store" });
    return (await answer.json())[pagePath()];
  } catch {
    return null; // no network, or a copy without the file: then nobody knows
  }
}

/** `https://host/some/where/chapters/x.html` -> `chapters/x.html`. */
function pagePath() {
  const path = location.pathname.slice(bookRoot().pathname.length);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}
