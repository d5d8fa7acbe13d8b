// The room of a chart: how large it is, where its box stands in it, its scales, and what is written at them.
import { printer, setText, shorten, svg, textWidth, ticks, within } from "./svg.js";

const ROW = 24, // height of a bar with its label
  UPRIGHT = 16, // a narrower column has its label upright, which can be larger than one that leans
  TICK = 68, // pixels from one number at an axis to the next, about
  WIDEST = { square: 460, curve: 760 };
const MIDDLE = "live-label live-middle";

/** Scales: `to` makes pixels of a value, `back` a value of pixels; `at` is where something is written. */
export const SCALES = {
  band: (count, [a, b]) => {
    const step = (b - a) / count;
    return { count, step, to: (k) => a + k * step, middle: (k) => a + (k + 0.5) * step };
  },
  linear: ([low, high], [a, b]) => ({
    limits: [low, high],
    to: (value) => a + ((value - low) / (high - low)) * (b - a),
    back: (pixel) => low + ((pixel - a) / (b - a)) * (high - low),
    ...ticks(low, high, Math.max(3, Math.abs(b - a) / TICK)),
  }),
  log: (limits, ends) => {
    const powers = SCALES.linear(limits.map(Math.log10), ends);
    return { limits, to: (value) => powers.to(Math.log10(value)), back: (pixel) => 10 ** powers.back(pixel), ...factors(limits) };
  },
};

/** Return powers of ten between two limits; if there are few, their doubles and fives too. */
function factors([low, high]) {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.floor(Math.log10(high)) - first + 1 }, (_, k) => 10 ** (first + k));
  const seen = (digits) =>
    powers.flatMap((power) => digits.map((digit) => digit * power)).filter((value) => within(low, high, value) === value);
  const print = (value) => printer(Math.max(0, -Math.floor(Math.log10(value) + 1e-9)))(value);
  return { at: seen(seen([1]).length > 2 ? [1] : [1, 2, 5]), print };
}

/** What labels beside bands need, at most a part of the width. */
const labelRoom = (labels, most) => Math.min(Math.max(...labels.map((text) => textWidth(text))) + 12, most);

/** Return { width, height, box, x, y } of a chart, and how its labels are turned. */
export function measure(options, width, tallest) {
  const { x, y } = options;
  if (x.kind === "band") return measureMatrix(options, width, Math.min(tallest, 0.56 * width));
  if (y.kind === "band") return measureBars(options, width);
  return measurePlane(options, Math.min(width, WIDEST[options.square ? "square" : "curve"]));
}

/** Small matrices get large cells. */
function measureMatrix({ rows, columns, words }, width, tallest) {
  const left = labelRoom(rows, 0.36 * width);
  const widest = Math.max(...columns.map((text) => textWidth(text)));
  const most = columns.length <= 3 ? 140 : columns.length <= 8 ? 96 : 56;
  let cw = Math.max(2, Math.min(most, Math.floor((width - left - 4) / columns.length)));
  const long = Math.min(widest, 110);
  const leaning = Math.min(cw, Math.floor((width - left - 0.71 * long) / columns.length)); // the last label leans to the right
  const turned = widest <= cw - 4 ? 0 : leaning < UPRIGHT ? 90 : 45;
  const [rise, lean] = turned === 45 ? [0.71 * long, 0.71 * long] : [long, 0];
  if (turned === 45) cw = leaning;
  const ch = Math.min(Math.max(cw, rows.length === 1 ? 34 : 0), rows.length <= 6 ? 48 : 40, Math.max(14, tallest / rows.length));
  const top = turned ? rise + 18 : 24;
  const box = { left, right: left + cw * columns.length, top, bottom: top + ch * rows.length };
  const [x, y] = [SCALES.band(columns.length, [left, box.right]), SCALES.band(rows.length, [top, box.bottom])];
  const hasDigits = !words.length && cw >= 30 && ch >= 17;
  return { width: box.right + Math.max(4, lean), height: box.bottom + 6, box, x, y, turned, hasDigits };
}

