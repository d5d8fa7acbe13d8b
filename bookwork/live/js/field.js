// Coloured maps over the plane, one scale for all, and a handle that can be dragged on them.
import { palette } from "./colours.js";
import { placeLabels } from "./labels.js";
import { makeDraggable, makePicture, sentence } from "./reading.js";
import { between, drawAxes, html, place, pointsOf, printer, setText, svg, ticks, update, within } from "./svg.js";

const BANDS = 10; // steps of colour, so that their edges are lines of equal height
const GAP = 18,
  AXIS = 30, // room for the numbers on the axes
  WIDEST = 420,
  MOST = 3; // maps side by side

/** Make a field view; see figure.js for what a view is. */
export function makeField(options, tools) {
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const titles = options.titles.length ? options.titles : [""];
  const { x: xs, y: ys, labels } = options;
  const element = html("div", { class: "live-field" });
  /** @type {[number, number, number, number]} */
  const ends = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  let grid, ratio, canvas, panels, shown, last;

  function layout(width) {
    grid = measure(width, titles.length, options, ends);
    ratio = Math.min(2, window.devicePixelRatio || 1);
    const pixels = { width: Math.round(grid.width * ratio), height: Math.round(grid.height * ratio) };
    canvas = html("canvas", { ...pixels, "aria-hidden": "true" });
    const picture = makePicture(grid.width, grid.height, options, tools, options.at && `move the ${options.called.handle}`);
    panels = titles.map((title, k) => drawPanel(picture, title, grid.boxes[k]));
    if (options.at) makeDraggable(picture, options.at, valuesAt, tools);
    const stack = html("div", { class: "live-field-maps", style: `width: ${grid.width}px` }, [canvas, picture]);
    element.replaceChildren(stack, drawScale(Math.min(grid.width, 420)));
    shown = null;
  }

  function drawPanel(picture, title, box) {
    const toX = (x) => box.x + ((x - ends[0]) / (ends[1] - ends[0])) * box.w;
    const toY = (y) => box.y + box.h - ((y - ends[2]) / (ends[3] - ends[2])) * box.h;
    const value = svg("text", { x: box.x + box.w, y: box.y - 9, class: "live-label live-end live-strong" });
    picture.append(svg("text", { x: box.x, y: box.y - 9, class: "live-label" }, title), value);
    picture.append(svg("rect", { x: box.x, y: box.y, width: box.w, height: box.h, class: "live-frame" }));
    drawSides(picture, box, toX, toY);
    const dots = picture.appendChild(svg("g"));
    const handle = svg("path", { d: "M0 -9 L8 6 L-8 6 Z", class: "live-mark live-handle live-blue live-halo" });
    if (options.at) picture.append(handle);
    return { box, toX, toY, value, dots, handle };
  }

  /** Draw the numbers and labels of the axes: below the last maps, and beside the first ones. */
  function drawSides(picture, { x, y, w, h, first, bottom }, toX, toY) {
    const none = { at: [], print };
    const across = bottom ? ticks(ends[0], ends[1], w / 44) : none;
    const up = first ? ticks(ends[2], ends[3], h / 44) : none;
    drawAxes(picture, { left: x, right: x + w, top: y, bottom: y + h, below: 11, beside: 5 }, [across, toX], [up, toY]);
    const add = (attributes, text) => picture.append(svg("text", { ...attributes, class: "live-label live-middle" }, text));
    if (bottom && options.xlabel) add({ x: x + w / 2, y: y + h + 27 }, options.xlabel);
    if (first && options.ylabel) add({ x: 8, y: y + h / 2, transform: `rotate(-90 8 ${y + h / 2})` }, options.ylabel);
  }

  function draw(frame, moving) {
    last = frame;
    const numbers = moving[options.show];
    const points = pointsOf(options.points, moving);
    if (!shown || numbers.some((value, k) => value !== shown[k])) paint(numbers);
    shown = numbers;
    panels.forEach((panel, k) => {
      drawPoints(panel, points);
      if (!options.at) return;
      const [x, y] = options.at.map((name) => between(tools.control(name).values, moving[`@${name}`][0]));
      update(panel.handle, "transform", `translate(${panel.toX(x).toFixed(1)} ${panel.toY(y).toFixed(1)})`);
      setText(panel.value, print(under(k)));
    });
  }

  /** What is read at the handle from one map: the number at the nearest place. */
  function under(k) {
    const [x, y] = options.at.map(tools.value);
    const nearest = (list, value) => {
      const at = Math.round(((value - list[0]) / (list.at(-1) - list[0])) * (list.length - 1));
      return within(0, list.length - 1, at);
    };
    return last[options.show][(k * ys.length + nearest(ys, y)) * xs.length + nearest(xs, x)];
  }

  function drawPoints({ dots, box, toX, toY }, points) {
    const at = points.map(([x, y]) => ({ x: toX(x), y: toY(y), reach: 6 }));
    const places = placeLabels(at, (j) => labels[j] ?? "", box);
    at.forEach(({ x, y }, j) => {
      if (!dots.childNodes[2 * j]) dots.append(svg("circle", { r: 5, class: "live-field-point" }), svg("text", {}, labels[j] ?? ""));
      const [dot, text] = [dots.childNodes[2 * j], dots.childNodes[2 * j + 1]];
      place(dot, { cx: x, cy: y });
      place(text, { x: places[j].x, y: places[j].y });
      update(text, "class", `live-label live-halo-text ${places[j].anchor}`);
    });
  }

  /** Colour all maps, between the known places as straight lines go. */
  function paint(numbers) {
    const [p, q] = [ys.length, xs.length];
    const shares = Float64Array.from(numbers, (value) => ((value - low) / (high - low)) * BANDS); // in bands
    const colours = Uint32Array.from(bands(low < 0), ({ rgb: [r, g, b] }) => (255 << 24) | (b << 16) | (g << 8) | r); // as in memory
    const context = canvas.getContext("2d");
    grid.boxes.forEach((box, k) => {
      const image = new ImageData(Math.round(box.w * ratio), Math.round(box.h * ratio));
      colourMap(image, shares.subarray(k * p * q, (k + 1) * p * q), [p, q], colours);
      context.putImageData(image, Math.round(box.x * ratio), Math.round(box.y * ratio));
    });
  }

  function drawScale(width) {
    const span = width - AXIS - 24;
    const picture = svg("svg", { width, height: 30, "aria-hidden": "true" });
    bands(low < 0).forEach(({ fill }, k) => {
      picture.append(svg("rect", { x: AXIS + (k * span) / BANDS, y: 2, width: span / BANDS + 0.3, height: 10, fill }));
    });
    picture.append(svg("rect", { x: AXIS, y: 2, width: span, height: 10, class: "live-frame" }));
    for (const k of [0, 2, 4, 6, 8, 10]) {
      const x = AXIS + (k * span) / BANDS;
      picture.append(svg("text", { x, y: 22, class: "live-label live-middle" }, scaleText(low + (k * (high - low)) / BANDS)));
    }
    return picture;
  }

  const scaleText = printer(Math.max(0, Math.min(options.digits, 2 - Math.floor(Math.log10(high - low)))));

  let held = 0; // the map that the drag began on
  function valuesAt(x, y, event) {
    if (event.type === "pointerdown") held = nearestBox(grid.boxes, x, y);
    const box = grid.boxes[held];
    const up = (box.y + box.h - y) / box.h;
    return [ends[0] + ((x - box.x) / box.w) * (ends[1] - ends[0]), ends[2] + up * (ends[3] - ends[2])];
  }

  function summary() {
    if (!options.at) return "";
    const [x, y] = options.at.map(tools.text);
    if (options.reads) return titles.map((title, k) => sentence(options.reads, { x, y, title, value: print(under(k)) })).join("; ");
    return `at (${x}, ${y}): ` + titles.map((title, k) => `${title} ${print(under(k))}`.trim()).join("; ");
  }

  return { element, isWide: titles.length > 1, layout, draw, summary };
}

