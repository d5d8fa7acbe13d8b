// Where the label of each point goes, so that it covers no other label and no mark.
import { textWidth } from "./svg.js";

const HEIGHT = 14;
const SIDES = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]]; // prettier-ignore
const ANCHORS = { "-1": "live-end", 0: "live-middle", 1: "" };

/**
 * Return {x, y, anchor} for the label of each point {x, y, reach}, all within `box` {x, y, w, h}.
 *
 * A point may say which side it likes, `prefer` [dx, dy]. `others` are boxes to keep clear of.
 */
export function placeLabels(points, textOf, box, others = []) {
  const marks = points.map(({ x, y, reach }) => around(x - reach, y - reach, 2 * reach, 2 * reach));
  const taken = [];
  return points.map((point, j) => {
    const text = textOf(j);
    const tries = candidates(point, textWidth(text));
    const rest = [...marks.filter((_, k) => k !== j), ...others];
    const costs = tries.map((each, k) => 0.01 * k + cost(each.area, box, taken, rest));
    const best = tries[costs.indexOf(Math.min(...costs))];
    if (text) taken.push(best.area);
    return best;
  });
}

function candidates({ x, y, reach, prefer }, width) {
  const order = prefer ? [...SIDES].sort((a, b) => turn(b, prefer) - turn(a, prefer)) : SIDES;
  return order.map(([dx, dy]) => {
    const far = dx && dy ? 0.75 * reach : reach;
    const px = x + dx * (far + 3),
      py = y + dy * (far + HEIGHT / 2);
    return { x: px, y: py, anchor: ANCHORS[dx], area: around(px - ((1 - dx) * width) / 2, py - HEIGHT / 2, width, HEIGHT) };
  });
}

const turn = (side, [c, d]) => (side[0] * c + side[1] * d) / Math.hypot(...side);

const around = (x, y, w, h) => ({ left: x, right: x + w, top: y, bottom: y + h });

/** How much of a label would be covered, or lie outside: labels on labels are worst. */
function cost(area, box, taken, marks) {
  const inside = { left: box.x, right: box.x + box.w, top: box.y, bottom: box.y + box.h };
  const size = (area.right - area.left) * HEIGHT || 1;
  const lost = 1 - overlap(area, inside) / size;
  const sum = (list) => list.reduce((total, other) => total + overlap(area, other), 0) / size;
  return 4 * lost + 3 * sum(taken) + sum(marks);
}

function overlap(a, b) {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return w > 0 && h > 0 ? w * h : 0;
}
