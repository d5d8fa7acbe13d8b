/**
 * Where the reader was, in the house style: saved when the reader leaves a chapter, offered on the first page of the book.
 *
 * Only the path below the book's root is saved, and only such a path is linked to, whatever the
 * browser's storage contains.
 */
import { element } from "./element.js";
import { bookRoot, headingText } from "./ready.js";
import { PLACE, read, remove, write } from "./store.js";
import { FONTS } from "./this-book.js";

const PATH = /^[\w./-]{1,200}\.html(#[\w.-]{0,100})?$/;

/** The last heading that the reader has scrolled past. */
function headingHere() {
  const headings = [...document.querySelectorAll("article section[id] > :is(h2, h3)")];
  return headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 2) ?? null;
}

/** Save where the reader is, unless that is the top of a page. */
function keepPlace() {
  const heading = headingHere();
  if (!heading || scrollY < innerHeight / 2) return;
  const path = location.href.split("#")[0].slice(bookRoot().href.length);
  const words = [document.querySelector("article h1"), heading].map(headingText);
  write(PLACE, JSON.stringify({ path: `${path}#${heading.closest("section").id}`, words }));
}

/** Offer to continue, below the title of the first page and its subtitle. */
function offerPlace() {
  const { path, words } = readPlace();
  const isPath = typeof path === "string" && PATH.test(path) && !path.includes("..");
  if (!isPath || !Array.isArray(words)) return;
  const link = element("a", { href: new URL(path, bookRoot()).href, textContent: words.map(String).join(" › ").slice(0, 200) });
  const forget = element("button", { type: "button", textContent: "Forget" });
  const line = element("p", { className: "exercise-line book-continue" }, "Continue where you were: ", link, forget);
  forget.onclick = () => {
    remove(PLACE);
    line.remove();
  };
  document.querySelector("article h1 + p")?.after(line);
}

function readPlace() {
  try {
    return JSON.parse(read(PLACE)) ?? {};
  } catch {
    return {}; // not written by the book
  }
}

document.addEventListener("DOMContentLoaded", () => {
  if (!FONTS.length) return; // another style
  const isFirst = document.querySelector(".navbar-brand")?.getAttribute("href") === "#";
  if (isFirst) offerPlace();
  else addEventListener("pagehide", keepPlace);
  document.addEventListener("book:forgotten", () => removeEventListener("pagehide", keepPlace));
});
