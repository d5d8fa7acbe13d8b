/**
 * Exercises in the page: hints one at a time, the solution after a confirmation, and saved progress.
 *
 * bookwork/sphinx/exercises.py puts each exercise with its starter cell, hints and solution into one element
 * `.book-exercise`, and the list of all exercises of the book into `#book-exercises`. The verdict comes as the event
 * "book:verdict": from the starter, a cell like any other, which bookwork/page/cells/notebook.js runs, or from a form in its
 * place (answer.js). Without this script hints and solution are plain dropdowns.
 */
import "./exercise.css";
import { setUpAnswer } from "./answer.js";
import { button, element } from "../site/element.js";
import { setUpGuesses } from "./guess.js";
import { keyOf } from "./key.js";
import { exerciseAfter, showProgress } from "./progress-view.js";
import { entryOf, update } from "./progress.js";
import { whenParsed } from "../site/ready.js";
import { STATUSES } from "./verdict.js";

/** Set up every exercise of the page. */
function setUpExercises() {
  const exercises = [...document.querySelectorAll(".book-exercise")].map(setUpExercise);
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
function setUpExercise(group) {
  const label = group.dataset.exercise;
  const badge = element("span", { className: "exercise-badge" });
  const hints = setUpHints(label, [...group.querySelectorAll("details.book-hint")]);
  const solution = setUpSolution(label, group.querySelector("details.book-solution"), hints.left);
  const key = keyOf(label);
  const answer = key && setUpAnswer(group, key);
  const next = linkToNext(label);
  const bar = element("div", { className: "exercise-bar" }, hints.button, solution.button, next);
  const title = group.querySelector(".admonition-title");
  (title?.querySelector(".book-effort") ?? title)?.append(badge);
  placeBar(group, bar, solution.question);
  const refresh = () => {
    describe(badge, entryOf(label));
    hints.refresh();
    solution.refresh();
    answer?.refresh();
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
  const show = button("", next);
  const refresh = () => {
    hints.forEach((hint, i) => (hint.hidden = i >= entryOf(label).hints));
    show.hidden = left() <= 0;
    show.textContent = hints.length === 1 ? "Show the hint" : `Show hint ${hints.length - left() + 1} of ${hints.length}`;
  };
  return { button: show, left, refresh };
}

/** The solution, if there is one, appears after a confirmation, or at once if the exercise is solved. */
function setUpSolution(label, solution, hintsLeft) {
  if (!solution) return { button: "", question: "", refresh: () => {} };
  const show = () => {
    question.hidden = true;
    change(label, { seen: entryOf(label).seen || !entryOf(label).solved });
    solution.hidden = false;
    ask.hidden = true;
    reveal(solution);
  };
  const text = element("p");
  const cancel = button("Not yet", () => {
    question.hidden = true;
    ask.focus();
  });
  const question = element(
    "div",
    { className: "exercise-question", role: "group", hidden: true },
    text,
    button("Show it", show),
    " ",
    cancel,
  );
  const ask = button("Show the solution", () => {
    if (entryOf(label).solved || entryOf(label).seen) return show();
    text.textContent = questionFor(Math.max(hintsLeft(), 0));
    question.hidden = false;
    cancel.focus();
  });
  solution.hidden = true;
  return { button: ask, question, refresh: () => (ask.hidden = !solution.hidden) };
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
