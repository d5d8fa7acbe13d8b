/**
 * Exercises in the page: hints one at a time, the solution after a confirmation, and saved progress.
 *
 * bookwork/sphinx/exercises.py puts each exercise with its starter cell, hints and solution into one element
 * `.book-exercise`, and the list of all exercises of the book into `#book-exercises`. The verdict comes as the event
 * "book:verdict": from the starter, a cell like any other, which web/cells/notebook.js runs, or from a form in its
 * place (answer.js). Without this script hints and solution are plain dropdowns.
 */
import "./exercise.css";
import { setUpAnswer } from "./answer.js";
import { button, element } from "../site/element.js";
import { setUpGuess } from "./guess.js";
import { keyOf } from "./key.js";
import { bookExercises, showProgress } from "./progress-view.js";
import { entryOf, follow, record, update } from "./progress.js";

document.querySelectorAll(".book-exercise").forEach(setUpExercise);
document.querySelectorAll(".book-guess").forEach(setUpGuess);
showProgress();
document.addEventListener("book:verdict", (/** @type {any} */ { detail }) => record(detail));

/** Give an exercise its form, its badge, and the buttons before what they show, or else at the end. */
function setUpExercise(group) {
  const label = group.dataset.exercise;
  const key = keyOf(label);
  if (key) setUpAnswer(group, label, key);
  addBadge(group.querySelector(".admonition-title"), label);
  const bar = element("div", { className: "exercise-bar" });
  const [hints, solution] = ["hint", "solution"].map((part) => [...group.querySelectorAll(`details.book-${part}`)]);
  const [folded] = [...hints, ...solution];
  if (folded) folded.before(bar);
  else group.append(bar);
  addHints(bar, label, hints);
  if (solution.length) addSolution(bar, label, solution[0], hints.length);
  addNext(bar, label);
}

/** "solved", "tried", or nothing. */
function addBadge(title, label) {
  const badge = element("span", { className: "exercise-badge" });
  (title?.querySelector(".book-effort") ?? title)?.append(badge);
  follow(() => {
    const { solved, tried, seen } = entryOf(label);
    badge.textContent = solved ? (seen ? "solved, solution seen" : "solved") : tried ? "tried" : "";
    badge.classList.toggle("exercise-badge-solved", solved);
  });
}

/** A button that shows the hints, one at a time. */
function addHints(bar, label, hints) {
  const show = button("", () => {
    const shown = entryOf(label).hints;
    update(label, { hints: shown + 1 });
    reveal(hints[shown]);
  });
  bar.append(show);
  follow(() => {
    const shown = entryOf(label).hints;
    hints.forEach((hint, i) => (hint.hidden = i >= shown));
    show.hidden = shown >= hints.length;
    show.textContent = hints.length === 1 ? "Show the hint" : `Show hint ${shown + 1} of ${hints.length}`;
  });
}

/** A button that shows the solution after a confirmation, or at once if the exercise is solved. */
function addSolution(bar, label, solution, hints) {
  const text = element("p");
  const cancel = button("Not yet", () => {
    question.hidden = true;
    ask.focus();
  });
  const question = element("div", { className: "exercise-question", role: "group" }, text, button("Show it", show), " ", cancel);
  const ask = button("Show the solution", () => {
    const { solved, seen, hints: read } = entryOf(label);
    if (solved || seen) return show();
    text.textContent = questionFor(Math.max(hints - read, 0));
    question.hidden = false;
    cancel.focus();
  });
  solution.hidden = question.hidden = true;
  bar.append(ask);
  bar.after(question);

  function show() {
    update(label, { seen: entryOf(label).seen || !entryOf(label).solved });
    question.hidden = ask.hidden = true;
    reveal(solution);
  }
}

function questionFor(hints) {
  const help = { 0: "", 1: " One hint is still unread." }[hints] ?? ` ${hints} hints are still unread.`;
  return `Once you have read the solution you cannot find it yourself.${help} Show it?`;
}

/** A link to the next exercise of the book, once this one is solved. */
function addNext(bar, label) {
  const all = bookExercises().flatMap(({ href, exercises }) => exercises.map((each) => ({ ...each, href: `${href}#${each.label}` })));
  const next = all[all.findIndex((each) => each.label === label) + 1];
  if (!next) return;
  const link = element("a", { href: next.href, textContent: `Next exercise: ${next.title}` });
  bar.append(link);
  follow(() => (link.hidden = !entryOf(label).solved));
}

/** Open a dropdown and move the focus to it. */
function reveal(details) {
  details.hidden = false;
  details.open = true;
  details.querySelector("summary").focus();
}
