// Points in the plane: given ones, a handle that can be dragged, and the result that follows it.
import { placeLabels } from "./labels.js";
import { makeDraggable, makePicture } from "./reading.js";
import { drawAxes, html, place, pointsOf, printer, svg, ticks, update } from "./svg.js";

const EDGE = 26; // room for the numbers on the axes
const WIDEST = 460;
const TIP = 9; // the length of an arrow's head
const COLOURS = { points: "green", rings: "orange", handle: "blue", result: "purple", moves_to: "purple" };
const KINDS = Object.keys(COLOURS); // in the order in which they are drawn
const MARKS = { handle: "M0 -9 L8 6 L-8 6 Z", result: "M0 -8 L8 0 L0 8 L-8 0 Z" };
const grid = (value) => (Math.abs(value) < 1e-9 ? "live-axis" : "live-grid");
const classOf = (kind) => `live-${kind} live-${COLOURS[kind]}`;

/** Make a plane view; see figure.js for what a view is. */
export function makePlane(options, tools) {
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-plane" });
  const named = options.points ? "points" : "rings"; // the kind that carries labels and weights
  const isArrow = (kind) => kind === "moves_to" || options.arrows.includes(kind);
  let size, layers, marks, weights, last, told;

  const fromPixel = (pixel) => low + (pixel / (size - EDGE - 8)) * (high - low);
  const toX = (x) => EDGE + ((x - low) / (high - low)) * (size - EDGE - 8);
  const toY = (y) => size - EDGE - ((y - low) / (high - low)) * (size - EDGE - 8);

  function layout(width) {
    size = Math.min(width, WIDEST);
    const picture = makePicture(size, size, options, tools, options.drag && `move the ${options.called.handle}`);
    const box = { left: toX(low), right: toX(high), top: toY(high), bottom: toY(low), below: 14, beside: 5, grid };
    drawAxes(picture, box, [ticks(low, high, 6), toX], [ticks(low, high, 6), toY]);
    if (options.region_points) drawRegion(picture, options.region_points, toX, toY, size);
    layers = { pulls: svg("g", { class: "live-pulls" }), vectors: svg("g"), marks: svg("g") };
    picture.append(...Object.values(layers));
    if (options.drag) makeDraggable(picture, options.drag, (x, y) => [fromPixel(x - EDGE), fromPixel(size - EDGE - y)], tools);
    element.replaceChildren(picture, legend());
    marks = null;
  }

  function draw(frame, shown) {
    weights = options.weights ? shown[options.weights] : null;
    last = Object.fromEntries(KINDS.map((kind) => [kind, pointsOf(options[kind], shown)]));
    told = frame;
    marks ??= KINDS.flatMap((kind) => last[kind].map((_, j) => addMark(kind, j)));
    marks.forEach(put);
    drawNames(marks.filter(({ kind }) => kind === named));
  }

  function addMark(kind, j) {
    const text = kind === named && options.labels[j] ? svg("text", { class: "live-label" }, options.labels[j]) : null;
    const line = isArrow(kind) ? svg("line", { class: `live-vector ${classOf(kind)}`, "data-of": `${kind} ${j}` }) : null;
    const pull = kind === named && weights && last.result.length ? svg("line", { class: classOf(kind) }) : null;
    const group = svg("g", { class: `live-mark ${classOf(kind)}` }, text ? [shape(kind), text] : [shape(kind)]);
    layers.marks.append(group);
    if (line) layers.vectors.append(line);
    if (pull) layers.pulls.append(pull);
    return { kind, j, group, text, line, pull, angle: 0 };
  }

  /** Put a point where it is, with the arrow that leads there and the line that pulls the result. */
  function put(mark) {
    const { kind, j, group, line, pull } = mark;
    const [x, y] = last[kind][j].map((value, k) => [toX, toY][k](value));
    if (line) {
      const [bx, by] = (kind === "moves_to" ? last[named][j] : [0, 0]).map((value, k) => [toX, toY][k](value)); // where it begins
      const long = Math.hypot(x - bx, y - by);
      const back = long ? Math.max(0, long - TIP) / long : 0; // the line ends where the head begins
      if (!MARKS[kind]) mark.angle = (Math.atan2(y - by, x - bx) * 180) / Math.PI;
      place(line, { x1: bx, y1: by, x2: bx + (x - bx) * back, y2: by + (y - by) * back });
      update(group, "visibility", long < 1 ? "hidden" : "visible");
    }
    const turn = line && !MARKS[kind] ? ` rotate(${mark.angle.toFixed(1)})` : "";
    update(group, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})${turn}`);
    if (grows(kind)) place(group.firstChild, { r: radius(j) });
    if (!pull) return;
    const [[rx, ry]] = last.result;
    place(pull, { x1: toX(rx), y1: toY(ry), x2: x, y2: y });
    update(pull, "stroke-width", (5 * Math.max(0, weights[j])).toFixed(2));
  }

  const grows = (kind) => kind === named && weights && !isArrow(kind);
  const radius = (j) => 4 + 13 * Math.sqrt(Math.max(0, weights[j]));

  /** Put each name beside its point: beyond the head of an arrow, behind a point that moves, and on nothing else. */
  function drawNames(all) {
    const points = last[named].map(([x, y], j) => {
      return { x: toX(x), y: toY(y), reach: grows(named) ? radius(j) : 6, prefer: sideOf(j) };
    });
    const others = KINDS.filter((kind) => kind !== named).flatMap((kind) => last[kind].map(([x, y]) => boxAt(toX(x), toY(y), 8)));
    const room = { x: EDGE, y: 0, w: size - EDGE, h: size - EDGE };
    placeLabels(points, (j) => options.labels[j] ?? "", room, others).forEach(({ x, y, anchor }, j) => {
      const { text, angle } = all[j];
      if (!text) return;
      const turn = angle ? `rotate(${-angle.toFixed(1)}) ` : ""; // a name does not turn with the head it stands beside
      update(text, "transform", `${turn}translate(${(x - points[j].x).toFixed(1)} ${(y - points[j].y).toFixed(1)})`);
      update(text, "class", `live-label ${anchor}`);
    });
  }

  function sideOf(j) {
    const [x, y] = last[named][j];
    if (last.moves_to.length) {
      const [tx, ty] = last.moves_to[j];
      return tx === x && ty === y ? undefined : [x - tx, ty - y];
    }
    return isArrow(named) && (x || y) ? [x, -y] : undefined;
  }

  function summary() {
    const kinds = Object.keys(MARKS).filter((kind) => last[kind].length);
    return kinds.map((kind) => `${options.called[kind]} at (${pointsOf(options[kind], told)[0].map(print).join(", ")})`).join("; ");
  }

  function shape(kind) {
    if (MARKS[kind]) return svg("path", { d: MARKS[kind] });
    if (isArrow(kind)) return svg("path", { d: `M0 0 L${-TIP} -5 L${-TIP} 5 Z`, class: "live-tip" });
    return svg("circle", { r: 6, ...(kind === "rings" && { class: "live-hollow" }) });
  }

  function legend() {
    const entries = KINDS.filter((kind) => options[kind] !== null).map((kind) => {
      const [width, x] = isArrow(kind) ? [28, 20] : [18, 9];
      const line = isArrow(kind) ? [svg("path", { d: "M0 9H14", class: `live-vector ${classOf(kind)}` })] : [];
      const mark = svg("g", { class: `live-mark ${classOf(kind)}`, transform: `translate(${x} 9) scale(.8)` }, [shape(kind)]);
      return html("span", {}, [svg("svg", { width, height: 18, "aria-hidden": "true" }, [...line, mark]), options.called[kind]]);
    });
    return html("div", { class: "live-legend" }, entries);
  }

  /** Where a reader's guess of each point of an array is drawn; see page/exercises/outlines.js. */
  function slots(_, shows) {
    const kind = KINDS.find((each) => options[each] === shows);
    return pointsOf(shows, told).map((now, j) => ({
      name: (kind !== "result" && options.labels[j]) || options.called[kind],
      now,
      limits: [options.limits, options.limits],
      area: ([x, y]) => ({ x: toX(x) - 16, y: toY(y) - 16, width: 32, height: 32 }),
      path: ([x, y]) => `M${toX(x)} ${toY(y)}m0 -10l10 10l-10 10l-10 -10Z`,
      read: (x, y) => [fromPixel(x - EDGE), fromPixel(size - EDGE - y)],
    }));
  }

  return { element, upright: true, layout, draw, summary, slots };
}

const boxAt = (x, y, r) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r });

function drawRegion(picture, corners, toX, toY, size) {
  const id = `live-clip-${Math.random().toString(36).slice(2)}`;
  const bounds = svg("clipPath", { id }, [svg("rect", { x: EDGE, y: 8, width: size - EDGE - 8, height: size - EDGE - 8 })]);
  const points = corners.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");
  picture.append(bounds, svg("polygon", { points, class: "live-region", "clip-path": `url(#${id})` }));
}
