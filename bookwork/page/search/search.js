/**
 * The search page: it looks words up as they are typed, and each result links to its section.
 *
 * The index is a script, so that it also loads from disk. If it does not arrive or is not valid, the
 * page says so and lists the chapters.
 */
import { element } from "../site/element.js";
import { find } from "./ranking.js";
import { item, LONGEST, loadIndex, mended } from "./results.js";

const FIRST = 20; // results that are shown before "Show more"
const NO_INDEX = "The search index could not be loaded, so nothing can be looked up. Try again, or choose a chapter:";

const page = document.querySelector(".book-search");
if (page) start(page);

function start(page) {
  const form = page.querySelector("form");
  const input = form.elements.q;
  const query = new URLSearchParams(location.search).get("q") ?? "";
  input.value = query.slice(0, LONGEST);
  input.focus();
  begin(page, form, input);
}

/** Load the index and wait for input; if it cannot be loaded, offer to try again. */
async function begin(page, form, input) {
  try {
    listen(page, form, input, await loadIndex(new URL(page.dataset.index, location.href)));
  } catch {
    offerAgain(page, form, input);
  }
}

function offerAgain(page, form, input) {
  say(page, NO_INDEX, true);
  const again = element("button", { type: "button", className: "book-search-more" }, "Try again");
  again.addEventListener("click", () => (say(page, "", true), begin(page, form, input)));
  page.querySelector(".book-search-status").append(" ", again);
}

function listen(page, form, input, index) {
  const answer = () => show(page, input.value.slice(0, LONGEST).trim(), index);
  const remember = () => {
    const address = new URL(location.href);
    address.searchParams.set("q", input.value);
    history.replaceState(null, "", address);
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => (remember(), answer()));
  answer();
}

/** Say what was found for a query, and list it. */
function show(page, query, index) {
  const found = find(query, index);
  const list = page.querySelector(".book-search-results");
  list.replaceChildren(...found.results.slice(0, FIRST).map((result) => item(result, found.keywords)));
  say(page, summary(query, found), !found.results.length);
  if (found.results.length > FIRST) list.append(more(found));
}

function summary(query, { keywords, results, complete, instead }) {
  if (!query) return "Type a word or two, or choose a chapter:";
  if (!keywords.length) return `“${query}” contains no word to look up. Type one, or choose a chapter:`;
  if (!results.length)
    return `Nothing in this book has the ${keywords.length > 1 ? "words" : "word"} “${query}”. Try another word, or choose a chapter:`;
  const count = results.length === 1 ? "1 place" : `${results.length} places`;
  const found = complete ? `${count} found for “${query}”.` : `No place has all the words of “${query}”; ${count} with some of them:`;
  return instead.length ? `${mended(instead)} ${count} found.` : found;
}

function say(page, sentence, withChapters) {
  page.querySelector(".book-search-status").textContent = sentence;
  page.querySelector(".book-search-chapters").hidden = !withChapters;
}

function more({ keywords, results }) {
  const rest = results.slice(FIRST);
  const button = element("button", { type: "button", className: "book-search-more" }, `Show ${rest.length} more`);
  button.addEventListener("click", () => {
    const items = rest.map((result) => item(result, keywords));
    button.parentElement.replaceWith(...items);
    items[0].querySelector("a").focus();
  });
  return element("li", { className: "book-search-rest" }, button);
}
