/**
 * Guesses: a reader chooses, types or drags what they expect, and then opens the answer.
 *
 * bookwork/sphinx/guesses.py makes a box `.book-guess` of a question and a fold with the answer. The guess is kept, with the
 * progress, when the fold is opened, and marked as right or wrong where the box says what is right; it is counted nowhere.
 */
import { element } from "../site/element.js";
import { listen, makeChoices, makeNumbers, valuesOf } from "./form.js";
import { makeOutlines } from "./outlines.js";
import { entryOf, update } from "./progress.js";

/** Set up every guess of the page; `refresh` shows what is kept now. */
export function setUpGuesses() {
  const boxes = [...document.querySelectorAll(".book-guess")].map(setUpGuess);
  return { refresh: () => boxes.forEach((refresh) => refresh()) };
}

function setUpGuess(box) {
  const fold = box.querySelector("details");
  const said = element("p", { className: "guess-said", role: "status" });
  const { form, rights } = makeForm(box, () => open());
  let known = [];
  const mark = () => {
    said.textContent = "";
    const values = valuesOf(form, said);
    form.mark(values && rights.length ? values : [], values ? rights : []);
    return values;
  };
  const answer = () => {
    const values = mark();
    if (values && form.read().length) update(box.id, { answer: (known = form.read()) });
    form.reveal?.();
    return values;
  };
  const open = () => (fold.open = answer() !== null);
  fold.before(form.node, said);
  fold.querySelector("summary").addEventListener("click", () => fold.open || answer());
  listen(form, () => form.mark([], []), open);
  return () => {
    const kept = [entryOf(box.id).answer ?? []].flat();
    if (String(kept) === String(known)) return;
    form.show((known = kept));
    form.mark([], []);
    fold.open = kept.length > 0 && mark() !== null;
  };
}

/** @returns {{ form: import("./form.js").Form & { reveal?: () => void }, rights: any[] }} */
function makeForm(box, open) {
  const { figure, names, right } = box.dataset;
  if (figure) return { form: { values: () => [], mark() {}, ...makeOutlines(box, open) }, rights: [] };
  if (!names) return makeChoice(box, right);
  const parts = names.split(";").map((name) => ({ name, words: [element("span", { textContent: name.trim() }), " "], isNeeded: false }));
  return { form: makeNumbers(parts), rights: right ? right.split(";").map(Number) : [] };
}

function makeChoice(box, right) {
  const list = box.querySelector(".admonition > ul");
  const valueOf = (item) => item.textContent.trim().slice(0, 200);
  const rights = right ? [valueOf(list.children[right - 1])] : [];
  return { form: makeChoices(list, box.id, valueOf, { title: "Your guess:", isNeeded: false }), rights };
}
