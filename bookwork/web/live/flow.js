// A pipeline of matrices: the chosen row, what it is made of, and one stage after the other.
import { makeCells, palette } from "./colours.js";
import { arrange } from "./flow-plan.js";
import { cellAt, makePicture, placeIn, sayPieces } from "./reading.js";
import { html, makeButton, place, printer, setText, svg, update } from "./svg.js";

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
  let room, parts, arrows, last;

  const choice = tools.control(options.row);
  const row = choice.place;

  function layout(width) {
    room = width;
    const widest = Math.max(...stages.flatMap(({ limits }) => limits.map((limit) => print(limit).length)));
    const plan = arrange(stages, rows, width, hasNumbers && widest);
    const picture = makePicture(plan.width, plan.height, options, tools, HELP);
    arrows = plan.arrows.map((arrow) => drawArrow(picture.firstChild, arrow));
    parts = stages.map((stage) => drawStage(picture.firstChild, { ...stage, ...plan.boxes.get(stage.name) }));
    listen(picture);
    element.replaceChildren(picture, bar);
  }

  function drawStage(layer, part) {
    const { name, x, y, ch, limits } = part;
    const group = svg("g", { class: `live-stage live-${part.colour || "ink"}` }, [
      svg("text", { x, y: y - 22, class: "live-label live-strong live-stage-name" }, name),
      svg("text", { x, y: y - 8, class: "live-label live-quiet" }, part.size.join(" × ")),
    ]);
    const label = (text, i) => svg("text", { x: x - 6, y: y + (i + 0.5) * ch, class: "live-label live-end" }, text);
    const labels = part.isLabelled ? rows.map(label) : [];
    const cells = makeCells(group, part.size, { ...part, gap: part.cw > 8 ? 1 : 0.5 }, print);
    const paint = (frame, shown) => cells(frame[name], shown[name], palette(limits[0] < 0), limits);
    const lit = svg("rect", { class: "live-lit" });
    group.append(...labels, svg("rect", { ...around(part, "all"), class: "live-frame" }), lit);
    layer.append(group);
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

  /** A press lights the stage and the row of a cell. */
  function listen(picture) {
    picture.addEventListener("click", (event) => {
      const cells = parts.map((part) => cellAt(placeIn(picture, event), part));
      const k = cells.findIndex((cell) => cell !== null);
      if (k < 0) return;
      step = k;
      choice.choose(Math.floor(cells[k] / parts[k].m));
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
  return { element, layout, draw, isMoved: () => step !== stages.length, reset };
}

function drawArrow(layer, { to, points, head, colour }) {
  const line = "M" + points.map((point) => point.map((u) => u.toFixed(1)).join(" ")).join("L");
  const parts = [svg("path", { d: line, class: "live-arrow-line" }), svg("path", { d: head, class: "live-arrow-head" })];
  return { to, group: layer.appendChild(svg("g", { class: `live-arrow live-${colour || "ink"}` }, parts)) };
}
