// Where the names of points go, so that they cover no other name and no mark.
import { place, svg, textWidth, update } from "./svg.js";

const HEIGHT = 14;
const SIDES = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]]; // prettier-ignore
const ANCHORS = { "-1": "live-end", 0: "live-middle", 1: "" };

/**
 * Put each name beside its point {x, y, reach, group}, where it covers least.
 *
 * `spots` are all points of a picture, {points, names}; a point may say on which side of it something leads away, `leads` [dx, dy].
 */
export function putNames(spots, box) {
  const taken = spots.flatMap(({ points }) => points.flatMap(coveredBy));
  for (const { points, names } of spots)
    points.forEach((point, j) => {
      if (!names[j]) return;
      const tries = SIDES.map(([dx, dy]) => besides(point, dx, dy, textWidth(names[j])));
      const costs = tries.map(({ area }, k) => 0.01 * k + costOf(area, taken, box));
      const { x, y, anchor, area } = tries[costs.indexOf(Math.min(...costs))];
      taken.push(area, area, area); // a name on a name is worst
      const text = point.group.querySelector("text") ?? point.group.appendChild(svg("text", {}, names[j]));
      place(text, { x: x - point.x, y: y - point.y });
      update(text, "class", `live-label ${anchor}`);
    });
}

/** What a point covers, and the line that leads away from it, in small pieces. */
function coveredBy({ x, y, reach, leads: [dx, dy] = [0, 0] }) {
  const count = Math.max(1, Math.round(Math.hypot(dx, dy) / 10));
  return Array.from({ length: count }, (_, k) => around(x + (k / count) * dx, y + (k / count) * dy, k ? 4 : reach));
}

const around = (x, y, r) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r });

/** A name at a side of a point. */
function besides({ x, y, reach }, dx, dy, width) {
  const far = dx && dy ? 0.75 * reach : reach;
  const [px, py] = [x + dx * (far + 3), y + dy * (far + HEIGHT / 2)];
  const left = px - ((1 - dx) * width) / 2;
  return { x: px, y: py, anchor: ANCHORS[dx], area: { left, right: left + width, top: py - HEIGHT / 2, bottom: py + HEIGHT / 2 } };
}

/** How much of a name would be covered, or lie outside. */
function costOf(area, taken, { left, right, bottom }) {
  const size = (area.right - area.left) * HEIGHT;
  const inside = overlap(area, { left, right, top: 0, bottom });
  return 4 - (4 * inside) / size + taken.reduce((sum, other) => sum + overlap(area, other), 0) / size;
}

function overlap(a, b) {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return w > 0 && h > 0 ? w * h : 0;
}
