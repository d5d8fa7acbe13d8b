// Points in the plane: given ones, a handle that can be dragged, and the result that follows it.
import { placeLabels } from "./labels.js";
import { html, makeDraggable, makePicture, place, pointsOf, printer, svg, ticks, update } from "./svg.js";

const EDGE = 26; // room for the numbers on the axes
const WIDEST = 460;
const TIP = 9; // the length of an arrow's head
const COLOURS = { points: "green", rings: "orange", handle: "blue", result: "purple", moves_to: "purple" };
const KINDS = Object.keys(COLOURS); // in the order in which they are drawn
const MARKS = { handle: "M0 -9 L8 6 L-8 6 Z", result: "M0 -8 L8 0 L0 8 L-8 0 Z" };
const classOf = (kind) => `live-${kind} live-${COLOURS[kind]}`;

/** Make a plane view; see figure.js for what a view is. */
export function makePlane(options, tools) {
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-plane" });
  const named = options.points ? "points" : "rings"; // the kind that carries labels and weights
  const isArrow = (kind) => kind === "moves_to" || options.arrows.includes(kind);
  let size, marks, lines, vectors, weights, last;

  const fromPixel = (pixel) => low + (pixel / (size - EDGE - 8)) * (high - low);
  const toX = (x) => EDGE + ((x - low) / (high - low)) * (size - EDGE - 8);
  const toY = (y) => size - EDGE - ((y - low) / (high - low)) * (size - EDGE - 8);

  function layout(width) {
    size = Math.min(width, WIDEST);
    const picture = makePicture(size, size, options, tools, options.drag && `move the ${options.called.handle}`);
    drawGrid(picture, ticks(low, high, 6), toX, toY, [low, high]);
    if (options.region_points) picture.append(drawRegion(picture, options.region_points, toX, toY));
    lines = svg("g", { class: "live-pulls" });
    vectors = svg("g");
    marks = svg("g");
    picture.append(lines, vectors, marks);
    if (options.drag) makeDraggable(picture, options.drag, (x, y) => [fromPixel(x - EDGE), fromPixel(size - EDGE - y)], tools);
    element.replaceChildren(picture, legend(options));
    last = null;
  }

  function draw(frame) {
    weights = options.weights ? frame[options.weights] : null;
    last = Object.fromEntries(KINDS.map((kind) => [kind, pointsOf(options[kind], frame)]));
    if (!marks.childNodes.length) KINDS.forEach((kind) => addMarks(kind, last[kind]));
    let at = 0;
    for (const kind of KINDS) {
      last[kind].forEach(([x, y], j) => {
        put(marks.childNodes[at++], kind, j, [toX(x), toY(y)]);
      });
    }
    drawPulls();
    drawNames();
  }

  function addMarks(kind, list) {
    list.forEach((_, j) => {
      const group = svg("g", { class: `live-mark ${classOf(kind)}` });
      group.append(shape(kind, isArrow(kind)));
      if (kind === named && options.labels[j]) group.append(svg("text", { class: "live-label" }, options.labels[j]));
      marks.append(group);
      if (isArrow(kind)) vectors.append(svg("line", { class: `live-vector ${classOf(kind)}`, "data-of": `${kind} ${j}` }));
    });
  }

  /** Where an arrow begins: at the origin or, if it tells a move, where its point was. */
  const beginOf = (kind, j) => (kind === "moves_to" ? last[named][j] : [0, 0]);

  function put(group, kind, j, [px, py]) {
    let turn = "";
    if (isArrow(kind)) {
      const [x0, y0] = beginOf(kind, j);
      const [bx, by] = [toX(x0), toY(y0)];
      const long = Math.hypot(px - bx, py - by);
      const angle = (Math.atan2(py - by, px - bx) * 180) / Math.PI;
      if (isTip(kind)) turn = ` rotate(${angle.toFixed(1)})`;
      const back = long ? Math.max(0, long - TIP) / long : 0; // the line ends where the head begins
      const line = vectors.querySelector(`[data-of="${kind} ${j}"]`);
      place(line, { x1: bx, y1: by, x2: bx + (px - bx) * back, y2: by + (py - by) * back });
      update(group, "visibility", long < 1 ? "hidden" : "visible");
    }
    update(group, "transform", `translate(${px.toFixed(1)} ${py.toFixed(1)})${turn}`);
    if (grows(kind)) place(group.firstChild, { r: radius(j) });
  }

  const isTip = (kind) => isArrow(kind) && !MARKS[kind];
  const grows = (kind) => kind === named && weights && !isArrow(kind);
  const radius = (j) => 4 + 13 * Math.sqrt(Math.max(0, weights[j]));

  /** Put each name beside its point: beyond the head of an arrow, behind a point that moves, and on nothing else. */
  function drawNames() {
    const first = KINDS.slice(0, KINDS.indexOf(named)).reduce((sum, kind) => sum + last[kind].length, 0);
    const points = last[named].map(([x, y], j) => {
      return { x: toX(x), y: toY(y), reach: grows(named) ? radius(j) : 6, prefer: sideOf(j) };
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

  function drawPulls() {
    if (!weights || !last.result.length) return;
    const [[x, y]] = last.result;
    if (!lines.childNodes.length) last[named].forEach(() => lines.append(svg("line", { class: classOf(named) })));
    last[named].forEach(([vx, vy], j) => {
      const line = lines.childNodes[j];
      place(line, { x1: toX(x), y1: toY(y), x2: toX(vx), y2: toY(vy) });
      update(line, "stroke-width", (5 * Math.max(0, weights[j])).toFixed(2));
    });
  }

  function summary() {
    const told = Object.keys(MARKS).filter((kind) => last[kind].length);
    return told.map((kind) => `${options.called[kind]} at (${last[kind][0].map(print).join(", ")})`).join("; ");
  }

  return { element, layout, draw, summary };
}

const boxAt = (x, y, r) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r });

function shape(kind, isArrow) {
  if (MARKS[kind]) return svg("path", { d: MARKS[kind] });
  if (isArrow) return svg("path", { d: `M0 0 L${-TIP} -5 L${-TIP} 5 Z`, class: "live-tip" });
  return svg("circle", { r: 6, ...(kind === "rings" && { class: "live-hollow" }) });
}

function legend(options) {
  const list = html("div", { class: "live-legend" });
  for (const kind of KINDS) {
    if (options[kind] === null || options[kind] === undefined) continue;
    const isArrow = kind === "moves_to" || options.arrows.includes(kind);
    const picture = svg("svg", { width: isArrow ? 28 : 18, height: 18, "aria-hidden": "true" });
    const group = svg("g", { class: `live-mark ${classOf(kind)}`, transform: `translate(${isArrow ? 20 : 9} 9) scale(.8)` });
    if (isArrow) picture.append(svg("path", { d: "M0 9H14", class: `live-vector ${classOf(kind)}` }));
    group.append(shape(kind, isArrow));
    picture.append(group);
    const entry = html("span");
    entry.append(picture, options.called[kind]);
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
