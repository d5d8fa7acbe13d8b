// Where a reader's guess of each bar, cell of a row, or point of a chart is drawn; see page/exercises/outlines.js.
import { pointsOf, within } from "./svg.js";

/** Return a slot for each number, or pair of them, of the array that `shows`: what it is now, and its geometry. */
export function slotsOf({ options, bands, x, y }, frame, row, shows) {
  const mark = options.marks.find((each) => [each.show, each.at, each.to].includes(shows));
  const i = options.rows?.indexOf(row);

  /** A bar from zero. */
  function bar(name, j) {
    const [top, low, zero] = [y.to(j), x.to(x.limits[0]), x.to(within(...x.limits, 0))];
    return {
      name,
      now: [frame[shows][j]],
      limits: [x.limits],
      area: () => ({ x: low, y: top, width: x.to(x.limits[1]) - low, height: y.step }),
      path: ([value]) => `M${zero} ${top + 1}H${x.to(value)}v${y.step - 2}H${zero}Z`,
      read: (px) => [x.back(px)],
    };
  }

  /** A level in a cell. */
  function cell(name, j) {
    const [[low, high], foot, tall] = [options.limits, y.to(i + 1), y.step];
    return {
      name,
      now: [frame[shows][i * x.count + j]],
      limits: [options.limits],
      area: () => ({ x: x.to(j), y: foot - tall, width: x.step, height: tall }),
      path: ([value]) => `M${x.to(j + 1)} ${foot}v${(-tall * (value - low)) / (high - low)}h${-0.25 * x.step}V${foot}Z`,
      read: (_, py) => [low + ((foot - py) / tall) * (high - low)],
    };
  }

  /** A diamond. */
  const point = (now, j) => ({
    name: (mark.names && options[mark.names][j]) || mark.called,
    now,
    limits: [x.limits, y.limits],
    area: ([u, v]) => ({ x: x.to(u) - 16, y: y.to(v) - 16, width: 32, height: 32 }),
    path: ([u, v]) => `M${x.to(u)} ${y.to(v)}m0 -10l10 10l-10 10l-10 -10Z`,
    read: (px, py) => [x.back(px), y.back(py)],
  });

  if (mark.kind === "bar") return bands.y().map(bar);
  return mark.kind === "cell" ? bands.x().map(cell) : pointsOf(shows, frame).map(point);
}
