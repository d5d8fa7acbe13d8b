// Words that are a control: one of them is chosen, by a press or with the arrow keys.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Make radio buttons of the words that a control can choose.
 *
 * `elements` are all words, `asks` the number of the word behind each value of the control `at`. Arrow keys choose the next
 * word; with Ctrl they only go there, and Space chooses. Returns `mark()`, which shows where the control stands.
 */
export function makeChoice(group, elements, { at, asks }, tools) {
  const order = asks.map((word, place) => ({ place, element: elements[word] }));
  order.sort((one, other) => elements.indexOf(one.element) - elements.indexOf(other.element));
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", tools.control(at).label);
  order.forEach(({ place, element }) => {
    element.setAttribute("role", "radio");
    element.classList.add("live-asks");
    element.addEventListener("click", () => {
      tools.choose(at, place);
      element.focus({ preventScroll: true });
    });
  });
  group.addEventListener("keydown", (event) => {
    const here = order.findIndex(({ element }) => element === event.target);
    const next = here < 0 ? undefined : step(event.key, here, order.length);
    if (next === undefined) return;
    event.preventDefault();
    if (!event.ctrlKey) tools.choose(at, order[next].place);
    order[next].element.focus();
  });
  return function mark() {
    const chosen = tools.place(at);
    order.forEach(({ place, element }) => {
      element.setAttribute("aria-checked", String(place === chosen));
      element.setAttribute("tabindex", place === chosen ? "0" : "-1");
    });
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

/** Let words be read one after the other, with the arrow keys, where they are no control. */
export function makeReadable(group, count, point) {
  let cursor = null;
  group.setAttribute("tabindex", "0");
  group.addEventListener("keydown", (event) => {
    const next = step(event.key, cursor ?? (STEPS[event.key] < 0 ? 0 : -1), count);
    if (next === undefined || next < 0) return;
    event.preventDefault();
    point((cursor = next));
  });
  group.addEventListener("blur", () => point((cursor = null)));
}

/** Tell `point(j)` which word the pointer is on, or the keys. */
export function listenToWords(elements, point) {
  elements.forEach((element, j) => {
    for (const event of ["pointerenter", "focus"]) element.addEventListener(event, () => point(j));
    for (const event of ["pointerleave", "blur"]) element.addEventListener(event, () => point(null));
  });
}
