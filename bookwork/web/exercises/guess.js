/**
 * Guesses: a reader chooses, types or drags what they expect, and then opens the answer.
 *
 * bookwork/sphinx/guesses.py makes a box `.book-guess` of a question and a fold with the answer. The guess is kept, with the
 * progress, when the fold is opened, and marked as right or wrong where the box says what is right; it is counted nowhere.
 */
import { element } from "../site/element.js";
import { listen, makeChoices, makeNumbers } from "./form.js";
import { makeOutlines } from "./outlines.js";
import { entryOf, follow, update } from "./progress.js";

/** Give a guess its form, which shows what is kept. */
export function setUpGuess(box) {
  const fold = box.querySelector("details");
  const { form, rights } = makeForm(box, open);
  let known = [];
  fold.before(form.node);
  fold.querySelector("summary").addEventListener("click", () => fold.open || keep());
  listen(form, () => form.mark([], []), open);
  follow(refresh);

  function open() {
    keep();
    fold.open = true;
  }

  function keep() {
    if (form.read().length && form.node.checkValidity()) update(box.id, { answer: (known = form.read()) });
    mark();
    form.reveal?.();
  }

  /** Mark the guess where the box says what is right; nonsense is neither right nor wrong. */
  function mark() {
    if (rights.length && form.node.checkValidity()) form.mark(form.values(), rights);
  }

  function refresh() {
    const kept = [entryOf(box.id).answer ?? []].flat();
    if (String(kept) === String(known)) return;
    form.show((known = kept));
    fold.open = kept.length > 0;
    if (fold.open) mark();
    else form.mark([], []);
  }
}

/** @returns {{ form: import("./form.js").Form & { reveal?: () => void }, rights: any[] }} */
function makeForm(box, open) {
  const { figure, names, right } = box.dataset;
  if (figure) return { form: makeOutlines(box, open), rights: [] };
  if (!names) return makeChoice(box, right);
  const parts = names.split(";").map((name) => ({ words: [element("span", { textContent: name.trim() }), " "] }));
  return { form: makeNumbers(parts), rights: right ? right.split(";").map(Number) : [] };
}

function makeChoice(box, right) {
  const list = box.querySelector(".admonition > ul");
  const valueOf = (item) => item.textContent.trim().slice(0, 200);
  const rights = right ? [valueOf(list.children[right - 1])] : [];
  return { form: makeChoices(list, "Your guess:", valueOf), rights };
}
