/** Exercises that the page judges itself, because their answers are a choice, numbers or shapes: a form in place of the cell. */
import { button, element } from "../site/element.js";
import { verdictNode } from "../outputs/outputs.js";
import { listen, makeChoices, makeNumbers, valuesOf } from "./form.js";
import { isShape, judge } from "./key.js";
import { readNumber, readShape } from "./numbers.js";
import { entryOf, update } from "./progress.js";

/** Give an exercise that has a key its form; return how to show what is kept. */
export function setUpAnswer(group, key) {
  const label = group.dataset.exercise;
  const cell = group.querySelector("div.cell");
  const form = key.choices ? choicesOf(key.choices, cell, group) : numbersOf(key.parts, cell.querySelector("pre")?.textContent ?? "");
  const said = element("div", { className: "exercise-said", role: "status" });
  let shown = "null"; // the verdict, as JSON
  group.classList.add("exercise-answered");
  cell.before(
    ...(key.choices ? [] : [form.node]),
    element("div", { className: "exercise-bar" }, button("Check", check, { main: true })),
    said,
  );
  cell.hidden = true;
  listen(form, change, check);
  return { refresh };

  function change() {
    const answer = form.read();
    update(label, { answer: answer.length ? answer : null });
    refresh();
  }

  function check() {
    shown = "";
    said.replaceChildren();
    const values = valuesOf(form, said);
    if (!values) return /** @type {HTMLElement | null} */ (form.node.querySelector("[aria-invalid]"))?.focus();
    const detail = { label, ...judge(key, values) };
    group.dispatchEvent(new CustomEvent("book:verdict", { bubbles: true, detail })); // which exercise.js records
  }

  function refresh() {
    const { answer, verdict } = entryOf(label);
    const kept = Array.isArray(answer) ? answer : [];
    if (String(kept) !== String(form.read())) form.show(kept);
    if (JSON.stringify(verdict) === shown) return;
    shown = JSON.stringify(verdict);
    said.replaceChildren(...(verdict ? [verdictNode(verdict)] : []));
    if (key.choices) form.mark(verdict ? kept : [], verdict?.status === "correct" ? kept : []);
  }
}

/** The list of letters that bookwork/sphinx/exercises.py marks, as choices; the letters alone where the text has them elsewhere. */
function choicesOf(letters, cell, group) {
  const items = Object.keys(letters).map((letter) => element("li", {}, element("strong", { textContent: letter })));
  const list = group.querySelector("ul.book-choices") ?? cell.parentNode.insertBefore(element("ul", {}, ...items), cell);
  const letterOf = (item) => item.querySelector("strong").textContent.trim();
  return makeChoices(list, group.dataset.exercise, letterOf, { title: "Choose one:" });
}

/** A field for each answer, with what the starter says of it: `shape = ...  # a tuple`. */
function numbersOf(parts, starter) {
  return makeNumbers(
    parts.map(({ name, ...part }) => ({
      name,
      words: [element("code", { textContent: name }), " = "],
      note: starter.match(new RegExp(`^${name}[ \\t]*=[^#\\n]*#[ \\t]*(.*)$`, "m"))?.[1],
      parse: isShape(part) ? readShape : readNumber,
    })),
  );
}
