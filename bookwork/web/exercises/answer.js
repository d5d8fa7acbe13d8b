/** Exercises that the page judges itself, because their answers are a choice, numbers or shapes: a form in place of the cell. */
import { button, element } from "../site/element.js";
import { verdictNode } from "../outputs/outputs.js";
import { listen, makeChoices, makeNumbers } from "./form.js";
import { isShape, judge } from "./key.js";
import { readNumber, readShape } from "./numbers.js";
import { entryOf, follow, record, update } from "./progress.js";

/** Give an exercise that has a key its form, which shows what is kept. */
export function setUpAnswer(group, label, key) {
  const cell = group.querySelector("div.cell");
  const form = key.choices ? choicesOf(key.choices, cell, group) : numbersOf(key.parts, cell);
  const said = element("div", { className: "exercise-said", role: "status" });
  let shown = "null"; // the verdict, as JSON
  group.classList.add("exercise-answered");
  form.node.append(element("div", { className: "exercise-bar" }, button("Check", null, { main: true, type: "submit" })), said);
  cell.hidden = true;
  listen(
    form,
    () => update(label, { answer: form.read().length ? form.read() : null }),
    () => record({ label, ...judge(key, form.values()) }),
  );
  follow(refresh);

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
  return makeChoices(list, "Choose one:", (item) => item.querySelector("strong").textContent.trim(), true);
}

/** A field for each answer, with what the starter says of it: `shape = ...  # a tuple`. */
function numbersOf(parts, cell) {
  const starter = cell.querySelector("pre")?.textContent ?? "";
  const form = makeNumbers(
    parts.map(({ name, ...part }) => ({
      words: [element("code", { textContent: name }), " = "],
      note: starter.match(new RegExp(`^${name}[ \\t]*=[^#\\n]*#[ \\t]*(.*)$`, "m"))?.[1],
      parse: isShape(part) ? readShape : readNumber,
      required: true,
    })),
  );
  cell.before(form.node);
  return form;
}
