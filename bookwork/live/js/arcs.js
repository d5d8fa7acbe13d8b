// Words with curved lines from one to the others, width and opacity by weight; the words may be the control.
import { DASHES, lineStyle, makeLegend } from "./legend.js";
import { partsOfLargest, sayLargest, sayPieces } from "./reading.js";
import { between, breakLines, html, printer, setText, svg, update, within } from "./svg.js";
import { makeWords } from "./words.js";

const SIZES = [16, 15, 14, 13]; // of letters, in pixels: the largest with which the words fit into a row
const PAD = 0.3, // beside a word, in its box, for each pixel of its letters
  GAP = [2, 34], // between boxes
  HEIGHT = 28, // of a box
  PEAK = [130, 64], // of the longest line, above a row that is alone, or above one of several
  BULGE = 180, // beside a list
  NARROW = 520; // where several rows would be short, a list is clearer
const WIDEST = 8; // of a line

/** Make a view of words and lines; see figure.js for what a view is. */
export function makeArcs(options, tools) {
  const { words, at, least } = options;
  const kinds = options.kinds.length ? options.kinds : [""];
  const count = words.length;
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-arcs" });
  const hasDigits = at !== null && kinds.length === 1;
  const isOn = kinds.map((_, h) => !options.kinds.length || h < options.first);
  let box, groups, lines, drawn, digits, mark, numbers, moving, chosen, stands;
  let cursor = null;

  function layout(width) {
    const focused = groups?.indexOf(document.activeElement) ?? -1;
    setPen(element);
    box = measure(words, width, hasDigits ? textSize(print(high), 11) + 8 : 0);
    const size = { width: box.width, height: box.height, viewBox: `0 0 ${box.width} ${box.height}` };
    drawn = svg("g", { "aria-hidden": "true", class: "live-arc-lines" });
    lines = new Map();
    groups = words.map((word, j) => drawWord(word, box.boxes[j], box.size, box.reach));
    digits = words.map((_, j) => svg("text", { ...box.digits[j], class: "live-label live-arc-digits", "aria-hidden": "true" }));
    const picture = svg("svg", { ...size, class: `live-${box.kind}` }, [drawn, ...groups, ...(hasDigits ? digits : [])]);
    mark = makeWords(picture, groups, "application", options, tools, point);
    element.replaceChildren(picture, ...(options.kinds.length ? [shown()] : []));
    if (focused >= 0) groups[focused].focus();
  }

  function shown() {
    const line = (h) => ({ ...styleOf(h), "stroke-width": 4 });
    return makeLegend(options.kinds, isOn, { line, again: () => (drawLines(), tools.say()) });
  }

  /** The weight of the line of kind h from word i, which asks, to word j. */
  const weight = (h, i, j) => numbers[at ? h * count + j : (h * count + i) * count + j];
  const isPointed = () => cursor !== null && cursor !== chosen; // what the word that asks says is said of the whole

  function draw(frame, shown) {
    [numbers, moving] = [frame[options.show], shown[options.show]];
    chosen = mark();
    stands = at && shown[`@${at}`][0];
    drawLines();
    if (at) groups.forEach((group, j) => update(group, "aria-description", valueOf(chosen, j)));
    if (hasDigits) digits.forEach((text, j) => setText(text, weight(0, chosen, j) < least ? "" : print(weight(0, chosen, j))));
  }

  /** Return the kind of line k, the word that asks and the word it leads to. */
  function placeOf(k) {
    const h = Math.floor(k / (at ? count : count * count));
    return [h, at ? chosen : Math.floor(k / count) % count, k % count];
  }

  function drawLines() {
    const used = new Set();
    moving.forEach((value, k) => {
      const [h, i, j] = placeOf(k);
      if (!isOn[h] || value < least || (!at && isPointed() && cursor !== i)) return;
      used.add(k);
      if (!lines.has(k)) lines.set(k, drawn.appendChild(svg("path", styleOf(h))));
      update(lines.get(k), "d", box.bend(i, j, h, kinds.length, at ? asksAt(i) : undefined));
      drawLine(lines.get(k), value, at && isPointed() && cursor !== j);
    });
    lines.forEach((line, k) => update(line, "visibility", used.has(k) ? "visible" : "hidden"));
  }

  /** Where the lines of the word that asks begin: on their way from the last one, if both are in one row. */
  function asksAt(i) {
    const ways = options.asks.map((j) => (box.rowOf(j) === box.rowOf(i) ? box.middles[j] : box.middles[i]));
    return between(ways, stands);
  }

  function drawLine(line, value, isFaint) {
    const share = within(0, 1, (value - low) / (high - low || 1));
    update(line, "stroke-width", (0.8 + (WIDEST - 0.8) * share).toFixed(2));
    update(line, "stroke-opacity", ((0.3 + 0.6 * Math.sqrt(share)) * (isFaint ? 0.25 : 1)).toFixed(2));
  }

  /** Return the printed weight of a word, one for each kind of line that is on. */
  function valueOf(i, j, write = print) {
    if (!options.kinds.length) return write(weight(0, i, j));
    return kinds.flatMap((kind, h) => (isOn[h] ? `${kind} ${write(weight(h, i, j))}` : [])).join(", ") || "–";
  }

  const partsOf = (i, j) => ({ asks: words[i], word: words[j], value: (write) => valueOf(i, j, write) });
  const read = (i, j) => sayPieces(options.reads, {}, tools, () => partsOf(i, j));

  function point(j) {
    if (cursor === j) return;
    cursor = j;
    groups.forEach((group, k) => group.classList.toggle("live-pointed", k === j));
    drawLines();
    tools.say();
  }

  /** Say what the word that is pointed at gets, or, where all ask, which word gets most from it. */
  function pointed() {
    if (!isPointed()) return "";
    if (at) return read(chosen, cursor);
    const sums = words.map((_, j) => kinds.reduce((sum, _kind, h) => sum + (isOn[h] ? weight(h, cursor, j) : 0), 0));
    return read(cursor, sums.indexOf(Math.max(...sums)));
  }

  function partsAt(k) {
    const [h, i, j] = placeOf(k);
    return { asks: words[i], word: words[j], ...(options.kinds.length && { kind: kinds[h] }) };
  }

  /** The numbers of the kinds that are shown; of the others nothing is said. */
  const seen = () => numbers.map((value, k) => (isOn[placeOf(k)[0]] ? value : -Infinity));
  const summary = () => pointed() || (isOn.some(Boolean) ? sayLargest(seen(), (k) => read(...placeOf(k).slice(1))) : "");
  const largest = () => (isOn.some(Boolean) ? partsOfLargest(seen(), partsAt) : NOTHING);
  return { element, layout, draw, pointed, summary, largest };
}

