/**
 * Forms in which a reader chooses, or types numbers and shapes: in exercises that have a key, and in guesses.
 *
 * @typedef {object} Form
 * @property {HTMLElement} node
 * @property {() => string[]} read gives what is chosen or typed, empty if nothing is
 * @property {() => any[]} values gives what that means, null for what may be missing; throws NoAnswer
 * @property {(answer: string[]) => void} show shows an answer that was kept
 * @property {(values: any[], rights: any[]) => void} mark ticks what is right and crosses what is not; of nothing, removes all marks
 */
import { element } from "../site/element.js";
import { NoAnswer, readNumber } from "./numbers.js";

const LONGEST = 200; // characters
const NEAR = 0.1; // how far from the right number, if that is not a whole one, a guess is still a good one, as a share of it

/** @returns {Form} radio buttons in place of a list; `valueOf(item)` says what an item stands for */
export function makeChoices(list, name, valueOf, { title, isNeeded = true }) {
  const choices = [...list.children].map((item) => {
    const input = element("input", { type: "radio", className: "form-check-input", name: `choice-${name}`, value: valueOf(item) });
    return { input, node: element("label", { className: "list-group-item" }, input, element("span", {}, ...item.childNodes)) };
  });
  const legend = element("legend", { textContent: title });
  const node = element("fieldset", { className: "exercise-choices list-group" }, legend, ...choices.map((choice) => choice.node));
  const read = () => choices.filter(({ input }) => input.checked).map(({ input }) => input.value);
  list.replaceWith(node);
  return {
    node,
    read,
    values() {
      if (isNeeded && !read().length) throw new NoAnswer("Choose one of the answers first.");
      return read();
    },
    show: ([answer]) => choices.forEach(({ input }) => (input.checked = input.value === answer)),
    mark(values, rights) {
      for (const { node, input } of choices) mark(node, rights.includes(input.value) || (values.includes(input.value) ? false : null));
    },
  };
}

/**
 * @param {{ name: string, words: (string | Node)[], note?: string, parse?: (text: string) => any, isNeeded?: boolean }[]} parts
 * @returns {Form} a field for each number or shape
 */
export function makeNumbers(parts) {
  const fields = parts.map((part) => {
    const input = element("input", { type: "text", className: "form-control", maxLength: LONGEST, autocomplete: "off", spellcheck: false });
    input.autocapitalize = "off";
    input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
    const note = element("span", { textContent: part.note ?? "" });
    return { ...part, input, node: element("label", {}, ...part.words, input, note) };
  });
  const typed = () => fields.map(({ input }) => input.value.trim());
  return {
    node: element("div", { className: "exercise-fields" }, ...fields.map(({ node }) => node)),
    read: () => (typed().some(Boolean) ? typed() : []),
    values: () => fields.map(valueOf),
    show: (answer) => fields.forEach(({ input }, k) => (input.value = answer[k] ?? "")),
    mark(values, rights) {
      fields.forEach(({ node }, k) => mark(node, (values[k] ?? null) === null ? null : isNear(values[k], rights[k]), rights[k]));
    },
  };
}

function valueOf({ name, input, parse = readNumber, isNeeded = true }) {
  const text = input.value.trim();
  if (!text && !isNeeded) return null;
  try {
    if (text) return parse(text);
    throw new NoAnswer(`Fill in ${name} first.`);
  } catch (error) {
    input.setAttribute("aria-invalid", "true");
    throw error;
  }
}

function isNear(value, right) {
  return Number.isInteger(right) ? value === right : Math.abs(value - right) <= NEAR * right;
}

/** Mark a choice or a field as right or wrong, with the right number; null: as neither. */
function mark(node, isRight, right = "") {
  node.querySelector(".exercise-mark")?.remove();
  if (isRight === null) return;
  const sign = element("span", { role: "img", "aria-label": isRight ? "right" : "not right", textContent: isRight ? "✓" : "✗" });
  node.append(element("span", { className: isRight ? "exercise-mark exercise-right" : "exercise-mark exercise-wrong" }, sign, ` ${right}`));
}

/** What a form's answers mean; null if they mean nothing, which is then said. */
export function valuesOf(form, said) {
  try {
    return form.values();
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    said.textContent = error.message;
    return null;
  }
}

/** Tell of each change, and when the reader is done: by Enter, or by a press on a choice; arrows only choose. */
export function listen({ node }, changed, done) {
  let isPressed = false;
  node.addEventListener("pointerdown", () => (isPressed = true));
  node.addEventListener("keydown", (event) => {
    isPressed = false;
    if (event.key === "Enter" && !event.isComposing && event.target.matches("input")) done();
  });
  node.addEventListener("input", ({ target }) => {
    changed();
    if (isPressed && target.type === "radio") done();
  });
}
