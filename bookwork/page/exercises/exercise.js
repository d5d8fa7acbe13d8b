/**
 * Exercises in the page: hints one at a time, the solution after a confirmation, and saved progress.
 *
 * bookwork/sphinx/exercises.py puts each exercise with its starter cell, hints and solution into one element
 * `.book-exercise`, and the list of all exercises of the book into `#book-exercises`. The starter is a
 * cell like any other: bookwork/page/cells/notebook.js runs it and reports the verdict as the event "book:verdict". Without
 * this script hints and solution are plain dropdowns.
 */
import "./exercise.css";
import { pageKeys, setUpAnswer } from "./answer.js";
import { element } from "../site/element.js";
import { setUpGuesses } from "./guess.js";
import { exerciseAfter, showProgress } from "./progress-view.js";
import { entryOf, update } from "./progress.js";
import { whenParsed } from "../site/ready.js";
import { STATUSES } from "./verdict.js";

/** Set up every exercise of the page. */
function setUpExercises() {
  const keys = pageKeys();
  const exercises = [...document.querySelectorAll(".book-exercise")].map((group) => setUpExercise(group, keys));
  const parts = [...exercises, setUpGuesses(), showProgress()];
  const refresh = () => parts.forEach((part) => part.refresh());
  refresh();
  document.addEventListener("book:progress", refresh);
  document.addEventListener("book:verdict", record);
  addEventListener("storage", refresh); // another tab
}

/** Record the verdict that a cell reports. @param {any} event */
function record({ detail: { label, status, message } }) {
  const kind = STATUSES[status];
  if (kind === "idle") return;
  change(label, { tried: true, ...(kind === "right" && { solved: true }), verdict: { status, message } });
}

function change(label, changes) {
  update(label, changes);
  document.dispatchEvent(new CustomEvent("book:progress"));
}

/** Give one exercise its badge, its hints one at a time, and its solution after a confirmation. */
function setUpExercise(group, keys) {
  const label = group.dataset.exercise;
  const badge = element("span", { className: "exercise-badge" });
  const hints = setUpHints(label, [...group.querySelectorAll("details.book-hint")]);
  const solution = setUpSolution(label, group.querySelector("details.book-solution"), hints.left);
  setUpAnswer(group, keys[label]);
  const next = linkToNext(label);
  const bar = element("div", { className: "exercise-bar" }, hints.button, solution.button, next);
  group.querySelector(".admonition-title")?.append(badge);
  placeBar(group, bar, solution.question);
  const refresh = () => {
    describe(badge, entryOf(label));
    hints.refresh();
    solution.refresh();
    next.hidden = !next.href || !entryOf(label).solved;
  };
  return { refresh };
}

/** Put the buttons before what they show, or else at the end. */
function placeBar(group, ...parts) {
  const folded = group.querySelector("details:is(.book-hint, .book-solution)");
  if (folded) folded.before(...parts);
  else group.append(...parts);
}

/** A link to the next exercise, shown once this one is solved. */
function linkToNext(label) {
  const next = exerciseAfter(label);
  if (!next) return element("a");
  return element("a", { className: "exercise-next", href: next.href, textContent: `Next exercise: ${next.title}` });
}

/** "solved", "tried", or nothing. */
function describe(badge, { solved, tried, seen }) {
  badge.textContent = solved ? (seen ? "solved, solution seen" : "solved") : tried ? "tried" : "";
  badge.classList.toggle("exercise-badge-solved", solved);
}

function setUpHints(label, hints) {
  const left = () => hints.length - entryOf(label).hints;
  const next = () => {
    const shown = Math.min(entryOf(label).hints, hints.length - 1);
    change(label, { hints: shown + 1 });
    reveal(hints[shown]);
  };
  const button = element("button", { type: "button", onclick: next });
  const refresh = () => {
    hints.forEach((hint, i) => (hint.hidden = i >= entryOf(label).hints));
    button.hidden = left() <= 0;
    button.textContent = hints.length === 1 ? "Show the hint" : `Show hint ${hints.length - left() + 1} of ${hints.length}`;
  };
  return { button, left, refresh };
}

/** The solution, if there is one, appears after a confirmation, or at once if the exercise is solved. */
function setUpSolution(label, solution, hintsLeft) {
  if (!solution) return { button: "", question: "", refresh: () => {} };
  const show = () => {
    question.hidden = true;
    change(label, { seen: entryOf(label).seen || !entryOf(label).solved });
    solution.hidden = false;
    button.hidden = true;
    reveal(solution);
  };
  const text = element("p");
  const cancel = element("button", { type: "button", textContent: "Not yet" });
  const confirm = element("button", { type: "button", textContent: "Show it", onclick: show });
  const question = element("div", { className: "exercise-question", role: "group", hidden: true }, text, confirm, cancel);
  const button = element("button", { type: "button", textContent: "Show the solution" });
  button.onclick = () => {
    if (entryOf(label).solved || entryOf(label).seen) return show();
    text.textContent = questionFor(Math.max(hintsLeft(), 0));
    question.hidden = false;
    cancel.focus();
  };
  cancel.onclick = () => {
    question.hidden = true;
    button.focus();
  };
  solution.hidden = true;
  return { button, question, refresh: () => (button.hidden = !solution.hidden) };
}

function questionFor(hints) {
  const help = { 0: "", 1: " One hint is still unread." }[hints] ?? ` ${hints} hints are still unread.`;
  return `Once you have read the solution you cannot find it yourself.${help} Show it?`;
}

/** Open a dropdown and move the focus to it. */
function reveal(details) {
  details.hidden = false;
  details.open = true;
  details.querySelector("summary").focus();
}

whenParsed(setUpExercises);
