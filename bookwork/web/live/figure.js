// The live figure: controls choose a frame, views draw it.
//
// A view is { element, layout(width, labelRoom, tallest), draw(frame, shown), summary() }. It prints the numbers of the frame
// and draws those that are shown, which glide (see glide.js). It listens, and computes nothing that a reader could mistake for
// the book's mathematics. It may have more: `pointed()`, what the pointer or the keys are on; `largest()`, the parts of its
// largest number; `isMoved()` and `reset()`, if it holds a choice of its own; `labelRoom(width)`, what its labels need;
// `upright`, if two may stand beside it; `narrowest`, the room that it needs; `slots(row, shows)`, where a reader's guess can
// be drawn in it. One whose options are `wide` has a line to itself.
import { nameControls } from "./accessible.js";
import { makeArcs } from "./arcs.js";
import { makeChart } from "./chart.js";
import { makeFlow } from "./flow.js";
import { frameReader, makeControl } from "./frames.js";
import { makeGlide } from "./glide.js";
import { makePlayer } from "./play.js";
import { hideInside } from "./reading.js";
import { makeReadout } from "./readout.js";
import { makeSentence } from "./sentence.js";
import { html, makeButton, showScroll, watchSize } from "./svg.js";
import { makeTables } from "./tables.js";

const VIEWS = { sentence: makeSentence, arcs: makeArcs, flow: makeFlow }; // all other views are charts
const NARROWEST = 240,
  COLUMN = 290, // what a view needs to stand beside another
  GUTTER = 24,
  TALLEST = [430, 310], // of the cells of a view that is the only one, or one of several
  SHARED = 70; // how much wider labels may get to line up with those of other views

/** Show the figure in `el`; returns the cleanup, as anywidget asks. */
async function render({ model, el }) {
  const spec = model.get("spec");
  const readFrame = frameReader(spec.arrays, model.get("frames"));
  const find = (reference) => model.widget_manager.get_model(reference.replace("IPY_MODEL_", ""));
  const models = await Promise.all(model.get("controls").map(find));
  const controls = spec.controls.map((told, k) => makeControl(told, models[k]));
  const tools = toolsFor(spec, controls, () => (readout.say(), showReset()));
  const views = spec.views.map((options) => makeView(options, tools));
  const played = controls.find(({ name }) => name === spec.play);
  const player = played && makePlayer(played, () => readout.say());
  const readout = makeReadout(spec, views, tools, () => player?.isPlaying());
  const table = makeTables(spec, tools);
  const reset = makeButton({ class: "live-button", hidden: "" }, "Back to start", () => {
    views.forEach((view) => view.reset?.());
    controls.forEach(({ start, choose }) => choose(start));
    if (reset === document.activeElement) table.button.focus(); // the button goes away
  });
  const isMoved = () => views.some((view) => view.isMoved?.()) || controls.some(({ start, place }) => place() !== start);
  const showReset = () => (reset.hidden = !isMoved());
  const stage = html("div", { class: "live-views" }, spec.views.map((options, k) => panel(options, views[k]))); // prettier-ignore
  const bar = html("div", { class: "live-bar-of-buttons" }, [table.button, reset]);
  el.classList.add("live-drawing");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", spec.name);
  el.append(...(player ? [player.button] : []), stage, readout.element, bar, table.place);

  let isShown = true;
  let pending = null;
  const glide = makeGlide((frame, shown) => views.forEach((view) => view.draw(frame, shown)));
  const paint = () => {
    pending = null;
    if (!isShown || !views[0].element.hasChildNodes()) return; // not laid out: it has no width yet, or is hidden
    const at = controls.map((control) => control.settle());
    const frame = { ...readFrame(at), ...standing(controls, at) };
    glide.to(frame, "places" in el.dataset);
    readout.say(frame);
    table.fill(frame);
    showReset();
    names.name();
    el.dataset.places = at.join(" ");
    el.dispatchEvent(new CustomEvent("live:painted", { bubbles: true, detail: { spec, views, tools } }));
  };
  const names = nameControls(el, controls.filter(({ name }) => !spec.held.includes(name))); // prettier-ignore
  const request = () => (pending ??= Promise.resolve().then(paint)); // once for all that one event changes
  const stops = [...controls.map(({ follow }) => follow(request)), watchRoom(stage, views, paint), names.stop, readout.stop];
  stops.push(glide.stop, showScroll(table.place, `Numbers of the figure: ${spec.name}`), () => player?.stop());
  return () => {
    isShown = false;
    stops.forEach((stop) => stop());
  };
}

