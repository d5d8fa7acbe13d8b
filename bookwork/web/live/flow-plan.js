// Where the matrices of a flow stand and how its arrows run: to the right, or downwards if that is too wide.
//
// Both are laid out along the flow, u, and across it, v; only what is returned has x and y.
import { breakLines, textWidth, within } from "./svg.js";

const HEAD = 32, // room for name and shape above a matrix
  GAP = 36, // room for arrows between one stage and the next
  BESIDE = 22, // room between matrices of the same depth
  LANE = 12, // from one arrow beside all matrices to the next
  LARGEST = 40,
  SMALLEST = 6;

/**
 * Return {width, height, boxes, arrows}, with the largest cells that fit; numbers in them have so many `characters`, if any.
 *
 * A box {x, y, n, m, cw, ch, font, isLabelled} tells where the cells of a stage stand, an arrow {to, points, head, colour} how it runs.
 */
export function arrange(stages, rows, width, characters) {
  const labels = Math.min(0.3 * width, Math.max(...rows.map((text) => textWidth(text, 13)))) + 8;
  const least = characters ? 6.3 * characters + 3 : SMALLEST; // numbers of 11 pixels need it
  let plan;
  for (const isDown of [false, true])
    for (let cw = Math.max(LARGEST, least); cw >= (isDown ? SMALLEST : least); cw -= 0.5) {
      const size = characters && cw >= least ? { cw, ch: 20, font: 11 } : { cw, ch: within(12, 26, Math.round(cw)) };
      plan = lay(stages, isDown, size, labels, width);
      if (plan.width <= width) return plan;
    }
  return plan;
}

function lay(stages, isDown, size, labels, width) {
  const boxes = new Map(stages.map((stage) => [stage.name, boxOf(stage, size, isDown)]));
  const room = isDown ? width - labels - 2 * LANE : Number.MAX_VALUE;
  const lines = byDepth(stages).flatMap((names) => breakLines(names, (name) => boxes.get(name).dv, room, BESIDE));
  const widest = Math.max(...lines.map((names) => lengthOf(names, boxes)));
  let u = isDown ? 0 : labels;
  lines.forEach((names, line) => {
    let v = (isDown ? labels : 0) + (widest - lengthOf(names, boxes)) / 2;
    for (const name of names) {
      const isLabelled = isDown ? name === names[0] : line === 0;
      v += Object.assign(boxes.get(name), { u, v, line, isLabelled }).dv + BESIDE;
    }
    u += Math.max(...names.map((name) => boxes.get(name).du)) + GAP;
  });
  const { arrows, reach } = route(stages, boxes, isDown);
  const [w, h] = turn([u - GAP + 4, reach], isDown);
  for (const box of boxes.values()) {
    const [x, y] = turn([box.u, box.v], isDown);
    Object.assign(box, { x, y: y + HEAD });
  }
  return { boxes, arrows, width: w, height: h };
}

const lengthOf = (names, boxes) => names.reduce((sum, name) => sum + boxes.get(name).dv + BESIDE, -BESIDE);
const turn = (point, isDown) => (isDown ? [point[1], point[0]] : point);

/** A matrix below its name: how long it is in both directions, and where arrows leave it and meet it. */
function boxOf({ name, colour, size: [n, m] }, size, isDown) {
  const [w, h] = [m * size.cw, HEAD + n * size.ch];
  const wide = Math.max(w, textWidth(name) + 6, textWidth(`${n} × ${m}`));
  const [du, dv] = turn([wide, h], isDown);
  return { ...size, n, m, colour, du, dv, out: isDown ? h : w, middle: isDown ? w / 2 : (HEAD + h) / 2 };
}

/** Return the names of the stages that come after none, of those after these, and so on. */
function byDepth(stages) {
  const depths = {},
    levels = [];
  for (const { name, after } of stages) {
    depths[name] = Math.max(0, ...Object.keys(after).map((source) => depths[source] + 1));
    (levels[depths[name]] ??= []).push(name);
  }
  return levels;
}

/** Return the arrows, and how far everything reaches across the flow. */
function route(stages, boxes, isDown) {
  const all = [...boxes.values()];
  const outer = Math.max(...all.map(({ v, dv }) => v + dv)) + 4;
  const clear = isDown ? 60 : 4; // labels stand there
  let lanes = 0; // beside all matrices, for arrows whose way is blocked
  const isBlocked = (from, to, v) =>
    all.some((box) => box.line > from.line && box.line < to.line && v > box.v - clear && v < box.v + box.dv + 4);

  function arrow(source, to, aside) {
    const [from, box] = [boxes.get(source), boxes.get(to)];
    const [begin, end, v, met] = [from.u + from.out, box.u, from.v + from.middle, box.v + box.middle + aside];
    const side = isBlocked(from, box, v) ? outer + 6 + LANE * lanes++ : null;
    const way = side === null ? [[end - 16, v]] : [[begin + 9, v], [begin + 9, side], [end - 16, side]]; // prettier-ignore
    const points = [[begin + 2, v], ...way, [end - 16, met], [end - 7, met]].map((point) => turn(point, isDown));
    const [x, y] = turn([end - 2, met], isDown);
    return { to, points, colour: from.colour, head: `M${x} ${y}${isDown ? "l-4 -8h8z" : "l-8 -4v8z"}` };
  }

  const arrows = stages.flatMap(({ name, after }) =>
    Object.keys(after).map((source, i, sources) => arrow(source, name, 9 * (i - (sources.length - 1) / 2))),
  );
  return { arrows, reach: outer + LANE * lanes };
}
