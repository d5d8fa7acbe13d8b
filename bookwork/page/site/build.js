/**
 * Is this page still the one that the site serves?
 *
 * Each page names its version in a meta element, `build.json` those of all pages (see bookwork/build/stamp_pages.py).
 * A page of an earlier build may request files that are gone, so code that misses a file checks this first.
 */
import { notify } from "./notice.js";
import { bookRoot } from "./ready.js";

const OUTDATED = "This page has been updated since you opened it. Your text and progress are kept.";
const CHANGING =
  "A file of this page is gone: the book has changed, or is just being built. Reload the page: your text and progress are kept.";
const SELDOM = 5 * 60_000; // milliseconds between two checks when the reader comes back to the page
const own = () => document.querySelector('meta[name="book-version"]')?.getAttribute("content");

/** Return whether the site has another version of this page; offer to reload if it has, or if the reason of a failure is that a file is gone. */
export async function isOutdated(reason = "") {
  if (location.protocol === "file:") return false; // where a page may not fetch
  const served = own() && (await servedVersion());
  const isNew = Boolean(served) && served !== own();
  if (isNew || isGone(reason)) notify(isNew ? OUTDATED : CHANGING, { label: "Reload", act: () => location.reload() });
  return isNew;
}

/** Whether a file did not come because the site no longer has it. */
const isGone = (reason) => reason.includes("responds with 404");

/** What to do about a file that did not come. */
export const adviceFor = (reason) => (isGone(reason) ? "The book may be changing just now: wait a moment" : "Check your connection");

/** Check now and then, when the reader comes back to the page. */
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
    return null; // no network, or a copy without the file: unknown
  }
}

/** `https://host/some/where/chapters/x.html` -> `chapters/x.html`. */
function pagePath() {
  const path = location.pathname.slice(bookRoot().pathname.length);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}
