// Where the matrices of a flow stand and how its arrows run: to the right, or downwards if that is too wide.
import { breakLines, textWidth } from "./svg.js";

const HEAD = 32, // room for name and shape above a matrix
  GAP = 36, // room for arrows between one stage and the next
  BESIDE = 22, // room between matrices of the same depth
  LANE = 12,
  LARGEST = 40,
  SMALLEST = 6;

/** Return {width, height, cw, ch, font, boxes, across}: cells of cw × ch, and a box for each stage. */
export function arrange(stages, rows, width, characters) {
  const labels = Math.min(0.3 * width, Math.max(...rows.map((text) => textWidth(text, 13)))) + 8;
  const least = characters ? Math.max(SMALLEST, 6.3 * characters + 3) : SMALLEST;
  const levels = byDepth(stages);
  /** Return the plan with the largest cells that fit, if any do. */
  const find = (make, smallest) => {
    for (let cw = Math.max(LARGEST, least); cw >= smallest; cw -= 0.5) {
      const plan = make(stages, levels, labels, cells(cw, characters), width);
      if (plan.width <= width) return plan;
    }
  };
  return find(toTheRight, least) ?? find(downwards, SMALLEST) ?? downwards(stages, levels, labels, cells(SMALLEST, characters), width);
}

/** The size of cells, and of digits in them if they are wanted or have room. */
function cells(cw, characters) {
  const font = characters ? Math.min(11, Math.floor((2 * (cw - 2)) / (0.56 * characters)) / 2) : 0;
  return { cw, ch: font ? 20 : Math.max(12, Math.min(26, Math.round(cw))), font: font >= 7 ? font : 0 };
}

function byDepth(stages) {
  const levels = [];
  stages.forEach(({ depth }, k) => (levels[depth] ??= []).push(k));
  return levels;
}

const widthOf = (stage, cw) => Math.max(stage.size[1] * cw, textWidth(stage.name) + 6, textWidth(stage.size.join(" × ")));

function boxOf(stage, x, y, size, line, labels) {
  return { x, y, w: widthOf(stage, size.cw), h: stage.size[0] * size.ch, m: stage.size[1], line, labels };
}

function toTheRight(stages, levels, labels, size) {
  const boxes = [];
  let x = labels;
  levels.forEach((level, line) => {
    const centres = stack(level, stages, boxes, size);
    level.forEach((k, i) => (boxes[k] = boxOf(stages[k], x, centres[i] - (stages[k].size[0] * size.ch) / 2, size, line, line === 0)));
    x += Math.max(...level.map((k) => widthOf(stages[k], size.cw))) + GAP;
  });
  const top = Math.min(...boxes.map((box) => box.y)) - HEAD;
  boxes.forEach((box) => (box.y -= top));
  const height = Math.max(...boxes.map((box) => box.y + box.h)) + 4;
  const plan = { ...size, boxes, across: true, width: x - GAP + 4 };
  return { ...plan, height: height + roomForLanes(stages, plan) };
}

/** Return the middle of each matrix of one depth: near what it is made of, and clear of the others. */
function stack(level, stages, boxes, size) {
  const middle = (k) => boxes[k].y + boxes[k].h / 2;
  const wanted = level.map((k) => mean(stages[k].after.map(([source]) => middle(source))));
  const placed = [];
  level.forEach((k, i) => {
    const before = i ? placed[i - 1] + (stages[level[i - 1]].size[0] * size.ch) / 2 + BESIDE + HEAD : -Infinity;
    placed.push(Math.max(wanted[i], before + (i ? (stages[k].size[0] * size.ch) / 2 : 0)));
  });
  const shift = mean(wanted) - mean(placed);
  return placed.map((y) => y + shift);
}

const mean = (list) => (list.length ? list.reduce((sum, value) => sum + value, 0) / list.length : 0);

function downwards(stages, levels, labels, size, width) {
  const room = width - labels - 2 * LANE;
  const lines = levels.flatMap((level) => breakLines(level, (k) => widthOf(stages[k], size.cw), room, BESIDE));
  const boxes = [];
  let y = 0;
  lines.forEach((line, place) => {
    const used = line.reduce((sum, k) => sum + widthOf(stages[k], size.cw) + BESIDE, -BESIDE);
    let x = labels + Math.max(0, (room - used) / 2);
    y += HEAD;
    line.forEach((k, i) => {
      boxes[k] = boxOf(stages[k], x, y, size, place, i === 0);
      x += boxes[k].w + BESIDE;
    });
    y += Math.max(...line.map((k) => boxes[k].h)) + GAP;
  });
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  const plan = { ...size, boxes, across: false, height: y - GAP + 4 };
  return { ...plan, width: right + 4 + roomForLanes(stages, plan) };
}

/** A box as arrows see it: from `begin` to `end` along the flow, and from `low` to `high` across it. */
function along({ x, y, w, h, m, labels, line }, { across, cw }) {
  const middle = across ? y + h / 2 : x + (m * cw) / 2;
  if (across) return { begin: x, end: x + m * cw, middle, low: y - HEAD, high: y + h, line };
  return { begin: y - HEAD, end: y + h, middle, low: x - (labels ? 60 : 0), high: x + w, line };
}

function isBlocked(from, to, boxes) {
  return boxes.some((box) => box.line > from.line && box.line < to.line && from.middle > box.low - 4 && from.middle < box.high + 4);
}

/** Number the lanes beside the matrices that arrows take whose way is blocked; Map from "from to" to a number. */
function lanes(stages, seen) {
  const taken = [],
    found = new Map();
  stages.forEach(({ after }, to) =>
    after.forEach(([from]) => {
      if (!isBlocked(seen[from], seen[to], seen)) return;
      const span = [seen[from].end, seen[to].begin];
      let lane = taken.findIndex((spans) => spans.every(([begin, end]) => span[1] <= begin || span[0] >= end));
      if (lane < 0) lane = taken.push([]) - 1;
      taken[lane].push(span);
      found.set(`${from} ${to}`, lane);
    }),
  );
  return found;
}

function roomForLanes(stages, plan) {
  const seen = plan.boxes.map((box) => along(box, plan));
  return LANE * (1 + Math.max(-1, ...lanes(stages, seen).values()));
}

/** Return every arrow: its corners, its head, the stage it leads to, and the colour of where it comes from. */
export function routes(stages, plan) {
  const seen = plan.boxes.map((box) => along(box, plan));
  const outer = Math.max(...seen.map(({ high }) => high)) + 10;
  const taken = lanes(stages, seen);
  return stages.flatMap(({ after }, to) =>
    after.map(([from], i) => {
      const [a, b] = [seen[from], seen[to]];
      const end = b.middle + 9 * (i - (after.length - 1) / 2);
      const turn = b.begin - 16;
      const lane = taken.get(`${from} ${to}`);
      const side = lane === undefined ? null : outer + LANE * lane;
      const detour = side === null ? [[turn, a.middle]] : [[a.end + 9, a.middle], [a.end + 9, side], [turn, side]]; // prettier-ignore
      const corners = [[a.end + 2, a.middle], ...detour, [turn, end], [b.begin - 7, end]];
      const point = ([u, v]) => (plan.across ? [u, v] : [v, u]);
      const [x, y] = point([b.begin - 2, end]);
      const head = plan.across ? `M${x} ${y}l-8 -4v8z` : `M${x} ${y}l-4 -8h8z`;
      return { to, points: corners.map(point), head, colour: stages[from].colour };
    }),
  );
}
