// Small tools for drawing: elements, their places, numbers as text.

const SVG = "http://www.w3.org/2000/svg";
/** @type {any} */
const NOTHING = [];

/** Make an SVG element that holds a text, or a list of elements and texts. */
export function svg(tag, attributes = {}, content = NOTHING) {
  return fill(document.createElementNS(SVG, tag), attributes, content);
}

/** Make an HTML element that holds a text, or a list of elements and texts. */
export function html(tag, attributes = {}, content = NOTHING) {
  return fill(document.createElement(tag), attributes, content);
}

function fill(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...[content].flat());
  return element;
}

/** Make a button, in the look of the theme if it is Bootstrap's. */
export function makeButton(attributes, content, act) {
  const look = `btn btn-sm ${attributes.class === "live-link" ? "btn-link" : "btn-outline-secondary"} ${attributes.class}`;
  const button = html("button", { type: "button", ...attributes, class: look }, content);
  button.addEventListener("click", act);
  return button;
}

/** Set an attribute only if it changes: touching the page is what costs time. */
export function update(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Return a function that prints a number with so many decimals, thousands separated. */
export function printer(digits) {
  const zero = (0).toFixed(digits);
  return (value) => {
    const text = value.toFixed(digits);
    if (text === "-" + zero) return zero;
    const [whole, ...decimals] = text.split(".");
    const parted = Math.abs(value) < 10000 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return [parted, ...decimals].join(".");
  };
}

/** Return round numbers between two limits, about `count` of them. */
export function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const found = [];
  for (let k = first; k * step <= high + 1e-9 * step; k++) found.push(k * step);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return { at: found, print: printer(digits) };
}

/** Estimate the width of a text in pixels, without asking the page. */
export const textWidth = (text, size = 12) => text.length * size * 0.58;

/** Shorten a text to fit so many pixels. */
export function shorten(text, width) {
  const fits = Math.floor(width / textWidth("m"));
  return text.length <= fits ? text : text.slice(0, Math.max(1, fits - 1)) + "…";
}

/** Part things into lines that fit into so many pixels, with a gap between two of them. */
export function breakLines(things, widthOf, room, gap) {
  const lines = [];
  let used = Infinity;
  for (const each of things) {
    if (used + widthOf(each) > room) used = (lines.push([]), 0);
    lines.at(-1).push(each);
    used += widthOf(each) + gap;
  }
  return lines;
}

/** Return points, given as numbers or as the name of an array. */
export function pointsOf(given, frame) {
  const flat = typeof given === "string" ? frame[given] : (given ?? []).flat();
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
}

/** Set several attributes that are numbers of pixels. */
export function place(element, numbers) {
  for (const [name, value] of Object.entries(numbers)) update(element, name, value.toFixed(1));
}

/** Return a number, or the nearest that lies between the limits. */
export const within = (low, high, value) => Math.max(low, Math.min(high, value));

/** Return what a list has at a place, between two of its numbers too. */
export function between(list, at) {
  const k = Math.floor(at);
  return list[k] + (at - k) * ((list[k + 1] ?? list[k]) - list[k]);
}

/** Write a text into an element that has no other content, unless it stands there; a new text node would cost more. */
export function setText(element, text) {
  const node = element.firstChild;
  if (!node) element.textContent = text;
  else if (node.nodeValue !== text) node.nodeValue = text;
}

/** Return a function that gives the labels: those of where the control `by` stands, or always the same. */
export function labelsNow(labels, by, tools) {
  return by ? () => labels[tools.control(by).place()] : () => labels;
}

/** Call back when an element has another size; returns the cleanup. */
export function watchSize(element, callback) {
  const watcher = new ResizeObserver(callback);
  watcher.observe(element);
  return () => watcher.disconnect();
}
