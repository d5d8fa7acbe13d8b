/** Radio buttons for a choice, in place of the list of letters that bookwork/sphinx/exercises.py marks as `.book-choices`. */
import { element } from "../site/element.js";

const LINE = /^(\s*\w+\s*=\s*)(\.\.\.|["'][a-z]?["'])/m; // answer = ... or answer = "b"

/** @returns {import("./answer.js").Form | null} the form of an exercise that has such a list */
export function makeChoices(group, { exercise }) {
  const list = group.querySelector("ul.book-choices");
  if (!list) return null;
  const letterOf = (item) => item.querySelector("strong").textContent.trim();
  const { node, inputs, chosen } = makeRadios(list, exercise, letterOf, "Choose one:");
  list.before(node);
  return {
    node,
    show: (code) => inputs.forEach((input) => (input.checked = input.value === letterIn(code))),
    read: () => [chosen() ? { value: chosen().value, code: `"${chosen().value}"` } : null],
    write: (code, [answer]) => (LINE.test(code) && answer ? code.replace(LINE, `$1${answer.code}`) : null),
    complain: () => "Choose one of the answers first.",
    focus: () => (chosen() ?? inputs[0]).focus(),
  };
}

/** Radio buttons in place of a list, which is hidden; `valueOf(item)` says what an item stands for. */
export function makeRadios(list, name, valueOf, title) {
  const inputs = [...list.children].map((item) => element("input", { type: "radio", name: `choice-${name}`, value: valueOf(item) }));
  const labels = [...list.children].map((item, k) => element("label", {}, inputs[k], element("span", {}, ...item.childNodes)));
  const legend = element("legend", { textContent: title });
  const node = element("fieldset", { className: "exercise-choices" }, legend, ...labels);
  list.hidden = true;
  return { node, inputs, chosen: () => inputs.find(({ checked }) => checked) };
}

/** The letter in the code, if there is one. */
function letterIn(code) {
  return code.match(LINE)?.[2].replace(/[."']/g, "") ?? "";
}
