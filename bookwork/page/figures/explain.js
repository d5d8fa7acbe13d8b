import { element as make } from "../site/element.js";

/** Say why a figure is missing, in its place; `retry` is called when the reader asks for it. */
export function explain(place, reason, retry = null) {
  place.querySelector(".book-widget-error")?.remove();
  const textContent = `This figure could not be drawn: ${reason}.`;
  const sentence = make("p", { className: "book-widget-error", role: "alert", textContent });
  if (place.classList.contains("book-still")) place.prepend(sentence);
  else place.replaceChildren(sentence);
  console.error(textContent);
  const onclick = ({ target }) => ((target.disabled = true), retry());
  if (retry) sentence.append(" ", make("button", { type: "button", className: "live-button", textContent: "Try again", onclick }));
}
