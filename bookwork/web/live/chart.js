// One chart of marks over two scales: heatmaps, bars, curves and planes are lists of marks, made in live/charts.py.
//
// A mark is make(mark, scene) -> draw(frame, shown): it puts its elements into `scene.layer`, and moves them to each frame. A
// scale turns numbers into pixels, and back. What a mark shows is given as numbers, as the name of an array, or as "@" and
// the name of a control, where that stands.
import { drawAxes, measure, SCALES } from "./axes.js";
import { makeCells, makeScale, palette, shadeOf } from "./colours.js";
import { putNames } from "./labels.js";
import { lineStyle, makeLegend } from "./legend.js";
import { makeDraggable, makePicture, makePointable, makeTold } from "./reading.js";
import { between, html, labelsNow, place, pointsOf, printer, setText, svg, update, within } from "./svg.js";

const TIP = 9, // the length of an arrow's head
  LEAST = 0.05; // of the largest number: a smaller one does not stand in its cell
const HEAD = `M0 0L${-TIP} -5L${-TIP} 5Z`;
const SHAPES = { triangle: "M0 -9 L8 6 L-8 6 Z", diamond: "M0 -8 L8 0 L0 8 L-8 0 Z" };

/** The marks whose parts are pointed at, reached by keys and read aloud; see partsAt and handlesOf. */
const POINTED = ["cell", "bar"];

const MARKS = {
  /** The cells of a matrix. */
  cell({ show }, { layer, box, x, y, hasDigits, options, told }) {
    const { limits, digits } = options;
    const shades = palette(limits[0] < 0);
    const least = digits && LEAST * Math.max(...limits.map(Math.abs)); // whole numbers are names
    const grid = { x: box.left, y: box.top, cw: x.step, ch: y.step, font: hasDigits && 12, least };
    const paint = makeCells(layer, [y.count, x.count], grid, printer(digits));
    const marker = svg("rect", { class: "live-cursor", width: x.step, height: y.step, visibility: "hidden" });
    layer.append(marker);
    told.mark = (k) => {
      update(marker, "visibility", k === null ? "hidden" : "visible");
      place(marker, { x: x.to(k % x.count), y: y.to(Math.floor(k / x.count)) });
    };
    return (frame, shown) => paint(frame[show], shown[show], shades, limits);
  },

  /** A bar from zero for each number, which stands at its end. */
  bar({ show }, { layer, x, y, options, told }) {
    const print = printer(options.digits);
    const bars = Array.from({ length: y.count }, (_, j) => {
      const rect = svg("rect", { y: y.to(j) + 3, height: y.step - 6, class: "live-bar" });
      const text = svg("text", { y: y.middle(j), class: "live-label" });
      layer.append(rect, text);
      return { rect, text };
    });
    told.mark = (j) => bars.forEach(({ rect }, at) => rect.classList.toggle("live-chosen", at === j));
    return (frame, shown) =>
      bars.forEach(({ rect, text }, j) => {
        const [from, to] = [0, shown[show][j]].map((value) => x.to(within(...x.limits, value)));
        place(rect, { x: Math.min(from, to), width: Math.abs(to - from) });
        place(text, { x: Math.max(from, to) + 6 });
        setText(text, print(frame[show][j]));
      });
  },

  /** A line over the places of the view, or dots on a faint one; in a legend it can be switched off. */
  line({ show }, { layer, x, y, options, style, isOn }) {
    const path = layer.appendChild(svg("path", { class: "live-line", ...style }));
    const dots = options.dots ? layer.appendChild(svg("path", { class: "live-line live-dots", ...style })) : null;
    const across = options.places.map((value) => x.to(value).toFixed(1));
    if (dots) update(path, "opacity", 0.3);
    return (_, shown) => {
      const steps = across.map((u, i) => `${u} ${y.to(shown[show][i]).toFixed(1)}`);
      update(layer, "visibility", isOn() ? "visible" : "hidden");
      update(path, "d", `M${steps.join(" L")}`);
      if (dots) update(dots, "d", steps.map((step) => `M${step}h0`).join(""));
    };
  },

  /** Points, which grow with their weights. */
  point(mark, { x, y, layer, spot, tools }) {
    let groups;
    return (_, shown) => {
      const weights = mark.weights ? shown[mark.weights] : null;
      const most = weights && mark.scatter ? Math.max(...weights) || 1 : 1;
      const points = placesOf(mark.at, shown, tools);
      groups ??= points.map(() => layer.appendChild(svg("g", { class: `live-mark live-${mark.colour}` }, [shapeOf(mark)])));
      spot.points = points.map(([u, v], j) => {
        const share = weights ? Math.max(0, weights[j]) / most : 0;
        const reach = mark.scatter ? 2.5 + 5 * share : weights ? 4 + 13 * Math.sqrt(share) : 6;
        const at = { x: x.to(u), y: y.to(v) };
        move(groups[j], at);
        if (weights) place(groups[j].firstChild, { r: reach });
        if (weights && mark.scatter) update(groups[j].firstChild, "fill-opacity", (0.15 + 0.75 * share).toFixed(2));
        return { ...at, reach: Math.max(reach, 7), group: groups[j] }; // a ring may stand around it
      });
    };
  },

  /** A line where a control stands, or from the side to there, at a height. */
  rule(mark, { x, y, box, layer, tools }) {
    const line = layer.appendChild(svg("line", { class: mark.y ? "live-reading-line" : "live-stand-line" }));
    return (_, shown) => {
      const u = x.to(valueOf(mark.x, shown, tools));
      const v = mark.y && y.to(shown[mark.y][0]);
      place(line, mark.y ? { x1: box.left, x2: u, y1: v, y2: v } : { x1: u, x2: u, y1: box.top, y2: box.bottom });
    };
  },

  /** Arrows, which begin at zero or at points. */
  arrow(mark, { x, y, layer, spot, tools }) {
    let parts;
    return (_, shown) => {
      const ends = placesOf(mark.to, shown, tools);
      const starts = mark.start === null ? ends.map(() => [0, 0]) : placesOf(mark.start, shown, tools);
      parts ??= ends.map(() => {
        const line = svg("line", { class: `live-vector live-${mark.colour}` });
        const head = svg("path", { d: HEAD });
        const group = svg("g", { class: `live-mark live-${mark.colour}` }, [head]);
        layer.append(line, group);
        return { line, head, group };
      });
      spot.points = ends.map((end, j) => {
        const [from, to] = [starts[j], end].map(([u, v]) => ({ x: x.to(u), y: y.to(v) }));
        putArrow(parts[j], from, to);
        return { ...to, reach: 6, group: parts[j].group, leads: [from.x - to.x, from.y - to.y] };
      });
    };
  },

  /** An area, as far as it can be seen. */
  area({ corners }, { x, y, box, layer }) {
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const seen = { x: box.left, y: box.top, width, height, style: "overflow: hidden" };
    const points = corners.map(([u, v]) => `${x.to(u).toFixed(1)},${y.to(v).toFixed(1)}`).join(" ");
    const shade = svg("polygon", { points, class: "live-region" });
    layer.append(svg("svg", { ...seen, viewBox: [box.left, box.top, width, height].join(" ") }, [shade]));
    return () => {};
  },
};

