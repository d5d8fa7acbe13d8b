/** Marks the words that search.js passes on as `?highlight=`, in the section that a result leads to, until Escape or the button. */
import { button, element } from "../site/element.js";
import { keepInView, named } from "../site/way.js";
import { loadWords } from "./search.js";

const SKIPPED = "pre, script, style, button, .math, .katex, .cell_output, .cm-editor, .headerlink, svg"; // where others write

const address = new URL(location.href);
const words = address.searchParams.get("highlight")?.split(" ");
const article = document.querySelector("article.bd-article");
if (words && article) begin();

async function begin() {
  address.searchParams.delete("highlight"); // a link copied from the address bar shall not have it
  history.replaceState(history.state, "", address);
  const { pieces } = await loadWords();
  const texts = textsIn(sectionOf(location.hash));
  const marks = texts.flatMap((text) => mark(text, pieces(text.data, words)));
  if (!marks.length) return;
  for (let fold = marks[0].closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  offerToHide(marks);
  keepInView(marks[0]);
}

/** Return the element that an address names, or the whole article; for a term, its definition. */
function sectionOf(hash) {
  const target = named(hash);
  const entry = target?.closest("dt")?.nextElementSibling ?? target;
  return article.contains(entry) && entry.textContent.trim() ? entry : article;
}

function textsIn(place) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  return texts.filter((text) => !text.parentElement.closest(SKIPPED));
}

/** Put marks around every other piece of a text, and return them. */
function mark(text, pieces) {
  const parts = pieces.map((piece, k) => (k % 2 ? element("mark", { className: "book-found" }, piece) : piece));
  if (parts.length > 1) text.replaceWith(...parts);
  return parts.filter((_, k) => k % 2);
}

function offerToHide(marks) {
  const hider = button("Hide search highlights", () => hide(), { main: true });
  hider.classList.add("book-found-hide");
  const hide = () => (hider.remove(), marks.forEach((mark) => mark.replaceWith(...mark.childNodes)));
  addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.body.append(hider);
}
