// How a picture is read and moved: by pointing, dragging and keys, and in words.
import { printer, svg, within } from "./svg.js";

/**
 * Make the picture of a view, called by its title or the figure's name; `help` says what its keys do. A screen reader
 * passes keys on to an application, and hears of its numbers in the readout, one at a time: what is drawn goes into its first
 * child, which it passes over.
 */
export function makePicture(width, height, options, tools, help = "") {
  const reached = help ? { role: "application", tabindex: 0 } : { role: "img" };
  const layer = svg("g", help ? { "aria-hidden": "true" } : {});
  return svg("svg", { width, height, ...reached, "aria-label": nameOf(options, tools, help) }, [layer]);
}

/** Return what a view is called by those who cannot see it. */
export const nameOf = (options, tools, help) => (options.title || tools.name) + (help ? `. Arrow keys ${help}.` : "");

/**
 * Return what a view can tell: what is pointed at, or else what stands out.
 *
 * `numbers()` are those shown, `partsAt(k)` the words for the place of number k, `wordFor(value, k)` what it means; `isOwn(k)` tells that there is nothing to be
 * said of it. Who draws sets `mark(k)`, which shows what is pointed at, null for nothing.
 */
export function makeTold(
  options,
  tools,
  { numbers, partsAt, wordFor = (_value, _k) => /** @type {any} */ (""), mark = (_) => {}, isOwn = (_) => false },
) {
  const read = (k) => sayPieces(options.reads, {}, tools, () => ({ ...partsAt(k), value: wordFor(numbers()[k], k) || numbers()[k] }));
  const told = {
    cursor: null,
    mark,
    point(k) {
      if (k === told.cursor) return;
      told.cursor = k;
      told.mark(k);
      tools.say();
    },
    pointed: () => (told.cursor === null || isOwn(told.cursor) ? "" : read(told.cursor)),
    summary: () => `largest: ${sayPieces(options.reads, {}, tools, told.largest)}`,
    largest: () => partsOfLargest(numbers(), partsAt),
  };
  return told;
}

/** Let the cells of a picture, n × m in a box, be pointed at and read with keys. */
export function makePointable(picture, box, told) {
  const { n, m } = box;
  const down = { ArrowUp: -1, ArrowDown: 1 },
    right = m > 1 ? { ArrowLeft: -1, ArrowRight: 1 } : {};
  told.cursor = null; // nobody has pointed at a new picture
  for (const event of ["pointermove", "pointerdown"])
    picture.addEventListener(event, (event) => told.point(cellAt(placeIn(picture, event), box)));
  picture.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && told.point(null)); // a finger leaves as it lifts
  picture.addEventListener("blur", () => told.point(null));
  picture.addEventListener("keydown", (event) => {
    const [i, j] = [down[event.key] ?? 0, right[event.key] ?? 0];
    if (!i && !j) return;
    event.preventDefault();
    const k = told.cursor;
    told.point(k === null ? 0 : within(0, n - 1, Math.floor(k / m) + i) * m + within(0, m - 1, (k % m) + j));
  });
}

/** Return which of the n × m cells of a box lies at a place, or null. */
export function cellAt([px, py], { x, y, cw, ch, n, m }) {
  const [i, j] = [Math.floor((py - y) / ch), Math.floor((px - x) / cw)];
  return i >= 0 && i < n && j >= 0 && j < m ? i * m + j : null;
}

/** Let a picture move one control or two, by dragging and by keys: `read(x, y)` gives their values, across and up. */
export function makeDraggable(picture, [across, up], read) {
  const keys = { ArrowLeft: [across, -1], ArrowRight: [across, 1], ...(up && { ArrowUp: [up, 1], ArrowDown: [up, -1] }) };
  const follow = (event) => {
    const [x, y] = read(...placeIn(picture, event));
    across.approach(x);
    up?.approach(y);
  };
  picture.classList.add("live-drag");
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    follow(event);
  });
  picture.addEventListener("pointermove", (event) => picture.hasPointerCapture(event.pointerId) && follow(event));
  picture.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    const [control, steps] = keys[event.key];
    control.choose(control.place() + steps);
  });
}

/** @returns {[number, number]} where in a picture the pointer is */
export function placeIn(picture, event) {
  const frame = picture.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
}

/**
 * Say a sentence that live/says.py took apart: words, parts of a view, numbers of a frame, what controls are set to.
 *
 * A part may be a function of how its numbers are printed.
 */
export function sayPieces(pieces, frame, tools, parts = () => ({})) {
  const all = pieces.some(({ part }) => part) ? parts() : {};
  const say = (piece) => {
    if (typeof piece === "string") return piece;
    if (piece.control) return tools.control(piece.control).text();
    const value = piece.part ? all[piece.part] : frame[piece.array][0];
    if (typeof value === "function") return value(printerOf(piece));
    return typeof value === "number" ? printerOf(piece)(value) : value;
  };
  return pieces.map(say).join("");
}

function printerOf({ digits, percent }) {
  const print = printer(digits);
  return percent ? (value) => `${print(100 * value)}%` : print;
}

/** Say of the largest number its value and the parts of its place; where several are as large, all of theirs. */
export function partsOfLargest(numbers, partsAt) {
  const most = Math.max(...numbers);
  const places = Array.from(numbers.keys()).filter((k) => numbers[k] === most);
  const all = places.map(partsAt);
  const join = (name) => listed([...new Set(all.map((parts) => parts[name]))]);
  return { ...Object.fromEntries(Object.keys(all[0]).map((name) => [name, join(name)])), value: numbers[places[0]] };
}

function listed(texts) {
  if (texts.length > 3) return "several";
  return texts.length === 1 ? texts[0] : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}
