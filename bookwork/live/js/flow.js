// A pipeline of matrices: the chosen row, what it is made of, and one stage after the other.
import { blend, makeCells, palette } from "./colours.js";
import { arrange, routes } from "./flow-plan.js";
import { cellAt, makePicture, placeIn, sayPieces } from "./reading.js";
import { html, makeButton, place, printer, setText, svg, update, within } from "./svg.js";

const NEXT = { ArrowRight: 1, ArrowLeft: -1 },
  DOWN = { ArrowDown: 1, ArrowUp: -1 };

/** Make a flow view; see figure.js for what a view is. */
export function makeFlow(options, tools) {
  const { rows, stages } = options;
  const print = printer(options.digits);
  const element = html("div", { class: "live-flow" });
  const help = "to the side go from stage to stage, up and down from row to row";
  const { bar, status, said, numbers } = makeButtons(go, () => (layout(room), draw(last, moving), keepInSight()));
  let step = null; // none: all stages alike
  let own = 0; // the chosen row, if no control has it
  let cursor = null;
  let room, plan, parts, arrows, last, moving;

  const row = () => (options.at ? tools.value(options.at) : own);
  const rowsOf = (k) => stages[k].rows ?? rows;
  const columnOf = (k, j) => stages[k].columns?.[j] ?? String(j + 1);

  function layout(width) {
    room = width;
    plan = arrange(stages, rows, width, numbers.getAttribute("aria-pressed") === "true" && widestNumber());
    const shades = stages.map((stage) => shadesOf(stage, element)); // asked before anything changes
    const picture = makePicture(plan.width, plan.height, options, tools, help);
    arrows = routes(stages, plan).map((route) => drawArrow(picture, route));
    parts = stages.map((stage, k) => ({ ...drawStage(picture, stage, plan.boxes[k]), shades: shades[k] }));
    listen(picture);
    element.replaceChildren(picture, bar);
  }

  const widestNumber = () => Math.max(...stages.flatMap(({ limits }) => limits.map((limit) => print(limit).length)));

  function drawStage(picture, stage, box) {
    const at = { x: box.x - 6, class: "live-label live-end" };
    const names = box.labels ? (stage.rows ?? rows) : [];
    const labels = names.map((name, i) => svg("text", { ...at, y: box.y + (i + 0.5) * plan.ch }, name));
    const group = svg("g", { class: `live-stage live-${stage.colour || "ink"}` }, [
      svg("text", { x: box.x, y: box.y - 22, class: "live-label live-strong live-stage-name" }, stage.name),
      svg("text", { x: box.x, y: box.y - 8, class: "live-label live-quiet" }, stage.size.join(" × ")),
      ...labels,
    ]);
    const paint = makeCells(group, stage.size, { ...plan, x: box.x, y: box.y, gap: plan.cw > 8 ? 1 : 0.5 }, print);
    const lit = svg("rect", { class: "live-lit" });
    group.append(svg("rect", { ...around(box), class: "live-frame" }), lit);
    picture.append(group);
    return { group, paint, lit, labels };
  }

  const around = (box) => ({ x: box.x - 1, y: box.y - 1, width: box.m * plan.cw + 1, height: box.h + 1 });

  function draw(frame, shown) {
    [last, moving] = [frame, shown];
    parts.forEach(({ paint, shades }, k) => paint(frame[stages[k].name], shown[stages[k].name], shades, stages[k].limits));
    light();
  }

  /** Show what belongs to the chosen row: in every stage or, at one stage, what that stage is made of. */
  function light() {
    const enters = new Map(step === null ? [] : stages[step].after);
    parts.forEach(({ group, lit, labels }, k) => {
      const part = k === step || step === null ? "row" : enters.get(k);
      group.classList.toggle("live-dim", !part);
      group.classList.toggle("live-now", k === step);
      labels.forEach((label, i) => label.classList.toggle("live-strong", i === row()));
      outline(lit, part, plan.boxes[k], k);
    });
    arrows.forEach(({ group, to }) => {
      group.classList.toggle("live-dim", step !== null && to !== step);
      group.classList.toggle("live-now", to === step);
    });
    setText(status, step === null ? "All stages" : `Stage ${step + 1} of ${stages.length}: ${stages[step].name}`);
    setText(said, step === null ? "" : saysOf(step));
  }

  function outline(lit, part, box, k) {
    const whole = part === "all" || (part === "row" && stages[k].rows);
    const at = around(box);
    if (part === "row" && !whole) Object.assign(at, { y: box.y + row() * plan.ch - 1, height: plan.ch + 1 });
    if (part === "column") Object.assign(at, { x: box.x + row() * plan.cw - 1, width: plan.cw + 1 });
    place(lit, at);
    update(lit, "visibility", part ? "visible" : "hidden");
  }

  function go(steps) {
    const places = stages.length + 1; // one for all stages
    const now = step === null ? stages.length : step;
    const next = (now + steps + places) % places;
    step = next === stages.length ? null : next;
    (light(), tools.say(), keepInSight());
  }

  /** Bring the stage that is lit into the middle of the screen, if a part of it lies outside or behind the buttons. */
  function keepInSight() {
    const { top, bottom } = parts[step ?? 0].group.getBoundingClientRect();
    const isSeen = step === null || (top >= 0 && bottom <= innerHeight - bar.offsetHeight);
    if (!isSeen) parts[step].group.scrollIntoView({ block: "center" });
  }

  function choose(i) {
    const next = within(0, rows.length - 1, i);
    if (options.at) return tools.set(options.at, next);
    own = next;
    (light(), tools.say());
  }

  /** Return the stage and the cell below a pointer, or null. */
  function below(event, picture) {
    const at = placeIn(picture, event);
    const cells = stages.map(({ size: [n, m] }, k) => cellAt(at, { ...plan, n, m, x: plan.boxes[k].x, y: plan.boxes[k].y }));
    const k = cells.findIndex((cell) => cell !== null);
    return k < 0 ? null : { k, i: Math.floor(cells[k] / stages[k].size[1]), j: cells[k] % stages[k].size[1] };
  }

  function listen(picture) {
    const point = (found) => {
      if (JSON.stringify(found) === JSON.stringify(cursor)) return;
      cursor = found;
      tools.say();
    };
    picture.addEventListener("pointermove", (event) => point(below(event, picture)));
    picture.addEventListener("pointerleave", () => point(null));
    picture.addEventListener("click", (event) => {
      const found = below(event, picture);
      if (!found) return;
      step = found.k;
      if (!stages[found.k].rows) choose(found.i);
      (light(), tools.say());
    });
    picture.addEventListener("keydown", (event) => {
      if (!NEXT[event.key] && !DOWN[event.key]) return;
      event.preventDefault();
      cursor = null;
      if (NEXT[event.key]) go(NEXT[event.key]);
      else choose(row() + DOWN[event.key]);
    });
  }

  /** The author's sentence for a stage, which stands beside the buttons. */
  const saysOf = (k) => sayPieces(stages[k].says, {}, tools, () => ({ row: rows[row()], values: valuesOf(k) }));

  /** Say what the pointer is on. */
  function summary() {
    if (!cursor) return "";
    const { k, i, j } = cursor;
    const value = last[stages[k].name][i * stages[k].size[1] + j];
    return sayPieces(options.reads, {}, tools, () => ({ stage: stages[k].name, row: rowsOf(k)[i], column: columnOf(k, j), value }));
  }

  const valuesOf = (k) => (write) => {
    const count = stages[k].size[1];
    const first = stages[k].rows ? 0 : row() * count;
    return Array.from(last[stages[k].name].slice(first, first + count), write).join(", ");
  };

  const isMoved = () => step !== null || own !== 0;

  function reset() {
    [step, own, cursor] = [null, 0, null];
    (light(), tools.say());
  }

  return { element, layout, draw, summary, pointed: summary, isMoved, reset };
}