/** Make a chart; see figure.js for what a view is. */
export function makeChart(options, tools) {
  const element = html("div", { class: `live-${options.kind}` });
  const bands = {
    x: labelsNow(options[options.x.names], undefined, tools),
    y: labelsNow(options[options.y.names], options.by, tools),
  };
  const pointed = options.marks.find(({ kind }) => POINTED.includes(kind));
  const lines = options.marks.filter(({ kind }) => kind === "line");
  const isOn = lines.map(() => true);
  const dragged = options.drag.map(tools.control);
  const style = (k) => (lines.length > 1 ? lineStyle(k) : {});
  let draws, scene, last;
  const told = makeTold(options, tools, { numbers: () => last[0][pointed.show], partsAt, wordFor });

  /** The words for the place of a cell or bar. */
  function partsAt(k) {
    if (pointed.kind === "bar") return { label: bands.y()[k] };
    const columns = bands.x();
    return { row: bands.y()[Math.floor(k / columns.length)], column: columns[k % columns.length] };
  }

  /** What a number means, if it can only be one of a few. */
  function wordFor(value) {
    return options.words?.find(([number]) => Math.abs(number - value) < 1e-4)?.[1];
  }

  function layout(width, tallest) {
    const plan = measure(options, width, tallest);
    const picture = makePicture(plan.width, plan.height, options, tools, help());
    const [axes, marks] = [svg("g"), svg("g")];
    const refresh = drawAxes(axes, plan, options, bands);
    scene = { ...plan, options, tools, told, bands };
    const spots = options.marks.map(({ names }) => ({ points: [], names: options[names] ?? [] }));
    draws = options.marks.map((mark, i) => {
      const k = lines.indexOf(mark);
      const own = { layer: marks.appendChild(svg("g")), spot: spots[i], style: style(k), isOn: () => isOn[k] };
      return MARKS[mark.kind](mark, { ...scene, ...own });
    });
    draws.push(() => putNames(spots, plan.box), refresh);
    picture.firstChild.append(...(plan.x.count ? [marks, axes] : [axes, marks])); // a grid lies below lines, labels above cells
    if (pointed) makePointable(picture, cellsOf(plan), told);
    if (dragged.length) makeDraggable(picture, dragged, (px, py) => [plan.x.back(px), plan.y.back(py)]);
    element.replaceChildren(picture, ...legend());
  }

  function help() {
    if (pointed) return `read the ${pointed.kind}s`;
    const [control] = dragged;
    return control && `move the ${options.marks.find(({ shape }) => shape === "triangle")?.called ?? control.label}`;
  }

  function legend() {
    const line = (k) => ({ class: "live-line", ...style(k) });
    const names = lines.map(({ label }) => label);
    if (lines.length > 1) return [makeLegend(names, isOn, { line, again: () => draw(...last) })];
    if (options.words?.length === 0) return [makeScale(options)];
    const swatches = (options.words ?? []).map((each) => swatchOf(each, options.limits));
    const samples = [...options.marks.filter(({ called }) => called).map(sampleOf), ...swatches];
    return samples.length ? [html("div", { class: "live-legend" }, samples)] : [];
  }

  function draw(frame, shown) {
    last = [frame, shown];
    draws.forEach((each) => each(frame, shown));
  }

  return {
    ...(pointed && told),
    ...(options.words?.length && { summary: null }), // of these none is the largest
    element,
    layout,
    draw,
    handles: (shows, row) => handlesOf(scene, last[0], shows, row),
  };
}

