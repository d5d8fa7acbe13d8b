// Words that are pointed at and read; one of them may be chosen, by a press or with the arrow keys.
import { nameOf } from "./reading.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Tell `point(j)` which word of a group the pointer is on, or the keys, null for none; returns `mark()`, which word is chosen.
 *
 * With a control to choose by, which has a place for each word, they are radio buttons. Arrow keys choose the next; with Ctrl,
 * or without a choice, they only go there.
 */
export function makeWords(group, words, choice, options, tools, point) {
  group.setAttribute("role", choice ? "radiogroup" : "group");
  group.setAttribute("aria-label", choice?.label ?? nameOf(options, tools, "read the words"));
  const attributes = choice ? { role: "radio", class: `${words[0].getAttribute("class")} live-asks` } : {};
  words.forEach((word) => Object.entries(attributes).forEach((each) => word.setAttribute(...each)));
  const find = ({ target }) => words.findIndex((word) => word.contains(target));

  function go(next, isChosen) {
    if (isChosen) choice?.choose(next);
    words[next].focus({ preventScroll: true });
  }

  const tell = (event) => point(find(event) < 0 ? null : find(event));
  for (const event of ["pointerover", "focusin"]) group.addEventListener(event, tell);
  for (const event of ["pointerleave", "focusout"]) group.addEventListener(event, () => point(null));
  group.addEventListener("click", (event) => find(event) >= 0 && go(find(event), true));
  group.addEventListener("keydown", (event) => {
    const next = step(event.key, find(event), words.length);
    if (next === undefined) return;
    event.preventDefault();
    go(next, !event.ctrlKey);
  });
  return function mark() {
    const chosen = choice?.place() ?? 0;
    words.forEach((word, j) => {
      if (choice) word.setAttribute("aria-checked", String(j === chosen));
      word.setAttribute("tabindex", j === chosen ? "0" : "-1");
    });
    return chosen;
  };
}

/** Return where a key leads from a place among `count`, round the ends, or undefined. */
function step(key, here, count) {
  if (key === " " || key === "Enter") return here;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return STEPS[key] && (here + STEPS[key] + count) % count;
}
