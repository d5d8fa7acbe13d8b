/**
 * Highlights the words of a search in the page that a result links to.
 *
 * The search page passes them on as `?highlight=`; they are marked in the section that the address
 * names, or in the whole page. Escape or the button removes the marks. Code, formulas and
 * figures are skipped, because other scripts write there.
 */
import "../site/site.css";

import { element } from "../site/element.js";
import { keywordsOf, places } from "./ranking.js";
import { decoded } from "../site/ready.js";

const SKIPPED = "pre, script, style, button, .math, .katex, .cell_output, .cm-editor, .headerlink, svg";
const MOST_MARKS = 500;

const query = new URLSearchParams(location.search).get("highlight");
const article = document.querySelector("article.bd-article");
if (query && article && !document.querySelector(".book-search")) begin(keywordsOf(query));

function begin(keywords) {
  const marks = mark(sectionOf(location.hash), keywords);
  forgetQuery();
  if (!marks.length) return;
  unfold(marks[0]);
  scrollTo(marks[0]);
  offerToHide(marks);
}

/** Return the element that an address names, or the whole article; for a term, its definition. */
function sectionOf(hash) {
  const target = document.getElementById(decoded(hash.slice(1)));
  const entry = target?.closest("dt")?.nextElementSibling ?? target;
  return article.contains(entry) && entry.textContent.trim() ? entry : article;
}

function mark(place, keywords) {
  const marks = [];
  for (const node of textsIn(place)) {
    for (const { start, end } of places(node.data, keywords).reverse()) {
      if (marks.length === MOST_MARKS) return marks;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      const highlight = element("mark", { className: "book-found" });
      range.surroundContents(highlight);
      marks.push(highlight);
    }
  }
  return marks.sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

function textsIn(place) {
  const texts = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest(SKIPPED)) texts.push(walker.currentNode);
  }
  return texts;
}

/** Remove the words from the address bar, so that a link copied from there does not have them. */
function forgetQuery() {
  const address = new URL(location.href);
  address.searchParams.delete("highlight");
  history.replaceState(history.state, "", address);
}

function unfold(mark) {
  for (let fold = mark.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

/** Scroll to the first mark, and again when figures above it have been laid out. */
function scrollTo(mark) {
  const scroll = () => mark.isConnected && mark.scrollIntoView({ block: "center" });
  const moved = ["wheel", "touchmove", "keydown", "pointerdown"];
  const stop = new AbortController();
  for (const name of moved) addEventListener(name, () => stop.abort(), { signal: stop.signal, passive: true });
  scroll();
  Promise.resolve(window.bookWidgets?.ready).then(() => stop.signal.aborted || (scroll(), stop.abort()));
}

function offerToHide(marks) {
  const button = element("button", { type: "button", className: "book-found-hide" }, "Hide search highlights");
  const hide = () => {
    marks.forEach((mark) => mark.replaceWith(...mark.childNodes));
    button.remove();
    removeEventListener("keydown", onKey);
  };
  const onKey = ({ key }) => key === "Escape" && hide();
  button.addEventListener("click", hide);
  addEventListener("keydown", onKey);
  document.body.append(button);
}