/** The cells that are pointed at: those of a matrix, or whole rows. */
function cellsOf({ box, x, y, width }) {
  if (x.count) return { x: box.left, y: box.top, cw: x.step, ch: y.step, n: y.count, m: x.count };
  return { x: 0, y: 0, cw: width, ch: y.step, n: y.count, m: 1 };
}

/**
 * Return a handle for each number that a mark shows, or pair of them: {name, now, scales, foot}, for readers' guesses.
 *
 * The scales, across and up, tell where it can be dragged; one that is null holds it at the height of its bar, or in its column.
 */
function handlesOf({ options, bands, x, y }, frame, shows, row) {
  const mark = options.marks.find((each) => [each.show, each.at, each.to].includes(shows));
  const zero = (scale) => scale.to(within(...scale.limits, 0));
  if (mark.kind === "bar")
    return bands.y().map((name, j) => ({ name, now: [frame[shows][j]], scales: [x, null], foot: [zero(x), y.middle(j)] }));
  if (mark.kind !== "cell")
    return pointsOf(shows, frame).map((now, j) => ({ name: options[mark.names]?.[j] || mark.called, now, scales: [x, y] }));
  const i = options.rows.indexOf(row);
  const level = SCALES.linear(options.limits, [y.to(i + 1), y.to(i)]);
  const now = (j) => [frame[shows][i * x.count + j]];
  return bands.x().map((name, j) => ({ name, now: now(j), scales: [null, level], foot: [x.middle(j), level.to(options.limits[0])] }));
}

/** Return what stands where a control stands, or what an array holds. */
const valueOf = (channel, shown, tools) =>
  channel[0] === "@" ? between(tools.control(channel.slice(1)).values, shown[channel][0]) : shown[channel][0];

/** Return the places of points: those of an array, fixed ones, or the one that two channels tell. */
function placesOf(at, shown, tools) {
  if (typeof at?.[0] === "string" && typeof at !== "string") return [at.map((channel) => valueOf(channel, shown, tools))];
  return pointsOf(at, shown);
}

function shapeOf({ shape, scatter }) {
  if (SHAPES[shape]) return svg("path", { d: SHAPES[shape] });
  return svg("circle", { r: scatter ? 3 : 6, "fill-opacity": scatter ? 0.5 : 1, class: shape === "ring" ? "live-hollow" : "" });
}

const move = (group, { x, y }) => update(group, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);

/** Put a line that ends where the head begins, half way at least; one that is shorter than a head has none. */
function putArrow({ line, head, group }, from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const long = Math.hypot(dx, dy);
  const tip = long > TIP ? Math.min(TIP, long / 2) : 0;
  const share = tip ? 1 - tip / long : 1;
  place(line, { x1: from.x, y1: from.y, x2: from.x + dx * share, y2: from.y + dy * share });
  move(group, to);
  update(head, "visibility", tip ? "visible" : "hidden");
  update(head, "transform", `rotate(${((Math.atan2(dy, dx) * 180) / Math.PI).toFixed(1)}) scale(${(tip / TIP).toFixed(2)})`);
}

/** A colour, and what it means. */
function swatchOf([value, word], limits) {
  const { fill } = shadeOf(palette(limits[0] < 0), value, limits);
  const box = svg("rect", { x: 1, y: 3, width: 14, height: 12, fill, class: "live-swatch" });
  return html("span", {}, [svg("svg", { width: 18, height: 18, "aria-hidden": "true" }, [box]), word]);
}

/** A piece of a mark, and what it is called. */
function sampleOf(mark) {
  const isArrow = mark.kind === "arrow";
  const [width, x] = isArrow ? [28, 24] : [18, 9];
  const line = isArrow ? [svg("path", { d: "M0 9H16", class: `live-vector live-${mark.colour}` })] : [];
  const shape = isArrow ? svg("path", { d: HEAD }) : shapeOf(mark);
  const sample = svg("g", { class: `live-mark live-${mark.colour}`, transform: `translate(${x} 9) scale(.8)` }, [shape]);
  return html("span", {}, [svg("svg", { width, height: 18, "aria-hidden": "true" }, [...line, sample]), mark.called]);
}
