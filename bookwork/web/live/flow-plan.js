// Where the matrices of a flow stand and how its arrows run: to the right, in as many lines as it needs.
import { breakLines, textWidth, within } from "./svg.js";

const HEAD = 32, // room for name and shape above a matrix
  GAPS = [36, 24], // room for arrows between one column of matrices and the next
  BESIDE = 22, // room between matrices of the same column
  LANE = 12, // from one arrow below all matrices of a line to the next
  TALLEST = 290, // of a column with several matrices
  LARGEST = 40, // a cell; of many rows they are smaller
  SMALLEST = 6,
  TILE = 9, // the side of a small picture, at least
  BARS = 150, // the width of bars with their labels
  FOOT = 16; // what stands below small pictures

/**
 * Return {width, height, boxes, arrows}, with the largest cells that fit into the fewest lines; numbers in cells have so many
 * `characters`, if any.
 *
 * A box {x, y, w, h, n, m, cw, ch, font, isLabelled} tells where the cells of a stage stand, an arrow {to, points, head, colour} how it
 * runs. Names of stages are their labels.
 */
export function arrange(stages, rows, width, characters) {
  const labels = Math.min(0.3 * width, Math.max(...rows.map((text) => textWidth(text, 13)))) + 8;
  const parts = [];
  for (const stage of stages)
    (stage.opens || !parts.length ? (parts[parts.length] = []) : parts.at(-1)).push({ ...stage, rows: rows.length });
  let top = 0;
  const placed = parts.map((part) => {
    const lines = linesOf(part, labels, width, characters);
    for (const line of lines) top = put(line, top);
    return lines;
  });
  const lines = placed.flat();
  const boxes = new Map(lines.flatMap((line) => line.columns.flat().map((box) => [box.label, box])));
  const { arrows, reach } = route(stages, boxes, lines);
  return { boxes, arrows, width: Math.max(...lines.map(({ left, wide }) => left + wide)) + 4, height: reach };
}

/** Break the columns of a part into lines, the fewest that are possible, and with the largest cells. */
function linesOf(part, labels, width, characters) {
  const least = characters ? 6.3 * characters + 3 : SMALLEST; // numbers of 11 pixels need it
  const columns = columnsOf(part);
  for (let most = 1; ; most++)
    for (const gap of GAPS)
      for (let cw = Math.max(Math.min(LARGEST, 160 / part[0].rows), least); cw >= least; cw -= 0.5) {
        const made = columns.map((column) => column.map((stage) => boxOf(stage, cw, column.length, characters)));
        const lines = breakLines(made, widthOf, width - labels, gap);
        if (lines.length > most && most < columns.length) continue;
        return lines.map((line) => filled({ columns: line, gap, left: line[0][0].kind === "rows" ? labels : 0 }, width - 4));
      }
}

/** Let small pictures in a line take the room that is left. */
function filled(line, width) {
  const { columns, gap, left } = line;
  const wide = () => columns.reduce((sum, each) => sum + widthOf(each) + gap, -gap);
  for (const box of columns.flat().filter(({ kind }) => kind === "tiles")) {
    box.cw = box.ch = Math.min(240 / box.n, (box.w + width - left - wide()) / box.m);
    Object.assign(box, { w: box.m * box.cw, h: box.n * box.ch, wide: Math.max(box.m * box.cw, textWidth(box.label) + 6) });
  }
  return Object.assign(line, { wide: wide() });
}

const widthOf = (column) => Math.max(...column.map(({ wide }) => wide));
const heightOf = (column) => column.reduce((sum, { h }) => sum + HEAD + h + BESIDE, -BESIDE);

/** Return the stages that come after none of the part, those after these, and so on; one that stands below another with that. */
function columnsOf(part) {
  const depths = {},
    columns = [];
  for (const stage of part) {
    const before = Object.keys(stage.after).flatMap((source) => depths[source] ?? []);
    depths[stage.label] = stage.below ? depths[stage.below] : Math.max(-1, ...before) + 1;
    (columns[depths[stage.label]] ??= []).push(stage);
  }
  return columns;
}

