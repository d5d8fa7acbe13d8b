// Points in the plane: a query that can be dragged, keys, values, and the output among them.
import { html, makeDraggable, printer, svg, textWidth, ticks, update } from "./svg.js";

const EDGE = 26; // room for the numbers on the axes
const KINDS = ["values", "keys", "query", "output"];

/** Make a plane view; see figure.js for what a view is. */
export function makePlane(options, tools) {
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-plane" });
  const named = options.values ? "values" : "keys"; // the kind that carries labels and weights
  let size, marks, lines, last;

  const toX = (x) => EDGE + ((x - low) / (high - low)) * (size - EDGE - 8);
  const toY = (y) => size - EDGE - ((y - low) / (high - low)) * (size - EDGE - 8);

  function layout(width) {
    size = Math.min(width, 400);
    const picture = svg("svg", { width: size, height: size, role: "img", tabindex: 0 });
    const help = options.drag ? ". Arrow keys move the query." : "";
    picture.setAttribute("aria-label", (options.title || tools.name) + help);
    drawGrid(picture, ticks(low, high, 6), toX, toY, [low, high]);
    if (options.region_points) picture.append(drawRegion(picture, options.region_points, toX, toY));
    lines = svg("g", { class: "live-pulls" });
    marks = svg("g");
    picture.append(lines, marks);
    if (options.drag) listenToDrag(picture);
    element.replaceChildren(picture, legend(options));
    last = null;
  }

  function points(kind, frame) {
    const given = options[kind];
    if (given === null || given === undefined) return [];
    const flat = typeof given === "string" ? Array.from(frame[given]) : given.flat();
    return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
  }

  function draw(frame) {
    const weights = options.weights ? frame[options.weights] : null;
    last = Object.fromEntries(KINDS.map((kind) => [kind, points(kind, frame)]));
    if (!marks.childNodes.length) KINDS.forEach((kind) => addMarks(kind, last[kind]));
    let at = 0;
    for (const kind of KINDS) {
      last[kind].forEach(([x, y], j) => {
        const grown = kind === named && weights ? 4 + 13 * Math.sqrt(Math.max(0, weights[j])) : null;
        place(marks.childNodes[at++], kind, x, y, grown, j);
      });
    }
    drawPulls(weights);
  }

  function addMarks(kind, list) {
    list.forEach((_, j) => {
      const group = svg("g", { class: `live-mark live-${kind}` });
      group.append(shape(kind));
      if (kind === named && options.labels[j]) group.append(svg("text", { class: "live-label" }, options.labels[j]));
      marks.append(group);
    });
  }

  function place(group, kind, x, y, grown, j) {
    const [px, py] = [toX(x), toY(y)];
    update(group, "transform", `translate(${px.toFixed(1)} ${py.toFixed(1)})`);
    if (grown !== null) update(group.firstChild, "r", grown.toFixed(1));
    const text = group.childNodes[1];
    if (!text) return;
    const reach = (grown ?? 6) + 4;
    const flip = px + reach + textWidth(options.labels[j]) > size;
    update(text, "x", flip ? -reach : reach);
    update(text, "class", flip ? "live-label live-end" : "live-label");
  }

  function drawPulls(weights) {
    if (!weights || !last.output.length) return;
    const [[x, y]] = last.output;
    if (!lines.childNodes.length) last[named].forEach(() => lines.append(svg("line", { class: `live-${named}` })));
    last[named].forEach(([vx, vy], j) => {
      const ends = { x1: toX(x), y1: toY(y), x2: toX(vx), y2: toY(vy) };
      const line = lines.childNodes[j];
      for (const [name, value] of Object.entries(ends)) update(line, name, value.toFixed(1));
      update(line, "stroke-width", (5 * Math.max(0, weights[j])).toFixed(2));
    });
  }

  function listenToDrag(picture) {
    const [across, up] = options.drag;
    const follow = (event) => {
      const frame = picture.getBoundingClientRect();
      const span = size - EDGE - 8;
      tools.set(across, low + ((event.clientX - frame.left - EDGE) / span) * (high - low));
      tools.set(up, low + ((size - EDGE - (event.clientY - frame.top)) / span) * (high - low));
    };
    const keys = { ArrowLeft: [across, -1], ArrowRight: [across, 1], ArrowUp: [up, 1], ArrowDown: [up, -1] };
    makeDraggable(picture, follow, keys, tools.nudge);
  }

  function summary() {
    const told = ["query", "output"].filter((kind) => last[kind].length);
    return told.map((kind) => `${kind} at (${last[kind][0].map(print).join(", ")})`).join("; ");
  }

  return { element, layout, draw, summary, tables: tablesOf(options, print) };
}

function tablesOf(options, print) {
  const tables = [];
  const names = (count) => Array.from({ length: count }, (_, j) => options.labels[j] ?? `number ${j + 1}`);
  for (const kind of KINDS) {
    const given = options[kind];
    if (typeof given !== "string") continue;
    const rows = kind === "query" || kind === "output" ? [kind] : names;
    tables.push({ array: given, title: kind, rows, columns: ["across", "up"], print });
  }
  if (options.weights) tables.push({ array: options.weights, title: "weights", rows: names, columns: ["weight"], print });
  return tables;
}

function shape(kind) {
  if (kind === "query") return svg("path", { d: "M0 -9 L8 6 L-8 6 Z" });
  if (kind === "output") return svg("path", { d: "M0 -8 L8 0 L0 8 L-8 0 Z" });
  if (kind === "keys") return svg("circle", { r: 6, class: "live-hollow" });
  return svg("circle", { r: 6 });
}

function legend(options) {
  const list = html("div", { class: "live-legend" });
  for (const kind of KINDS) {
    if (options[kind] === null || options[kind] === undefined) continue;
    const picture = svg("svg", { width: 18, height: 18, "aria-hidden": "true" });
    const group = svg("g", { class: `live-mark live-${kind}`, transform: "translate(9 9) scale(.8)" });
    group.append(shape(kind));
    picture.append(group);
    const entry = html("span");
    entry.append(picture, kind);
    list.append(entry);
  }
  return list;
}

function drawGrid(picture, { at, print }, toX, toY, [low, high]) {
  for (const value of at) {
    const kind = Math.abs(value) < 1e-9 ? "live-axis" : "live-grid";
    picture.append(svg("line", { x1: toX(value), x2: toX(value), y1: toY(low), y2: toY(high), class: kind }));
    picture.append(svg("line", { x1: toX(low), x2: toX(high), y1: toY(value), y2: toY(value), class: kind }));
    picture.append(svg("text", { x: toX(value), y: toY(low) + 14, class: "live-label live-middle" }, print(value)));
    picture.append(svg("text", { x: toX(low) - 5, y: toY(value), class: "live-label live-end" }, print(value)));
  }
}

function drawRegion(picture, corners, toX, toY) {
  const clip = `live-clip-${Math.random().toString(36).slice(2)}`;
  const bounds = svg("clipPath", { id: clip });
  const edge = Number(picture.getAttribute("width"));
  bounds.append(svg("rect", { x: EDGE, y: 8, width: edge - EDGE - 8, height: edge - EDGE - 8 }));
  picture.append(bounds);
  const path = corners.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");
  return svg("polygon", { points: path, class: "live-region", "clip-path": `url(#${clip})` });
}
