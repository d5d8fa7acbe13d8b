/**
 * Text fields above the code of cells with the tag `fields`: one for each line `name = "…"`.
 *
 * The code stays the only source: what is typed into a field changes the string there, as if the reader had
 * typed it there.
 */
import { element } from "../site/element.js";
import { textsIn, withText } from "./literals.js";

/** Give a cell its fields. @param {import("./cell.js").CodeCell} cell */
function setUp(cell) {
  const boxes = new Map([...textsIn(cell.starter).keys()].map((name) => [name, boxOf(cell, name)]));
  const labels = [...boxes].map(([name, box]) => element("label", {}, element("span", { textContent: wordsOf(name) }), box));
  const hint = element("span", { className: "book-status" }, "Enter runs the cell.");
  cell.input.before(element("div", { className: "book-fields" }, ...labels, hint));
  cell.element.addEventListener("book:code", () => show(cell, boxes));
  show(cell, boxes);
}

/** Make a field: what is typed goes into the code; Enter runs the cell, Shift+Enter begins a new line. */
function boxOf(cell, name) {
  const label = `${wordsOf(name)}: ${cell.spokenName}`;
  const box = element("textarea", { className: "form-control", rows: 1, spellcheck: false, dir: "auto", "aria-label": label });
  box.oninput = () => {
    cell.code = withText(cell.code, name, box.value);
    cell.show();
  };
  box.onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    cell.run();
  };
  return box;
}

/** Show the texts that are in the code; one that the reader computes there cannot be changed here. */
function show(cell, boxes) {
  const texts = textsIn(cell.code);
  for (const [name, box] of boxes) {
    const text = texts.get(name)?.replace(/\r\n?/g, "\n") ?? "";
    box.disabled = !texts.has(name);
    box.placeholder = box.disabled ? "The code below says what this is." : "";
    if (box.value !== text) box.value = text;
  }
}

function wordsOf(name) {
  return name.replaceAll("_", " ");
}

/** Give the cells that want them their fields. */
export function setUpFields(cells) {
  cells.filter(({ element: node }) => node?.classList.contains("tag_fields")).forEach(setUp);
}
