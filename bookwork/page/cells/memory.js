/**
 * The reader's own text of a cell, kept in the browser and shared by the tabs that show the cell.
 *
 * An exercise's is the answer in its entry of the progress, by its label; that of any other cell is kept under its page and a hash of
 * the book's text, so it stays with the cell when that moves on the page, and is put aside when the book changes the cell.
 */
import { entryIn, update } from "../exercises/progress.js";
import { bookRoot } from "../site/ready.js";
import { PROGRESS, TEXT, read, remove, write } from "../site/store.js";

/** A short name for a text; two texts have the same one about once in 2^53. */
export function hash(text) {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
    b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** The path of this page below the book's root, in the same words whatever the server calls it. */
function pagePath() {
  return location.pathname.slice(bookRoot().pathname.length).replace(/(^|\/)$/, "$1index").replace(/\.html$/, ""); // prettier-ignore
}

export class Memory {
  /**
   * @param {string} starter the text that the book gives
   * @param {string | null} exercise the label of the exercise that it answers
   * @param {number} twins how many cells above have the same text
   */
  constructor(starter, exercise, twins) {
    this.starter = starter;
    this.exercise = exercise;
    this.key = exercise ? PROGRESS + exercise : `${TEXT}${pagePath()}:${hash(starter)}${twins ? `.${twins}` : ""}`;
  }

  /** The reader's text, or the book's if the reader has changed nothing. */
  get text() {
    return this.#textIn(read(this.key));
  }

  set text(text) {
    const own = text === this.starter ? null : text;
    if (this.exercise) update(this.exercise, { answer: own });
    else if (own === null) remove(this.key);
    else write(this.key, own);
  }

  #textIn(stored) {
    const own = this.exercise ? entryIn(stored).answer : stored;
    return typeof own === "string" ? own : this.starter;
  }

  /**
   * Listen for changes made in another tab.
   *
   * @param {(text: string, before: string) => void} changed
   */
  watch(changed) {
    addEventListener("storage", ({ key, newValue, oldValue }) => {
      const [text, before] = [newValue, oldValue].map((stored) => this.#textIn(stored));
      if (key === this.key && text !== before) changed(text, before);
    });
  }
}
