/**
 * Room for the reader's widgets: how much of them the page shows at a time.
 *
 * Each message of a widget is small enough (limits.js), but a few widgets can contain one another
 * thousands of times, or each a little. What the book itself shows is not counted.
 */
import { hasLargeEntries, weigh } from "../outputs/limits.js";

const ROOM = 20_000; // elements of all widgets, or what takes as long
const WIDGET = 20; // elements of one without contents
const PARTS = 3; // elements of an entry that has parts of its own
const LETTERS = 100; // that take as long as an element
const BYTES = 1_000; // of a picture, which do so too
const DEPTH = 30; // widgets within one another
const PICTURE = /^image\//;
const ADDRESS = /\bdata:[^"'\s<>)]*/g; // of a picture that is written out in HTML
const FULL = "the page shows as many widgets as it can take: show fewer, or press Start over in cells whose widgets you no longer need";
const LARGE = "it is larger than all widgets together may be: show a part of it";
const DEEP = `the page shows widgets nested at most ${DEPTH} deep`;

let left = ROOM;
const shown = new Map(); // model -> { views: how many, weight: of each }

/** Take room for a view of a model; throws an Error that says why there is none. */
export function takeRoom(model, depth) {
  if (depth > DEPTH) throw new Error(DEEP);
  const { views, weight } = shown.get(model) ?? { views: 0, weight: weightOf(model.attributes) };
  if (weight > left) throw new Error(weight > ROOM ? LARGE : FULL);
  left -= weight;
  shown.set(model, { views: views + 1, weight });
}

/** Give back the room of a view. */
export function giveRoom(model) {
  const { views, weight } = shown.get(model);
  left += weight;
  if (views > 1) shown.set(model, { views: views - 1, weight });
  else shown.delete(model);
}

/** Whether there is room for a model's views with new values; if so, it is taken. */
export function hasRoom(model, values) {
  const before = shown.get(model);
  if (!before) return true;
  const weight = weightOf({ ...model.attributes, ...values });
  const more = before.views * (weight - before.weight);
  if (more > Math.max(0, left)) return false;
  left -= more;
  shown.set(model, { ...before, weight });
  return true;
}

/** What the values of a widget weigh, in elements: those of ipywidgets are drawn, others draw themselves. */
function weightOf(values) {
  if (!String(values._model_module).startsWith("@jupyter-widgets/")) return WIDGET;
  return WIDGET + weightOfValue(values) * (hasLargeEntries(values._model_name) ? PARTS : 1);
}

function weightOfValue(value, key = "") {
  if (typeof value === "string") return weightOfText(value, PICTURE.test(key)) + elementsIn(value);
  if (ArrayBuffer.isView(value)) return value.byteLength / BYTES;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + weightOfValue(each), 0);
  const isPlain = value && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.entries(value).reduce((sum, [name, each]) => sum + weightOfValue(each, name), 0) : 0;
}

function weightOfText(text, isPicture) {
  const addresses = isPicture ? [text] : (text.match(ADDRESS) ?? []);
  const bytes = addresses.reduce((sum, each) => sum + each.length, 0);
  return bytes / BYTES + (text.length - bytes) / LETTERS;
}

function elementsIn(text) {
  return text.includes("<") ? Math.min(weigh(text).elements, ROOM) : 0;
}
