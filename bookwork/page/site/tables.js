/** Tables, pictures, code and formulas that are too wide for the page: a table shows that it scrolls, and all can be scrolled with the keyboard. */
import { element } from "./element.js";
import { headingText } from "./ready.js";
import { showScroll } from "../../live/js/svg.js";

const boxes = document.querySelectorAll(".pst-scrollable-table-container, .bd-article div.output.text_html");
for (const picture of document.querySelectorAll("div.cell_output figure > img")) {
  const box = element("div", { className: "book-picture" }); // which scrolls, and leaves the caption where it is
  picture.replaceWith(box);
  box.append(picture);
  showScroll(box, "Picture");
}
document.querySelectorAll(".bd-article .highlight > pre").forEach((code) => showScroll(code));
const known = new Map(); // name -> how many tables have it
for (const box of boxes) if (box.querySelector("table")) showScroll(box, nameOf(box));

/** The accessible name of a table: its caption, or the heading above it, with a number if other tables stand there before it. */
function nameOf(box) {
  const caption = box.querySelector("caption .caption-text")?.textContent.trim();
  const name = caption || headingText(box.closest("section")?.querySelector("h1, h2, h3")) || "numbers";
  const number = (known.get(name) ?? 0) + 1;
  known.set(name, number);
  return `Table${number > 1 ? ` ${number}` : ""}: ${name}`;
}

/**
 * The theme checks now and then what scrolls, and keeps Tab from all else (tabindex -1). But text may be added to that, or it
 * may be unfolded. Without the attribute most browsers let Tab reach whatever scrolls; the others need a 0.
 */
const KEPT_OUT = ":is(pre, .output, .pst-scrollable-table-container)[tabindex='-1']";
const main = document.getElementById("main-content");

function letIn(node) {
  if (node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight) node.tabIndex = 0;
  else if (!node.closest(".cell_input")) node.removeAttribute("tabindex"); // code of a cell hears keys, too
}

if (main) {
  main.querySelectorAll(`${KEPT_OUT}, .katex-display`).forEach(letIn);
  const watch = { subtree: true, attributes: true, attributeFilter: ["tabindex"] };
  const kept = (changes) => changes.map(({ target }) => target).filter((node) => node.matches(KEPT_OUT));
  new MutationObserver((changes) => kept(changes).forEach(letIn)).observe(main, watch);
  document.addEventListener("toggle", ({ target }) => /** @type {Element} */ (target).querySelectorAll("pre").forEach(letIn), true);
}