/** Back, Next, where one is and what happens there, and whether the cells hold their numbers. */
function makeButtons(go, again) {
  const look = { class: "live-step" };
  const status = html("span", { class: "live-flow-status" });
  const said = html("span", { class: "live-flow-says", "aria-live": "polite" });
  const numbers = makeButton({ ...look, "aria-pressed": "false" }, "Numbers", () => {
    numbers.setAttribute("aria-pressed", String(numbers.getAttribute("aria-pressed") !== "true"));
    again();
  });
  const ways = [makeButton(look, "← Back", () => go(-1)), makeButton(look, "Next →", () => go(1))];
  return { bar: html("div", { class: "live-flow-bar" }, [...ways, status, numbers, said]), status, said, numbers };
}

function drawArrow(picture, { to, points, head, colour }) {
  const line = "M" + points.map((point) => point.map((u) => u.toFixed(1)).join(" ")).join("L");
  const parts = [svg("path", { d: line, class: "live-arrow-line" }), svg("path", { d: head, class: "live-arrow-head" })];
  const group = picture.appendChild(svg("g", { class: `live-arrow live-${colour || "ink"}` }, parts));
  return { group, to };
}

/** 256 shades of a stage: its colour, and grey for what lies below zero. */
function shadesOf({ colour: own, limits }, element) {
  if (!own) return palette(limits[0] < 0);
  const colour = (name) => getComputedStyle(element).getPropertyValue(name).trim();
  return blend(colour(`--live-${own}`), limits[0] < 0 && colour("--live-muted"));
}
