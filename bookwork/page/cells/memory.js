/**
 * The reader's own text of a cell, kept in the browser and shared by the tabs that show the cell.
 *
 * Its key names the place of the cell and, by a hash, the text of the book that the reader began
 * with: `ex-swap:1k2j` for an exercise, `page:section:2:1k2j` for another cell. When a new edition of
 * the book changes a cell, the reader's text is found by its place; when it moves a cell, by the hash.
 * For browsers that store nothing, see store.js.
 *
 * A text may have marks: `file` if it came from a progress file, `link` if part of it came with a link,
 * `earlier` if it was written for an earlier text of the book, and `unread` until the reader has run it
 * since. A text which the reader did not write here, for this cell, is not trusted: it runs only when its
 * own cell is run.
 */
import { ANSWER, MARKS, keys, read, remove, write } from "../site/store.js";

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
   * @param {string} place of the cell
   * @param {string} starter the text that the book gives
   */
  constructor(place, starter) {
    this.hash = hash(starter);
    this.place = place;
    this.name = `${place}:${this.hash}`;
    this.key = ANSWER + this.name;
    this.starter = starter;
    this.foreign = null;
  }

  /** The reader's text, or the book's if the reader has changed nothing. */
  get text() {
    return read(this.key) ?? this.starter;
  }

  set text(text) {
    if (text === this.foreign?.text) setMarks(this.name, this.foreign.marks); // undo brought it back
    if (text === this.starter) forget(this.name);
    else write(this.key, text);
    this.#noteForeign();
  }

  /** Remember which text is not trusted: it stays untrusted when it is removed and comes back. */
  #noteForeign() {
    if (!this.isTrusted) this.foreign = { text: this.text, marks: marksOf(this.name) };
  }

  get isKept() {
    return read(this.key) !== null;
  }

  /** Whether the reader wrote the text here, or has run it here. */
  get isTrusted() {
    return !["file", "unread", "link"].some((mark) => this.has(mark));
  }

  /** Whether the text has a mark, see above. */
  has(mark) {
    return this.isKept && marksOf(this.name).includes(mark);
  }

  /** Keep a text of which part came with a link. */
  takeFromLink(text) {
    this.text = text;
    setMarks(this.name, [...marksOf(this.name), "link"]);
    this.#noteForeign();
  }

  /** The reader has run this cell. */
  trust() {
    this.foreign = null;
    setMarks(
      this.name,
      marksOf(this.name).filter((mark) => mark === "earlier"),
    );
  }

  /** The reader knows that the book's text has changed, and keeps the old one. */
  keepEarlier() {
    setMarks(
      this.name,
      marksOf(this.name).filter((mark) => mark === "file" || mark === "link"),
    );
  }

  /** Adopt a text that is stored under another name. */
  adopt(name) {
    const marks = marksOf(name);
    if (!name.endsWith(`:${this.hash}`)) marks.push("earlier", "unread");
    setMarks(this.name, marks);
    if (write(this.key, read(ANSWER + name))) forget(name);
  }

  /**
   * Listen for changes made in another tab.
   *
   * @param {(text: string, before: string) => void} changed
   */
  watch(changed) {
    addEventListener("storage", ({ key, newValue, oldValue }) => {
      if (key === this.key) changed(newValue ?? this.starter, oldValue ?? this.starter);
      if (key === MARKS + this.name) changed(this.text, this.text);
    });
  }
}

/**
 * Let each cell of a page adopt the text that belongs to it and is stored under another name.
 *
 * The same text of the book comes first, wherever it stood; then the same place.
 */
export function adoptAnswers(memories) {
  const own = new Set(memories.map(({ name }) => name));
  const current = new Set(memories.map((memory) => memory.hash));
  const isFree = (name) => !own.has(name);
  const isOutdated = (name) => isFree(name) && !current.has(name.split(":").pop());
  const rules = [
    (memory) => namesFrom(pageOf(memory)).filter((name) => isFree(name) && name.endsWith(`:${memory.hash}`)),
    (memory) => namesFrom(`${memory.place}:`).filter((name) => isOutdated(name) && isAt(memory.place, name)),
  ];
  for (const rule of rules) {
    for (const memory of memories.filter(({ isKept }) => !isKept)) {
      const [name] = rule(memory);
      if (name) memory.adopt(name);
    }
  }
}

/** Forget a text and its marks. */
export function forget(name) {
  remove(ANSWER + name);
  remove(MARKS + name);
}

/** Store a text that came from a file; a text that the reader already has here stays trusted. */
export function keepFromFile(name, text) {
  if (read(ANSWER + name) === text) return true;
  return setMarks(name, ["file"]) && write(ANSWER + name, text);
}

function namesFrom(beginning) {
  return keys(ANSWER + beginning).map((key) => key.slice(ANSWER.length));
}

/** `"page:section:2"` -> `"page:"`: the texts among which a cell looks for its own. */
function pageOf({ place }) {
  return `${place.split(":")[0]}:`;
}

/** Whether only a hash follows the place. */
function isAt(place, name) {
  return !name.slice(place.length + 1).includes(":");
}

function marksOf(name) {
  return (read(MARKS + name) ?? "").split(" ").filter(Boolean);
}

function setMarks(name, marks) {
  if (marks.length) return write(MARKS + name, [...new Set(marks)].join(" "));
  remove(MARKS + name);
  return true;
}
