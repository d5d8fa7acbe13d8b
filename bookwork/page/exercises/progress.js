/**
 * The reader's progress: of each exercise and each guess one entry, which holds how far it is, the answer and its verdict.
 *
 * Each has its own key in bookwork/page/site/store.js, so that two tabs do not overwrite each other. A progress file contains all
 * of them, and the texts of the other cells; one that is loaded may come from anyone, so it is taken whole, or refused.
 *
 * @typedef {{ status: string, message: string }} Verdict
 * @typedef {{ tried: boolean, solved: boolean, hints: number, seen: boolean, answer: string | string[] | null, verdict: Verdict | null }} Entry
 *   answer: the text of a cell, or what was chosen, typed or dragged in a form
 */
import { PROGRESS, TEXT, keys, putBack, read, remove, takeCopy, write } from "../site/store.js";
import { TITLE } from "../site/this-book.js";
import { LABEL, STATUSES } from "./verdict.js";

const FORMAT = `${TITLE}: progress`; // as exercises/report.py expects it
const OWN = [PROGRESS, TEXT];
const MOST = { file: 5_000_000, hints: 9 };
const CELL = /^.{1,500}$/s; // page and cell
const DAMAGED = "This progress file is damaged, so nothing of it was loaded.";

/** @type {Entry} of an exercise that nobody has touched */
const EMPTY = { tried: false, solved: false, hints: 0, seen: false, answer: null, verdict: null };

/** What each part of an entry may be. */
const FORMS = {
  tried: isFlag,
  solved: isFlag,
  hints: (value) => Number.isInteger(value) && value >= 0 && value <= MOST.hints,
  seen: isFlag,
  answer: (value) => value === null || isText(value) || (Array.isArray(value) && value.every(isText)),
  verdict: (value) => value === null || (isText(Object(value).message) && Object.hasOwn(STATUSES, value.status)),
};

/** @returns {Entry} what is known about one exercise or guess */
export function entryOf(label) {
  return entryIn(read(PROGRESS + label));
}

/** @returns {Entry} what is stored under a key */
export function entryIn(text) {
  try {
    return checkedEntry(JSON.parse(text ?? "{}"));
  } catch {
    return EMPTY; // not written by the book: start afresh
  }
}

/** Change what is known about one exercise; a verdict goes with the answer that it judged. Return whether it was stored. */
export function update(label, changes) {
  const before = entryOf(label);
  const isOther = "answer" in changes && String(changes.answer) !== String(before.answer);
  return keep(label, { ...before, ...(isOther && { verdict: null }), ...changes });
}

/** Where nothing is known any more, nothing is kept. */
function keep(label, entry) {
  const text = JSON.stringify(entry);
  if (text !== JSON.stringify(EMPTY)) return write(PROGRESS + label, text);
  remove(PROGRESS + label);
  return true;
}

/** Delete progress, answers and texts. */
export function forgetAll() {
  OWN.flatMap(keys).forEach(remove);
}

/** @returns {() => void} a function that restores what is stored now */
export function makeUndo() {
  const copy = takeCopy(OWN);
  return () => putBack(OWN, copy);
}

/** @returns {string} the contents of a progress file, as JSON */
export function toFile() {
  return JSON.stringify({ format: FORMAT, version: 1, ...everything() }, null, 1);
}

function everything() {
  const collect = (prefix, form) => Object.fromEntries(keys(prefix).map((key) => [key.slice(prefix.length), form(read(key))]));
  return { exercises: collect(PROGRESS, entryIn), texts: collect(TEXT, String) };
}

/** @returns {string} what is stored or was loaded, as in "2 solved exercises and 3 answers" */
export function amount({ exercises, texts } = everything()) {
  const entries = Object.values(exercises);
  const answers = entries.filter(({ answer }) => answer !== null).length + Object.keys(texts).length;
  return `${count(entries.filter(({ solved }) => solved).length, "solved exercise")} and ${count(answers, "answer")}`;
}

/**
 * Load a progress file: what was solved stays solved; answers and texts from the file replace older ones.
 *
 * @returns {string} what was loaded, as a sentence; throws an Error with a sentence otherwise
 */
export function fromFile(text) {
  const file = checkedFile(text);
  const kept = [
    ...Object.entries(file.exercises).map(([label, entry]) => keep(label, better(entry, entryOf(label)))),
    ...Object.entries(file.texts).map(([cell, code]) => write(TEXT + cell, code)),
  ];
  const sentence = `Loaded ${amount(file)}.`;
  return kept.every(Boolean) ? sentence : `${sentence} Not all of it could be stored.`;
}

/** @returns {{ exercises: Object<string, Entry>, texts: Object<string, string> }} */
function checkedFile(text) {
  if (text.length > MOST.file) throw new Error("This file is too large to be a progress file.");
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("This isn't a progress file: it is not JSON.");
  }
  if (data?.format !== FORMAT) throw new Error("This isn't a progress file for this book.");
  if (data.version !== 1) throw new Error("This file was made by a newer edition of the book.");
  const { exercises = {}, texts = {}, answers = {}, guesses = {} } = data;
  if (![exercises, texts, answers, guesses].every(isObject)) damaged();
  return {
    exercises: checked({ ...exercises, ...ofEarlierFile(exercises, answers, guesses) }, LABEL, checkedEntry),
    texts: checked(texts, CELL, (text) => (isText(text) ? text : damaged())),
  };
}

/** A file of an earlier edition has the answers by label and a hash, among those of other cells, and the guesses apart. */
function ofEarlierFile(exercises, answers, guesses) {
  const ofBook = new Set(bookExercises().flatMap((chapter) => chapter.exercises.map(({ label }) => label)));
  const labelled = Object.entries(answers).map(([name, answer]) => [name.replace(/:[^:]*$/, ""), answer]);
  const given = [...labelled.filter(([label]) => ofBook.has(label)), ...Object.entries(guesses)];
  return Object.fromEntries(given.map(([label, answer]) => [label, { ...exercises[label], answer }]));
}

/** The chapters of the book with their exercises, as sphinx/exercises.py writes them into each page. */
export function bookExercises() {
  return JSON.parse(document.getElementById("book-exercises")?.textContent ?? "[]");
}

/** The parts of a file, each in the form that it must have. */
function checked(parts, name, form) {
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [name.test(key) ? key : damaged(), form(part)]));
}

/** @returns {Entry} */
function checkedEntry(data) {
  const entry = Object.entries(EMPTY).map(([key, nothing]) => [key, Object(data)[key] ?? nothing]);
  if (!isObject(data) || !entry.every(([key, value]) => FORMS[key](value))) damaged();
  const { verdict, ...rest } = Object.fromEntries(entry);
  return { ...rest, tried: rest.tried || rest.solved, verdict: verdict && { status: verdict.status, message: verdict.message } };
}

/** @returns {never} */
function damaged() {
  throw new Error(DAMAGED);
}

function isObject(value) {
  return value instanceof Object && !Array.isArray(value);
}

function isFlag(value) {
  return typeof value === "boolean";
}

function isText(value) {
  return typeof value === "string";
}

/** The file's answer, with its verdict, replaces the one that is here; all else only grows. */
function better(one, other) {
  const [tried, solved, seen] = ["tried", "solved", "seen"].map((flag) => one[flag] || other[flag]);
  const { answer, verdict } = one.answer === null ? other : one;
  return { tried, solved, hints: Math.max(one.hints, other.hints), seen, answer, verdict };
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
