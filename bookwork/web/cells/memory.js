/**
 * The reader's own text of a cell, kept in the browser and shared by the tabs that show the cell.
 *
 * An exercise's is the answer in its entry of the progress, by its label; that of any other cell is kept under its page and a hash of
 * the book's text, so it stays with the cell when that moves on the page, and is put aside when the book changes the cell.
 */
import { entryIn, update } from "../exercises/progress.js";
import { PROGRESS, TEXT, read, remove, write } from "../site/store.js";

export class Memory {
  /**
   * @param {string} starter the text that the book gives
   * @param {string | null} exercise the label of the exercise that it answers
   * @param {string} key the page and a hash of the starter, see sphinx/page_python.py
   */
  constructor(starter, exercise, key) {
    this.starter = starter;
    this.exercise = exercise;
    this.key = exercise ? PROGRESS + exercise : TEXT + key;
  }

  /** The reader's text, or the book's if the reader has changed nothing. */
  get text() {
    return this.#textFrom(read(this.key));
  }

  set text(text) {
    const own = text === this.starter ? null : text;
    if (this.exercise) update(this.exercise, { answer: own });
    else if (own === null) remove(this.key);
    else write(this.key, own);
  }

  #textFrom(stored) {
    const own = this.exercise ? entryIn(stored).answer : stored;
    return typeof own === "string" ? own : this.starter;
  }

  /** Listen for changes made in another tab. @param {(text: string, before: string) => void} changed */
  watch(changed) {
    addEventListener("storage", ({ key, newValue, oldValue }) => {
      const [text, before] = [newValue, oldValue].map((stored) => this.#textFrom(stored));
      if (key === this.key && text !== before) changed(text, before);
    });
  }
}
