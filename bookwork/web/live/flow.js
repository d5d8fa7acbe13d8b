// A pipeline of matrices: the chosen row, what it is made of, and one stage after the other.
import { makeCells, palette, shadeOf } from "./colours.js";
import { arrange, shapeOf } from "./flow-plan.js";
import { makePlayer } from "./play.js";
import { cellAt, makePicture, placeIn, sayPieces } from "./reading.js";
import { html, makeButton, place, printer, setText, shorten, svg, update, within } from "./svg.js";

const ASIDE = { ArrowRight: 1, ArrowLeft: -1 },
  DOWN = { ArrowDown: 1, ArrowUp: -1 };
const HELP = "to the side go from stage to stage, up and down from row to row";
const MOST = 0.95; // of the numbers of a frame: to these reach its colours, if they follow it
const PAUSE = 3000; // milliseconds on a stage that is played
const LINK = /^(?!\/)[\w./-]*(#[\w-]+)?$/; // to a page of the same site: a reader's code may say anything

/** Make a flow view; see figure.js for what a view is. */
export function makeFlow(options, tools) {
  const { rows, stages } = options;
  const element = html("div", { class: "live-flow" });
  const said = html("span", { class: "live-flow-says", "aria-live": "polite" });
  const more = html("a", { class: "live-flow-more" }, "How it is made"); // by keys and for readers: a picture hides its links
  const makeStep = (text, act) => makeButton({ class: "live-step" }, text, act);
  const [back, next, numbers] = [makeStep("← Back", () => go(-1)), makeStep("Next →", () => go(1)), makeStep("Numbers", toggle)];
  const followers = new Set(); // of the step
  const steps = {
    label: "the stages",
    texts: ["all", ...stages],
    place: () => (step + 1) % steps.texts.length,
    choose: (k) => go(k - steps.place()),
    follow: (moved) => (followers.add(moved), () => followers.delete(moved)),
  };
  const player = makePlayer(steps, tools.say, PAUSE);
  const bar = html("div", { class: "live-flow-bar" }, [back, next, player.button, numbers, more, said]);
  let step = stages.length; // which stage is lit; here all are
  let hasNumbers = false;
  let room, plan, parts, arrows, last;
  let pointed = null; // what the pointer is on, in words

  const choice = tools.control(options.row);
  const row = choice.place;

  function layout(width) {
    room = width;
    const widest = Math.max(...stages.flatMap(({ limits, digits }) => limits.map((limit) => printer(digits)(limit).length)));
    plan = arrange(stages, rows, width, hasNumbers && widest);
    const picture = makePicture(plan.width, plan.height, options, tools, HELP);
    const layer = picture.firstChild;
    arrows = plan.arrows.map((arrow) => drawArrow(layer, arrow));
    parts = stages.map((stage) => drawStage(layer, plan.boxes.get(stage.label)));
    listen(picture);
    element.replaceChildren(picture, ...(stages.length > 1 ? [bar] : []));
  }

  const KINDS = { rows: drawRows, tiles: drawTiles, bars: drawBars };

  /** Draw a stage below its name, which may be a link. */
  function drawStage(layer, part) {
    const { label, link, x, y, isLabelled, ch } = part;
    const name = svg("text", { x, y: y - 22, class: "live-label live-strong live-stage-name" }, label);
    const group = svg("g", { class: `live-stage live-${part.colour || "ink"}` }, [
      link && LINK.test(link) ? svg("a", { href: link, class: "live-stage-link", tabindex: -1 }, name) : name,
      svg("text", { x, y: y - 8, class: "live-label live-quiet" }, shapeOf(part)),
    ]);
    const look = { class: "live-label live-end", style: `font-size: ${Math.min(13, ch)}px` };
    const each = (text, i) => svg("text", { x: x - 6, y: y + (i + 0.5) * ch, ...look }, shorten(text, x - 8));
    const labels = isLabelled ? rows.map(each) : [];
    const [veil, lit] = [svg("path", { class: "live-veil" }), svg("rect", { class: "live-lit" })];
    const paint = KINDS[part.kind](group, part);
    group.append(...labels, svg("rect", { ...around(part, "all"), class: "live-frame" }), veil, lit);
    layer.append(group);
    return { ...part, group, labels, veil, lit, paint };
  }

  function drawRows(group, part) {
    const { name, m, causal, byFrame, digits } = part;
    const seen = causal ? (k) => k % m <= Math.floor(k / m) : undefined;
    const cells = makeCells(group, part.size, { ...part, seen, gap: part.cw > 8 && part.ch > 8 ? 1 : 0.5 }, printer(digits));
    return (frame, shown) => {
      const limits = byFrame ? mostOf(frame[name], 10 ** -digits) : part.limits;
      cells(frame[name], shown[name], palette(limits[0] < 0), limits);
    };
  }

  /** Draw the matrix of each pair of places of two controls as a small picture, and mark the chosen one. */
  function drawTiles(group, part) {
    const { name, x, y, m, cw, w, h } = part;
    const [across, down] = part.tiles.map(tools.control);
    const image = svg("image", { x, y, width: w, height: h, preserveAspectRatio: "none", class: "live-tiles" });
    const column = svg("rect", { y: y - 1, width: cw, height: h + 2, class: "live-tile-column" });
    const chosen = svg("rect", { width: cw, height: cw, class: "live-tile-chosen" });
    const every = cw < 22 ? 5 : 1;
    const told = Array.from({ length: m }, (_, a) =>
      svg("text", { x: x + (a + 0.5) * cw, y: y + h + 10, class: "live-label live-quiet live-middle" }, a % every ? "" : across.texts[a]),
    );
    const lens = svg("path", { class: "live-lens" });
    const [opened, { line }] = [[...plan.boxes.values()].find(({ opens }) => opens === part.label)?.line, part];
    const isNext = opened && ![...plan.boxes.values()].some((box) => box.line.top > line.top && box.line.top < opened.top);
    group.append(lens, image, column, chosen, ...told);
    let known;
    return () => {
      const others = tools.follows(name).filter((control) => control !== across && control !== down);
      const key = others.map((control) => control.place()).join();
      if (key !== known)
        update(
          image,
          "href",
          pictureOfTiles(part, (a, b) => tools.numbersAt(name, { [across.name]: a, [down.name]: b })),
        );
      known = key;
      place(column, { x: x + across.place() * cw });
      place(chosen, { x: x + across.place() * cw, y: y + down.place() * cw });
      const [left, foot] = [x + across.place() * cw, y + h + 1];
      if (isNext) update(lens, "d", `M${left} ${foot}C${left} ${opened.top} 0 ${foot} 0 ${opened.top}H${plan.width}C${plan.width} ${foot} ${left + cw} ${opened.top} ${left + cw} ${foot}z`); // prettier-ignore
      setText(group.querySelector(".live-quiet"), `${across.label} ${across.text()}, ${down.label} ${down.text()}`);
    };
  }

  function drawBars(group, part) {
    const { name, x, y, n, w, ch, limits } = part;
    const columns = part.bars[0].length;
    const bars = Array.from({ length: n }, (_, j) => {
      const middle = y + (j + 0.5) * ch;
      const rect = svg("rect", { x, y: y + j * ch + 1, height: ch - 3, class: "live-bar live-flow-bet" });
      const [label, value] = ["", "live-end"].map((end) => svg("text", { x: end ? x + w - 4 : x + 5, y: middle, class: `live-label ${end}` })); // prettier-ignore
      group.append(rect, label, value);
      return { rect, label, value };
    });
    return (frame, shown) =>
      bars.forEach(({ rect, label, value }, j) => {
        const k = row() * columns + j;
        place(rect, { width: Math.max(1, (w * within(0, limits[1], shown[name][k])) / limits[1]) });
        setText(label, part.bars[row()][j]);
        setText(value, printer(part.digits)(frame[name][k]));
      });
  }

  /** The outline of all rows of a matrix, or of the chosen one. */
  function around({ kind, x, y, n, w, h, ch }, which) {
    const [top, height] = which === "all" || kind !== "rows" ? [y, n * ch] : [y + row() * ch, ch];
    return { x: x - 1, y: top - 1, width: w + 1, height: (kind === "rows" ? height : h) + 1 };
  }

  function draw(frame, shown) {
    last = [frame, shown];
    parts.forEach(({ paint }) => paint(frame, shown));
    light();
  }

  /** Show what belongs to the chosen row: in every stage or, at one stage, what that stage is made of. */
  function light() {
    const now = parts[step];
    parts.forEach((part) => {
      const which = !now || part === now ? "row" : now.after[part.label];
      part.group.classList.toggle("live-dim", !which);
      part.group.classList.toggle("live-now", part === now);
      part.labels.forEach((label, i) => label.classList.toggle("live-strong", i === row()));
      place(part.lit, around(part, which));
      update(part.veil, "d", which === "row" && part.kind === "rows" ? besides(around(part, "all"), around(part, "row")) : "");
      update(part.lit, "visibility", which && (part.kind === "rows" || part === now) ? "visible" : "hidden");
    });
    arrows.forEach(({ group, to }) => {
      group.classList.toggle("live-dim", Boolean(now) && to !== now.label);
      group.classList.toggle("live-now", to === now?.label);
    });
    tell();
  }

  function tell() {
    const now = parts[step];
    more.hidden = !now?.link || !LINK.test(now.link);
    if (!more.hidden) update(more, "href", now.link);
    setText(said, pointed ?? (now ? `Stage ${step + 1} of ${stages.length}, ${now.label}. ${saysOf(now)}` : "All stages"));
  }

  function saysOf(part) {
    const { name, kind, says } = part;
    if (kind === "tiles") return sayPieces(says, {}, tools, () => ({ row: rows[row()], values: "", largest: "", value: "" }));
    const count = last[0][name].length / rows.length;
    const own = Array.from(last[0][name].slice(row() * count, (row() + 1) * count));
    const most = own.indexOf(Math.max(...own));
    const values = (write) => own.slice(0, part.causal ? row() + 1 : count).map((value) => write(value)).join(", "); // prettier-ignore
    return sayPieces(says, {}, tools, () => ({ row: rows[row()], values, largest: columnOf(part, row(), most), value: own[most] }));
  }

  const columnOf = ({ bars, columns }, i, j) => bars[i]?.[j] ?? columns[j] ?? `number ${j + 1}`;

  const again = () => (light(), tools.say());

  /** Light the next stage or another one, or all of them; it may lie outside the screen, or behind the buttons. */
  function go(steps) {
    const places = stages.length + 1;
    step = (step + steps + places) % places;
    pointed = null;
    again();
    followers.forEach((moved) => moved());
    const lit = parts[step]?.group;
    if (!lit) return;
    const { top, bottom } = lit.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight - bar.offsetHeight) lit.scrollIntoView({ block: "center" });
  }

  function toggle() {
    hasNumbers = !hasNumbers;
    update(numbers, "aria-pressed", hasNumbers);
    layout(room);
    draw(...last);
    go(0);
  }

  /** The stage and the cell at a place, or nothing. */
  function find(at) {
    const cells = parts.map((part) => cellAt(at, part));
    const k = cells.findIndex((cell) => cell !== null);
    return k < 0 ? null : { k, part: parts[k], i: Math.floor(cells[k] / parts[k].m), j: cells[k] % parts[k].m };
  }

  /** What the pointer is on, in words. */
  function wordsFor({ part, i, j }) {
    const { name, label, kind, m, causal } = part;
    const print = printer(part.digits);
    if (kind === "tiles") return part.tiles.map((each, k) => `${tools.control(each).label} ${tools.control(each).texts[k ? i : j]}`).join(", "); // prettier-ignore
    if (kind === "bars") return `${label}: ${part.bars[row()][i]} ${print(last[0][name][row() * part.bars[0].length + i])}`;
    if (causal && j > i) return `${label}: ${rows[i]} does not see ${columnOf(part, i, j)}, which comes later`;
    return `${label}: ${rows[i]}, ${columnOf(part, i, j)}: ${print(last[0][name][i * m + j])}`;
  }

  /** A press lights the stage and the row of a cell, or chooses a tile; what the pointer is on is told. */
  function listen(picture) {
    const point = (event) => {
      const found = event && find(placeIn(picture, event));
      const words = found ? wordsFor(found) : null;
      if (words === pointed) return;
      pointed = words;
      tell();
      if (stages.length === 1) tools.say();
    };
    picture.addEventListener("pointermove", point);
    picture.addEventListener("pointerleave", () => point(null));
    picture.addEventListener("click", (event) => {
      const found = find(placeIn(picture, event));
      if (!found) return;
      const { k, part, i, j } = found;
      if (part.kind === "tiles") return part.tiles.forEach((name, axis) => tools.control(name).choose(axis ? i : j));
      step = k;
      if (part.kind === "rows") choice.choose(i);
      pointed = null;
      again();
    });
    picture.addEventListener("keydown", (event) => {
      if (!ASIDE[event.key] && !DOWN[event.key]) return;
      event.preventDefault();
      choice.choose(row() + (DOWN[event.key] ?? 0));
      go(ASIDE[event.key] ?? 0);
    });
  }

  const reset = () => ((step = stages.length), again());
  const alone = stages.length === 1 && { pointed: () => pointed ?? "" }; // there is no bar that would tell
  return { element, layout, draw, isMoved: () => step !== stages.length, reset, ...alone };
}

