/** A line above a cell's code: where that code comes from, if the reader did not write it for this cell. */
import { element } from "../site/element.js";

export class CellNote {
  #state = "";
  before = null; // the reader's code in place of which this came

  /** @param {import("./cell.js").CodeCell} cell */
  constructor(cell) {
    this.cell = cell;
    this.node = element("div", { className: "book-note", role: "note", hidden: true });
  }

  /** Update the note; one that is already right is not rebuilt, so the focus stays in it. */
  refresh() {
    const { memory } = this.cell;
    const { isTrusted } = memory;
    const [isFromFile, isFromLink, isEarlier] = ["file", "link", "earlier"].map((mark) => memory.has(mark));
    const state = `${isFromFile} ${isFromLink} ${isEarlier} ${isTrusted}`;
    if (state === this.#state) return;
    this.#state = state;
    this.node.hidden = isTrusted && !isEarlier;
    const isUnfamiliar = isFromFile || (!isTrusted && !this.cell.exercise); // an exercise runs only when its own button is pressed anyway
    const parts = isUnfamiliar ? this.#aboutOrigin({ isFromFile, isFromLink }) : [];
    this.node.replaceChildren(...parts, ...(isEarlier ? this.#aboutChange() : []));
    if (this.cell.editor) this.cell.input.classList.add("book-put-away");
  }

  #aboutOrigin({ isFromFile, isFromLink }) {
    const { verb, exercise } = this.cell;
    const kept = isFromLink ? "contains a text that came with the link" : "was kept by an earlier edition of the book";
    const origin = isFromFile ? "comes from the file you loaded" : kept;
    const below = exercise ? "" : " Until then, the cells below use the book's own code.";
    const sentence = element("p", { textContent: `This code ${origin}. It runs only when you press ${verb} here.${below}` });
    return isFromLink && this.before !== null ? [sentence, this.#makeBack()] : [sentence];
  }

  /** Offer the reader's own code, in place of which a link brought another. */
  #makeBack() {
    const back = this.cell.makeButton("Bring back mine", () => {
      this.cell.code = this.before;
      this.cell.trust();
      this.cell.focus();
    });
    return element("div", { className: "book-bar" }, back);
  }

  #aboutChange() {
    const what = this.cell.exercise ? "The exercise" : "This cell of the book";
    const take = this.cell.makeButton("Use the new starter", () => this.#take());
    const keep = this.cell.makeButton("Keep mine", () => this.#keep());
    const sentence = element("p", { textContent: `${what} has changed since you wrote this: see the new starter.` });
    return [sentence, element("div", { className: "book-bar" }, this.#makeSee(), take, keep)];
  }

  /** Show and hide the book's current code. */
  #makeSee() {
    const { input } = this.cell;
    const see = this.cell.makeButton("See the new starter", () => {
      const isAway = input.classList.toggle("book-put-away");
      see.setAttribute("aria-expanded", String(!isAway));
    });
    see.setAttribute("aria-expanded", "false");
    return see;
  }

  #take() {
    this.cell.startOver();
    this.cell.say("This is the new starter. Undo in the editor brings yours back.");
    this.cell.focus();
  }

  #keep() {
    this.cell.memory.keepEarlier();
    this.cell.refresh();
    this.cell.focus();
  }
}
