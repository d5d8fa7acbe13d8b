// A matrix as coloured cells.
import { makeCells, palette } from "./colours.js";
import { makePicture, makePointable, makeTold } from "./reading.js";
import { html, place, printer, shorten, svg, textWidth, update } from "./svg.js";

const BAR = 58; // room for the colour bar and its numbers
const UPRIGHT = 16; // a narrower column has its label upright, which can be larger than one that leans
const LEAST = 0.05; // of the largest number: a smaller one stands in its cell only while it is pointed at

/** Make a heatmap view; see figure.js for what a view is. */
export function makeHeatmap(options, tools) {
  const { rows, columns, limits } = options;
  /** @type {[number, number]} */
  const size = [rows.length, columns.length];
  const print = printer(options.digits);
  const element = html("div", { class: "live-heatmap" });
  const least = options.digits && LEAST * Math.max(...limits.map(Math.abs)); // whole numbers are names
  let box, shades, marker, paint, numbers, moving;
  const told = makeTold(options, tools, {
    numbers: () => numbers,
    partsAt: (k) => ({ row: rows[Math.floor(k / columns.length)], column: columns[k % columns.length] }),
    mark(k) {
      update(marker, "visibility", k === null ? "hidden" : "visible");
      place(marker, { x: box.x + (k % columns.length) * box.cw, y: box.y + Math.floor(k / columns.length) * box.ch });
      paint(numbers, moving, shades, limits, k);
    },
  });

  const labelRoom = (width) => Math.min(Math.max(...rows.map((text) => textWidth(text))) + 12, 0.36 * width);

  function layout(width, labels, tallest) {
    box = measure(rows, columns, width, Math.max(labels, labelRoom(width)), Math.min(tallest, 0.65 * width));
    shades = palette(limits[0] < 0);
    const picture = makePicture(box.width, box.height, options, tools, "read the cells");
    paint = makeCells(picture, size, { ...box, font: box.digits && 12, least }, print);
    drawLabels(picture, box, rows, columns);
    drawBar(picture, box, shades, limits, print);
    marker = svg("rect", { class: "live-cursor", width: box.cw, height: box.ch, visibility: "hidden" });
    picture.append(marker);
    makePointable(picture, box, size, told);
    element.replaceChildren(picture);
  }

  function draw(frame, shown) {
    [numbers, moving] = [frame[options.show], shown[options.show]];
    paint(numbers, moving, shades, limits, told.cursor);
  }

  /** Where a reader's guess of each cell of a row is drawn, as a level in it; see page/exercises/outlines.js. */
  function slots(row) {
    const [i, [low, high], { cw, ch }] = [rows.indexOf(row), limits, box];
    const foot = box.y + (i + 1) * ch;
    return columns.map((name, j) => ({
      name,
      now: [numbers[i * columns.length + j]],
      limits: [limits],
      area: () => ({ x: box.x + j * cw, y: foot - ch, width: cw, height: ch }),
      path: ([value]) => `M${box.x + (j + 1) * cw} ${foot}v${(-ch * (value - low)) / (high - low)}h${-0.25 * cw}V${foot}Z`,
      read: (_, y) => [low + ((foot - y) / ch) * (high - low)],
    }));
  }

  return { ...told, element, layout, labelRoom, draw, slots };
}

/** Small matrices get large cells. */
function measure(rows, columns, width, left, tallest) {
  const widest = Math.max(...columns.map((text) => textWidth(text)));
  const most = columns.length <= 3 ? 140 : columns.length <= 8 ? 96 : 56;
  let cw = Math.max(6, Math.min(most, Math.floor((width - left - BAR) / columns.length)));
  const long = Math.min(widest, 110);
  const leaning = Math.min(cw, Math.floor((width - left - 0.71 * long) / columns.length)); // the last label leans to the right
  const turned = widest <= cw - 4 ? 0 : leaning < UPRIGHT ? 90 : 45;
  const [rise, lean] = turned === 45 ? [0.71 * long, 0.71 * long] : [long, 0];
  if (turned === 45) cw = leaning;
  const ch = Math.min(Math.max(cw, rows.length === 1 ? 34 : 0), rows.length <= 6 ? 48 : 40, Math.max(14, tallest / rows.length));
  const top = turned ? rise + 16 : 22;
  const right = left + cw * columns.length;
  const digits = cw >= 30 && ch >= 18;
  return { x: left, y: top, cw, ch, turned, right, digits, width: right + Math.max(BAR, lean), height: top + ch * rows.length + 6 };
}

function drawLabels(picture, box, rows, columns) {
  rows.forEach((label, i) => {
    const place = { x: box.x - 6, y: box.y + (i + 0.5) * box.ch, class: "live-label live-end" };
    if (box.ch < 13) place.style = `font-size: ${Math.max(8, box.ch - 1)}px`;
    picture.append(svg("text", place, shorten(label, box.x - 6)));
  });
  columns.forEach((label, j) => {
    const x = box.x + (j + 0.5) * box.cw,
      y = box.y - 6;
    const turn = box.turned ? { transform: `rotate(${-box.turned} ${x} ${y})` } : { class: "live-label live-middle" };
    if (box.turned === 90) turn.style = `font-size: min(var(--live-size), ${Math.max(8, box.cw)}px)`;
    const text = box.turned ? shorten(label, 110) : label;
    picture.append(svg("text", { x, y, class: "live-label", ...turn }, text));
  });
}

function drawBar(picture, box, shades, limits, print) {
  const height = box.height - box.y - 7,
    x = box.right + 10,
    parts = 16;
  for (let k = 0; k < parts; k++) {
    const shade = shades[Math.round((255 * (parts - 1 - k)) / (parts - 1))];
    const y = box.y + (k * height) / parts;
    picture.append(svg("rect", { x, y, width: 10, height: height / parts + 0.5, fill: shade.fill }));
  }
  picture.append(svg("rect", { x, y: box.y, width: 10, height, class: "live-frame" }));
  picture.append(svg("text", { x: x + 14, y: box.y + 6, class: "live-label" }, print(limits[1])));
  picture.append(svg("text", { x: x + 14, y: box.y + Math.max(height - 5, 21), class: "live-label" }, print(limits[0])));
}
