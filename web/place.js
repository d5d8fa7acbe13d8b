/**
 * Where the reader was: kept when a chapter is left, offered on the first page of the book.
 *
 * Only the path below the book's root is kept and only such a path is linked to, whatever stands in the
 * browser's storage.
 */
import { element } from "./element.js";
import { PLACE, read, remove, write } from "./store.js";

const PATH = /^[\w./-]{1,200}\.html(#[\w.-]{0,100})?$/;

const root = () => new URL(document.documentElement.dataset.content_root ?? "./", location.href);

/** The words of a heading, without the link to it. */
function wordsOf(heading) {
  const parts = [...(heading?.childNodes ?? [])].filter((part) => !part.classList?.contains("headerlink"));
  return parts
    .map((part) => part.textContent)
    .join("")
    .trim();
}

/** The last heading that the reader has scrolled past. */
function headingHere() {
  const headings = [...document.querySelectorAll(".bd-article section[id] > :is(h2, h3)")];
  return headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 2) ?? null;
}

/** Keep where the reader is; the top of a page that was only opened is no place to come back to. */
function keepPlace() {
  const heading = headingHere();
  if (!heading || scrollY < innerHeight / 2) return;
  const path = location.href.split("#")[0].slice(root().href.length);
  const words = [document.querySelector(".bd-article h1"), heading].map(wordsOf);
  write(PLACE, JSON.stringify({ path: `${path}#${heading.closest("section").id}`, words }));
}

/** Offer to go on, below the title of the first page and the line that belongs to it. */
function offerPlace() {
  const { path, words } = readPlace();
  const isPath = typeof path === "string" && PATH.test(path) && !path.includes("..");
  if (!isPath || !Array.isArray(words)) return;
  const link = element("a", { href: new URL(path, root()).href, textContent: words.map(String).join(" › ").slice(0, 200) });
  const forget = element("button", { type: "button", textContent: "Forget" });
  const line = element("p", { className: "exercise-line book-continue" }, "Continue where you were: ", link, forget);
  forget.onclick = () => {
    remove(PLACE);
    line.remove();
  };
  document.querySelector(".bd-article h1 + p")?.after(line);
}

function readPlace() {
  try {
    return JSON.parse(read(PLACE)) ?? {};
  } catch {
    return {}; // not ours
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const isFirst = document.querySelector(".navbar-brand")?.getAttribute("href") === "#";
  if (isFirst) offerPlace();
  else addEventListener("pagehide", keepPlace);
  document.addEventListener("book:forgotten", () => removeEventListener("pagehide", keepPlace));
});
