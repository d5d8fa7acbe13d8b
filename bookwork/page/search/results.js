/** What the search page and the search dialog share: the index, and how a result looks. */
import { element } from "../site/element.js";
import { passage, prepare } from "./ranking.js";
import { bookRoot } from "../site/ready.js";
import { addScript } from "../site/script.js";

export const LONGEST = 200; // letters of a query
const KIND = { exercise: "Exercise: ", term: "Glossary: ", work: "Reference: ", reference: "Library: " };

/**
 * Load and prepare the index, a script; fails if it does not arrive or is not valid.
 *
 * @param {URL} address
 */
export async function loadIndex(address) {
  await addScript(address);
  return prepare(window.bookSearchIndex);
}

/** A result: a link to its place, the chapter, and the passage with the words that were looked up. */
export function item({ chapter, entry }, keywords) {
  const title = element("a", { href: address(chapter, entry, keywords.join(" ")) }, `${KIND[entry.kind] ?? ""}${entry.title}`);
  const place = element("span", { className: "book-search-chapter" }, chapterName(chapter));
  const text = passage(entry.text, keywords).map((piece) => (piece.found ? element("mark", {}, piece.text) : piece.text));
  return element("li", {}, title, place, element("p", {}, ...text));
}

/** Which word was looked up for one that the book lacks: `"Nothing in this book has “pictrue”: here is “picture”."` */
export function mended(instead) {
  return instead.map(([typed, meant]) => `Nothing in this book has “${typed}”: here is “${meant}”.`).join(" ");
}

function chapterName({ number, title }) {
  return number ? `Chapter ${number}: ${title}` : title;
}

/** The address of a section, with the words that bookwork/page/search/found.js marks there. */
function address(chapter, entry, words) {
  return new URL(`${chapter.href}?highlight=${encodeURIComponent(words)}#${encodeURIComponent(entry.anchor)}`, bookRoot()).href;
}
