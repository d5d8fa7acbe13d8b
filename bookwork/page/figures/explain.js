import { button, element as make } from "../site/element.js";

/** Say why a figure is missing, in the element that it was to be drawn in; `retry` is called when the reader asks for it. */
export function explain(host, reason, retry = null) {
  host.querySelector(".book-widget-error")?.remove();
  const textContent = `This figure could not be drawn: ${reason}.`;
  const sentence = make("p", { className: "book-widget-error", role: "alert", textContent });
  if (host.classList.contains("book-still")) host.prepend(sentence);
  else host.replaceChildren(sentence);
  console.error(textContent);
  if (retry)
    sentence.append(
      " ",
      button("Try again", ({ target }) => ((target.disabled = true), retry())),
    );
}
