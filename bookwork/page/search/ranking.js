/**
 * Looks words up in the book's index: which entries have them, in which order, and where.
 *
 * No DOM here: tests run this file alone. Words are compared without accents, capitals and endings,
 * and a word also matches longer words that begin with it. What the book calls otherwise is looked up by the book's own
 * word (`bookwork_synonyms`), and a word that it lacks by the most similar one. Words are never used as property names,
 * so `constructor` is looked up like any other.
 */
const WORD = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*/gu;
const COMPOUND = /(\p{L}+)[-\u2010\u2011](\p{L}+)/gu;
const STOP = new Set(
  (
    "a an and any are as at be between but by can did do does for from has have how i if in into is it its me much my need needs of on or " +
    "should so than that the then there these they this to was we were what when where which who why will with would you your"
  )
    .split(" ")
    .map(stem),
);
const MOST_WORDS = 20;
const ENDINGS = new Set(["s", "es", "ed", "al", "ly", "er"]); // which a word may have more than the book's
const ASKS_WHAT = /^\s*(what (is|are) an? |define |meaning of )/i; // and the glossary answers
const FEW = 2; // words that should all be there; of more, such as those of a question, most
const MOST_OF = 0.5;
const LONG = 5; // letters of a word that may be misspelt: of a shorter one too many others are near
const AROUND = 90; // characters that a passage shows before and after a word
const LATER = 0.1; // what the last entry of the book loses: a book says first what something is
const WEIGHT = { chapter: 1.15, section: 1, exercise: 0.7, term: 0.75, work: 0.5, reference: 0.6 };

/** Return the words of a text, each in the form in which it is compared and as it stands there, with its position. */
export function wordsOf(text) {
  return [...text.matchAll(WORD)].map(({ 0: said, index }) => ({ word: stem(said), said, start: index, end: index + said.length }));
}

/** `"Matrices"` -> `"matrix"`, `"normalized"` -> `"normalis"`, `"Frédéric"` -> `"frederic"`, `"W_q"` -> `"wq"`. */
export function stem(said) {
  const word = said.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  if (word.length < 4 || word.includes("_")) return word.replace(/(?<=.)_(?=.)/g, "");
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
  return word.length >= 4 && keyword.startsWith(word) && ENDINGS.has(keyword.slice(word.length)) ? 1 : 0;
}

/** Prepare the index: count the words of each entry. Throws if it is not an index. */
export function prepare({ chapters, synonyms = {} }) {
  const items = chapters.flatMap((chapter) => chapter.entries.map((entry) => counted(chapter, entry)));
  const vocabulary = new Map(); // each word of the book, and how many entries have it
  for (const { title, words, besides } of items)
    for (const word of new Set([...title, ...words.keys(), ...besides])) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
  const written = new Map(); // each word as it is written where a misspelt one may lead, and how often
  for (const { entry } of items)
    if (!["work", "reference"].includes(entry.kind))
      for (const [word] of `${entry.title} ${entry.text}`.toLowerCase().matchAll(WORD)) written.set(word, (written.get(word) ?? 0) + 1);
  const meant = Object.entries(synonyms).map(([said, here]) => [stems(said), stems(here)]);
  return { items, vocabulary, written, synonyms: meant.sort(([one], [other]) => other.length - one.length) };
}

function stems(text) {
  return wordsOf(text).map(({ word }) => word);
}

/** Words in one piece, with spaces around, so that one can look for others in it. */
function spaced(words) {
  return ` ${words.join(" ")} `;
}

function counted(chapter, entry) {
  const words = new Map();
  const add = (word) => words.set(word, (words.get(word) ?? 0) + 1);
  const text = stems(entry.text);
  text.forEach(add);
  for (const compound of compounds(entry.text)) add(compound);
  const title = [...stems(entry.title), ...compounds(entry.title)];
  const besides = new Set([...stems(`${chapter.title} ${entry.names}`), ...compounds(chapter.title)]);
  return { chapter, entry, title, words, besides, whole: { title: spaced(stems(entry.title)), text: spaced(text) } };
}

/** `"well-known"` can be written as one word too. */
function compounds(text) {
  return [...text.matchAll(COMPOUND)].map(([, one, other]) => stem(one + other));
}

/** Return the words of a query to look up: without words such as "the", unless there are no others. */
export function keywordsOf(query) {
  const typed = [...new Set(query.match(WORD) ?? [])].slice(0, MOST_WORDS);
  const meaningful = typed.filter((word) => !STOP.has(stem(word)));
  return [...new Set((meaningful.length ? meaningful : typed).map(stem))];
}

