// One curve or several over data points, and what the first reads where a control stands.
import { DASHES, lineStyle, makeLegend } from "./legend.js";
import { makeDraggable, makePicture } from "./reading.js";
import { between, drawAxes, html, printer, svg, ticks, update, within } from "./svg.js";

const RIGHT = 12,
  TOP = 10,
  WIDEST = 760;
const same = (value) => value,
  power = (value) => 10 ** value;

/** Make a curve view; see figure.js for what a view is. */
export function makeCurve(options, tools) {
  const print = printer(options.digits);
  const { x: xs, lines } = options;
  const [pointsX, pointsY] = options.points;
  const across = [...xs, ...pointsX, ...(options.at ? tools.control(options.at).values : [])];
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const [low, high] = options.limits;
  const element = html("div", { class: "live-curve" });
  const isOn = lines.map(() => true);
  const line = (k) => ({ class: "live-line", ...lineStyle(k, DASHES.curve) });
  const names = lines.map(([, label]) => label);
  const legend = lines.length > 1 ? makeLegend(names, isOn, { line, again: () => draw(last, moving) }) : null;
  const [scaleX, backX] = options.log.includes("x") ? [Math.log10, power] : [same, same];
  const scaleY = options.log.includes("y") ? Math.log10 : same;
  const horizontal = (count) => (options.log.includes("x") ? factors(left, right) : ticks(left, right, count));
  const vertical = options.log.includes("y") ? factors(low, high) : ticks(low, high, 5);
  const edge = 12 + (options.ylabel ? 18 : 0) + 7 * Math.max(...vertical.at.map((y) => vertical.print(y).length));
  const foot = options.xlabel ? 42 : 24;
  let width, height, dots, paths, stand, level, spot, last, moving;

  const share = (scale, value, from, to) => (scale(value) - scale(from)) / (scale(to) - scale(from));
  const toX = (x) => edge + share(scaleX, x, left, right) * (width - edge - RIGHT);
  const toY = (y) => height - foot - share(scaleY, y, low, high) * (height - TOP - foot);

  function layout(room) {
    width = Math.min(room, WIDEST);
    height = Math.max(220, Math.min(380, 0.55 * width));
    const picture = makePicture(width, height, options, tools, options.at && `move the ${tools.control(options.at).label}`);
    const box = { left: edge, right: width - RIGHT, top: TOP, bottom: height - foot, below: 14, beside: 6, grid: () => "live-grid" };
    drawAxes(picture, box, [horizontal(width / 90), toX], [vertical, toY]);
    drawLabels(picture);
    dots = pointsX.map((x, j) => svg("circle", { cx: toX(x), cy: toY(pointsY[j]), r: 3, class: "live-dot" }));
    paths = lines.map((_, k) => svg("path", legend ? line(k) : { class: "live-line" }));
    stand = svg("line", { y1: TOP, y2: height - foot, class: "live-stand-line" });
    level = svg("line", { x1: edge, class: "live-reading-line" });
    spot = svg("path", { d: "M0 -8 L8 0 L0 8 L-8 0 Z", class: "live-mark live-purple" });
    picture.append(...dots, ...paths);
    if (options.at) picture.append(stand);
    if (options.reading) picture.append(level, spot);
    if (options.at) makeDraggable(picture, [options.at], (x) => [valueAt(x)], tools);
    element.replaceChildren(picture, ...(legend ? [legend] : []));
  }

  function drawLabels(picture) {
    const [x, y] = [(edge + width) / 2, (height - foot) / 2];
    picture.append(
      svg("text", { x, y: height - 8, class: "live-label live-middle" }, options.xlabel),
      svg("text", { x: 9, y, class: "live-label live-middle", transform: `rotate(-90 9 ${y})` }, options.ylabel),
    );
  }

  const inside = (y) => within(low, high, y);
  const valueAt = (pixel) => backX(scaleX(left) + ((pixel - edge) / (width - edge - RIGHT)) * (scaleX(right) - scaleX(left)));

  function draw(frame, shown) {
    [last, moving] = [frame, shown];
    lines.forEach(([name], k) => {
      const steps = xs.map((x, i) => `${toX(x).toFixed(1)} ${toY(inside(shown[name][i])).toFixed(1)}`);
      update(paths[k], "d", "M" + steps.join(" L"));
      update(paths[k], "visibility", isOn[k] ? "visible" : "hidden");
    });
    if (options.weights) drawWeights(shown[options.weights]);
    if (!options.at) return;
    const x = toX(between(tools.control(options.at).values, shown[`@${options.at}`][0]));
    (update(stand, "x1", x), update(stand, "x2", x));
    if (!options.reading) return;
    const y = toY(inside(shown[options.reading][0]));
    (update(level, "x2", x), update(level, "y1", y), update(level, "y2", y));
    update(spot, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  function drawWeights(weights) {
    const most = Math.max(...weights) || 1;
    dots.forEach((dot, j) => {
      const part = Math.max(0, weights[j]) / most;
      update(dot, "r", (2.5 + 5 * part).toFixed(1));
      update(dot, "fill-opacity", (0.15 + 0.75 * part).toFixed(2));
    });
  }

  function summary() {
    if (!options.at || !options.reading) return "";
    return `at ${tools.text(options.at)} the curve reads ${print(last[options.reading][0])}`;
  }

  return { element, layout, draw, summary };
}

/** Return powers of ten between two limits; if there are few, their halves and fifths too. */
function factors(low, high) {
  const found = (digits) => {
    const all = [];
    for (let k = Math.floor(Math.log10(low)); k <= Math.log10(high); k++) all.push(...digits.map((digit) => digit * 10 ** k));
    return all.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  };
  const tens = found([1]);
  const at = tens.length > 2 ? tens : found([1, 2, 5]);
  const print = (value) => printer(Math.max(0, -Math.floor(Math.log10(value) + 1e-9)))(value);
  return { at, print };
}
