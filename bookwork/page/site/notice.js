/** Notices that concern the whole page, at its bottom until the reader closes them. */
import { element } from "./element.js";

const PLAIN =
  "position: fixed; z-index: 1100; inset: auto 1rem 1rem; padding: 1rem; border: 1px solid; background: Canvas; color: CanvasText";

/**
 * Show a notice; the same one twice is shown once.
 *
 * @param {string} sentence
 * @param {{ label: string, act: () => void } | null} action a button beside it, for the next step
 */
export function notify(sentence, action = null) {
  const place = find() ?? makePlace();
  place.hidden = false;
  document.documentElement.classList.add("book-noticed"); // figures that are not drawn show their numbers
  if (lineOf(sentence)) return;
  const line = element("p", {}, element("span", { textContent: sentence }));
  if (action) line.append(" ", element("button", { type: "button", textContent: action.label, onclick: action.act }));
  place.firstChild.append(line);
}

/** Remove a notice that is no longer true. */
export function withdraw(sentence) {
  lineOf(sentence)?.remove();
  const place = find();
  if (place) place.hidden = !place.firstChild.hasChildNodes();
}

/** @returns {HTMLElement | null} the page's one place for notices, whichever script made it */
function find() {
  return document.querySelector("aside.book-notice");
}

function lineOf(sentence) {
  return [...(find()?.firstElementChild.children ?? [])].find((line) => line.firstChild.textContent === sentence);
}

function makePlace() {
  const lines = element("div", { role: "status" });
  const close = element("button", { type: "button", textContent: "Close" });
  const place = element("aside", { className: "book-notice", "aria-label": "Notice" }, lines, close);
  close.onclick = () => {
    lines.replaceChildren();
    place.hidden = true;
  };
  document.body.append(place);
  if (getComputedStyle(place).position !== "fixed") place.style.cssText = PLAIN; // the style sheet is missing
  return place;
}
