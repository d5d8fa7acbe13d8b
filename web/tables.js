/** Tables and code that are too wide for the page: a table shows that it scrolls, and both can be scrolled with the keyboard. */
import { showScroll } from "../attention_lib/live/js/svg.js";

const boxes = document.querySelectorAll(".pst-scrollable-table-container, .bd-article div.output.text_html");
for (const box of boxes) if (box.querySelector("table")) showScroll(box, nameOf(box));

/** The accessible name of a table: its caption, or the heading above it. */
function nameOf(box) {
  const caption = box.querySelector("caption .caption-text")?.textContent.trim();
  const heading = box.closest("section")?.querySelector("h1, h2, h3")?.cloneNode(true);
  heading?.querySelector(".headerlink")?.remove();
  return `Table: ${caption || heading?.textContent.trim() || "numbers"}`;
}

/** Folded code has no width until it is opened; the theme checks only when the page loads or changes. */
document.addEventListener("toggle", ({ target }) => /** @type {Element} */ (target).querySelectorAll("pre").forEach(letScroll), true);

function letScroll(code) {
  code.tabIndex = code.scrollWidth > code.clientWidth || code.scrollHeight > code.clientHeight ? 0 : -1;
}
