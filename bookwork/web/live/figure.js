// The live figure: controls choose a frame, views draw it.
//
// A view is { element, layout(width, tallest), draw(frame, shown) }. It prints the numbers of the frame and draws those that are shown,
// which glide (see glide.js). It listens, and computes nothing that a reader could mistake for the book's mathematics. It may have
// more: `pointed()` says what the pointer or the keys are on; `largest()` has the parts of its largest number, and `summary()` is a
// sentence of it; `isMoved()` and `reset()`, if it holds a choice of its own; `handles(shows, row)`, what a reader may guess in
// it. One whose options are `wide` has a line to itself.
import { nameControls } from "./accessible.js";
import { makeArcs } from "./arcs.js";
import { makeChart } from "./chart.js";
import { makeFlow } from "./flow.js";
import { frameReader, makeControl } from "./frames.js";
import { makeGlide } from "./glide.js";
import { makePlayer } from "./play.js";
import { makeReadout } from "./readout.js";
import { makeSentence } from "./sentence.js";
import { html, makeButton, watchSize } from "./svg.js";
import { makeTables } from "./tables.js";

const VIEWS = { sentence: makeSentence, arcs: makeArcs, flow: makeFlow }; // all other views are charts
const NARROWEST = 200, // pixels, of a view
  TALLEST = [430, 300]; // of the cells of a view that is the only one, or one of several

/** Show the figure in `el`; returns the cleanup, as anywidget asks. */
async function render({ model, el }) {
  const spec = model.get("spec");
  const readFrame = frameReader(spec.arrays, model.get("frames"));
  const find = (reference) => model.widget_manager.get_model(reference.replace("IPY_MODEL_", ""));
  const models = await Promise.all(model.get("controls").map(find));
  const controls = spec.controls.map((told, k) => makeControl(told, models[k]));
  const tools = toolsFor(spec, controls, readFrame, () => (readout.say(), showReset()));
  const views = spec.views.map((options) => (VIEWS[options.kind] ?? makeChart)(options, tools));
  const played = controls.find(({ name }) => name === spec.play);
  const player = played && makePlayer(played, () => readout.say());
  const readout = makeReadout(spec, views, tools, () => player?.isPlaying());
  const table = makeTables(spec, tools);
  const reset = makeButton({ class: "live-link", hidden: "" }, "Back to start", () => {
    views.forEach((view) => view.reset?.());
    controls.forEach(({ start, choose }) => choose(start));
    if (reset === document.activeElement) table.button.focus(); // the button goes away
  });
  const isMoved = () => views.some((view) => view.isMoved?.()) || controls.some(({ start, place }) => place() !== start);
  const showReset = () => (reset.hidden = !isMoved());
  const stage = html("div", { class: "live-views" }, spec.views.map((options, k) => panel(options, views[k]))); // prettier-ignore
  const bar = html("div", { class: "live-buttons" }, [table.button, reset]);
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
  stops.push(glide.stop, () => player?.stop());
  return () => {
    isShown = false;
    stops.forEach((stop) => stop());
  };
}

/** Where the controls stand, as arrays that glide: "@name" is the place of a control among its values. */
const standing = (controls, places) => Object.fromEntries(controls.map(({ name }, k) => [`@${name}`, Float64Array.of(places[k])]));

/** What views may ask of the figure; `numbersAt(array, {control: place})` are those where some controls stand elsewhere. */
function toolsFor({ name, arrays }, controls, readFrame, say) {
  const numbersAt = (array, elsewhere) =>
    readFrame(controls.map((control) => elsewhere[control.name] ?? control.place()), [array])[array]; // prettier-ignore
  const follows = (array) => controls.filter((_, k) => arrays.find((each) => each.name === array).counts[k] > 1);
  return { name, say, numbersAt, follows, control: (name) => controls.find((each) => each.name === name) };
}

function panel({ kind, title, wide }, { element }) {
  const above = title ? [html("p", { class: "live-title" }, title)] : [];
  return html("div", { class: `live-view live-view-${kind} ${wide ? "live-wide" : ""}` }, [...above, element]);
}

/** Lay out the views whenever they have another width, other letters or other colours. */
function watchRoom(stage, views, paint) {
  let known = 0;
  const lay = () => stage.clientWidth && (layAll(views), paint());
  const stop = watchSize(stage, () => stage.clientWidth !== known && ((known = stage.clientWidth), lay()));
  const theme = new MutationObserver(lay);
  for (const part of [document.documentElement, document.body])
    theme.observe(part, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light"] });
  if (document.fonts?.status === "loading") document.fonts.ready.then(lay);
  return () => (stop(), theme.disconnect());
}

/** Lay out all views, each in the room that its line of the figure leaves it. */
function layAll(views) {
  const widths = views.map(({ element }) => Math.max(NARROWEST, element.parentElement.clientWidth)); // asked before anything changes
  views.forEach((view, k) => view.layout(widths[k], TALLEST[views.length > 1 ? 1 : 0]));
}

export default { render };
