// Words that are pointed at and read; they may be a control: one is chosen, by a press or with the arrow keys.
import { nameOf } from "./reading.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Tell `point(j)` which word the pointer is on, or the keys, null for none; returns `mark()`, which word is chosen.
 *
 * `elements` are all words of a `group`. Where they are no control, it is a `role` of its own, whose words arrow keys read.
 */
export function makeWords(group, elements, role, options, tools, point) {
  const tell = ({ target }) => {
    const j = elements.findIndex((each) => each.contains(target));
    point(j < 0 ? null : j);
  };
  for (const event of ["pointerover", "focusin"]) group.addEventListener(event, tell);
  for (const event of ["pointerleave", "focusout"]) group.addEventListener(event, () => point(null));
  if (options.at) return makeChoice(group, elements, options, tools);
  let cursor = null;
  group.setAttribute("role", role);
  group.setAttribute("tabindex", "0");
  group.setAttribute("aria-label", nameOf(options, tools, "read the words"));
  group.addEventListener("focusout", () => (cursor = null));
  group.addEventListener("keydown", (event) => {
    const next = step(event.key, cursor ?? (STEPS[event.key] < 0 ? 0 : -1), elements.length);
    if (next === undefined || next < 0) return;
    event.preventDefault();
    point((cursor = next));
  });
  return () => undefined;
}

/**
 * Make radio buttons of the words that a control can choose; `asks` is the number of the word behind each value of the control
 * `at`. Arrow keys choose the next word; with Ctrl they only go there, and Space chooses.
 */
function makeChoice(group, elements, { at, asks }, tools) {
  const order = asks.map((word, place) => ({ word, place, element: elements[word] })).sort((one, other) => one.word - other.word);
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", tools.control(at).label);
  for (const { element } of order) {
    element.setAttribute("role", "radio");
    element.classList.add("live-asks");
  }
  const find = ({ target }) => order.findIndex(({ element }) => element.contains(target));
  group.addEventListener("click", (event) => {
    const { place, element } = order[find(event)] ?? {};
    if (!element) return;
    tools.choose(at, place);
    element.focus({ preventScroll: true });
  });
  group.addEventListener("keydown", (event) => {
    const here = find(event);
    const next = here < 0 ? undefined : step(event.key, here, order.length);
    if (next === undefined) return;
    event.preventDefault();
    if (!event.ctrlKey) tools.choose(at, order[next].place);
    order[next].element.focus();
  });
  return function mark() {
    const chosen = tools.place(at);
    for (const { place, element } of order) {
      element.setAttribute("aria-checked", String(place === chosen));
      element.setAttribute("tabindex", place === chosen ? "0" : "-1");
    }
    return asks[chosen];
  };
}

/** Return where a key leads from a place among `count`, round the ends, or undefined. */
function step(key, here, count) {
  if (key === " " || key === "Enter") return here;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return STEPS[key] && (here + STEPS[key] + count) % count;
}
