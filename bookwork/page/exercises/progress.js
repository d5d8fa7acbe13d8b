/**
 * The reader's progress: which exercises were tried and solved, how many hints were shown, and what was guessed.
 *
 * Each exercise has its own key in bookwork/page/site/store.js, so that two tabs do not overwrite each other. A progress
 * file contains all of them and the reader's answers and guesses; one that is loaded may come from anyone, so
 * every part of it is checked and invalid parts are ignored.
 *
 * @typedef {{ tried: boolean, solved: boolean, hints: number, seen: boolean }} Entry
 * @typedef {{ exercises: Object<string, Entry>, answers: Object<string, string>, guesses: Object<string, string[]> }} Kept
 */
import { keepFromFile } from "../cells/memory.js";
import { ANSWER, ASSIGNED, GUESS, MARKS, PLACE, PROGRESS, keys, putBack, read, remove, takeCopy, write } from "../site/store.js";
import { TITLE } from "../site/this-book.js";
import { LABEL } from "./verdict.js";

const FORMAT = `${TITLE}: progress`; // as exercises/report.py expects it
const OWN = [PROGRESS, ANSWER, GUESS, MARKS, PLACE, ASSIGNED];
const LIMITS = { file: 5_000_000, answer: 50_000, answers: 1000, hints: 9, guess: 200 };
const CELL = /^[\x21-\x7e]{1,200}$/; // page and cell, without spaces

/** @returns {Entry} what is known about one exercise */
export function entryOf(label) {
  try {
    return checkedEntry(JSON.parse(read(PROGRESS + label)) ?? {});
  } catch {
    return checkedEntry({}); // not written by the book: start afresh
  }
}

/** Change what is known about one exercise; return whether it was stored. */
export function update(label, changes) {
  return write(PROGRESS + label, JSON.stringify({ ...entryOf(label), ...changes }));
}

/** @returns {string[]} what the reader guessed, empty if nothing */
export function guessOf(name) {
  try {
    return checkedGuess(JSON.parse(read(GUESS + name)));
  } catch {
    return []; // not written by the book
  }
}

/** Keep a guess; return whether it was stored. */
export function keepGuess(name, guess) {
  return write(GUESS + name, JSON.stringify(guess));
}

/** Delete progress, answers, guesses and the place to continue from. */
export function forgetAll() {
  OWN.flatMap(keys).forEach(remove);
}

/** @returns {() => void} a function that restores what is stored now */
export function makeUndo() {
  const copy = takeCopy(OWN);
  return () => putBack(OWN, copy);
}

/** @returns {string} the contents of a progress file: progress, answers and guesses, as JSON */
export function toFile() {
  const collect = (prefix, get) => Object.fromEntries(keys(prefix).map((key) => [key.slice(prefix.length), get(key.slice(prefix.length))]));
  const exercises = collect(PROGRESS, entryOf);
  const answers = collect(ANSWER, (cell) => read(ANSWER + cell));
  const guesses = collect(GUESS, guessOf);
  return JSON.stringify({ format: FORMAT, version: 1, exercises, answers, guesses }, null, 1);
}

/** @returns {string} what is stored, as in "2 exercises and 3 answers" */
export function amount() {
  return `${count(keys(PROGRESS).length, "exercise")} and ${count(keys(ANSWER).length, "answer")}`;
}

/**
 * Load a progress file: what was solved stays solved; answers and guesses from the file replace older
 * ones, and answers are marked as such (see memory.js).
 *
 * @returns {string} what was loaded, as a sentence; throws an Error with a sentence otherwise
 */
export function fromFile(text) {
  const { exercises, answers, guesses } = checkedFile(text);
  const kept = [
    ...Object.entries(exercises).map(([label, entry]) => update(label, better(entry, entryOf(label)))),
    ...Object.entries(answers).map(([cell, code]) => keepFromFile(cell, code)),
    ...Object.entries(guesses).map(([name, guess]) => keepGuess(name, guess)),
  ];
  const solved = Object.values(exercises).filter((entry) => entry.solved).length;
  const sentence = `Loaded ${count(solved, "solved exercise")} and ${count(Object.keys(answers).length, "answer")}.`;
  return kept.every(Boolean) ? sentence : `${sentence} Not all of it could be stored.`;
}

/** @returns {Kept} */
function checkedFile(text) {
  if (text.length > LIMITS.file) throw new Error("This file is too large to be a progress file.");
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("This isn't a progress file: it is not JSON.");
  }
  if (data?.format !== FORMAT) throw new Error("This isn't a progress file for this book.");
  if (data.version !== 1) throw new Error("This file was made by a newer edition of the book.");
  const guesses = entriesOf(data.guesses).filter(([name, guess]) => LABEL.test(name) && checkedGuess(guess).length);
  return {
    exercises: checkedExercises(data.exercises),
    answers: checkedAnswers(data.answers),
    guesses: Object.fromEntries(guesses.slice(0, LIMITS.answers)),
  };
}

function checkedExercises(data) {
  const entries = entriesOf(data).filter(([label, entry]) => LABEL.test(label) && entry instanceof Object);
  return Object.fromEntries(entries.map(([label, entry]) => [label, checkedEntry(entry)]));
}

/** @returns {Entry} */
function checkedEntry({ tried = false, solved = false, hints = 0, seen = false }) {
  const shown = Number.isInteger(hints) ? Math.min(Math.max(hints, 0), LIMITS.hints) : 0;
  return { tried: tried === true || solved === true, solved: solved === true, hints: shown, seen: seen === true };
}

function checkedAnswers(data) {
  const isAnswer = ([cell, code]) => CELL.test(cell) && typeof code === "string" && code.length <= LIMITS.answer;
  return Object.fromEntries(entriesOf(data).filter(isAnswer).slice(0, LIMITS.answers));
}

/** @returns {string[]} a guess, empty if it is none */
function checkedGuess(data) {
  const isText = (part) => typeof part === "string" && part.length <= LIMITS.guess;
  return Array.isArray(data) && data.length <= LIMITS.guess && data.every(isText) ? data : [];
}

function entriesOf(data) {
  return data instanceof Object && !Array.isArray(data) ? Object.entries(data) : [];
}

function better(one, other) {
  return {
    tried: one.tried || other.tried,
    solved: one.solved || other.solved,
    hints: Math.max(one.hints, other.hints),
    seen: one.seen || other.seen,
  };
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
