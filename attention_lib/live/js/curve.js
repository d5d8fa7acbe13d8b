// A curve over data points, and what one query reads from it.
import { html, makeDraggable, printer, svg, ticks, update } from "./svg.js";

const LEFT = 74,
  RIGHT = 12,
  TOP = 10,
  BOTTOM = 42;

/** Make a curve view; see figure.js for what a view is. */
export function makeCurve(options, tools) {
  const print = printer(options.digits);
  const xs = options.x;
  const [pointsX, pointsY] = options.points ?? [[], []];
  const queries = options.at ? tools.control(options.at).values : [];
  const across = [...xs, ...pointsX, ...queries];
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const [low, high] = options.limits;
  const element = html("div", { class: "live-curve" });
  let width, height, dots, path, query, level, spot, last;

  const toX = (x) => LEFT + ((x - left) / (right - left)) * (width - LEFT - RIGHT);
  const toY = (y) => height - BOTTOM - ((y - low) / (high - low)) * (height - TOP - BOTTOM);

  function layout(room) {
    width = Math.min(room, 640);
    height = Math.max(220, Math.min(360, 0.62 * width));
    const picture = svg("svg", { width, height, role: "img", tabindex: 0 });
    const help = options.at ? ". Arrow keys move the query." : "";
    picture.setAttribute("aria-label", (options.title || tools.name) + help);
    drawAxes(picture);
    dots = pointsX.map((x, j) => svg("circle", { cx: toX(x), cy: toY(pointsY[j]), r: 3, class: "live-dot" }));
    path = svg("path", { class: "live-line" });
    query = svg("line", { y1: TOP, y2: height - BOTTOM, class: "live-query-line" });
    level = svg("line", { x1: LEFT, class: "live-reading-line" });
    spot = svg("path", { d: "M0 -8 L8 0 L0 8 L-8 0 Z", class: "live-mark live-output" });
    picture.append(...dots, path);
    if (options.at) picture.append(query);
    if (options.reading) picture.append(level, spot);
    if (options.at) listenToDrag(picture);
    element.replaceChildren(picture);
  }

  function drawAxes(picture) {
    const add = (tag, attributes, text) => picture.append(svg(tag, attributes, text));
    const horizontal = ticks(left, right, width / 90),
      vertical = ticks(low, high, 5);
    for (const x of horizontal.at) {
      add("line", { x1: toX(x), x2: toX(x), y1: TOP, y2: height - BOTTOM, class: "live-grid" });
      add("text", { x: toX(x), y: height - BOTTOM + 14, class: "live-label live-middle" }, horizontal.print(x));
    }
    for (const y of vertical.at) {
      add("line", { x1: LEFT, x2: width - RIGHT, y1: toY(y), y2: toY(y), class: "live-grid" });
      add("text", { x: LEFT - 6, y: toY(y), class: "live-label live-end" }, vertical.print(y));
    }
    add("text", { x: (LEFT + width) / 2, y: height - 8, class: "live-label live-middle" }, options.xlabel);
    const y = (height - BOTTOM) / 2;
    add("text", { x: 9, y, class: "live-label live-middle", transform: `rotate(-90 9 ${y})` }, options.ylabel);
  }

  function draw(frame) {
    last = frame;
    const heights = frame[options.show];
    const inside = (y) => Math.max(low, Math.min(high, y));
    const steps = xs.map((x, i) => `${toX(x).toFixed(1)} ${toY(inside(heights[i])).toFixed(1)}`);
    update(path, "d", "M" + steps.join(" L"));
    if (options.weights) drawWeights(frame[options.weights]);
    if (!options.at) return;
    const x = toX(queries[tools.place(options.at)]);
    (update(query, "x1", x), update(query, "x2", x));
    if (!options.reading) return;
    const y = toY(inside(frame[options.reading][0]));
    (update(level, "x2", x), update(level, "y1", y), update(level, "y2", y));
    update(spot, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  function drawWeights(weights) {
    const most = Math.max(...weights) || 1;
    dots.forEach((dot, j) => {
      const share = Math.max(0, weights[j]) / most;
      update(dot, "r", (2.5 + 5 * share).toFixed(1));
      update(dot, "fill-opacity", (0.15 + 0.75 * share).toFixed(2));
    });
  }

  function listenToDrag(picture) {
    const follow = (event) => {
      const along = (event.clientX - picture.getBoundingClientRect().left - LEFT) / (width - LEFT - RIGHT);
      tools.set(options.at, left + along * (right - left));
    };
    const keys = { ArrowLeft: [options.at, -1], ArrowRight: [options.at, 1] };
    makeDraggable(picture, follow, keys, tools.nudge);
  }

  function summary() {
    if (!options.at || !options.reading) return "";
    return `at ${tools.control(options.at).texts[tools.place(options.at)]} the curve reads ${print(last[options.reading][0])}`;
  }

  const rows = (count) => Array.from({ length: count }, (_, j) => options.labels[j] ?? `point ${j + 1}`);
  const tables = [{ array: options.show, title: "curve", rows: xs.map((x) => printer(2)(x)), columns: ["height"], print }];
  if (options.weights) tables.push({ array: options.weights, title: "weights", rows, columns: ["weight"], print: printer(4) });
  if (options.reading) tables.push({ array: options.reading, title: "reading", rows: ["query"], columns: ["reads"], print });
  return { element, layout, draw, summary, tables };
}
