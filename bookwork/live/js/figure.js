// The live figure: controls choose a frame, views draw it.
//
// A view is { element, layout(width, labelRoom, tallest), draw(frame, shown), summary() }. It prints the numbers of the frame
// and draws those that are shown, which glide (see glide.js). It listens, and computes nothing that a reader could mistake for
// the book's mathematics. It may have more: `pointed()`, what the pointer or the keys are on; `largest()`, the parts of its
// largest number; `isMoved()` and `reset()`, if it holds a choice of its own; `labelRoom(width)`, what its labels need;
// `isWide`, if it wants a line to itself; `upright`, if two may stand beside it; `narrowest`, the room that it needs;
// `slots(row, shows)`, where a reader's guess can be drawn in it.
import { frameReader, moveTo, nearestPlace, placeOf, settle } from "./frames.js";
import { makeAccessible } from "./accessible.js";
import { makeGlide } from "./glide.js";
import { makePlayer } from "./play.js";
import { hideInside } from "./reading.js";
import { makeReadout } from "./readout.js";
import { html, showScroll, watchSize } from "./svg.js";
import { makeTables } from "./tables.js";
import { makeChart } from "./chart.js";
import { makeSentence } from "./sentence.js";
import { makeArcs } from "./arcs.js";
import { makeFlow } from "./flow.js";

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
  const models = await controlModels(model);
  const places = () => models.map((control, k) => settle(spec.controls[k], control));

  const showReset = () =>
    (reset.hidden = !views.some((view) => view.isMoved?.()) && places().every((place, k) => place === spec.controls[k].start));
  const tools = toolsFor(spec, models, () => (readout.say(), showReset()));
  const views = spec.views.map((options) => makeView(options, tools));
  const player = playerFor(spec, models, () => readout.say());
  const readout = makeReadout(spec, views, tools, () => player?.isPlaying());
  const table = makeTables(spec, tools);
  const reset = html("button", { type: "button", class: "live-button", hidden: "" }, "Back to start");
  reset.addEventListener("click", () => {
    views.forEach((view) => view.reset?.());
    models.forEach((control, k) => moveTo(spec.controls[k], control, spec.controls[k].start));
    if (reset === document.activeElement) table.button.focus(); // the button goes away
  });
  const bar = html("div", { class: "live-bar-of-buttons" });
  bar.append(table.button, reset);
  const stage = html("div", { class: "live-views" });
  spec.views.forEach((options, k) => stage.append(panel(options, views[k])));
  el.classList.add("live-drawing");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", spec.name);
  el.append(...(player ? [player.button] : []), stage, readout.element, bar, table.place);

  let isShown = true;
  let pending = null;
  const glide = makeGlide((frame, shown) => views.forEach((view) => view.draw(frame, shown)));
  const paint = () => {
    pending = null;
    if (!views[0].element.hasChildNodes()) return; // not laid out: it has no width yet, or is hidden
    const at = places();
    const frame = { ...readFrame(at), ...standing(spec.controls, at) };
    glide.to(frame, "places" in el.dataset);
    readout.say(frame);
    table.fill(frame);
    showReset();
    el.dataset.places = at.join(" ");
    el.dispatchEvent(new CustomEvent("live:painted", { bubbles: true, detail: { spec, views, tools } }));
  };
  const request = () => (pending ??= Promise.resolve().then(() => isShown && paint())); // once for all that one event changes
  const stops = models.map((control, k) => follow(control, spec.controls[k], request));
  const above = models.filter(({ views }, k) => views && !spec.held.includes(spec.controls[k].name));
  stops.push(nameControls(el, above), watchWidth(stage, views, paint), watchTheme(stage, views, paint));
  stops.push(readout.stop, glide.stop, ...(player ? [player.stop] : []));
  stops.push(showScroll(table.place, `Numbers of the figure: ${spec.name}`));
  return () => {
    isShown = false;
    stops.forEach((stop) => stop());
  };
}

function controlModels(model) {
  const find = (reference) => model.widget_manager.get_model(reference.replace("IPY_MODEL_", ""));
  return Promise.all(model.get("controls").map(find));
}

/** Where the controls stand, as arrays that glide: "@name" is the place of a control among its values. */
const standing = (controls, places) => Object.fromEntries(controls.map(({ name }, k) => [`@${name}`, Float64Array.of(places[k])]));

/** A wide view has a line to itself. */
function makeView(options, tools) {
  return { ...(VIEWS[options.kind] ?? makeChart)(options, tools), isWide: Boolean(options.wide) };
}

/** What views may ask of the figure. */
function toolsFor(spec, models, say) {
  const index = (name) => spec.controls.findIndex((control) => control.name === name);
  const control = (name) => spec.controls[index(name)];
  const place = (name) => placeOf(control(name), models[index(name)]);
  const choose = (name, at) => moveTo(control(name), models[index(name)], at);
  return {
    name: spec.name,
    say,
    control,
    place,
    choose,
    value: (name) => control(name).values[place(name)],
    text: (name) => control(name).texts[place(name)],
    set: (name, value) => choose(name, nearestPlace(control(name), value)),
    nudge: (name, steps) => choose(name, place(name) + steps),
  };
}

/** Make the button that plays a control, if the figure has one. */
function playerFor(spec, models, ended) {
  const k = spec.controls.findIndex((control) => control.name === spec.play);
  return k < 0 ? null : makePlayer(spec.controls[k], models[k], ended);
}

function panel(options, view) {
  const box = html("div", { class: `live-view live-view-${options.kind}` });
  if (options.title) box.append(html("p", { class: "live-title" }, options.title));
  box.append(view.element);
  return box;
}

/** Repaint when a control changes. */
function follow(model, control, request) {
  const event = control.kind === "index" ? "change:index" : "change:value";
  model.on(event, request);
  return () => model.off(event, request);
}

/** Give the controls of the figure in `el`, if ipywidgets draws them, names that a screen reader can say, as soon as they are there. */
function nameControls(el, models) {
  const isBeside = (view) => view.el.closest(".live-figure")?.contains(el);
  const name = async () => {
    const views = await Promise.all(models.flatMap((model) => Object.values(model.views ?? {})));
    views.forEach(makeAccessible);
    if (models.every((model) => views.some((view) => view.model === model && isBeside(view)))) watcher.disconnect();
  };
  const watcher = new MutationObserver(name);
  watcher.observe(document.body, { childList: true, subtree: true });
  name();
  return () => watcher.disconnect();
}

function watchWidth(stage, views, paint) {
  let known = 0;
  const lay = () => {
    const room = Math.max(NARROWEST, Math.floor(stage.clientWidth));
    if (!stage.clientWidth || room === known) return;
    known = room;
    layAll(stage, views);
    paint();
  };
  const stop = watchSize(stage, lay);
  lay();
  if (document.fonts?.status === "loading") document.fonts.ready.then(() => ((known = 0), lay())); // views measured other letters
  return stop;
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
  const alone = views.map((view) => columns === 1 || Boolean(view.isWide));
  let begin = 0;
  for (let k = 0; k <= views.length; k++) {
    if (k < views.length && !alone[k]) continue;
    if ((k - begin) % columns === 1) alone[k - 1] = true;
    begin = k + 1;
  }
  return alone;
}

function watchTheme(stage, views, paint) {
  const watcher = new MutationObserver(() => stage.clientWidth && (layAll(stage, views), paint()));
  const attributes = { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light"] };
  watcher.observe(document.documentElement, attributes);
  watcher.observe(document.body, attributes);
  return () => watcher.disconnect();
}

export default { render };