/** Where the controls stand, as arrays that glide: "@name" is the place of a control among its values. */
const standing = (controls, places) => Object.fromEntries(controls.map(({ name }, k) => [`@${name}`, Float64Array.of(places[k])]));

const makeView = (options, tools) => ({ ...(VIEWS[options.kind] ?? makeChart)(options, tools), isWide: Boolean(options.wide) });

/** What views may ask of the figure. */
function toolsFor({ name }, controls, say) {
  const control = (name) => controls.find((each) => each.name === name);
  return {
    name,
    say,
    control,
    place: (name) => control(name).place(),
    choose: (name, at) => control(name).choose(at),
    value: (name) => control(name).values[control(name).place()],
    text: (name) => control(name).texts[control(name).place()],
    set: (name, value) => control(name).choose(control(name).nearest(value)),
    nudge: (name, steps) => control(name).choose(control(name).place() + steps),
  };
}

function panel({ kind, title }, { element }) {
  const above = title ? [html("p", { class: "live-title" }, title)] : [];
  return html("div", { class: `live-view live-view-${kind}` }, [...above, element]);
}

/** Lay out the views whenever they have another width, other letters or other colours. */
function watchRoom(stage, views, paint) {
  let known = 0;
  const lay = () => stage.clientWidth && (layAll(stage, views), paint());
  const stop = watchSize(stage, () => stage.clientWidth !== known && ((known = stage.clientWidth), lay()));
  const theme = new MutationObserver(lay);
  for (const part of [document.documentElement, document.body])
    theme.observe(part, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light"] });
  if (document.fonts?.status === "loading") document.fonts.ready.then(lay);
  return () => (stop(), theme.disconnect());
}

/** Lay out all views in a grid of equal columns; a view that has its line to itself uses all of it. */
function layAll(stage, views) {
  const room = Math.max(NARROWEST, Math.floor(stage.clientWidth));
  const columns = countColumns(views, room);
  const width = Math.floor((room - (columns - 1) * GUTTER) / columns);
  const upright = (view) => columns === 2 && views.length === 3 && view.upright; // beside the two others
  const alone = views.some(upright) ? views.map(() => false) : findAlone(views, columns);
  stage.style.setProperty("--live-columns", String(columns));
  const widths = alone.map((isAlone) => (isAlone ? room : width));
  const labels = views.map((view, k) => view.labelRoom?.(widths[k]) ?? 0);
  views.forEach((view, k) => {
    view.element.parentElement.classList.toggle("live-tall", Boolean(upright(view)));
    view.element.parentElement.classList.toggle("live-alone", alone[k] && (columns > 1 || views.length === 1));
    const beside = labels.filter((wide, i) => alone[i] === alone[k] && wide - labels[k] <= SHARED);
    view.layout(widths[k], Math.max(...beside), TALLEST[views.length > 1 ? 1 : 0]); // labels of all views end at the same place
    hideInside(view.element);
  });
}

/** Return how many views stand beside each other: two if there is room, or all of three that need little. */
function countColumns(views, room) {
  const need = Math.max(...views.map((view) => (view.isWide ? 0 : (view.narrowest ?? COLUMN)))) + GUTTER;
  const apart = views.filter((view) => !view.isWide).length;
  return apart === 3 && room >= 3 * need ? 3 : room >= 2 * COLUMN && views.length > 1 ? 2 : 1;
}

/** Tell which views have a line of the grid to themselves: wide ones, and one that is left over. */
function findAlone(views, columns) {
  let begin = 0; // of the views after the last wide one
  return views.map(({ isWide }, k) => {
    if (isWide || columns === 1) begin = k + 1;
    const isLast = !views[k + 1] || views[k + 1].isWide;
    return columns === 1 || isWide || (isLast && (k - begin) % columns === 0);
  });
}

export default { render };
