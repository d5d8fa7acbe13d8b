/**
 * The meaning of a term in a box beside it, on hover, focus or tap.
 *
 * Without this script a term is a link to the glossary with a title. On a touch screen the first tap
 * shows the box, which has a link to the glossary; a mouse click follows the link at once. Escape, or a tap
 * elsewhere, hides the box.
 */
import { element } from "./element.js";

const LATER = 250; // milliseconds: time to move from the word into its box
const box = element("div", { className: "book-term-box", id: "book-term-box", role: "tooltip", hidden: true });
let shown = null;
let leaving = 0;

for (const term of document.querySelectorAll("a.book-term")) prepare(term);
if (document.querySelector("a.book-term")) {
  document.body.append(box);
  box.addEventListener("pointerenter", () => clearTimeout(leaving));
  box.addEventListener("pointerleave", leave);
  addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("pointerdown", ({ target }) => /** @type {Element} */ (target).closest(".book-term, .book-term-box") ?? hide());
}

/** Move the title into the box: browsers show titles only to the mouse. */
function prepare(term) {
  const meaning = term.title;
  term.removeAttribute("title");
  const open = () => show(term, meaning);
  term.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && open());
  term.addEventListener("pointerleave", leave);
  term.addEventListener("focus", open);
  term.addEventListener("blur", leave);
  let isFirstTap = false;
  term.addEventListener("pointerdown", ({ pointerType }) => (isFirstTap = pointerType === "touch" && shown !== term));
  term.addEventListener("click", (event) => isFirstTap && (event.preventDefault(), open()));
}

function show(term, meaning) {
  clearTimeout(leaving);
  shown?.removeAttribute("aria-describedby");
  shown = term;
  const more = element("a", { href: term.href, tabIndex: -1 }, "Glossary");
  box.replaceChildren(element("span", {}, meaning), " ", more);
  box.hidden = false;
  term.setAttribute("aria-describedby", box.id);
  place(term);
}

/** Place the box below the word, or above it if there is no room; never beyond the sides of the window. */
function place(term) {
  const word = term.getClientRects()[0];
  const { width, height } = box.getBoundingClientRect();
  const left = Math.max(8, Math.min(word.left, document.documentElement.clientWidth - width - 8));
  const below = word.bottom + height + 8 < innerHeight || word.top < height + 8;
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${(below ? word.bottom + 4 : word.top - height - 4) + scrollY}px`;
}

function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(hide, LATER);
}

function hide() {
  shown?.removeAttribute("aria-describedby");
  shown = null;
  box.hidden = true;
}
