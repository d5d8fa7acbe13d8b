/**
 * Exercises whose answer is a choice, numbers or shapes: radio buttons or fields, and a verdict at once.
 *
 * The answer is written into the code of the exercise's cell, `answer = "b"`, as if the reader had typed it there, so
 * it is kept, saved and loaded like any other. The page judges it by the exercise's key; what the key leaves to Python
 * is judged by running the cell. The cell stays, folded.
 *
 * @typedef {{ value: any, code: string }} Answer what is meant, and the same in Python
 * @typedef {object} Form
 * @property {HTMLElement} node
 * @property {(code: string) => void} show shows the answers that are in code
 * @property {() => (Answer | null)[] | null} read gives the answers, null for one that is missing; null in all if the reader's code computes them
 * @property {(code: string, answers: (Answer | null)[]) => string | null} write puts answers into code, or gives null if it has no place for them
 * @property {() => string} complain says why an answer is missing
 * @property {() => void} focus
 */
import { makeChoices } from "./choices.js";
import { element } from "../site/element.js";
import { makeFields } from "./fields.js";
import { judge, readKeys } from "./key.js";

/** The keys of the page's exercises by label. */
export function pageKeys() {
  const text = document.getElementById("book-keys")?.textContent;
  return text ? readKeys(text) : {};
}

/** Give an exercise its form, if its answer is of such a kind. */
export function setUpAnswer(group, key) {
  const cell = window.bookCells?.ofExercise(group.dataset.exercise);
  const form = cell && (makeChoices(group, cell) ?? makeFields(key, cell));
  if (!form) return;
  group.classList.add("exercise-answered");
  let last = Promise.resolve();
  const check = () => (last = last.then(() => checkAnswer(cell, form, key)));
  form.show(cell.code);
  foldCode(cell, !form.read());
  cell.element.addEventListener("book:code", () => form.show(cell.code));
  cell.focus = form.focus; // its own buttons are folded
  const button = cell.makeButton("Check", check);
  button.className = "book-run";
  cell.bar.prepend(button);
  listen(cell, form, check);
}

/** Fold the code and the buttons that belong to it. It is open where the reader should look at it. */
function foldCode(cell, isOpen) {
  const summary = element("summary", { textContent: "The same in Python" });
  const bar = element("div", { className: "book-bar" }, cell.runButton, cell.editButton, cell.restartButton);
  const code = [cell.input, ...cell.element.querySelectorAll(".book-editor")];
  const details = element("details", { className: "exercise-code" }, summary, ...code, bar);
  details.open = isOpen;
  cell.element.append(details);
  details.addEventListener("toggle", () => details.open && cell.show());
}

/** What is chosen or typed is kept at once. Enter checks it, and so does a press on a choice; arrows only choose. */
function listen(cell, form, check) {
  let isPressed = false;
  form.node.addEventListener("pointerdown", () => (isPressed = true));
  form.node.addEventListener("keydown", (event) => {
    isPressed = false;
    if (event.key === "Enter" && !event.isComposing) check();
  });
  form.node.addEventListener("input", ({ target }) => {
    write(cell, form, form.read());
    if (isPressed && target.type === "radio") check();
  });
}

async function checkAnswer(cell, form, key) {
  if (!cell.busy) cell.showBuilt(); // a verdict on another answer does not stand beside what comes now
  const answers = form.read();
  if (!answers) return cell.run();
  if (answers.includes(null)) return cell.say(form.complain());
  write(cell, form, answers);
  const values = answers.map(({ value }) => value);
  const found = key ? judge(key, values) : null;
  return found ? cell.showVerdict({ label: cell.exercise, ...found }) : cell.run();
}

/** Write answers into the reader's code, or into the book's if the reader's has no place for them. */
function write(cell, form, answers) {
  cell.code = form.write(cell.code, answers) || form.write(cell.starter, answers) || cell.starter;
}
