// Words with curved lines from the chosen one to the others, width and opacity by weight.
import { lineStyle, makeLegend } from "./legend.js";
import { makeTold } from "./reading.js";
import { between, html, printer, setText, svg, textWidth, update, within } from "./svg.js";
import { makeWords } from "./words.js";

const SIZES = [16, 15, 14, 13], // of letters, in pixels: the largest with which the words fit into a row; else they make a list
  GAPS = [2, 34], // between words: the least, and the most
  HEIGHT = 28, // of a word
  WIDEST = 8; // of a line

/** Make a view of words and lines; see figure.js for what a view is. */
export function makeArcs(options, tools) {
  const { words, least } = options;
  const kinds = options.kinds.length ? options.kinds : [""];
  const count = words.length;
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-arcs" });
  const isOn = kinds.map((_, h) => kinds.length <= 3 || h === 0);
  const isAlone = kinds.length === 1; // then each word has its number
  let box, groups, lines, digits, mark, chosen, from, weights, moving;
  const told = makeTold(options, tools, {
    numbers: () => weights.map((value, k) => (isOn[kindOf(k)] ? value : -Infinity)),
    partsAt: (k) => ({ asks: words[chosen], word: words[k % count], kind: kinds[kindOf(k)] }),
    wordFor: (_, k) => (isAlone ? "" : (write) => valueOf(k % count, write)),
    mark: () => (groups.forEach((group, j) => group.classList.toggle("live-pointed", j === told.cursor)), drawLines()),
    isOwn: (k) => k === chosen,
  });

  const kindOf = (k) => Math.floor(k / count);

  function layout(width) {
    box = measure(words, width, isAlone ? textWidth(print(high), 11) + 8 : 0, getComputedStyle(element).fontFamily);
    lines = kinds.flatMap((_, h) => words.map(() => svg("path", { class: "live-arc", ...lineStyle(h) })));
    groups = words.map((word, j) => drawWord(word, box.boxes[j], box.size, box.reach));
    const look = { class: "live-label live-arc-digits", "aria-hidden": "true" };
    digits = isAlone ? box.digits.map((place) => svg("text", { ...place, ...look })) : [];
    const size = { width: box.width, height: box.height, viewBox: `0 0 ${box.width} ${box.height}` };
    const picture = svg("svg", size, [svg("g", { "aria-hidden": "true" }, lines), ...groups, ...digits]);
    mark = makeWords(picture, groups, tools.control(options.at), options, tools, told.point);
    element.replaceChildren(picture, ...(isAlone ? [] : [makeSwitches()]));
  }

  function makeSwitches() {
    const line = (h) => ({ class: "live-arc", ...lineStyle(h), "stroke-width": 4 });
    return makeLegend(kinds, isOn, { line, again: () => (drawLines(), tools.say()) });
  }

  function draw(frame, shown) {
    chosen = mark();
    [weights, moving] = [frame[options.show], shown[options.show]];
    from = between(box.middles, shown[`@${options.at}`][0]); // lines begin on their way from the word that was chosen before
    drawLines();
    groups.forEach((group, j) => update(group, "aria-description", valueOf(j)));
    digits.forEach((text, j) => setText(text, weights[j] < least ? "" : print(weights[j])));
  }

  function drawLines() {
    lines.forEach((line, k) => {
      const [h, j, cursor] = [kindOf(k), k % count, told.cursor ?? chosen];
      const isSeen = isOn[h] && moving[k] >= least;
      update(line, "visibility", isSeen ? "visible" : "hidden");
      if (!isSeen) return;
      const share = within(0, 1, (moving[k] - low) / (high - low || 1));
      const isFaint = cursor !== chosen && cursor !== j;
      update(line, "d", box.bend(chosen, j, h, from));
      update(line, "stroke-width", (0.8 + (WIDEST - 0.8) * share).toFixed(2));
      update(line, "stroke-opacity", ((0.3 + 0.6 * Math.sqrt(share)) * (isFaint ? 0.25 : 1)).toFixed(2));
    });
  }

  /** Return the printed weight of a word, one for each kind of line that is on. */
  function valueOf(j, write = print) {
    if (isAlone) return write(weights[j]);
    return kinds.flatMap((kind, h) => (isOn[h] ? `${kind} ${write(weights[h * count + j])}` : [])).join(", ");
  }

  return { ...told, element, layout, draw };
}