const NOTHING = { asks: "–", word: "–", value: "–", kind: "–" };
const styleOf = (h) => ({ class: "live-arc", ...lineStyle(h, DASHES.arc) });

let pen, family;
/** Measure texts as they will be drawn in an element. */
function setPen(element) {
  pen ??= document.createElement("canvas").getContext("2d");
  family = element.isConnected ? getComputedStyle(element).fontFamily : "system-ui, sans-serif";
}

/** Measure a text in pixels, in letters of a size. */
function textSize(text, size) {
  pen.font = `600 ${size}px ${family}`;
  return Math.ceil(pen.measureText(text).width);
}

/** Find room for the words: in a row if they fit, else in several, or in a list with the lines beside it. */
function measure(words, width, digitsRoom) {
  for (const size of SIZES) {
    const widths = boxWidths(words, size);
    const free = width - widths.reduce((sum, each) => sum + each, 0);
    const gap = Math.min(GAP[1], free / Math.max(1, words.length - 1));
    if (gap >= GAP[0]) return measureRows([widths], gap, size, digitsRoom);
  }
  if (width < NARROW) return measureList(words, width, digitsRoom);
  return measureRows(wrap(boxWidths(words, SIZES[1]), width, 8), 8, SIZES[1], digitsRoom);
}

const boxWidths = (words, size) => words.map((word) => Math.max(24, textSize(word, size) + 2 * PAD * size));

/** Part boxes into as few rows as they need, of about the same length. */
function wrap(widths, width, gap) {
  const fill = (limit) => breakLines(widths, (each) => each, limit, gap);
  const few = fill(width).length;
  let limit = width;
  while (limit > 8 && fill(limit - 8).length === few) limit -= 8;
  return fill(limit);
}