/** Lay out the maps: as many beside each other as have room, all of one size. */
function measure(width, count, { xlabel, ylabel, titles }, [left, right, low, high]) {
  const edge = AXIS + (ylabel ? 14 : 0);
  const most = Math.max(1, Math.min(MOST, count, Math.floor((width - edge) / 140)));
  const w = Math.min(WIDEST, Math.floor((width - edge - 6 - GAP * (most - 1)) / most));
  const h = Math.round(w * Math.max(0.5, Math.min(1.2, (high - low) / (right - left))));
  const head = titles.length ? 22 : 20;
  const foot = 20 + (xlabel ? 16 : 0);
  const rows = Math.ceil(count / most);
  const boxes = Array.from({ length: count }, (_, k) => ({
    x: edge + (k % most) * (w + GAP),
    y: head + Math.floor(k / most) * (h + head + 8),
    w,
    h,
    first: k % most === 0,
    bottom: k + most >= count,
  }));
  return { boxes, width: edge + most * (w + GAP) - GAP + 6, height: rows * (h + head + 8) - 8 + foot };
}

/** The shades of the bands, from the lowest to the highest. */
function bands(diverging) {
  const shades = palette(diverging);
  return Array.from({ length: BANDS }, (_, k) => shades[Math.round((255 * k) / (BANDS - 1))]);
}

/** Colour an image by numbers on a grid of p × q places, as many bands high; the first row lies at the bottom. */
function colourMap({ data, width, height }, numbers, [p, q], colours) {
  const pixels = new Uint32Array(data.buffer);
  const along = Float64Array.from({ length: width }, (_, j) => ((j + 0.5) / width) * (q - 1));
  const line = new Float64Array(q);
  for (let i = 0; i < height; i++) {
    const v = ((height - 0.5 - i) / height) * (p - 1);
    const r = Math.floor(v); // never the last: pixels end before it
    for (let c = 0; c < q; c++) line[c] = numbers[r * q + c] + (v - r) * (numbers[(r + 1) * q + c] - numbers[r * q + c]);
    for (let j = 0; j < width; j++) {
      const c = along[j] | 0;
      const band = (line[c] + (along[j] - c) * (line[c + 1] - line[c])) | 0;
      pixels[i * width + j] = colours[band < 0 ? 0 : band < BANDS ? band : BANDS - 1];
    }
  }
}

function nearestBox(boxes, x, y) {
  const away = boxes.map((box) => Math.hypot(outside(x, box.x, box.x + box.w), outside(y, box.y, box.y + box.h)));
  return away.indexOf(Math.min(...away));
}

const outside = (value, low, high) => Math.max(low - value, 0, value - high);