/** Return the outline of a box without a row of it. */
function besides(all, row) {
  const [top, bottom] = [row.y - all.y, all.y + all.height - row.y - row.height];
  const piece = (y, height) => (height > 1 ? `M${all.x} ${y}h${all.width}v${height}h${-all.width}z` : "");
  return piece(all.y, top) + piece(row.y + row.height, bottom);
}

/** Return limits around zero within which most numbers lie, if these are not smaller than what is printed. */
function mostOf(numbers, least) {
  const sizes = Array.from(numbers, Math.abs).sort((a, b) => a - b);
  const reach = Math.max(least, sizes[Math.floor(MOST * (sizes.length - 1))]);
  return [-reach, reach];
}

/** Return a picture of all tiles as an address: a pixel for each number, and one between two tiles. */
function pictureOfTiles({ n, m, causal, limits }, numbersAt) {
  const shades = palette(limits[0] < 0);
  const size = Math.round(Math.sqrt(numbersAt(0, 0).length));
  const canvas = Object.assign(document.createElement("canvas"), { width: m * (size + 1), height: n * (size + 1) });
  const pen = canvas.getContext("2d");
  const pixels = pen.createImageData(canvas.width, canvas.height);
  for (let a = 0; a < m; a++)
    for (let b = 0; b < n; b++)
      numbersAt(a, b).forEach((value, k) => {
        const [i, j] = [Math.floor(k / size), k % size];
        if (causal && j > i) return;
        const at = 4 * ((b * (size + 1) + i) * canvas.width + a * (size + 1) + j);
        pixels.data.set([...shadeOf(shades, value, limits).rgb, 255], at);
      });
  pen.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}

function drawArrow(layer, { to, points, head, colour }) {
  const line = "M" + points.map((point) => point.map((u) => u.toFixed(1)).join(" ")).join("L");
  const parts = [svg("path", { d: line, class: "live-arrow-line" }), svg("path", { d: head, class: "live-arrow-head" })];
  return { to, group: layer.appendChild(svg("g", { class: `live-arrow live-${colour || "ink"}` }, parts)) };
}
