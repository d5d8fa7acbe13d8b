// A matrix as coloured cells.
import { makeCells } from "./cells.js";
import {
  html,
  makePicture,
  makePointable,
  palette,
  partsOfLargest,
  printer,
  sayLargest,
  sentence,
  shorten,
  svg,
  textWidth,
  within,
} from "./svg.js";

const BAR = 58; // room for the colour bar and its numbers
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Make a heatmap view; see figure.js for what a view is. */
export function makeHeatmap(options, tools) {
  const { rows, columns, show, reads } = options;
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-heatmap" });
  let box, shades, marker, paint, numbers;
  let cursor = null;

  const labelRoom = (width) => Math.min(Math.max(...rows.map((text) => textWidth(text))) + 12, 0.36 * width);

  function layout(width, labels) {
    box = measure(rows, columns, width, Math.max(labels, labelRoom(width)));
    shades = palette(low < 0);
    const picture = makePicture(box.width, box.height, options, tools, "read the cells");
    paint = makeCells(picture, [rows.length, columns.length], { ...box, x: box.left, y: box.top, font: box.digits && 12 }, print);
    drawLabels(picture, box, rows, columns);
    drawBar(picture, box, shades, [low, high], print);
    marker = svg("rect", { class: "live-cursor", width: box.cw, height: box.ch, visibility: "hidden" });
    picture.append(marker);
    makePointable(picture, find, step, point);
    element.replaceChildren(picture);
  }

  function draw(frame) {
    numbers = frame[show];
    paint(numbers, shades, options.limits);
  }

  const partsAt = (k) => ({ row: rows[Math.floor(k / columns.length)], column: columns[k % columns.length] });
  const read = (k) => sentence(reads, { ...partsAt(k), value: print(numbers[k]) });

  function point(k) {
    cursor = k;
    marker.setAttribute("visibility", k === null ? "hidden" : "visible");
    marker.setAttribute("x", box.left + (k % columns.length) * box.cw);
    marker.setAttribute("y", box.top + Math.floor(k / columns.length) * box.ch);
    tools.say();
  }

  function find(x, y) {
    const [i, j] = [Math.floor((y - box.top) / box.ch), Math.floor((x - box.left) / box.cw)];
    const isInside = i >= 0 && i < rows.length && j >= 0 && j < columns.length;
    return isInside ? i * columns.length + j : null;
  }

  function step(key, k) {
    const [down, right] = STEPS[key] ?? [];
    if (down === undefined) return undefined;
    const i = within(0, rows.length - 1, Math.floor(k / columns.length) + down);
    return i * columns.length + within(0, columns.length - 1, (k % columns.length) + right);
  }

  /** Say what the cursor is on, or what stands out; a difference may have nothing that does. */
  function summary() {
    if (cursor !== null) return read(cursor);
    const isNone = options.diverging && Array.from(numbers, print).every((text) => Number(text) === 0);
    return isNone ? "no difference" : sayLargest(numbers, read);
  }

  return {
    element,
    layout,
    labelRoom,
    draw,
    pointed: () => (cursor === null ? "" : read(cursor)),
    summary,
    largest: () => partsOfLargest(numbers, partsAt),
  };
}

/** Small matrices get large cells. */
function measure(rows, columns, width, left) {
  const widest = Math.max(...columns.map((text) => textWidth(text)));
  const most = columns.length <= 3 ? 140 : columns.length <= 8 ? 96 : 56;
  let cw = Math.max(6, Math.min(most, Math.floor((width - left - BAR) / columns.length)));
  const turned = widest > cw - 4;
  const lean = turned ? Math.min(widest, 110) * 0.71 : 0; // what the last label needs to the right
  if (lean > BAR) cw = Math.max(6, Math.min(cw, Math.floor((width - left - lean) / columns.length)));
  const ch = Math.min(Math.max(cw, rows.length === 1 ? 34 : 0), rows.length <= 6 ? 48 : 40);
  const top = turned ? lean + 16 : 22;
  const right = left + cw * columns.length;
  const digits = cw >= 30 && ch >= 18;
  return { left, top, cw, ch, turned, right, digits, width: right + Math.max(BAR, lean), height: top + ch * rows.length + 6 };
}

function drawLabels(picture, box, rows, columns) {
  rows.forEach((label, i) => {
    const place = { x: box.left - 6, y: box.top + (i + 0.5) * box.ch, class: "live-label live-end" };
    if (box.ch < 13) place.style = `font-size: ${Math.max(8, box.ch - 1)}px`;
    picture.append(svg("text", place, shorten(label, box.left - 6)));
  });
  columns.forEach((label, j) => {
    const x = box.left + (j + 0.5) * box.cw,
      y = box.top - 6;
    const turn = box.turned ? { transform: `rotate(-45 ${x} ${y})` } : { class: "live-label live-middle" };
    if (box.turned && box.cw < 16) turn.style = `font-size: ${Math.max(8, Math.round(0.75 * box.cw))}px`;
    const text = box.turned ? shorten(label, 110) : label;
    picture.append(svg("text", { x, y, class: "live-label", ...turn }, text));
  });
}

function drawBar(picture, box, shades, limits, print) {
  const height = box.height - box.top - 7,
    x = box.right + 10,
    parts = 16;
  for (let k = 0; k < parts; k++) {
    const shade = shades[Math.round((255 * (parts - 1 - k)) / (parts - 1))];
    const y = box.top + (k * height) / parts;
    picture.append(svg("rect", { x, y, width: 10, height: height / parts + 0.5, fill: shade.fill }));
  }
  picture.append(svg("rect", { x, y: box.top, width: 10, height, class: "live-frame" }));
  picture.append(svg("text", { x: x + 14, y: box.top + 6, class: "live-label" }, print(limits[1])));
  picture.append(svg("text", { x: x + 14, y: box.top + Math.max(height - 5, 21), class: "live-label" }, print(limits[0])));
}