function measureBars({ labels, by, limits, digits }, width) {
  const [count, left] = [(by ? labels[0] : labels).length, labelRoom(labels.flat(), 0.5 * width)];
  const box = { left, right: width - textWidth(printer(digits)(limits[1])) - 16, top: 0, bottom: count * ROW };
  const [x, y] = [SCALES.linear(limits, [box.left, box.right]), SCALES.band(count, [box.top, box.bottom])];
  return { width, height: box.bottom + 4, box, x, y };
}

function measurePlane({ x, y, limits, square }, width) {
  const low = y.limits ?? limits;
  const words = SCALES[y.kind](low, [380, 0]);
  const left = 12 + (y.label ? 18 : 0) + 7 * Math.max(...words.at.map((value) => words.print(value).length));
  const foot = x.label ? 42 : 24;
  const height = square ? width - left + foot - 2 : Math.max(220, Math.min(380, 0.55 * width));
  const box = { left, right: width - 12, top: 10, bottom: height - foot };
  const make = (scale, ends) => SCALES[scale.kind](scale.limits ?? limits, ends);
  return { width, height, box, x: make(x, [box.left, box.right]), y: make(y, [box.bottom, box.top]) };
}

/** Write what stands at the axes; returns a function that does so again, for labels that follow a control. */
export function drawAxes(picture, plan, options, bands) {
  const { x, y, box } = plan;
  if (options.x.kind === "band") drawColumns(picture, plan, bands.x());
  else if (options.x.bare) {
    const zero = x.to(within(...x.limits, 0));
    picture.append(svg("line", { x1: zero, x2: zero, y1: box.top, y2: box.bottom, class: "live-axis" }));
  } else {
    const { left, right, top, bottom } = box;
    drawNumbers(picture, x, (u) => [{ x1: u, x2: u, y1: top, y2: bottom }, { x: u, y: bottom + 14, class: MIDDLE }]); // prettier-ignore
    drawNumbers(picture, y, (v) => [
      { x1: left, x2: right, y1: v, y2: v },
      { x: left - 6, y: v, class: "live-label live-end" },
    ]);
    const [u, v] = [(left + right) / 2, (top + bottom) / 2];
    picture.append(svg("text", { x: u, y: bottom + 34, class: MIDDLE }, options.x.label));
    picture.append(svg("text", { x: 9, y: v, class: MIDDLE, transform: `rotate(-90 9 ${v})` }, options.y.label));
  }
  return options.y.kind === "band" ? drawRows(picture, plan, bands.y) : () => {};
}

/** Draw numbers at an axis, each with a line across the box. */
function drawNumbers(picture, scale, placesAt) {
  for (const value of scale.at) {
    const [line, text] = placesAt(scale.to(value));
    line.class = Math.abs(value) < 1e-9 ? "live-axis" : "live-grid";
    picture.append(svg("line", line), svg("text", text, scale.print(value)));
  }
}

function drawRows(picture, { y, box }, names) {
  const small = y.step < 13 ? { style: `font-size: ${Math.max(8, y.step - 1)}px` } : {};
  const texts = names().map((_, i) => svg("text", { x: box.left - 7, y: y.middle(i), class: "live-label live-end", ...small }));
  picture.append(...texts);
  return () => names().forEach((name, i) => setText(texts[i], shorten(name, box.left - 7)));
}

function drawColumns(picture, { x, box, turned }, names) {
  const small = turned === 90 ? { style: `font-size: min(var(--live-size), ${Math.max(8, x.step)}px)` } : {};
  names.forEach((label, j) => {
    const [u, v] = [x.middle(j), box.top - 9];
    const turn = turned ? { class: "live-label", transform: `rotate(${-turned} ${u} ${v})`, ...small } : { class: MIDDLE };
    picture.append(svg("text", { x: u, y: v, ...turn }, turned ? shorten(label, 110) : label));
  });
}