function measureRows(rows, gap, size, digitsRoom) {
  const starts = rows.map((row) => row.map((_, j) => row.slice(0, j).reduce((sum, each) => sum + each + gap, 0)));
  const end = Math.max(...rows.map((row, r) => starts[r].at(-1) + row.at(-1)));
  const peak = Math.max(34, Math.min(PEAK[rows.length > 1 ? 1 : 0], 0.3 * end + 10));
  const under = digitsRoom ? 17 : 2;
  const step = peak + 14 + HEIGHT + under;
  const foot = (r) => r * step + peak + 12;
  const boxes = rows.flatMap((row, r) => row.map((each, j) => ({ x: starts[r][j], y: foot(r), width: each, height: HEIGHT })));
  const reach = gap / 2;
  const middles = boxes.map((box) => box.x + box.width / 2);
  const out = (length) => 18 + (peak - 18) * Math.sqrt(Math.min(1, length / (end - 24 || 1)));
  const bends = rows.map((_, r) => bender(middles, out, (x, away) => `${x.toFixed(1)} ${(foot(r) - 2 - away).toFixed(1)}`));
  const rowOf = (j) => rows.findIndex((_, r) => boxes[j].y === foot(r));
  return {
    kind: "row",
    size,
    width: Math.ceil(end),
    height: Math.ceil(rows.length * step - 2),
    boxes,
    reach,
    digits: boxes.map(({ y }, j) => ({ x: middles[j], y: y + HEIGHT + 9, "text-anchor": "middle" })),
    middles,
    rowOf,
    bend(i, j, h, kinds, from) {
      if (rowOf(i) === rowOf(j)) return bends[rowOf(i)](i, j, h, kinds, from);
      return across(boxes[i], boxes[j], sideways(h, kinds), under);
    },
  };
}

/** Draw a line between words of different rows: from the top of one to below the other. */
function across(from, to, shift, under) {
  const [high, low] = to.y < from.y ? [to, from] : [from, to];
  const ends = [high, low].map((box) => (box.x + box.width / 2 + shift).toFixed(1));
  const [top, bottom] = [high.y + HEIGHT + under, low.y - 2];
  const half = (bottom - top) / 2;
  return `M${ends[0]} ${top}C${ends[0]} ${top + half} ${ends[1]} ${bottom - half} ${ends[1]} ${bottom}`;
}

function measureList(words, width, digitsRoom) {
  const size = SIZES[1];
  const column = Math.min(Math.max(...boxWidths(words, size)), width - digitsRoom - 70);
  const left = column + digitsRoom + 4;
  const bulge = Math.min(BULGE, width - left - 12);
  const middles = words.map((_, j) => (j + 0.5) * (HEIGHT + 2));
  const span = middles.at(-1) - middles[0];
  const out = (length) => 16 + (bulge - 16) * Math.sqrt(length / (span || 1));
  return {
    kind: "list",
    size,
    width: Math.ceil(left + bulge + 12),
    height: words.length * (HEIGHT + 2),
    boxes: middles.map((y) => ({ x: 0, y: y - HEIGHT / 2, width: column, height: HEIGHT })),
    reach: 1,
    middles,
    rowOf: () => 0,
    digits: middles.map((y) => ({ x: left - 6, y, "text-anchor": "end" })),
    bend: bender(middles, out, (along, away) => `${(left + away).toFixed(1)} ${along.toFixed(1)}`),
  };
}

/** How far the lines of kind h stand from the middle of a word. */
const sideways = (h, kinds) => 4 * (h - (kinds - 1) / 2);

/** Return a function that draws the line between two words, as far out as `out` says; each kind less far than the last. */
function bender(middles, out, place) {
  return (i, j, h, kinds, begin = middles[i]) => {
    const from = (i === j ? middles[i] : begin) + sideways(h, kinds);
    if (i === j) return `M${place(from - 5, 0)}C${place(from - 15, 22)} ${place(from + 15, 22)} ${place(from + 5, 0)}`;
    const to = middles[j] + sideways(h, kinds);
    const away = (4 / 3) * out(Math.abs(middles[j] - begin)) * (1 - Math.min(0.5, 0.14 * h));
    return `M${place(from, 0)}C${place(from, away)} ${place(to, away)} ${place(to, 0)}`;
  };
}

/** Draw a word, which can be met as far as half way to the next. */
function drawWord(word, box, size, reach) {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const text = svg("text", { ...middle, class: "live-label live-middle", style: `font-size: ${size}px` }, word);
  const { x, y, width, height } = box;
  const met = { d: `M${x - reach} ${y - reach}h${width + 2 * reach}v${height + 2 * reach}H${x - reach}z`, fill: "transparent" };
  return svg("g", { class: "live-arc-word", "aria-label": word }, [svg("path", met), svg("rect", { ...box, rx: 4 }), text]);
}
