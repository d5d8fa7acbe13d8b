/**
 * Text fields above the code of cells with the tag `fields`: one for each line `name = "…"`.
 *
 * The code stays the only source: what is typed into a field changes the string there, as if the reader had
 * typed it there.
 */
import { element } from "../site/element.js";
import { textsIn, withText } from "./literals.js";

const TAG = "tag_fields";

/** The fields of one cell. */
class Fields {
  /** @param {import("./cell.js").CodeCell} cell */
  constructor(cell) {
    this.cell = cell;
    this.boxes = new Map([...textsIn(cell.starter).keys()].map((name) => [name, this.#makeBox(name)]));
    const labels = [...this.boxes].map(([name, box]) => element("label", {}, element("span", { textContent: wordsOf(name) }), box));
    cell.input.before(
      element("div", { className: "book-fields" }, ...labels, element("span", { className: "book-status" }, "Enter runs the cell.")),
    );
    cell.element.addEventListener("book:code", () => this.#show());
    this.#show();
  }

  #makeBox(name) {
    const box = element("textarea", {
      className: "form-control",
      rows: 1,
      spellcheck: false,
      dir: "auto",
      "aria-label": `${wordsOf(name)}: ${this.cell.spokenName}`,
    });
    box.oninput = () => this.#write(name, box.value);
    box.onkeydown = (event) => this.#press(event);
    return box;
  }

  #write(name, text) {
    const { cell } = this;
    cell.code = withText(cell.code, name, text);
    cell.show();
  }

  /** Enter runs the cell, Shift+Enter begins a new line. */
  #press(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.cell.run();
  }

  /** Show the texts that are in the code; one that the reader computes there cannot be changed here. */
  #show() {
    const texts = textsIn(this.cell.code);
    for (const [name, box] of this.boxes) {
      const text = texts.get(name)?.replace(/\r\n?/g, "\n") ?? null;
      box.disabled = text === null;
      box.placeholder = text === null ? "The code below says what this is." : "";
      if (box.value !== (text ?? "")) box.value = text ?? "";
    }
  }
}

function wordsOf(name) {
  return name.replaceAll("_", " ");
}

/** Give the cells that want them their fields. */
export function setUpFields(cells) {
  cells.filter(({ element: node }) => node?.classList.contains(TAG)).forEach((cell) => new Fields(cell));
}
