/**
 * Exercises with a choice: the letters of the list become radio buttons.
 *
 * A choice is written into the code of the exercise's cell, `answer = "b"`, and checked by running it, as
 * if the reader had typed it. bookwork/sphinx/exercises.py marks the list as `.book-choices`; without this script it
 * is a plain list.
 */
import { element } from "../site/element.js";

const ANSWER = /^(\s*\w+\s*=\s*)(\.\.\.|["'][a-z]?["'])/m; // answer = ... or answer = "b"

/** Replace an exercise's list, if it has one, with radio buttons. */
export function setUpChoices(group) {
  const list = group.querySelector("ul.book-choices");
  const cell = window.bookCells?.ofExercise(group.dataset.exercise);
  if (!list || !cell) return;
  const inputs = [...list.children].map((item) => makeInput(cell, item));
  const fieldset = makeFieldset(group, inputs);
  list.before(fieldset);
  list.hidden = true;
  foldCode(cell);
  const show = () => inputs.forEach(({ input }) => (input.checked = input.value === chosen(cell)));
  show();
  cell.element.addEventListener("book:code", show);
  cell.runButton.onclick = () => (cell.isEdited ? cell.run() : cell.say("Choose one of the answers first."));
  listen(fieldset, cell);
}

function makeInput(cell, item) {
  const value = item.querySelector("strong").textContent.trim();
  const input = element("input", { type: "radio", name: `choice-${cell.exercise}`, value });
  const words = element("span", {}, ...item.childNodes);
  return { input, label: element("label", {}, input, words) };
}

function makeFieldset(group, inputs) {
  const legend = element("legend", { textContent: "Choose one:" });
  group.classList.add("exercise-chosen");
  return element("fieldset", { className: "exercise-choices" }, legend, ...inputs.map(({ label }) => label));
}

/** The code stays, folded. It is open where the reader should look at it before it runs. */
function foldCode(cell) {
  const summary = element("summary", { textContent: "The same in Python" });
  const details = element("details", { className: "exercise-code" }, summary);
  cell.input.before(details);
  details.append(cell.note.node, cell.input, ...cell.element.querySelectorAll(".book-editor"));
  details.open = !cell.isTrusted;
  cell.element.addEventListener("book:code", () => !cell.isTrusted && (details.open = true));
}

/** The letter in the code, if there is one. */
function chosen({ code }) {
  return code.match(ANSWER)?.[2].replace(/[."']/g, "") ?? "";
}

/** A press on a choice checks it. By keyboard, the arrows only choose, and Enter checks. */
function listen(fieldset, cell) {
  let isPointer = false;
  let last = Promise.resolve();
  const check = () => (last = last.then(() => cell.run()));
  fieldset.addEventListener("pointerdown", () => (isPointer = true));
  fieldset.addEventListener("keydown", (event) => {
    isPointer = false;
    if (event.key === "Enter") check();
  });
  fieldset.addEventListener("change", ({ target }) => {
    choose(cell, target.value);
    if (isPointer) check();
  });
}

/** Write a letter into the reader's code, or into the book's if the reader's has no place for it or is not trusted. */
function choose(cell, letter) {
  const base = cell.isTrusted && ANSWER.test(cell.code) ? cell.code : cell.starter;
  cell.code = base.replace(ANSWER, `$1"${letter}"`);
  cell.trust();
}