/**
 * Rank the entries that have the words of a query: all of one or two, most of more; if there are none, those that have some.
 *
 * @returns `keywords`, those that were looked up, `results`, whether any of them has all (`complete`), and `instead`: pairs
 *   of a word that the book lacks and the most similar one, which was looked up
 */
export function find(query, index) {
  const { keywords, instead } = readingOf(query, index);
  const found = keywords.map((word) => alike(word, index.vocabulary));
  const parts = index.items.map((item) => found.map((words) => partOf(item, words)));
  const { length } = index.items;
  const rare = keywords.map((word, k) => {
    const idle = word.length === 1 && keywords.some((other) => other.length > 1); // single letters need not match
    return idle ? 0 : Math.log(1 + length / (1 + parts.filter((part) => part[k]).length));
  });
  const all = rare.reduce((sum, one) => sum + one, 0);
  const shares = parts.map((part) => part.reduce((sum, one, k) => sum + (one && rare[k]), 0) / (all || 1));
  const complete = shares.some((share) => share > 0.999);
  const least = complete && keywords.length <= FEW ? 0.999 : Math.min(MOST_OF, Math.max(...shares));
  const results = index.items
    .map((item, i) => ({
      ...item,
      share: shares[i],
      score: shares[i] ** 2 * (1 - (LATER * i) / length) * score(item, parts[i], rare, query),
    }))
    .filter(({ share }) => share && share >= least)
    .sort((one, other) => other.score - one.score);
  return { keywords: [...new Set([...keywordsOf(query), ...keywords])], results, complete, instead };
}

/** Return the words to look up for a query: those of the book where it has others for the same thing, or more similar ones. */
function readingOf(query, { vocabulary, written, synonyms }) {
  const instead = [];
  const known = new Set(synonyms.flatMap(([said]) => said));
  const mend = ({ word, said }) => {
    const isKnown = known.has(word) || STOP.has(word) || alike(word, vocabulary).size;
    const close = isKnown ? null : nearest(said.toLowerCase(), written);
    if (close) instead.push([said, close]);
    return close ?? said;
  };
  let words = stems(wordsOf(query).slice(0, MOST_WORDS).map(mend).join(" "));
  for (const [said, here] of synonyms) words = exchange(words, said, here);
  return { keywords: keywordsOf(words.join(" ")), instead };
}

/** Put other words in the place of some, wherever these follow each other in a list. */
function exchange(words, said, here) {
  const at = words.findIndex((_, k) => said.every((word, l) => words[k + l] === word));
  return at < 0 ? words : [...words.slice(0, at), ...here, ...exchange(words.slice(at + said.length), said, here)];
}

/** Return the words of the book that match one, and how well. A short word that the book has is meant as it stands. */
function alike(keyword, vocabulary) {
  if (keyword.length <= 3 && vocabulary.has(keyword)) return new Map([[keyword, 2]]);
  const found = new Map();
  for (const word of vocabulary.keys()) {
    const like = likeness(word, keyword);
    if (like) found.set(word, like);
  }
  return found;
}

/** Return how much an entry has of one word: most in its title, then in its text, then elsewhere. */
function partOf({ title, words, besides }, alike) {
  const inTitle = Math.max(0, ...title.map((word) => alike.get(word) ?? 0));
  let [inText, near] = [0, 0];
  for (const [word, like] of alike) {
    if (words.has(word)) inText = Math.max(inText, like * (1 + Math.log2(words.get(word)) / 4));
    if (besides.has(word)) near = 0.5;
  }
  return 6 * inTitle + inText + near;
}

/** Weight the parts by how rare their words are; short titles, and titles with the query in one piece, come first. */
function score({ entry, title, whole }, parts, rare, query) {
  const sum = parts.reduce((total, part, k) => total + part * rare[k], 0);
  const covered = parts.filter((part) => part >= 6).length / title.length;
  const phrase = spaced(stems(query));
  const piece = whole.title.includes(phrase) ? 8 : whole.text.includes(phrase) ? 2 : 0;
  const asked = entry.kind === "term" && ASKS_WHAT.test(query) ? 1.5 : 1;
  return (sum * (1 + covered / 2) + piece) * WEIGHT[entry.kind] * asked;
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
function nearest(typed, written) {
  if (typed.length < LONG) return null;
  const most = typed.length < 8 ? 1 : 2;
  const close = [...written].map(([word, count]) => ({ word, count, far: word[0] === typed[0] ? distance(word, typed) : 3 }));
  const [best] = close.filter(({ far }) => far <= most).sort((one, other) => one.far - other.far || other.count - one.count);
  return best?.word ?? null;
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
