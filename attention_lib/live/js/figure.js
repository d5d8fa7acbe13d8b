// The live figure: controls choose a frame, views draw it.
//
// A view is { element, layout(width), draw(frame), summary(), tables }. It draws and listens; it
// computes nothing that a reader could mistake for the book's mathematics. It may have more: `pointed()`, what the
// pointer or the keys are on; `largest()`, the parts of its largest number; `spoken()`, what only screen readers are told.
import { frameReader, moveTo, nearestPlace, placeOf, settle } from "./frames.js";
import { makeAccessible } from "./accessible.js";
import { makePlayer } from "./play.js";
import { makeReadout } from "./readout.js";
import { html, showScroll } from "./svg.js";
import { makeHeatmap } from "./heatmap.js";
import { makeBars } from "./bars.js";
import { makePlane } from "./plane.js";
import { makeCurve } from "./curve.js";
import { makeSentence } from "./sentence.js";
import { makeArcs } from "./arcs.js";
import { makeText, tablesOfPieces } from "./text.js";

const MAKERS = {
  heatmap: makeHeatmap,
  bars: makeBars,
  plane: makePlane,
  curve: makeCurve,
  sentence: makeSentence,
  arcs: makeArcs,
  text: makeText,
};
const NARROWEST = 240;

/** Show the figure in `el`; returns the cleanup, as anywidget asks. */
async function render({ model, el }) {
  const spec = model.get("spec");
  const readFrame = frameReader(spec.arrays, model.get("frames"));
  const models = await controlModels(model);
  const places = () => models.map((control, k) => settle(spec.controls[k], control));

  const tools = toolsFor(spec, models, () => readout.say());
  const views = spec.views.map((options) => MAKERS[options.kind](options, tools));
  const player = playerFor(spec, models, () => readout.say());
  const readout = makeReadout(spec, views, tools, () => player?.isPlaying());
  const table = tableToggle(spec, views);
  const reset = html("button", { type: "button", class: "live-button", hidden: "" }, "Back to start");
  reset.addEventListener("click", () => {
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

  let pending = 0;
  const paint = () => {
    pending = 0;
    if (!views[0].element.hasChildNodes()) return; // not laid out: it has no width yet, or is hidden
    const at = places();
    const frame = readFrame(at);
    views.forEach((view) => view.draw(frame));
    readout.say(frame);
    table.fill(frame);
    reset.hidden = at.every((place, k) => place === spec.controls[k].start);
    el.dataset.places = at.join(" ");
  };
  const request = () => (pending ||= requestAnimationFrame(paint));
  const stops = models.map((control, k) => follow(control, spec.controls[k], request));
  const above = models.filter((_, k) => !spec.held.includes(spec.controls[k].name));
  stops.push(nameControls(el, above), watchWidth(stage, views, paint), watchTheme(stage, views, paint));
  stops.push(readout.stop, ...(player ? [player.stop] : []));
  stops.push(showScroll(table.place, `Numbers of the figure: ${spec.name}`));
  return () => {
    cancelAnimationFrame(pending);
    stops.forEach((stop) => stop());
  };
}

function controlModels(model) {
  const find = (reference) => model.widget_manager.get_model(reference.replace("IPY_MODEL_", ""));
  return Promise.all(model.get("controls").map(find));
}

/** What views may ask of the figure. */
function toolsFor(spec, models, say) {
  const index = (name) => spec.controls.findIndex((control) => control.name === name);
  return {
    name: spec.name,
    say,
    control: (name) => spec.controls[index(name)],
    place: (name) => placeOf(spec.controls[index(name)], models[index(name)]),
    text: (name) => spec.controls[index(name)].texts[placeOf(spec.controls[index(name)], models[index(name)])],
    choose: (name, place) => moveTo(spec.controls[index(name)], models[index(name)], place),
    set(name, value) {
      const k = index(name);
      moveTo(spec.controls[k], models[k], nearestPlace(spec.controls[k], value));
    },
    nudge(name, steps) {
      const k = index(name);
      moveTo(spec.controls[k], models[k], placeOf(spec.controls[k], models[k]) + steps);
    },
  };
}

/** Make the button that plays a control, if the figure has one. */
function playerFor(spec, models, ended) {
  const k = spec.controls.findIndex((control) => control.name === spec.play);
  return k < 0 ? null : makePlayer(spec.controls[k], models[k], ended);
}

function panel(options, view) {
  const box = html("div", { class: "live-view" });
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

/** Give the controls of the figure in `el` names that a screen reader can say, as soon as they are there. */
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
  const watcher = new ResizeObserver(lay);
  watcher.observe(stage);
  lay();
  return () => watcher.disconnect();
}

function layAll(stage, views) {
  const room = Math.max(NARROWEST, Math.floor(stage.clientWidth));
  const beside = views.length > 1 && room >= 640 ? Math.floor((room - 24) / 2) : room;
  views.forEach((view) => view.layout(beside));
}

function watchTheme(stage, views, paint) {
  const watcher = new MutationObserver(() => stage.clientWidth && (layAll(stage, views), paint()));
  const attributes = { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light"] };
  watcher.observe(document.documentElement, attributes);
  watcher.observe(document.body, attributes);
  return () => watcher.disconnect();
}

/** The text equivalent of the picture: every number shown, in tables that follow the controls. */
function tableToggle(spec, views) {
  const place = html("div", { class: "live-tables", hidden: "" });
  const button = html("button", { type: "button", class: "live-button", "aria-expanded": "false" }, "Show as table");
  const shown = views.flatMap((view) => view.tables);
  const said = tablesOfPieces(spec.says ?? []).filter(({ array }) => !shown.some((table) => table.array === array));
  const wanted = [...shown, ...said];
  let last;
  const fill = (frame) => {
    last = frame;
    if (place.hidden) return;
    place.replaceChildren(...wanted.map((table) => makeTable(table, frame[table.array])));
  };
  button.addEventListener("click", () => {
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    setText(button, place.hidden ? "Show as table" : "Hide the table");
    fill(last);
  });
  return { button, place, fill };
}

function makeTable({ array, title, rows, columns, print }, numbers) {
  const labels = typeof rows === "function" ? rows(numbers.length / columns.length) : rows;
  const table = html("table", { "data-array": array });
  table.append(html("caption", {}, title || array));
  const head = html("tr");
  head.append(html("td"), ...columns.map((column) => html("th", { scope: "col" }, column)));
  table.append(head);
  labels.forEach((label, i) => {
    const line = html("tr");
    line.append(html("th", { scope: "row" }, label));
    columns.forEach((_, j) => line.append(html("td", {}, print(numbers[i * columns.length + j]))));
    table.append(line);
  });
  return table;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export default { render };
