// Coloured maps over the plane, one scale for all, and a handle that can be dragged on them.
import {
  html,
  makeDraggable,
  makePicture,
  palette,
  place,
  pointsOf,
  printer,
  sentence,
  setText,
  svg,
  ticks,
  update,
  within,
} from "./svg.js";
import { placeLabels } from "./labels.js";

const BANDS = 10; // steps of colour, so that their edges are lines of equal height
const GAP = 18,
  AXIS = 30, // room for the numbers on the axes
  WIDEST = 420;

/** Make a field view; see figure.js for what a view is. */
export function makeField(options, tools) {
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const titles = options.titles.length ? options.titles : [""];
  const { x: xs, y: ys } = options;
  const element = html("div", { class: "live-field" });
  /** @type {[number, number, number, number]} */
  const ends = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  let grid, canvas, panels, shown, last;

  function layout(width) {
    grid = measure(width, titles.length, options, ends);
    canvas = html("canvas", { width: 1, height: 1, "aria-hidden": "true" });
    const picture = makePicture(grid.width, grid.height, options, tools, options.at && `move the ${options.called.handle}`);
    panels = titles.map((title, k) => drawPanel(picture, title, k));
    if (options.at) makeDraggable(picture, options.at, valuesAt, tools);
    const stack = html("div", { class: "live-field-maps", style: `width: ${grid.width}px` });
    stack.append(canvas, picture);
    element.replaceChildren(stack, drawScale(grid.width));
    shown = null;
  }

  function drawPanel(picture, title, k) {
    const box = grid.boxes[k];
    const toX = (x) => box.x + ((x - ends[0]) / (ends[1] - ends[0])) * box.w;
    const toY = (y) => box.y + box.h - ((y - ends[2]) / (ends[3] - ends[2])) * box.h;
    const value = svg("text", { x: box.x + box.w, y: box.y - 9, class: "live-label live-end live-strong" });
    picture.append(svg("text", { x: box.x, y: box.y - 9, class: "live-label" }, title), value);
    picture.append(svg("rect", { x: box.x, y: box.y, width: box.w, height: box.h, class: "live-frame" }));
    drawAxes(picture, box, toX, toY);
    const dots = svg("g"),
      handle = svg("path", { d: "M0 -9 L8 6 L-8 6 Z", class: "live-mark live-handle live-blue live-halo" });
    picture.append(dots);
    if (options.at) picture.append(handle);
    return { box, toX, toY, value, dots, handle };
  }

  function drawAxes(picture, box, toX, toY) {
    const add = (attributes, text) => picture.append(svg("text", attributes, text));
    if (box.bottom) {
      const { at, print: say } = ticks(ends[0], ends[1], box.w / 44);
      at.forEach((x) => add({ x: toX(x), y: box.y + box.h + 11, class: "live-label live-middle" }, say(x)));
      if (options.xlabel) add({ x: box.x + box.w / 2, y: box.y + box.h + 27, class: "live-label live-middle" }, options.xlabel);
    }
    if (box.first) {
      const { at, print: say } = ticks(ends[2], ends[3], box.h / 44);
      at.forEach((y) => add({ x: box.x - 5, y: toY(y), class: "live-label live-end" }, say(y)));
      const turn = { x: 8, y: box.y + box.h / 2, transform: `rotate(-90 8 ${box.y + box.h / 2})` };
      if (options.ylabel) add({ ...turn, class: "live-label live-middle" }, options.ylabel);
    }
  }

  function draw(frame) {
    last = frame;
    const numbers = frame[options.show];
    const points = pointsOf(options.points, frame);
    if (!isSame(numbers, shown)) paint(numbers);
    shown = numbers;
    panels.forEach((panel, k) => {
      drawPoints(panel, points);
      if (!options.at) return;
      const [x, y] = options.at.map(tools.value);
      update(panel.handle, "transform", `translate(${panel.toX(x).toFixed(1)} ${panel.toY(y).toFixed(1)})`);
      setText(panel.value, print(under(k)));
    });
  }

  /** What is read at the handle from one map: the number given for it, or that of the nearest place. */
  function under(k) {
    if (options.reading) return last[options.reading][k];
    const [x, y] = options.at.map(tools.value);
    const nearest = (list, value) => {
      const at = Math.round(((value - list[0]) / (list.at(-1) - list[0])) * (list.length - 1));
      return within(0, list.length - 1, at);
    };
    return last[options.show][(k * ys.length + nearest(ys, y)) * xs.length + nearest(xs, x)];
  }

  function drawPoints(panel, points) {
    if (!panel.dots.childNodes.length) {
      points.forEach((_, j) => {
        panel.dots.append(svg("circle", { r: 5, class: "live-field-point" }));
        panel.dots.append(svg("text", { class: "live-label live-halo-text" }, options.labels[j] ?? ""));
      });
    }
    const at = points.map(([x, y]) => ({ x: panel.toX(x), y: panel.toY(y), reach: 6 }));
    const places = placeLabels(at, (j) => options.labels[j] ?? "", panel.box);
    at.forEach(({ x, y }, j) => {
      const [dot, text] = [panel.dots.childNodes[2 * j], panel.dots.childNodes[2 * j + 1]];
      place(dot, { cx: x, cy: y });
      place(text, { x: places[j].x, y: places[j].y });
      update(text, "class", `live-label live-halo-text ${places[j].anchor}`);
    });
  }

  /** Colour all maps, between the known places as straight lines go. */
  function paint(numbers) {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = Math.round(grid.width * ratio);
    canvas.height = Math.round(grid.height * ratio);
    const context = canvas.getContext("2d");
    const colours = bands(low < 0);
    panels.forEach(({ box }, k) => {
      const size = ys.length * xs.length;
      const part = numbers.subarray(k * size, (k + 1) * size);
      const image = colourMap(
        part,
        [ys.length, xs.length],
        [Math.round(box.w * ratio), Math.round(box.h * ratio)],
        (value) => colours[within(0, BANDS - 1, Math.floor(((value - low) / (high - low)) * BANDS))],
      );
      context.putImageData(image, Math.round(box.x * ratio), Math.round(box.y * ratio));
    });
  }

  function drawScale(width) {
    const room = Math.min(width, 420),
      left = AXIS,
      span = room - left - 24;
    const picture = svg("svg", { width: room, height: 30, "aria-hidden": "true" });
    palette(low < 0)
      .filter((_, i) => bandOf(i))
      .forEach(({ fill }, k) => {
        picture.append(svg("rect", { x: left + (k * span) / BANDS, y: 2, width: span / BANDS + 0.3, height: 10, fill }));
      });
    picture.append(svg("rect", { x: left, y: 2, width: span, height: 10, class: "live-frame" }));
    for (const k of [0, 2, 4, 6, 8, 10]) {
      const x = left + (k * span) / BANDS;
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
function measure(width, count, { columns, xlabel, ylabel, titles }, [left, right, low, high]) {
  const edge = AXIS + (ylabel ? 14 : 0);
  const most = Math.max(1, Math.min(columns, count, Math.floor((width - edge) / 140)));
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

const bandOf = (i) => Array.from({ length: BANDS }, (_, k) => Math.round((255 * k) / (BANDS - 1))).includes(i);

/** The colours of the bands, as a pixel has them in memory. */
function bands(diverging) {
  const shades = palette(diverging).filter((_, i) => bandOf(i));
  return shades.map(({ fill }) => {
    const [r, g, b] = fill.match(/\d+/g).map(Number);
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
}

function colourMap(numbers, [p, q], [width, height], colour) {
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < height; i++) {
    const v = ((height - 0.5 - i) / height) * (p - 1); // the first row lies at the bottom
    const r = Math.min(p - 2, Math.floor(v));
    for (let j = 0; j < width; j++) {
      const u = ((j + 0.5) / width) * (q - 1);
      const c = Math.min(q - 2, Math.floor(u));
      const k = r * q + c;
      const below = numbers[k] + (u - c) * (numbers[k + 1] - numbers[k]);
      const above = numbers[k + q] + (u - c) * (numbers[k + q + 1] - numbers[k + q]);
      pixels[i * width + j] = colour(below + (v - r) * (above - below));
    }
  }
  return image;
}

function isSame(numbers, others) {
  return others !== null && numbers.every((value, k) => value === others[k]);
}

function nearestBox(boxes, x, y) {
  const away = boxes.map((box) => Math.hypot(outside(x, box.x, box.x + box.w), outside(y, box.y, box.y + box.h)));
  return away.indexOf(Math.min(...away));
}

const outside = (value, low, high) => Math.max(low - value, 0, value - high);
