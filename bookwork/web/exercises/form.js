/**
 * Forms in which a reader chooses, or types numbers and shapes: in exercises that have a key, and in guesses. What is no answer
 * the browser itself says, at the field, when the form is sent; nothing is ever sent anywhere.
 *
 * @typedef {object} Form
 * @property {HTMLFormElement} node
 * @property {() => string[]} read gives what is chosen or typed, empty if nothing is
 * @property {() => any[]} values gives what that means, null for a field that is empty
 * @property {(answer: string[]) => void} show shows an answer that was kept
 * @property {(values: any[], rights: any[]) => void} mark ticks what is right and crosses what is not; of nothing, removes all marks
 */
import { element } from "../site/element.js";
import { readNumber } from "./numbers.js";

const LONGEST = 200; // characters
const NEAR = 0.1; // how far from the right number, if that is not a whole one, a guess is still a good one, as a share of it

/** @returns {Form} radio buttons in place of a list; `valueOf(item)` says what an item stands for */
export function makeChoices(list, title, valueOf, required = false) {
  const choices = [...list.children].map((item) => {
    const input = element("input", { type: "radio", className: "form-check-input", name: "choice", value: valueOf(item), required });
    return { input, node: element("label", { className: "list-group-item" }, input, element("span", {}, ...item.childNodes)) };
  });
  const legend = element("legend", { textContent: title });
  const group = element("fieldset", { className: "exercise-choices list-group" }, legend, ...choices.map(({ node }) => node));
  const node = element("form", {}, group);
  const read = () => choices.filter(({ input }) => input.checked).map(({ input }) => input.value);
  list.replaceWith(node);
  return {
    node,
    read,
    values: read,
    show: ([answer]) => choices.forEach(({ input }) => (input.checked = input.value === answer)),
    mark(values, rights) {
      for (const { node, input } of choices) mark(node, rights.includes(input.value) || (values.includes(input.value) ? false : null));
    },
  };
}

/**
 * @param {{ words: (string | Node)[], note?: string, parse?: (text: string) => any, required?: boolean }[]} parts
 * @returns {Form} a field for each number or shape
 */
export function makeNumbers(parts) {
  const fields = parts.map(makeField);
  const typed = () => fields.map(({ input }) => input.value.trim());
  return {
    node: element("form", { className: "exercise-fields" }, ...fields.map(({ node }) => node)),
    read: () => (typed().some(Boolean) ? typed() : []),
    values: () => fields.map(({ value }) => value()),
    show: (answer) => fields.forEach(({ show }, k) => show(answer[k] ?? "")),
    mark(values, rights) {
      fields.forEach(({ node }, k) => mark(node, (values[k] ?? null) === null ? null : isNear(values[k], rights[k]), rights[k]));
    },
  };
}

function makeField({ words, note = "", parse = readNumber, required = false }) {
  const input = element("input", { type: "text", className: "form-control", maxLength: LONGEST, autocomplete: "off", spellcheck: false });
  const value = () => (input.value.trim() ? parse(input.value) : null);
  const check = () => input.setCustomValidity(faultOf(value));
  const show = (text) => {
    input.value = text;
    check();
  };
  Object.assign(input, { required, autocapitalize: "off", oninput: check });
  return { input, value, show, node: element("label", {}, ...words, input, element("span", { textContent: note })) };
}

/** Why what is typed is no answer, if it is none. */
function faultOf(value) {
  try {
    value();
    return "";
  } catch (error) {
    return error.message;
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

/** Tell of each change, and when the reader is done: by Enter, or by a press on a choice; arrows only choose. */
export function listen({ node }, changed, done) {
  let isPressed = false;
  node.addEventListener("pointerdown", () => (isPressed = true));
  node.addEventListener("keydown", (event) => {
    isPressed = false;
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return;
    event.preventDefault(); // where a form has no button, or is that of another field, browsers differ
    node.requestSubmit();
  });
  node.addEventListener("input", ({ target }) => {
    changed();
    if (isPressed && target.type === "radio") node.requestSubmit();
  });
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    done();
  });
}
