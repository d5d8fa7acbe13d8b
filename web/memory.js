/**
 * The reader's own text of a cell, kept in the browser and shared by the tabs that show the cell.
 *
 * It is kept under a hash of the text that the book gives, so a cell that a new edition changes
 * starts from the new text. What happens when the browser keeps nothing: see store.js.
 */
import { ANSWER, read, remove, write } from "./store.js";

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

/** What the browser remembers of one cell. */
export class Memory {
  /**
   * @param {string} place the exercise, or the page and the cell's number among equal ones
   * @param {string} starter the text that the book gives
   */
  constructor(place, starter) {
    this.key = `${ANSWER}${place}:${hash(starter)}`;
    this.starter = starter;
  }

  /** The reader's text, or the book's where the reader has changed nothing. */
  get text() {
    return read(this.key) ?? this.starter;
  }

  set text(text) {
    if (text === this.starter) remove(this.key);
    else write(this.key, text);
  }

  /**
   * Hear of changes made in another tab.
   *
   * @param {(text: string, before: string) => void} changed
   * @returns {() => void} stop listening
   */
  watch(changed) {
    const listen = ({ key, newValue, oldValue }) => {
      if (key === this.key) changed(newValue ?? this.starter, oldValue ?? this.starter);
    };
    addEventListener("storage", listen);
    return () => removeEventListener("storage", listen);
  }
}
