/** Looks words up in the book's index: a script of its own with MiniSearch and Porter's stemmer, which search.js and found.js load. */
import MiniSearch from "minisearch";
import { stemmer } from "stemmer";

const WORD = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu;
const STOP = new Set(
  `a an and any are as at be between but by can could did do does for from has have how i if in into is it its me much my need of on or
  should so than that the then there these they this to was we were what when where which who why will with would you your`.split(/\s+/),
);
const BOOST = { title: 4, text: 1, names: 0.5, chapter: 0.5 };
const WEIGHT = { chapter: 1, section: 1, exercise: 0.5, term: 0.5, reference: 0.4, work: 0.4 }; // what explains comes first
const known = new Map(); // words and their forms

/** `"Queries"` -> `["queries", "queri"]`, `"normalize"` -> `["normalise", "normalis"]`, `"W_q"` -> `["wq"]`, `"the"` -> `[]`. */
function forms(said) {
  const word = said
    .normalize("NFKD")
    .replace(/[\p{M}_]/gu, "")
    .toLowerCase()
    .replaceAll("z", "s");
  if (!known.has(word)) known.set(word, STOP.has(word) ? [] : [...new Set([word, stemmer(word)])]);
  return known.get(word);
}

/** The stems of a text, with a space before and after each. */
function stems(text) {
  return ` ${(text.match(WORD) ?? []).flatMap((word) => forms(word).slice(-1)).join("  ")} `;
}

/** Read the index; return what looks a query up, and finds null if it has no word to look up. Throws if this is no index. */
export function prepare({ chapters, synonyms }) {
  const entries = chapters.flatMap(({ entries, ...chapter }) => entries.map((entry) => ({ ...entry, chapter, stems: stems(entry.title) })));
  const index = new MiniSearch({
    fields: Object.keys(BOOST),
    extractField: (entry, field) => (field === "chapter" ? entry.chapter.title : entry[field]),
    tokenize: (text) => text.match(WORD) ?? [],
    processTerm: forms,
    searchOptions: {
      tokenize: (asked) => asked.match(/\S\S+/g) ?? asked.match(/\S/g) ?? [], // letters, such as those of "d k", only by themselves
      processTerm: (stem) => stem,
      prefix: ({ length }) => length > 2,
      boost: BOOST,
      boostDocument: (id) => WEIGHT[entries[id].kind],
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const asked = synonyms.reduce((text, [said, here]) => text.replace(stems(said), stems(here)), stems(query));
    const fuzzy = (stem) => index.search(stem).length === 0 && 0.2; // a word that the book has is no slip
    const found = index.search(asked, { fuzzy });
    const most = Math.max(...found.map(({ queryTerms }) => queryTerms.length));
    const results = found
      .filter(({ queryTerms }) => queryTerms.length > most / 2)
      .map(({ id, terms }) => ({ ...entries[id], words: terms }));
    const typed = query.trim().toLowerCase();
    const isTitle = ({ stems, title }) => Number(stems === asked) + Number(title.toLowerCase() === typed); // train, not training
    return asked.trim() ? results.sort((one, other) => isTitle(other) - isTitle(one)) : null;
  };
}

/** Cut a text at words that were found; every other piece is one of them. */
export function pieces(text, words) {
  const spots = [...text.matchAll(WORD)].filter(([said]) => forms(said).some((form) => words.includes(form)));
  const ends = spots.flatMap(({ 0: said, index }) => [index, index + said.length]);
  return [...ends, text.length].map((end, k) => text.slice(ends[k - 1] ?? 0, end));
}
