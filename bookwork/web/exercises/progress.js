/**
 * The reader's progress: of each exercise and each guess one entry, which holds how far it is, the answer and its verdict.
 *
 * Each has its own key in web/site/store.js, so that two tabs do not overwrite each other. Whatever changes one is told by
 * the event "book:progress"; "book:answers" tells cells that their texts may be others. A progress file contains all entries, and the
 * texts of the other cells; one that is loaded may come from anyone, so it is taken whole, or refused.
 *
 * @typedef {{ status: string, message: string }} Verdict
 * @typedef {{ tried: boolean, solved: boolean, hints: number, seen: boolean, met: string[], answer: string | string[] | null, verdict: Verdict | null }} Entry
 *   met: the messages of known mistakes; answer: the text of a cell, or what was chosen, typed or dragged in a form
 */
import { PROGRESS, TEXT, keys, read, remove, write } from "../site/store.js";
import { TITLE } from "../site/this-book.js";
import { LABEL, STATUSES } from "./verdict.js";

const FORMAT = `${TITLE}: progress`; // as exercises/report.py expects it
const OWN = [PROGRESS, TEXT];
const MOST = { file: 5_000_000, hints: 9, met: 50 };
const CELL = /^.{1,500}$/s; // page and cell

/** @type {Entry} of an exercise that nobody has touched */
const EMPTY = { tried: false, solved: false, hints: 0, seen: false, met: [], answer: null, verdict: null };

const isFlag = (value) => typeof value === "boolean";
const isText = (value) => typeof value === "string";
const isObject = (value) => value instanceof Object && !Array.isArray(value);

/** @returns {Entry} what is known about one exercise or guess */
export function entryOf(label) {
  return entryIn(read(PROGRESS + label));
}

/** @returns {Entry} what is stored under a key */
export function entryIn(text) {
  try {
    const entry = JSON.parse(text ?? "{}");
    if (isEntry(entry)) return whole(entry);
  } catch {
    // not written by the book: start afresh
  }
  return EMPTY;
}

/** Change what is known about one exercise; a verdict goes with the answer that it judged. */
export function update(label, changes) {
  const before = entryOf(label);
  const isOther = "answer" in changes && String(changes.answer) !== String(before.answer);
  keep(label, { ...before, ...(isOther && { verdict: null }), ...changes });
  tell("book:progress");
}

/** Record the verdict on an answer. */
export function record({ label, status, message }) {
  const kind = STATUSES[status];
  if (kind === "idle") return;
  const { met } = entryOf(label);
  const more = status === "known mistake" ? union(met, [message]) : met;
  update(label, { tried: true, ...(kind === "right" && { solved: true }), met: more, verdict: { status, message } });
}

/** The first messages of two lists, each once. */
function union(...lists) {
  return [...new Set(lists.flat())].slice(0, MOST.met);
}

/** Call back now, and whenever what is known changes, here or in another tab. */
export function follow(refresh) {
  refresh();
  document.addEventListener("book:progress", refresh);
  addEventListener("storage", refresh);
}

/** Where nothing is known any more, nothing is kept. */
function keep(label, entry) {
  const text = JSON.stringify(entry);
  if (text === JSON.stringify(EMPTY)) remove(PROGRESS + label);
  else write(PROGRESS + label, text);
}

function tell(...events) {
  events.forEach((event) => document.dispatchEvent(new Event(event)));
}

/** Delete progress, answers and texts, and keep these instead. */
export function replaceAll(copy = []) {
  OWN.flatMap(keys).forEach(remove);
  copy.forEach(([key, text]) => write(key, text));
  tell("book:progress", "book:answers");
}

/** @returns {() => void} a function that restores what is stored now */
export function makeUndo() {
  const copy = OWN.flatMap(keys).map((key) => [key, read(key)]);
  return () => replaceAll(copy);
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
  const entries = Object.values(exercises).map(whole);
  const answers = entries.filter(({ answer }) => answer !== null).length + Object.keys(texts).length;
  return `${count(entries.filter(({ solved }) => solved).length, "solved exercise")} and ${count(answers, "answer")}`;
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * Load a progress file: what was solved stays solved; answers and texts from the file replace older ones.
 *
 * @returns {string} what was loaded, as a sentence; throws an Error with a sentence otherwise
 */
export function fromFile(text) {
  const file = contentsOf(text);
  Object.entries(file.exercises).forEach(([label, entry]) => keep(label, joined(entryOf(label), whole(entry))));
  Object.entries(file.texts).forEach(([cell, code]) => write(TEXT + cell, code));
  tell("book:progress", "book:answers");
  return `Loaded ${amount(file)}.`;
}

/** @returns {{ exercises: Object<string, Partial<Entry>>, texts: Object<string, string> }} */
function contentsOf(text) {
  if (text.length > MOST.file) throw new Error("This file is too large to be a progress file.");
  const { format, version, exercises = {}, texts = {} } = Object(parsed(text));
  if (format !== FORMAT) throw new Error("This isn't a progress file for this book.");
  if (version !== 1) throw new Error("This file was made by a newer edition of the book.");
  if (!hasOnly(exercises, LABEL, isEntry) || !hasOnly(texts, CELL, isText))
    throw new Error("This progress file is damaged, so nothing of it was loaded.");
  return { exercises, texts };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This isn't a progress file: it is not JSON.");
  }
}

/** Whether each name in a part of a file, and what stands under it, has its form. */
function hasOnly(part, name, isWhole) {
  return isObject(part) && Object.entries(part).every(([key, value]) => name.test(key) && isWhole(value));
}

/** @returns {Entry} what a file or the browser has of an entry, and nothing for the rest */
function whole(data) {
  return { ...EMPTY, ...data };
}

function isEntry(data) {
  const { tried, solved, hints, seen, met, answer, verdict } = whole(data);
  const hasHints = Number.isInteger(hints) && hints >= 0 && hints <= MOST.hints;
  const hasMet = Array.isArray(met) && met.every(isText);
  const hasAnswer = answer === null || isText(answer) || (Array.isArray(answer) && answer.every(isText));
  const hasVerdict = verdict === null || (isText(Object(verdict).message) && Object.hasOwn(STATUSES, verdict.status));
  return isObject(data) && [tried, solved, seen].every(isFlag) && hasHints && hasMet && hasAnswer && hasVerdict;
}

/** The file's answer, with its verdict, replaces the one that is here; all else only grows. */
function joined(here, loaded) {
  const [tried, solved, seen] = ["tried", "solved", "seen"].map((flag) => here[flag] || loaded[flag]);
  const { answer, verdict } = loaded.answer === null ? here : loaded;
  return { tried, solved, hints: Math.max(here.hints, loaded.hints), seen, met: union(here.met, loaded.met), answer, verdict };
}
