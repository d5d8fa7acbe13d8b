// A pipeline of matrices: the chosen row, what it is made of, and one stage after the other.
import { blend, makeCells, palette } from "./colours.js";
import { arrange } from "./flow-plan.js";
import { cellAt, makePicture, placeIn, sayPieces } from "./reading.js";
import { html, makeButton, place, printer, setText, svg, update, within } from "./svg.js";

const ASIDE = { ArrowRight: 1, ArrowLeft: -1 },
  DOWN = { ArrowDown: 1, ArrowUp: -1 };
const HELP = "to the side go from stage to stage, up and down from row to row";

/** Make a flow view; see figure.js for what a view is. */
export function makeFlow(options, tools) {
  const { rows, stages } = options;
  const print = printer(options.digits);
  const element = html("div", { class: "live-flow" });
  const said = html("span", { class: "live-flow-says", "aria-live": "polite" });
  const makeStep = (text, act) => makeButton({ class: "live-step" }, text, act);
  const [back, next, numbers] = [makeStep("← Back", () => go(-1)), makeStep("Next →", () => go(1)), makeStep("Numbers", toggle)];
  const bar = html("div", { class: "live-flow-bar" }, [back, next, numbers, said]);
  let step = stages.length; // which stage is lit; here all are
  let hasNumbers = false;
  let cursor = null; // the cell that the pointer is on
  let room, parts, arrows, last;

  const row = () => tools.value(options.at);

  function layout(width) {
    room = width;
    const widest = Math.max(...stages.flatMap(({ limits }) => limits.map((limit) => print(limit).length)));
    const plan = arrange(stages, rows, width, hasNumbers && widest);
    const shades = stages.map((stage) => shadesOf(stage, element)); // asked before anything changes
    const picture = makePicture(plan.width, plan.height, options, tools, HELP);
    arrows = plan.arrows.map((arrow) => drawArrow(picture, arrow));
    parts = stages.map((stage, k) => drawStage(picture, { ...stage, ...plan.boxes.get(stage.name), shades: shades[k] }));
    listen(picture);
    element.replaceChildren(picture, bar);
  }

  function drawStage(picture, part) {
    const { name, x, y, ch, shades, limits } = part;
    const group = svg("g", { class: `live-stage live-${part.colour || "ink"}` }, [
      svg("text", { x, y: y - 22, class: "live-label live-strong live-stage-name" }, name),
      svg("text", { x, y: y - 8, class: "live-label live-quiet" }, part.size.join(" × ")),
    ]);
    const label = (text, i) => svg("text", { x: x - 6, y: y + (i + 0.5) * ch, class: "live-label live-end" }, text);
    const labels = part.isLabelled ? rows.map(label) : [];
    const cells = makeCells(group, part.size, { ...part, gap: part.cw > 8 ? 1 : 0.5 }, print);
    const paint = (frame, shown) => cells(frame[name], shown[name], shades, limits);
    const lit = svg("rect", { class: "live-lit" });
    group.append(...labels, svg("rect", { ...around(part, "all"), class: "live-frame" }), lit);
    picture.append(group);
    return { ...part, group, labels, lit, paint };
  }

  /** The outline of all rows of a matrix, or of the chosen one. */
  function around({ x, y, n, m, cw, ch }, which) {
    const [top, height] = which === "all" ? [y, n * ch] : [y + row() * ch, ch];
    return { x: x - 1, y: top - 1, width: m * cw + 1, height: height + 1 };
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
      const which = !now || part === now ? "row" : now.after[part.name];
      part.group.classList.toggle("live-dim", !which);
      part.group.classList.toggle("live-now", part === now);
      part.labels.forEach((label, i) => label.classList.toggle("live-strong", i === row()));
      place(part.lit, around(part, which));
      update(part.lit, "visibility", which ? "visible" : "hidden");
    });
    arrows.forEach(({ group, to }) => {
      group.classList.toggle("live-dim", Boolean(now) && to !== now.name);
      group.classList.toggle("live-now", to === now?.name);
    });
    setText(said, now ? `Stage ${step + 1} of ${stages.length}, ${now.name}. ${saysOf(now)}` : "All stages");
  }

  function saysOf({ name, m, says }) {
    const values = (write) => Array.from(last[0][name].slice(row() * m, (row() + 1) * m), write).join(", ");
    return sayPieces(says, {}, tools, () => ({ row: rows[row()], values }));
  }

  const again = () => (light(), tools.say());

  /** Light the next stage or another one, or all of them; it may lie outside the screen, or behind the buttons. */
  function go(steps) {
    const places = stages.length + 1;
    step = (step + steps + places) % places;
    again();
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

  const choose = (i) => tools.set(options.at, within(0, rows.length - 1, i));

  /** Read the cell that the pointer is on; a press lights its stage and its row. */
  function listen(picture) {
    const point = (found) => {
      cursor = found;
      tools.say();
    };
    for (const name of ["pointermove", "pointerdown"]) picture.addEventListener(name, (event) => point(below(placeIn(picture, event))));
    picture.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && point(null));
    picture.addEventListener("click", () => {
      if (!cursor) return;
      step = cursor.k;
      choose(cursor.i);
      again();
    });
    picture.addEventListener("keydown", (event) => {
      if (!ASIDE[event.key] && !DOWN[event.key]) return;
      event.preventDefault();
      cursor = null;
      choose(row() + (DOWN[event.key] ?? 0));
      go(ASIDE[event.key] ?? 0);
    });
  }

  /** Return the stage and the cell at a place, or null. */
  function below(at) {
    const cells = parts.map((part) => cellAt(at, part));
    const k = cells.findIndex((cell) => cell !== null);
    return k < 0 ? null : { k, cell: cells[k], i: Math.floor(cells[k] / parts[k].m), j: cells[k] % parts[k].m };
  }

  /** Say what the pointer is on. */
  function pointed() {
    if (!cursor) return "";
    const { k, cell, i, j } = cursor;
    const { name: stage, columns } = stages[k];
    const said = { stage, row: rows[i], column: columns[j] ?? String(j + 1), value: last[0][stage][cell] };
    return sayPieces(options.reads, {}, tools, () => said);
  }

  const reset = () => (([step, cursor] = [stages.length, null]), again());
  return { element, layout, draw, summary: pointed, pointed, isMoved: () => step !== stages.length, reset };
}

function drawArrow(picture, { to, points, head, colour }) {
  const line = "M" + points.map((point) => point.map((u) => u.toFixed(1)).join(" ")).join("L");
  const parts = [svg("path", { d: line, class: "live-arrow-line" }), svg("path", { d: head, class: "live-arrow-head" })];
  return { to, group: picture.appendChild(svg("g", { class: `live-arrow live-${colour || "ink"}` }, parts)) };
}

/** 256 shades of a stage: its colour, and grey for what lies below zero. */
function shadesOf({ colour: own, limits }, element) {
  if (!own) return palette(limits[0] < 0);
  const colour = (name) => getComputedStyle(element).getPropertyValue(name).trim();
  return blend(colour(`--live-${own}`), limits[0] < 0 && colour("--live-muted"));
}
