/**
 * What the page remembers: in localStorage, or in memory where that is full.
 *
 * A full one never throws: it is told once, and the page keeps working. For browsers that store nothing, see guard.js. Another
 * kind of thing to keep needs a name here, and its part in exercises/progress.js, where all is saved, loaded and forgotten.
 */
import { notify } from "./notice.js";
import { ID } from "./this-book.js";

export const PROGRESS = `${ID}:progress:`; // + label of an exercise or a guess -> what is known about it, as JSON
export const TEXT = `${ID}:text:`; // + page and hash of a cell -> the reader's own code

const memory = new Map(); // what could not be stored

const FULL = "This browser's storage for the book is full, so what you do now is lost when you leave the page.";
let isTold = false;

/** @returns {string | null} what is stored under the key, if anything */
export function read(key) {
  return memory.get(key) ?? localStorage.getItem(key);
}

/** @returns {boolean} whether the text was stored; if not, it is kept while the page is open */
export function write(key, text) {
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
    return true;
  } catch {
    memory.set(key, text);
    if (!isTold) notify(FULL);
    isTold = true;
    return false;
  }
}

/** Delete what is stored under the key. */
export function remove(key) {
  memory.delete(key);
  localStorage.removeItem(key);
}

/** @returns {string[]} the keys with this prefix, in order */
export function keys(prefix) {
  const found = new Set([...memory.keys(), ...Object.keys(localStorage)]);
  return [...found].filter((key) => key.startsWith(prefix)).sort();
}
