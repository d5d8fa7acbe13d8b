/**
 * Text fields above the code of cells with the tag `fields`: one for each line `name = "…"`.
 *
 * The code stays the only source: what is typed into a field changes the string there, as if the reader had
 * typed it there. A cell with the tag `typed` follows each key, once Enter has run it.
 */
import { element } from "../site/element.js";
import { textsIn, withText } from "./literals.js";

/** Give a cell its fields. @param {import("./cell.js").CodeCell} cell */
function setUp(cell) {
  const boxes = new Map([...textsIn(cell.starter).keys()].map((name) => [name, boxOf(cell, name)]));
  const labels = [...boxes].map(([name, box]) => element("label", {}, element("span", { textContent: wordsOf(name) }), box));
  const text = isTyped(cell) ? "Enter runs the cell; then it follows as you type." : "Enter runs the cell.";
  const hint = element("span", { className: "book-status" }, text);
  const code = cell.input.closest("details") ?? cell.input; // which may be folded: what is typed and run stays in sight
  code.before(element("div", { className: "book-fields" }, ...labels, hint));
  if (code !== cell.input) code.before(cell.bar);
  cell.element.addEventListener("book:code", () => show(cell, boxes));
  show(cell, boxes);
}

const isTyped = ({ element: node }) => node.classList.contains("tag_typed");

/** Run a cell, and again if its code has changed meanwhile. */
async function runLatest(cell) {
  if (cell.busy) return; // whoever runs it will see the change
  for (let code; code !== cell.code;) {
    code = cell.code;
    await cell.run();
  }
}

/** Make a field: what is typed goes into the code; Enter runs the cell, Shift+Enter begins a new line. */
function boxOf(cell, name) {
  let follows = false;
  const label = `${wordsOf(name)}: ${cell.spokenName}`;
  const box = element("textarea", { className: "form-control", rows: 1, spellcheck: false, dir: "auto", "aria-label": label });
  box.oninput = () => {
    cell.code = withText(cell.code, name, box.value);
    cell.show();
    if (follows) runLatest(cell);
  };
  box.onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (isTyped(cell)) follows = true;
    if (follows) runLatest(cell);
    else cell.run();
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
