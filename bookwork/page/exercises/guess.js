/**
 * Guesses: a reader chooses, types or drags what they expect, and then opens the answer.
 *
 * bookwork/sphinx/guesses.py makes a box `.book-guess` of a question and a fold with the answer. The guess is kept, with
 * the progress, when the fold is opened; nothing judges it, and it is counted nowhere.
 *
 * @typedef {object} Form
 * @property {HTMLElement} node
 * @property {() => string[] | null} read gives the guess, empty if there is none, null if it cannot be read, which it then says
 * @property {(guess: string[]) => void} show shows a guess that was kept
 * @property {() => void} [reveal] draws the truth
 */
import { element } from "../site/element.js";
import { GUESSED, NoAnswer, readNumber } from "./arithmetic.js";
import { makeRadios } from "./choices.js";
import { makeInput } from "./fields.js";
import { makeOutlines } from "./outlines.js";
import { entryOf, update } from "./progress.js";

/** Set up every guess of the page; `refresh` shows what is kept now. */
export function setUpGuesses() {
  const boxes = [...document.querySelectorAll(".book-guess")].map(setUpGuess);
  return { refresh: () => boxes.forEach((refresh) => refresh()) };
}

function setUpGuess(box) {
  const fold = box.querySelector("details");
  const form = makeForm(box, () => open());
  let known = [];
  const answer = () => {
    const guess = form.read();
    if (guess?.length) update(box.id, { answer: (known = guess) });
    form.reveal?.();
    return guess;
  };
  const open = () => (fold.open = answer() !== null);
  fold.before(form.node);
  fold.querySelector("summary").addEventListener("click", () => fold.open || answer());
  listen(form.node, open);
  return () => {
    const kept = [entryOf(box.id).answer ?? []].flat();
    if (String(kept) === String(known)) return;
    form.show((known = kept));
    fold.open = kept.length > 0;
  };
}

/** Enter opens the answer, and so does a press on a choice; arrows only choose. */
function listen(node, open) {
  let isPressed = false;
  node.addEventListener("pointerdown", () => (isPressed = true));
  node.addEventListener("keydown", (event) => {
    isPressed = false;
    if (event.key === "Enter" && !event.isComposing && event.target.matches("input")) open();
  });
  node.addEventListener("input", ({ target }) => isPressed && target.type === "radio" && open());
}

/** @returns {Form} */
function makeForm(box, open) {
  if (box.dataset.figure) return makeOutlines(box, open);
  return box.dataset.names ? makeNumbers(box.dataset.names.split(";")) : makeChoice(box);
}

function makeChoice(box) {
  const list = box.querySelector(".admonition > ul");
  const { node, inputs, chosen } = makeRadios(list, box.id, (item) => item.textContent.trim().slice(0, 200), "Your guess:");
  return {
    node,
    read: () => (chosen() ? [chosen().value] : []),
    show: ([guess]) => inputs.forEach((input) => (input.checked = input.value === guess)),
  };
}

function makeNumbers(names) {
  const inputs = names.map(makeInput);
  const said = element("p", { role: "status" });
  const labels = names.map((name, k) => element("label", {}, element("span", { textContent: name.trim() }), inputs[k]));
  const typed = () => inputs.map(({ value }) => value.trim());
  return {
    node: element("div", { className: "exercise-fields guess-fields" }, ...labels, said),
    read() {
      const faults = typed().map(faultOf);
      inputs.forEach((input, k) => faults[k] && input.setAttribute("aria-invalid", "true"));
      said.textContent = faults.find(Boolean) ?? "";
      return said.textContent ? null : typed().some(Boolean) ? typed() : [];
    },
    show: (guess) => inputs.forEach((input, k) => (input.value = guess[k] ?? "")),
  };
}

/** Say why a text is no number; an empty one is no guess. */
function faultOf(text) {
  try {
    if (text) readNumber(text, GUESSED);
    return "";
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}
