/**
 * Looks words up in the book's index: which entries have them, in which order, and where.
 *
 * No DOM here: tests run this file alone. Words are compared without accents, capitals and endings,
 * and a word also matches longer words that begin with it. Words are never used as property names, so
 * `constructor` is looked up like any other.
 */
const WORD = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu;
const COMPOUND = /(\p{L}+)[-\u2010\u2011](\p{L}+)/gu;
const STOP = new Set(
  "a an and are as at be but by can do does for from has have how i if in is it its me my of on or so than that the then there they this to was we what when where which who why will with you your".split(
    " ",
  ),
);
const MOST_WORDS = 20;
const AROUND = 90; // characters that a passage shows before and after a word
const WEIGHT = { chapter: 1.15, section: 1, exercise: 0.7, term: 0.75, work: 0.5, reference: 0.6 };

/** Return the words of a text, each in the form in which it is compared, with its position. */
export function wordsOf(text) {
  return [...text.matchAll(WORD)].map(({ 0: said, index }) => ({ word: stem(said), start: index, end: index + said.length }));
}

/** `"Matrices"` -> `"matrix"`, `"normalized"` -> `"normalis"`, `"Frédéric"` -> `"frederic"`. */
export function stem(said) {
  const word = said.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  if (word.length < 4 || word.includes("_")) return word;
  return word
    .replace(/^(matr|ind|vert|append)ices$/, "$1ix")
    .replace(/iz(?=e|i|a)/, "is")
    .replace(/colou?r/, "color")
    .replace(/isations?$/, "is")
    .replace(/ies$/, "y")
    .replace(/(x|ch|sh|s|z)es$/, "$1")
    .replace(/([^su])s$/, "$1")
    .replace(/(?<=.{4})(?:ing|ed|e)$/, "");
}

/** Return how well a word of the book matches a word of the query: 2 the same, 1 nearly, 0 not at all. */
function likeness(word, keyword) {
  if (word === keyword) return 2;
  if (keyword.length >= 3 && word.startsWith(keyword) && !STOP.has(keyword)) return 1;
  return word.length >= 4 && keyword.startsWith(word) && keyword.length - word.length <= 2 ? 1 : 0;
}

/** Prepare the index: count the words of each entry. Throws if it is not an index. */
export function prepare({ chapters }) {
  return chapters.flatMap((chapter) => chapter.entries.map((entry) => counted(chapter, entry)));
}

function counted(chapter, entry) {
  const words = new Map();
  const add = (word) => words.set(word, (words.get(word) ?? 0) + 1);
  for (const { word } of wordsOf(entry.text)) add(word);
  for (const compound of compounds(entry.text)) add(compound);
  const title = [...wordsOf(entry.title).map(({ word }) => word), ...compounds(entry.title)];
  const besides = new Set([...wordsOf(`${chapter.title} ${entry.names}`).map(({ word }) => word), ...compounds(chapter.title)]);
  return { chapter, entry, title, words, besides };
}

/** `"well-known"` can be written as one word too. */
function compounds(text) {
  return [...text.matchAll(COMPOUND)].map(([, one, other]) => stem(one + other));
}

/** Return the words of a query to look up: without words such as "the", unless there are no others. */
export function keywordsOf(query) {
  const typed = [...new Set(query.match(WORD) ?? [])].slice(0, MOST_WORDS);
  const meaningful = typed.filter((word) => !STOP.has(word.toLowerCase()));
  return [...new Set((meaningful.length ? meaningful : typed).map(stem))];
}

/** Rank the entries that have all words of a query; if there are none, those that have some. */
export function find(query, index) {
  const keywords = keywordsOf(query);
  const found = index.map((item) => ({ item, parts: keywords.map((word) => partOf(item, word)) }));
  const rare = keywords.map((_, k) => Math.log(1 + index.length / (1 + found.filter(({ parts }) => parts[k]).length)));
  const hasWords = keywords.some((word) => word.length > 1); // then single letters need not match
  const all = found.filter(({ parts }) => keywords.length && keywords.every((word, k) => parts[k] || (hasWords && word.length === 1)));
  const some = found.filter(({ parts }) => parts.some(Boolean));
  const ranked = (all.length ? all : some).map(({ item, parts }) => ({ ...item, score: score(item, parts, rare, query) }));
  ranked.sort((one, other) => other.score - one.score);
  return { keywords, results: ranked, complete: all.length > 0, unknown: keywords.filter((_, k) => !some.some(({ parts }) => parts[k])) };
}

