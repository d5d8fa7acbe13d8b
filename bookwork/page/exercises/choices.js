/** Radio buttons for a choice, in place of the list of letters that bookwork/sphinx/exercises.py marks as `.book-choices`. */
import { element } from "../site/element.js";

const LINE = /^(\s*\w+\s*=\s*)(\.\.\.|["'][a-z]?["'])/m; // answer = ... or answer = "b"

/** @returns {import("./answer.js").Form | null} the form of an exercise that has such a list */
export function makeChoices(group, { exercise }) {
  const list = group.querySelector("ul.book-choices");
  if (!list) return null;
  const labels = [...list.children].map((item) => makeLabel(exercise, item));
  const inputs = labels.map((label) => label.querySelector("input"));
  const chosen = () => inputs.find(({ checked }) => checked);
  const legend = element("legend", { textContent: "Choose one:" });
  const node = element("fieldset", { className: "exercise-choices" }, legend, ...labels);
  list.before(node);
  list.hidden = true;
  return {
    node,
    show: (code) => inputs.forEach((input) => (input.checked = input.value === letterIn(code))),
    read: () => [chosen() ? { value: chosen().value, code: `"${chosen().value}"` } : null],
    write: (code, [answer]) => (LINE.test(code) && answer ? code.replace(LINE, `$1${answer.code}`) : null),
    complain: () => "Choose one of the answers first.",
    focus: () => (chosen() ?? inputs[0]).focus(),
  };
}

function makeLabel(exercise, item) {
  const value = item.querySelector("strong").textContent.trim();
  const input = element("input", { type: "radio", name: `choice-${exercise}`, value });
  return element("label", {}, input, element("span", {}, ...item.childNodes));
}

/** The letter in the code, if there is one. */
function letterIn(code) {
  return code.match(LINE)?.[2].replace(/[."']/g, "") ?? "";
}
