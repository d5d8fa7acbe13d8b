/** Tables, pictures, code and formulas that are too wide for the page: a table shows that it scrolls, and all can be scrolled with the keyboard. */
import { element } from "./element.js";
import { watchSize } from "../live/svg.js";

const boxes = document.querySelectorAll(".pst-scrollable-table-container, .bd-article div.output.text_html");
for (const picture of document.querySelectorAll("div.cell_output figure > img")) {
  const box = element("div", { className: "book-picture" }); // which scrolls, and leaves the caption where it is
  picture.replaceWith(box);
  box.append(picture);
  showScroll(box, "Picture");
}
document.querySelectorAll(".bd-article .highlight > pre").forEach((code) => showScroll(code));
document.querySelectorAll(".bd-article .katex-display").forEach((formula) => showScroll(formula, "Formula"));
const known = new Map(); // name -> how many tables have it
for (const box of boxes) if (box.querySelector("table")) showScroll(box, nameOf(box));

/** The accessible name of a table: its caption, or the heading above it, with a number if other tables stand there before it. */
function nameOf(box) {
  const said = box.querySelector("caption .caption-text") ?? box.closest("section")?.querySelector("h1, h2, h3");
  const name = said?.textContent.trim().replace(/#$/, "") || "numbers"; // without the sign of a heading's link
  const number = (known.get(name) ?? 0) + 1;
  known.set(name, number);
  return `Table${number > 1 ? ` ${number}` : ""}: ${name}`;
}

/** The theme lets Tab reach what scrolls, and looks again when its page or window changes: here also when something is unfolded. */
document.addEventListener("toggle", () => dispatchEvent(new Event("resize")), true);

/** Let a box that is wider than its place say so: to the eye by classes and, if named, to the keyboard and to screen readers. */
function showScroll(box, name = "") {
  const refresh = () => {
    const room = box.scrollWidth - box.clientWidth;
    box.classList.toggle("book-more-before", room > 1 && box.scrollLeft > 1);
    box.classList.toggle("book-more-after", room > 1 && box.scrollLeft < room - 1);
    const said = { tabindex: "0", role: "region", "aria-label": `${name}, scrolls sideways` };
    for (const [key, value] of name ? Object.entries(said) : []) {
      if (room > 1) box.setAttribute(key, value);
      else box.removeAttribute(key);
    }
  };
  watchSize(box, refresh);
  box.addEventListener("scroll", refresh, { passive: true });
}
