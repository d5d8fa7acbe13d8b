/** Tables and code that are too wide for the page: a table shows that it scrolls, and both scroll by keys. */
import { showScroll } from "../attention_lib/live/js/svg.js";

const boxes = document.querySelectorAll(".pst-scrollable-table-container, .bd-article div.output.text_html");
for (const box of boxes) if (box.querySelector("table")) showScroll(box, nameOf(box));

/** A table is called by its caption, or by the heading above it. */
function nameOf(box) {
  const caption = box.querySelector("caption .caption-text")?.textContent.trim();
  const heading = box.closest("section")?.querySelector("h1, h2, h3")?.cloneNode(true);
  heading?.querySelector(".headerlink")?.remove();
  return `Table: ${caption || heading?.textContent.trim() || "numbers"}`;
}

/** Code in a fold has its width when it is unfolded; the theme looks when the page loads and when it changes. */
document.addEventListener("toggle", ({ target }) => /** @type {Element} */ (target).querySelectorAll("pre").forEach(letScroll), true);

function letScroll(code) {
  code.tabIndex = code.scrollWidth > code.clientWidth || code.scrollHeight > code.clientHeight ? 0 : -1;
}
