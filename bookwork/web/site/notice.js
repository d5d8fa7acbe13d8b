/** Notices that concern the whole page, at its bottom until the reader closes them; they need no style sheet. */
import { button, element } from "./element.js";

const LOOK = `position: fixed; z-index: 1100; inset: auto 1rem 1rem; max-width: 44rem; margin: auto; padding: 0.8rem 1rem;
  border: 1px solid; border-radius: 0.4rem; background: Canvas; color: CanvasText; font: 1rem/1.5 sans-serif`;

/** Show a notice; the same one twice is shown once. */
export function notify(/** @type {string} */ sentence) {
  document.documentElement.classList.add("book-noticed"); // figures that are not drawn show their numbers
  const place = find() ?? makePlace();
  if (!lineOf(sentence)) place.firstElementChild.append(element("p", {}, sentence));
  place.hidden = false;
}

/** @returns {HTMLElement | null} the page's one place for notices, whichever script made it */
function find() {
  return document.querySelector("aside.book-notice");
}

function lineOf(sentence) {
  return [...document.querySelectorAll("aside.book-notice p")].find((line) => line.textContent === sentence);
}

function makePlace() {
  const lines = element("div", { role: "status" });
  const close = () => (lines.replaceChildren(), (place.hidden = true));
  const place = element("aside", { className: "book-notice", "aria-label": "Notice" }, lines, button("Close", close));
  place.style.cssText = LOOK;
  document.body.append(place);
  return place;
}
