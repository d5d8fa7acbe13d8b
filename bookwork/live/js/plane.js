// Points in the plane: a query that can be dragged, keys, values, and the output among them.
import { placeLabels } from "./labels.js";
import { html, makeDraggable, printer, svg, ticks, update } from "./svg.js";

const EDGE = 26; // room for the numbers on the axes
const WIDEST = 460;
const TIP = 9; // the length of an arrow's head
const KINDS = ["values", "keys", "query", "output", "moves_to"];
const CALLED = { moves_to: "after" };

/** What a kind of point is called in this figure. */
const wordFor = ({ called }, kind) => called?.[kind] ?? CALLED[kind] ?? kind;

/** Make a plane view; see figure.js for what a view is. */
export function makePlane(options, tools) {
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-plane" });
  const named = options.values ? "values" : "keys"; // the kind that carries labels and weights
  const isArrow = (kind) => kind === "moves_to" || options.arrows.includes(kind);
  let size, marks, lines, vectors, last;

  const toX = (x) => EDGE + ((x - low) / (high - low)) * (size - EDGE - 8);
  const toY = (y) => size - EDGE - ((y - low) / (high - low)) * (size - EDGE - 8);

  function layout(width) {
    size = Math.min(width, WIDEST);
    const picture = svg("svg", { width: size, height: size, role: "img", tabindex: 0 });
    const help = options.drag ? `. Arrow keys move the ${wordFor(options, "query")}.` : "";
    picture.setAttribute("aria-label", (options.title || tools.name) + help);
    drawGrid(picture, ticks(low, high, 6), toX, toY, [low, high]);
    if (options.region_points) picture.append(drawRegion(picture, options.region_points, toX, toY));
    lines = svg("g", { class: "live-pulls" });
    vectors = svg("g");
    marks = svg("g");
    picture.append(lines, vectors, marks);
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
        const grown = kind === named && weights && !isArrow(kind) ? 4 + 13 * Math.sqrt(Math.max(0, weights[j])) : null;
        place(marks.childNodes[at++], kind, j, [toX(x), toY(y)], grown);
      });
    }
    drawPulls(weights);
    drawNames(weights);
  }

  function addMarks(kind, list) {
    list.forEach((_, j) => {
      const group = svg("g", { class: `live-mark live-${kind}` });
      group.append(shape(kind, isArrow(kind)));
      if (kind === named && options.labels[j]) group.append(svg("text", { class: "live-label" }, options.labels[j]));
      marks.append(group);
      if (isArrow(kind)) vectors.append(svg("line", { class: `live-vector live-${kind}`, "data-of": `${kind} ${j}` }));
    });
  }

  /** Where an arrow begins: at the origin or, if it tells a move, where its point was. */
  const beginOf = (kind, j) => (kind === "moves_to" ? last[named][j] : [0, 0]);

  function place(group, kind, j, [px, py], grown) {
    let turn = "";
    if (isArrow(kind)) {
      const [x0, y0] = beginOf(kind, j);
      const [bx, by] = [toX(x0), toY(y0)];
      const long = Math.hypot(px - bx, py - by);
      const angle = (Math.atan2(py - by, px - bx) * 180) / Math.PI;
      if (isTip(kind)) turn = ` rotate(${angle.toFixed(1)})`;
      const back = long ? Math.max(0, long - TIP) / long : 0; // the line ends where the head begins
      const ends = { x1: bx, y1: by, x2: bx + (px - bx) * back, y2: by + (py - by) * back };
      const line = vectors.querySelector(`[data-of="${kind} ${j}"]`);
      for (const [name, value] of Object.entries(ends)) update(line, name, value.toFixed(1));
      update(group, "visibility", long < 1 ? "hidden" : "visible");
    }
    update(group, "transform", `translate(${px.toFixed(1)} ${py.toFixed(1)})${turn}`);
    if (grown !== null) update(group.firstChild, "r", grown.toFixed(1));
  }

  const isTip = (kind) => isArrow(kind) && kind !== "query" && kind !== "output";

  /** Put each name beside its point: beyond the head of an arrow, behind a point that moves, and on nothing else. */
  function drawNames(weights) {
    const first = KINDS.slice(0, KINDS.indexOf(named)).reduce((sum, kind) => sum + last[kind].length, 0);
    const points = last[named].map(([x, y], j) => {
      const reach = weights && !isArrow(named) ? 4 + 13 * Math.sqrt(Math.max(0, weights[j])) : 6;
      return { x: toX(x), y: toY(y), reach, prefer: sideOf(j) };
    });
    const others = KINDS.filter((kind) => kind !== named).flatMap((kind) => last[kind].map(([x, y]) => boxAt(toX(x), toY(y), 8)));
    const room = { x: EDGE, y: 0, w: size - EDGE, h: size - EDGE };
    placeLabels(points, (j) => options.labels[j] ?? "", room, others).forEach(({ x, y, anchor }, j) => {
      const group = marks.childNodes[first + j];
      const text = group?.childNodes[1];
      if (!text) return;
      update(
        text,
        "transform",
        `${isTip(named) ? turnBack(group) : ""}translate(${(x - points[j].x).toFixed(1)} ${(y - points[j].y).toFixed(1)})`,
      );
      update(text, "class", `live-label ${anchor}`);
    });
  }

  /** A name does not turn with the head it stands beside. */
  function turnBack(group) {
    const [, angle = "0"] = group.getAttribute("transform").match(/rotate\(([^)]*)\)/) ?? [];
    return `rotate(${-Number(angle)}) `;
  }

  function sideOf(j) {
    const [x, y] = last[named][j];
    if (last.moves_to.length) {
      const [tx, ty] = last.moves_to[j];
      return tx === x && ty === y ? undefined : [x - tx, ty - y];
    }
    return isArrow(named) && (x || y) ? [x, -y] : undefined;
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
    return told.map((kind) => `${wordFor(options, kind)} at (${last[kind][0].map(print).join(", ")})`).join("; ");
  }

  return { element, layout, draw, summary, tables: tablesOf(options, print) };
}

