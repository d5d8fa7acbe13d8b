/**
 * The search page: what is typed is looked up at once, and each result leads to its section.
 *
 * The index is a script, for pages that are read from the disk. Where it does not come, or is not
 * what it should be, the page says so and lists the chapters.
 */
import { element } from "./element.js";
import { find, nearest, passage, prepare } from "./ranking.js";

const FIRST = 20; // results that are shown before "Show more"
const LONGEST = 200; // letters of a query
const KIND = { exercise: "Exercise: ", term: "Glossary: ", work: "Reference: ", reference: "Library: " };
const PATIENCE = 8_000; // milliseconds after which an index that has not come is told of
const NO_INDEX = "The search index could not be loaded, so nothing can be looked up. Try again, or choose a chapter:";

const page = document.querySelector(".book-search");
let attempts = 0;
let isReady = false; // whether what is typed is looked up
window.bookSearch = true; // web/guard.js looks whether this has come
if (page) start(page);

function start(page) {
  const form = page.querySelector("form");
  const input = form.elements.q;
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  input.value = asked.slice(0, LONGEST);
  input.focus();
  begin(page, form, input);
}

/** Get the index and wait for what is typed; offer to try again if it is late, or cannot be had. */
async function begin(page, form, input) {
  const giveUp = () => isReady || offerAgain(page, form, input);
  const late = setTimeout(giveUp, PATIENCE);
  try {
    listen(page, form, input, await load(page.dataset.index));
  } catch {
    giveUp();
  }
  clearTimeout(late);
}

function offerAgain(page, form, input) {
  say(page, NO_INDEX, true);
  const again = element("button", { type: "button", className: "book-search-more" }, "Try again");
  again.addEventListener("click", () => (say(page, "", true), begin(page, form, input)));
  page.querySelector(".book-search-status").append(" ", again);
}

/** Load the index and make it ready; fails if it does not come, or is no index. */
async function load(address) {
  const fresh = attempts ? `${address}&again=${attempts}` : address; // past what a cache may hold
  attempts += 1;
  await new Promise((resolve, reject) => {
    document.head.append(element("script", { src: fresh, onload: resolve, onerror: reject }));
  });
  return prepare(window.bookSearchIndex);
}

function listen(page, form, input, index) {
  if (isReady) return; // it was late, was asked for again, and has come twice
  const answer = () => show(page, input.value.slice(0, LONGEST).trim(), index);
  const remember = () => {
    const address = new URL(location.href);
    address.searchParams.set("q", input.value);
    history.replaceState(null, "", address);
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => (remember(), answer()));
  answer();
  isReady = true;
}

/** Say what was found for a query, and list it. */
function show(page, query, index) {
  const found = find(query, index);
  const list = page.querySelector(".book-search-results");
  list.replaceChildren(...found.results.slice(0, FIRST).map((result) => item(result, query, found.asked)));
  say(page, summary(query, found), !found.results.length);
  offerWord(page, query, found, index);
  if (found.results.length > FIRST) list.append(more(query, found));
}

function summary(query, { asked, results, complete, unknown }) {
  if (!query) return "Type a word or two, such as softmax or causal mask, or choose a chapter:";
  if (!asked.length) return `There is no word in “${query}” to look up. Type one, or choose a chapter:`;
  if (!results.length)
    return `Nothing in this book has the ${asked.length > 1 ? "words" : "word"} “${query}”. Try another word, or choose a chapter:`;
  const count = results.length === 1 ? "1 place" : `${results.length} places`;
  if (complete) return `${count} found for “${query}”.`;
  return unknown.length < asked.length ? `No place has all the words of “${query}”; ${count} with some of them:` : "";
}

function say(page, sentence, withChapters) {
  page.querySelector(".book-search-status").textContent = sentence;
  page.querySelector(".book-search-chapters").hidden = !withChapters;
}

/** Offer the nearest word of the book where a word is not in it. */
function offerWord(page, query, { asked, unknown }, index) {
  const word = unknown.length === 1 && asked.length === 1 ? nearest(unknown[0], index) : null;
  if (!word) return;
  const link = element("a", { href: `?q=${encodeURIComponent(word)}` }, word);
  page.querySelector(".book-search-status").append(" Did you mean ", link, "?");
}

function item({ chapter, entry }, query, asked) {
  const title = element("a", { href: address(chapter, entry, query) }, `${KIND[entry.kind] ?? ""}${entry.title}`);
  const place = element("span", { className: "book-search-chapter" }, chapterName(chapter));
  const text = passage(entry.text, asked).map((piece) => (piece.found ? element("mark", {}, piece.text) : piece.text));
  return element("li", {}, title, place, element("p", {}, ...text));
}

function chapterName({ number, title }) {
  return number ? `Chapter ${number}: ${title}` : title;
}

/** The address of a section, with the words that web/found.js marks there. */
function address(chapter, entry, query) {
  return `${chapter.href}?highlight=${encodeURIComponent(query)}#${encodeURIComponent(entry.anchor)}`;
}

function more(query, { asked, results }) {
  const rest = results.slice(FIRST);
  const button = element("button", { type: "button", className: "book-search-more" }, `Show ${rest.length} more`);
  button.addEventListener("click", () => {
    const items = rest.map((result) => item(result, query, asked));
    button.parentElement.replaceWith(...items);
    items[0].querySelector("a").focus();
  });
  return element("li", { className: "book-search-rest" }, button);
}