/** Return how much an entry has of one word: most in its title, then in its text, then elsewhere. */
function partOf({ title, words, besides }, keyword) {
  const inTitle = Math.max(0, ...title.map((word) => likeness(word, keyword)));
  let inText = 0;
  for (const [word, count] of words) {
    const like = likeness(word, keyword);
    if (like) inText = Math.max(inText, like * (1 + Math.log2(count) / 4));
  }
  const near = [...besides].some((word) => likeness(word, keyword)) ? 0.5 : 0;
  return 6 * inTitle + inText + near;
}

/** Weight the parts by how rare their words are; short titles, and titles with the query in one piece, come first. */
function score({ entry, title }, parts, rare, query) {
  const sum = parts.reduce((total, part, k) => total + part * rare[k], 0);
  const covered = parts.filter((part) => part >= 6).length / title.length;
  const phrase = folded(query);
  const piece = phrase && folded(entry.title).includes(phrase) ? 8 : folded(entry.text).includes(phrase) ? 2 : 0;
  return (sum * (1 + covered / 2) + piece) * WEIGHT[entry.kind];
}

function folded(text) {
  return ` ${wordsOf(text)
    .map(({ word }) => word)
    .join(" ")} `.replace(/^ +$/, "");
}

/** Return the places in a text that match the words of the query, as pairs of start and end. */
export function places(text, keywords) {
  return wordsOf(text).filter(({ word }) => keywords.some((one) => likeness(word, one)));
}

/** Cut out the passage with the most words of the query: a list of `{ text, found }`. */
export function passage(text, keywords) {
  const spots = places(text, keywords);
  const [best] = spots
    .map((spot) => ({
      spot,
      count: new Set(spots.filter(({ start }) => Math.abs(start - spot.start) < AROUND).map(({ word }) => word)).size,
    }))
    .sort((one, other) => other.count - one.count);
  const centre = best?.spot.start ?? 0;
  const start = centre <= AROUND ? 0 : text.indexOf(" ", centre - AROUND) + 1;
  const cut = text.lastIndexOf(" ", centre + 2 * AROUND);
  const end = centre + 2 * AROUND >= text.length || cut <= centre ? text.length : cut;
  return marked(
    text,
    spots.filter((spot) => spot.start >= start && spot.end <= end),
    start,
    end,
  );
}

function marked(text, spots, start, end) {
  const pieces = [];
  let last = start;
  for (const spot of spots) {
    pieces.push({ text: text.slice(last, spot.start), found: false }, { text: text.slice(spot.start, spot.end), found: true });
    last = spot.end;
  }
  pieces.push({ text: text.slice(last, end), found: false });
  if (start > 0) pieces.unshift({ text: "… ", found: false });
  if (end < text.length) pieces.push({ text: " …", found: false });
  return pieces.filter((piece) => piece.text);
}

/** Return the word of the book that is most similar to one that it lacks, or null. */
export function nearest(keyword, index) {
  if (keyword.length < 4) return null;
  const seen = new Map();
  for (const { entry } of index) {
    for (const word of `${entry.title} ${entry.text}`.match(WORD) ?? []) {
      const close = distance(stem(word), keyword);
      if (close <= (keyword.length < 7 ? 1 : 2))
        seen.set(word.toLowerCase(), { close, count: (seen.get(word.toLowerCase())?.count ?? 0) + 1 });
    }
  }
  const [best] = [...seen].sort(([, one], [, other]) => one.close - other.close || other.count - one.count);
  return best?.[0] ?? null;
}

/** Count the letters to change, add, drop or swap between two words; any more than 2 counts as 3. */
function distance(one, other) {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let [before, row] = [[], Array.from({ length: other.length + 1 }, (_, k) => k)];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[other.length];
}
