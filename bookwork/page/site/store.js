/**
 * What the page remembers: in localStorage, or in memory where the browser refuses it.
 *
 * A refusal (storage full, disabled, blocked) never throws: the first one is told, and the page keeps working.
 */
import { notify } from "./notice.js";
import { ID } from "./this-book.js";

export const ANSWER = `${ID}:answer:`; // + page and cell -> the reader's own code
export const MARKS = `${ID}:marks:`; // + page and cell -> marks of that code, see memory.js
export const PLACE = `${ID}-place`; // where the reader was, as JSON, see place.js
export const PROGRESS = `${ID}:progress:`; // + label of an exercise -> what is known about it, as JSON

const memory = new Map(); // what could not be stored; null where something was removed

const SENTENCES = {
  full: "This browser's storage for the book is full, so what you do now is lost when you leave the page.",
  none: "This browser stores nothing for the book, so what you do here is lost when you leave the page.",
};
let isTold = false;

/** @returns {string | null} what is stored under the key, if anything */
export function read(key) {
  if (memory.has(key)) return memory.get(key);
  try {
    return localStorage.getItem(key);
  } catch (error) {
    tell(error);
    return null;
  }
}

/** @returns {boolean} whether the text was stored; if not, it is kept while the page is open */
export function write(key, text) {
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
    return true;
  } catch (error) {
    memory.set(key, text);
    tell(error);
    return false;
  }
}

/** Delete what is stored under the key. */
export function remove(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch (error) {
    memory.set(key, null);
    tell(error);
  }
}

/** @returns {string[]} the keys with this prefix, in order */
export function keys(prefix) {
  const found = new Set(memory.keys());
  try {
    Object.keys(localStorage).forEach((key) => found.add(key));
  } catch (error) {
    tell(error);
  }
  return [...found].filter((key) => key.startsWith(prefix) && read(key) !== null).sort();
}

/** @returns {Object<string, string>} all that is stored under these prefixes, to be restored with `putBack` */
export function takeCopy(prefixes) {
  return Object.fromEntries(prefixes.flatMap(keys).map((key) => [key, read(key)]));
}

/** Restore what was stored under these prefixes when it was copied. */
export function putBack(prefixes, copy) {
  prefixes.flatMap(keys).forEach((key) => key in copy || remove(key));
  Object.entries(copy).forEach(([key, text]) => write(key, text));
}

/** Say once why nothing is stored. */
function tell(error) {
  if (isTold) return;
  isTold = true;
  notify(error.name === "QuotaExceededError" ? SENTENCES.full : SENTENCES.none);
}
