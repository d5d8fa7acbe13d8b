// Words that are pointed at and read; one of them may be chosen, by a press or with the arrow keys.
import { nameOf } from "./reading.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Tell `point(j)` which word of a group the pointer is on, or the keys, null for none; returns `mark()`, which word is chosen.
 *
 * With a choice {label, asks, place(), choose(place)} the words are radio buttons; `asks` is the word behind each place. Arrow
 * keys choose the next; with Ctrl, or without a choice, they only go there.
 */
export function makeWords(group, words, choice, options, tools, point) {
  const asks = choice?.asks ?? words.map((_, word) => word);
  const order = asks.map((word, place) => ({ word, place, element: words[word] })).sort((one, other) => one.word - other.word);
  group.setAttribute("role", choice ? "radiogroup" : "group");
  group.setAttribute("aria-label", choice?.label ?? nameOf(options, tools, "read the words"));
  const attributes = choice ? { role: "radio", class: `${words[0].getAttribute("class")} live-asks` } : {};
  order.forEach(({ element }) => Object.entries(attributes).forEach((each) => element.setAttribute(...each)));
  const find = ({ target }) => order.findIndex(({ element }) => element.contains(target));

  function go(next, isChosen) {
    if (!order[next]) return;
    if (isChosen) choice?.choose(order[next].place);
    order[next].element.focus({ preventScroll: true });
  }

  const tell = ({ target }) => {
    const j = words.findIndex((each) => each.contains(target));
    point(j < 0 ? null : j);
  };
  for (const event of ["pointerover", "focusin"]) group.addEventListener(event, tell);
  for (const event of ["pointerleave", "focusout"]) group.addEventListener(event, () => point(null));
  group.addEventListener("click", (event) => go(find(event), true));
  group.addEventListener("keydown", (event) => {
    const next = step(event.key, find(event), order.length);
    if (next === undefined) return;
    event.preventDefault();
    go(next, !event.ctrlKey);
  });
  return function mark() {
    const chosen = choice?.place() ?? 0;
    for (const { place, element } of order) {
      if (choice) element.setAttribute("aria-checked", String(place === chosen));
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
