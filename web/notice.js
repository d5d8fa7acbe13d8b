/** Sentences that concern the whole page, at its foot until the reader closes them. */
import { element } from "./element.js";

let place = null;

/** Say a sentence; said again while it is there, it is shown once. */
export function notify(sentence) {
  place ??= makePlace();
  place.node.hidden = false;
  const said = [...place.lines.children].map((line) => line.textContent);
  if (!said.includes(sentence)) place.lines.append(element("p", { textContent: sentence }));
}

function makePlace() {
  const lines = element("div", { role: "status" });
  const close = element("button", { type: "button", textContent: "Close" });
  const node = element("aside", { className: "book-notice", "aria-label": "Notice" }, lines, close);
  close.onclick = () => {
    lines.replaceChildren();
    node.hidden = true;
  };
  document.body.append(node);
  return { node, lines };
}