/** The matrix of a stage, in a column with as many as `beside`: how large it is. */
function boxOf(stage, cw, beside, characters) {
  const [n, m] = stage.size;
  const ch = characters ? 20 : within(12, 26, Math.round(cw));
  const box = { ...stage, n, m, cw, ch, font: characters ? 11 : undefined };
  if (!characters && beside > 1) box.ch = Math.max(4, Math.min(ch, (TALLEST - beside * HEAD) / (beside * n)));
  if (stage.kind === "tiles") box.cw = box.ch = TILE;
  if (stage.kind === "bars") Object.assign(box, { n: stage.bars[0].length, m: 1, cw: BARS, ch: 24, font: undefined });
  const [w, h] = [box.m * box.cw, box.n * box.ch];
  return Object.assign(box, { w, h, wide: Math.max(w, textWidth(stage.label) + 6, textWidth(shapeOf(stage)) - GAPS[1] / 2) });
}

/** What stands under the name of a stage. */
export const shapeOf = ({ kind, size: [n, m], of }) => (kind === "rows" ? `${n} × ${of || m}` : "");

/** Put a line below what ends at `top`, its columns around one middle; return where the next may begin. */
function put(line, top) {
  const tallest = Math.max(...line.columns.map(heightOf));
  let x = line.left;
  line.columns.forEach((column, k) => {
    let y = top + (tallest - heightOf(column)) / 2;
    for (const box of column) {
      Object.assign(box, { x, y: y + HEAD, line, column: k, isLabelled: k === 0 && box.kind === "rows" });
      y += HEAD + box.h + BESIDE;
    }
    x += widthOf(column) + line.gap;
  });
  const lowest = line.columns.flat().map(({ kind, y, h }) => y + h + (kind === "tiles" ? FOOT : 0));
  Object.assign(line, { top, bottom: Math.max(...lowest, top + tallest), lanes: 0 });
  return line.bottom + 2 * BESIDE + LANE;
}

/** Return the arrows, and how far down everything reaches. */
function route(stages, boxes, lines) {
  const isBlocked = (from, to, v) =>
    [...boxes.values()].some(
      (box) => box.line === from.line && box.column > from.column && box.column < to.column && v > box.y - HEAD && v < box.y + box.h + 4,
    );

  function arrow(source, label, aside) {
    const [from, to] = [boxes.get(source), boxes.get(label)];
    const [begin, end, v, met] = [from.x + from.w + 2, to.x, from.y + from.h / 2, to.y + to.h / 2 + aside];
    if (from.line === to.line && from.column === to.column) {
      const x = from.x + 0.8 * Math.min(from.w, to.w);
      return { to: label, colour: from.colour, points: [[x, from.y + from.h + 2], [x, to.y - 7]], head: `M${x} ${to.y - 2}l-4 -8h8z` }; // prettier-ignore
    }
    if (from.line !== to.line) {
      const [x, lane] = [to.x + 6, from.line.bottom + 6 + LANE * from.line.lanes++];
      const points = [[begin, v], [begin + 7, v], [begin + 7, lane], [x, lane], [x, to.y - HEAD - 9]]; // prettier-ignore
      return { to: label, colour: from.colour, points, head: `M${x} ${to.y - HEAD - 4}l-4 -8h8z` };
    }
    const way = isBlocked(from, to, v)
      ? ((lane) => [[begin + 7, v], [begin + 7, lane], [end - 14, lane]])(from.line.bottom + 6 + LANE * from.line.lanes++) // prettier-ignore
      : [[end - 14, v]];
    const points = [[begin, v], ...way, [end - 14, met], [end - 7, met]];
    return { to: label, points, colour: from.colour, head: `M${end - 2} ${met}l-8 -4v8z` };
  }

  const arrows = stages.flatMap(({ label, after }) =>
    Object.keys(after).map((source, i, sources) => arrow(source, label, 9 * (i - (sources.length - 1) / 2))),
  );
  return { arrows, reach: Math.max(...lines.map(({ bottom, lanes }) => bottom + LANE * lanes)) + 8 };
}