function tablesOf(options, print) {
  const tables = [];
  const names = (count) => Array.from({ length: count }, (_, j) => options.labels[j] ?? `number ${j + 1}`);
  for (const kind of KINDS) {
    const given = options[kind];
    if (typeof given !== "string") continue;
    const rows = kind === "query" || kind === "output" ? [wordFor(options, kind)] : names;
    tables.push({ array: given, title: wordFor(options, kind), rows, columns: ["across", "up"], print });
  }
  if (options.weights) tables.push({ array: options.weights, title: "weights", rows: names, columns: ["weight"], print });
  return tables;
}

const boxAt = (x, y, r) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r });

function shape(kind, isArrow) {
  if (isArrow && kind !== "query" && kind !== "output") return svg("path", { d: `M0 0 L${-TIP} -5 L${-TIP} 5 Z`, class: "live-tip" });
  if (kind === "query") return svg("path", { d: "M0 -9 L8 6 L-8 6 Z" });
  if (kind === "output") return svg("path", { d: "M0 -8 L8 0 L0 8 L-8 0 Z" });
  if (kind === "keys") return svg("circle", { r: 6, class: "live-hollow" });
  return svg("circle", { r: 6 });
}

function legend(options) {
  const list = html("div", { class: "live-legend" });
  for (const kind of KINDS) {
    if (options[kind] === null || options[kind] === undefined) continue;
    const isArrow = kind === "moves_to" || options.arrows.includes(kind);
    const picture = svg("svg", { width: isArrow ? 28 : 18, height: 18, "aria-hidden": "true" });
    const group = svg("g", { class: `live-mark live-${kind}`, transform: `translate(${isArrow ? 20 : 9} 9) scale(.8)` });
    if (isArrow) picture.append(svg("path", { d: "M0 9H14", class: `live-vector live-${kind}` }));
    group.append(shape(kind, isArrow));
    picture.append(group);
    const entry = html("span");
    entry.append(picture, wordFor(options, kind));
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
