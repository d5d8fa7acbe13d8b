// Where a reader's guess of each bar, cell of a row, or point of a chart is drawn; see page/exercises/outlines.js.
import { pointsOf, within } from "./svg.js";

/** Return a slot for each number, or pair of them, of the array that `shows`: what it is now, and its geometry. */
export function slotsOf(scene, frame, row, shows) {
  const { options, bands } = scene;
  const mark = options.marks.find((each) => [each.show, each.at, each.to].includes(shows));
  if (mark.kind === "bar") return bands.y().map((name, j) => barSlot(scene, name, j, frame[shows][j]));
  if (mark.kind !== "cell") return pointsOf(shows, frame).map((now, j) => pointSlot(scene, mark, j, now));
  const [i, m] = [options.rows.indexOf(row), options.columns.length];
  return options.columns.map((name, j) => cellSlot(scene, name, i, j, frame[shows][i * m + j]));
}

/** A bar from zero. */
function barSlot({ x, y }, name, j, now) {
  const [top, high] = [y.to(j), y.step];
  const { limits } = x;
  const zero = x.to(within(...limits, 0));
  return {
    name,
    now: [now],
    limits: [limits],
    area: () => ({ x: x.to(limits[0]), y: top, width: x.to(limits[1]) - x.to(limits[0]), height: high }),
    path: ([value]) => `M${zero} ${top + 1}H${x.to(value)}v${high - 2}H${zero}Z`,
    read: (px) => [x.back(px)],
  };
}

/** A level in a cell. */
function cellSlot({ x, y, options }, name, i, j, now) {
  const [[low, high], foot, tall] = [options.limits, y.to(i + 1), y.step];
  return {
    name,
    now: [now],
    limits: [[low, high]],
    area: () => ({ x: x.to(j), y: foot - tall, width: x.step, height: tall }),
    path: ([value]) => `M${x.to(j + 1)} ${foot}v${(-tall * (value - low)) / (high - low)}h${-0.25 * x.step}V${foot}Z`,
    read: (_, py) => [low + ((foot - py) / tall) * (high - low)],
  };
}

/** A diamond. */
function pointSlot({ x, y, options }, mark, j, now) {
  return {
    name: (mark.names && options[mark.names][j]) || mark.called,
    now,
    limits: [x.limits, y.limits],
    area: ([u, v]) => ({ x: x.to(u) - 16, y: y.to(v) - 16, width: 32, height: 32 }),
    path: ([u, v]) => `M${x.to(u)} ${y.to(v)}m0 -10l10 10l-10 10l-10 -10Z`,
    read: (px, py) => [x.back(px), y.back(py)],
  };
}
