/**
 * The figures of a page.
 *
 * A built page contains its widgets as JSON: their state once, and a marker wherever one is shown. Each
 * marker becomes a figure, without Python and without ipywidgets' manager. That is loaded (see widgets.js) when
 * a reader's code makes a widget, or when the reader comes near one of a kind that mount.js does not draw.
 * `window.bookWidgets` is for other scripts:
 *
 *   ready               a promise, resolved when every figure of the page is drawn or has failed with a sentence
 *   addState(state)     take note of the widgets in a widget-state object
 *   show(id, element)   draw the widget with this id in the element -> promise of { remove }, or of null
 *   manager             { get_model(id), has_model(id), handle_comm_open(comm, message) }, as in ipywidgets
 *   render              draws a live figure, as anywidget wants it
 */
import "../site/book.css";
import "../../live/js/figure.css";
import "./figures.css";

import live from "../../live/js/figure.js";
import { breathe } from "../site/breathe.js";
import { element as make } from "../site/element.js";
import { whenParsed } from "../site/ready.js";
import { explain } from "./explain.js";
import { bringFrames, lacking } from "./far-frames.js";
import { loaded, loadManager } from "./load-manager.js";
import { isPlain, isThere, modelOf, mount, noteWidgets, withParts } from "./mount.js";

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
const NEAR = "1200px"; // how far from the screen a figure begins to fetch what it needs

/** Draw every figure of the page. */
async function drawPage() {
  const markers = [...document.querySelectorAll(VIEW)];
  const places = markers.map(placeFor);
  try {
    document.querySelectorAll(STATE).forEach((script) => noteWidgets(JSON.parse(script.textContent)));
  } catch (error) {
    places.forEach((place) => explain(place, error.message));
    return;
  }
  await Promise.all(markers.map((marker, k) => showSoon(JSON.parse(marker.textContent).model_id, places[k])));
  await untilLaidOut();
}

/** The element before a view's marker in which the view is drawn: the one with its numbers, or a new one. */
function placeFor(marker) {
  const still = marker.previousElementSibling;
  if (still?.classList.contains("book-still")) return still;
  marker.before(make("div", { className: "book-widget" }));
  return marker.previousElementSibling;
}

/** Draw a figure now or, if it needs a file for that, when the reader comes near; nothing waits for that. */
async function showSoon(id, place) {
  await breathe();
  if (isThere(id) && needsFile(id)) whenNear(place).then(() => showStill(id, place));
  else await show(id, place);
}

function needsFile(id) {
  return !isPlain(id) || lacking(withParts(id)).length > 0;
}

/** Draw a widget with outputs that Python made; its controls call a function that must first be defined. */
async function showStill(id, place) {
  await show(id, place);
  if (!place.querySelector(".book-output") || !place.querySelector("input, select, button, .noUi-handle")) return;
  const textContent = "These controls call Python: run the cell to use them.";
  place.append(make("p", { className: "book-widget-note", textContent }));
}

/** Draw a widget in an element; a failure becomes a sentence there. */
async function show(id, place) {
  const parts = withParts(id);
  try {
    await bringFrames(parts);
    const view = isPlain(id) ? await mount(id) : await (await loadManager()).viewOf(id, parts);
    if (!place.isConnected || view.model?._closed) return view.remove() && null; // it was meanwhile replaced or closed
    place.replaceChildren();
    place.classList.remove("book-still");
    view.attachTo(place);
    place.dispatchEvent(new Event("book:drawn", { bubbles: true }));
    return view;
  } catch (error) {
    explain(place, error.message, error.canRetry && (() => show(id, place)));
    return null;
  }
}

/** Wait until an element is near the screen. */
function whenNear(place) {
  return new Promise((/** @type {(near?: void) => void} */ resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: NEAR },
    );
    observer.observe(place);
  });
}

/** Wait until the browser has laid out the page: figures draw themselves once they know their width. */
function untilLaidOut() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

window.bookWidgets = {
  render: live.render,
  ready: new Promise((resolve) => whenParsed(() => resolve(drawPage()))),
  addState: async (state) => noteWidgets(state),
  show,
  manager: {
    has_model: (id) => isThere(id) || Boolean(loaded()?.has_model(id)),
    get_model: async (id) => (loaded()?.has_model(id) ? loaded().get_model(id) : modelOf(id)),
    handle_comm_open: async (comm, message) => (await loadManager()).handle_comm_open(comm, message),
  },
};
