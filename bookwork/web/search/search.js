/**
 * The search, below the field that Ctrl+K opens and on the page where Enter leads. What looks words up (index.js) and the
 * index, a script too so that it loads from disk, come when a reader begins; a book with another search names no index.
 */
import { words as FILE } from "book:addresses"; // see build.mjs
import { button, element } from "../site/element.js";
import { addScript } from "../site/script.js";
import { INDEX, ROOT } from "../site/this-book.js";

const SCRIPT = /** @type {HTMLScriptElement} */ (document.currentScript).src;
const FIRST = 8; // results before "Show more"
const PASSAGE = /.{1,220}[.?!)](?= |$)|.{1,220}(?= |$)|.{1,220}/gs;
const LONGEST = 200; // letters of a query
const NO_INDEX = "The index of this book could not be loaded, so nothing can be looked up.";
const KIND = { exercise: "Exercise: ", term: "Glossary: ", work: "Reference: ", reference: "Library: " };

const page = document.querySelector(".book-search");
const inDialog = document.querySelector("#pst-search-dialog form");
if (INDEX) inDialog?.addEventListener("focusin", () => search(inDialog), { once: true });
if (INDEX && page) onPage(page.querySelector("form"), page.querySelector("nav"));

/** Take the query from the address, and keep it there. */
function onPage(form, chapters) {
  const input = form.elements.q;
  const address = new URL(location.href);
  input.value = address.searchParams.get("q") ?? "";
  input.focus();
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    address.searchParams.set("q", input.value);
    history.replaceState(null, "", address);
  });
  search(form, chapters);
}

/** Answer below a form, now and whenever its text changes; the chapters are shown while nothing is found. */
function search(form, chapters = element("a", { href: form.action }, "Choose a chapter")) {
  const input = form.elements.q;
  const status = element("p", { className: "book-search-status", role: "status" });
  const list = element("ol", { className: "book-search-results list-group" });
  let find = null;
  const answer = () => {
    const query = input.value.slice(0, LONGEST).trim();
    const results = find(query);
    status.textContent = summary(query, results);
    chapters.hidden = results?.length > 0;
    list.replaceChildren();
    extend(list, results ?? []);
  };
  const begin = async () => {
    status.textContent = "The index of this book is being loaded …";
    try {
      await Promise.all([loadWords(), addScript(new URL(INDEX, location.href))]);
      find = window.bookSearch.prepare(window.bookSearchIndex);
      answer();
    } catch {
      status.replaceChildren(NO_INDEX, " ", button("Try again", begin));
    }
  };
  form.after(element("div", { className: "book-search-below" }, status, list, chapters));
  input.addEventListener("input", () => find && answer());
  form.parentElement.addEventListener("keydown", (event) => move(event, [input, ...list.querySelectorAll("a")]));
  begin();
}

/** Load index.js, for found.js too. */
export async function loadWords() {
  if (!window.bookSearch) await addScript(new URL(FILE, SCRIPT));
  return window.bookSearch;
}

function summary(query, results) {
  if (!results) return query ? `“${query}” has no word that can be looked up.` : "Type a word or two.";
  if (!results.length) return `Nothing in this book has “${query}”.`;
  return results.length === 1 ? `1 place has “${query}”.` : `${results.length} places found for “${query}”.`;
}

/** Add the next results to a list, and a button for those after them; return the link of the first. */
function extend(list, results) {
  const items = results.slice(0, FIRST).map(item);
  const rest = results.slice(FIRST);
  const more = () => (last.remove(), extend(list, rest).focus());
  const last = element("li", { className: "list-group-item" }, button(`Show more of ${rest.length}`, more));
  list.append(...items, ...(rest.length ? [last] : []));
  return items[0]?.querySelector("a");
}

/** A result: a link to its place, where found.js marks the words, the chapter, and the sentence with most of them. */
function item({ kind, title, anchor, text, chapter, words }) {
  const address = new URL(chapter.href, ROOT);
  address.searchParams.set("highlight", words.join(" "));
  address.hash = encodeURIComponent(anchor);
  const link = element("a", { href: address.href }, `${KIND[kind] ?? ""}${title}`);
  const found = element("p", {}, ...passage(text, words));
  return element("li", { className: "list-group-item" }, link, element("small", {}, chapter.title), found);
}

/** The passage of a text with most of the words, marked: whole sentences if they are short. */
function passage(text, words) {
  const passages = (text.match(PASSAGE) ?? [""]).map((one) => window.bookSearch.pieces(one.trim(), words));
  const best = passages.reduce((one, other) => (other.length > one.length ? other : one));
  return best.map((piece, k) => (k % 2 ? element("mark", {}, piece) : piece));
}

/** The arrow keys lead from the field to the results and back. */
function move(event, stops) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (!step || !next || event.isComposing) return;
  event.preventDefault();
  next.focus();
}
