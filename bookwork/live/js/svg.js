// Small tools for drawing: elements, numbers as text, colours that suit the page's theme.

const SVG = "http://www.w3.org/2000/svg";

/** Make an SVG element. */
export function svg(tag, attributes = {}, text) {
  return fill(document.createElementNS(SVG, tag), attributes, text);
}

/** Make an HTML element. */
export function html(tag, attributes = {}, text) {
  return fill(document.createElement(tag), attributes, text);
}

function fill(element, attributes, text) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
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

// Pale to strong on a light page, dark to bright on a dark one; the last two are for differences.
const PALETTES = {
  light: ["#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b"],
  dark: ["#16202c", "#17324d", "#19466f", "#1f5b8f", "#2f74ad", "#4f90c6", "#79aedb", "#aacdec", "#dcecfa"],
  lightDifference: ["#8c510a", "#d8a25e", "#f6e8c3", "#f5f5f5", "#c7eae5", "#5ab4ac", "#01665e"],
  darkDifference: ["#f0b35c", "#a8702c", "#4e3a22", "#20262d", "#1d4a48", "#33958c", "#7fe0d4"],
};

/** Tell whether the page is dark, in the book and in JupyterLab. */
export function isDark() {
  const root = document.documentElement;
  if (root.dataset.theme) return root.dataset.theme === "dark";
  return document.body.dataset.jpThemeLight === "false";
}

/** Return 256 colours as [r, g, b] with the ink that reads best on each. */
export function palette(diverging) {
  const name = (isDark() ? "dark" : "light") + (diverging ? "Difference" : "");
  return shadesBetween(PALETTES[name]);
}

/** Return 256 colours from the page to `strong`, or from `below` through the page to `strong`. */
export function blend(strong, below) {
  const pale = isDark() ? "#1b222b" : "#f6f8fa";
  return shadesBetween(below ? [below, pale, strong] : [pale, strong]);
}

function shadesBetween(colours) {
  const stops = colours.map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  return Array.from({ length: 256 }, (_, i) => {
    const x = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(x), stops.length - 2);
    const rgb = stops[k].map((c, j) => Math.round(c + (stops[k + 1][j] - c) * (x - k)));
    return { fill: `rgb(${rgb})`, ink: luminance(rgb) > 0.179 ? "#000" : "#fff" };
  });
}

/** Return the shade of a number between two limits. */
export function shadeOf(shades, value, [low, high]) {
  return shades[within(0, 255, Math.round(((value - low) / (high - low || 1)) * 255))];
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c <= 10 ? c / 3294 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Estimate the width of a text in pixels, without asking the page. */
export function textWidth(text, size = 12) {
  return text.length * size * 0.58;
}

/** Shorten a text to fit so many pixels. */
export function shorten(text, width, size = 12) {
  const fits = Math.floor(width / (size * 0.58));
  return text.length <= fits ? text : text.slice(0, Math.max(1, fits - 1)) + "…";
}

/** Make the picture of a view, called by its title or the figure's name; `help` says what its keys do. */
export function makePicture(width, height, options, tools, help = "") {
  const name = (options.title || tools.name) + (help ? `. Arrow keys ${help}.` : "");
  return svg("svg", { width, height, role: "img", tabindex: 0, "aria-label": name });
}

/** Let parts of a picture be pointed at, `find(x, y)`, or read with keys, `step(key, k)`; `point(k)` is told, null for none. */
export function makePointable(picture, find, step, point) {
  let cursor = null;
  const go = (k) => k === cursor || point((cursor = k));
  picture.addEventListener("pointermove", (event) => go(find(...placeIn(picture, event))));
  for (const event of ["pointerleave", "blur"]) picture.addEventListener(event, () => go(null));
  picture.addEventListener("keydown", (event) => {
    const next = step(event.key, cursor ?? 0);
    if (next === undefined) return;
    event.preventDefault();
    go(cursor === null ? 0 : next);
  });
}

/** Let a picture be dragged and moved by keys: `read(x, y, event)` gives the values of the controls, across and up. */
export function makeDraggable(picture, [across, up = null], read, tools) {
  const keys = { ArrowLeft: [across, -1], ArrowRight: [across, 1], ...(up && { ArrowUp: [up, 1], ArrowDown: [up, -1] }) };
  const follow = (event) => {
    const [x, y] = read(...placeIn(picture, event), event);
    tools.set(across, x);
    if (up) tools.set(up, y);
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
    tools.nudge(...keys[event.key]);
  });
}

/** Return where in a picture the pointer is. */
export function placeIn(picture, event) {
  const frame = picture.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
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

/** Write a text into an element, unless it stands there. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return a function that gives the labels: those of where the control `by` stands, or always the same. */
export function labelsNow(labels, by, tools) {
  return by ? () => labels[tools.place(by)] : () => labels;
}

/** Fill in a sentence such as "{row}, {column}: {value}". */
export function sentence(template, parts) {
  return template.replace(/\{(\w+)\}/g, (all, name) => parts[name] ?? all);
}

/** Say which of the numbers are largest, in the words that `read` has for a place. */
export function sayLargest(numbers, read) {
  const most = Math.max(...numbers);
  const places = Array.from(numbers.keys()).filter((k) => numbers[k] === most);
  if (places.length === numbers.length && numbers.length > 1) return "all are equal: " + read(0);
  const more = places.length > 3 ? ` and ${places.length - 3} more` : "";
  return "largest: " + places.slice(0, 3).map(read).join("; ") + more;
}

/** Say of the largest number its value and the parts of its place; where several are as large, all of theirs. */
export function partsOfLargest(numbers, partsAt) {
  const value = Math.max(...numbers);
  const found = Array.from(numbers.keys()).filter((k) => numbers[k] === value);
  const all = found.map(partsAt);
  const join = (name) => listed([...new Set(all.map((parts) => parts[name]))]);
  return { ...Object.fromEntries(Object.keys(all[0]).map((name) => [name, join(name)])), value };
}

function listed(texts) {
  if (texts.length > 3) return "several";
  return texts.length === 1 ? texts[0] : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}

/** Let a box that is wider than its place say so: to the eye by classes, to the keyboard and to screen readers; returns the cleanup. */
export function showScroll(box, name) {
  const refresh = () => {
    const room = box.scrollWidth - box.clientWidth;
    box.classList.toggle("live-more-before", room > 1 && box.scrollLeft > 1);
    box.classList.toggle("live-more-after", room > 1 && box.scrollLeft < room - 1);
    const wanted = room > 1 ? { tabindex: "0", role: "region", "aria-label": `${name}, scrolls sideways` } : {};
    for (const key of ["tabindex", "role", "aria-label"]) {
      if (wanted[key]) box.setAttribute(key, wanted[key]);
      else box.removeAttribute(key);
    }
  };
  const watcher = new ResizeObserver(refresh);
  watcher.observe(box);
  box.addEventListener("scroll", refresh, { passive: true });
  return () => {
    watcher.disconnect();
    box.removeEventListener("scroll", refresh);
  };
}