/** Find room for the words: in a row if they fit, else in a list with the lines beside it. */
function measure(words, width, digitsRoom, family) {
  const pen = html("canvas").getContext("2d");
  const sizeOf = (word, size) => ((pen.font = `600 ${size}px ${family}`), Math.ceil(pen.measureText(word).width + 0.6 * size));
  const widths = (size) => words.map((word) => Math.max(24, sizeOf(word, size)));
  const gap = (size) => (width - widths(size).reduce((sum, each) => sum + each, 0)) / Math.max(1, words.length - 1);
  const size = SIZES.find((each) => gap(each) >= GAPS[0]);
  if (!size) return measureList(widths(SIZES[1]), width, digitsRoom);
  return measureRow(widths(size), Math.min(GAPS[1], gap(size)), size, digitsRoom);
}

function measureRow(widths, gap, size, digitsRoom) {
  const starts = widths.map((_, j) => widths.slice(0, j).reduce((sum, each) => sum + each + gap, 0));
  const end = starts.at(-1) + widths.at(-1);
  const peak = within(34, 110, 0.3 * end + 10); // of the longest line
  const foot = peak + 12;
  const boxes = widths.map((each, j) => ({ x: starts[j], y: foot, width: each, height: HEIGHT }));
  const middles = boxes.map((box) => box.x + box.width / 2);
  return {
    size,
    boxes,
    middles,
    reach: gap / 2,
    width: Math.ceil(end),
    height: Math.ceil(foot + HEIGHT + (digitsRoom ? 17 : 2)),
    digits: middles.map((x) => ({ x, y: foot + HEIGHT + 9, "text-anchor": "middle" })),
    bend: bender(middles, end - 24, [18, peak], (along, away) => `${along.toFixed(1)} ${(foot - 2 - away).toFixed(1)}`),
  };
}

function measureList(widths, width, digitsRoom) {
  const column = Math.min(Math.max(...widths), width - digitsRoom - 70);
  const left = column + digitsRoom + 4;
  const bulge = Math.min(180, width - left - 12);
  const middles = widths.map((_, j) => (j + 0.5) * (HEIGHT + 2));
  return {
    size: SIZES[1],
    boxes: middles.map((y) => ({ x: 0, y: y - HEIGHT / 2, width: column, height: HEIGHT })),
    middles,
    reach: 1,
    width: Math.ceil(left + bulge + 12),
    height: widths.length * (HEIGHT + 2),
    digits: middles.map((y) => ({ x: left - 6, y, "text-anchor": "end" })),
    bend: bender(middles, middles.at(-1) - middles[0], [16, bulge], (along, away) => `${(left + away).toFixed(1)} ${along.toFixed(1)}`),
  };
}

/** Return a function that draws the line between two words, further out the longer it is; that of kind h beside and below those before it. */
function bender(middles, longest, [least, most], place) {
  return (i, j, h, begin) => {
    const [from, to] = [(i === j ? middles[i] : begin) + 4 * h, middles[j] + 4 * h];
    if (i === j) return `M${place(from - 5, 0)}C${place(from - 15, 22)} ${place(from + 15, 22)} ${place(from + 5, 0)}`;
    const share = Math.sqrt(Math.min(1, Math.abs(middles[j] - begin) / (longest || 1)));
    const away = (4 / 3) * (least + (most - least) * share) * (1 - 0.14 * h);
    return `M${place(from, 0)}C${place(from, away)} ${place(to, away)} ${place(to, 0)}`;
  };
}

/** Draw a word, which can be met as far as half way to the next. */
function drawWord(word, { x, y, width, height }, size, reach) {
  const text = svg("text", { x: x + width / 2, y: y + height / 2, class: "live-label live-middle", style: `font-size: ${size}px` }, word);
  const met = { d: `M${x - reach} ${y - reach}h${width + 2 * reach}v${height + 2 * reach}H${x - reach}z`, fill: "transparent" };
  return svg("g", { class: "live-arc-word", "aria-label": word }, [svg("path", met), svg("rect", { x, y, width, height, rx: 4 }), text]);
}
